/// Every file and field of GTFS Schedule, read from schema/gtfs.tsv, which is embedded into the program.
///
///     let stops = Specification.gtfs.file(named: "stops.txt")
///     stops?.field(named: "stop_lat")?.column     // "latitude"
///
/// Reading the declaration costs about a quarter of a millisecond, once.
public struct Specification: Sendable {
    /// The revision that the declaration follows (google/transit, gtfs/spec/en/reference.md).
    public static let revision = "2026-04-27"

    public static let gtfs = Specification(PackageResources.gtfs_tsv)

    public let files: [FileDefinition]
    private let byName: [String: Int]
    private let byTable: [String: Int]

    public func file(named name: String) -> FileDefinition? { byName[name].map { files[$0] } }
    public func file(ofTable table: String) -> FileDefinition? { byTable[table].map { files[$0] } }

    init(_ declaration: [UInt8]) {
        var files: [FileDefinition] = []
        var fields: [FieldDefinition] = []
        for row in TabSeparatedTable(declaration).rows.reversed() where row.count == 11 {
            if let field = FieldDefinition(row) {
                fields.append(field)
            } else {
                files.append(FileDefinition(row, fields: fields.reversed()))
                fields = []
            }
        }
        self.files = files.reversed()
        byName = Dictionary(uniqueKeysWithValues: self.files.enumerated().map { ($1.name, $0) })
        byTable = Dictionary(uniqueKeysWithValues: self.files.enumerated().map { ($1.table, $0) })
    }
}

extension FileDefinition {
    fileprivate init(_ row: [String], fields: [FieldDefinition]) {
        self.init(
            name: row[0], table: row[2], presence: Presence(rawValue: row[5]) ?? .optional, fields: fields,
            meaning: row[10])
    }
}

extension FieldDefinition {
    /// Nil for the row of a file, whose field is empty.
    fileprivate init?(_ row: [String]) {
        guard !row[1].isEmpty, let type = FieldType(row[4], values: row[8]) else { return nil }
        let targets = row[7].utf8.split(separator: UInt8(ascii: "|")).compactMap { target -> ColumnReference? in
            let parts = target.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
            return parts.count == 2 ? ColumnReference(table: parts[0], column: parts[1]) : nil
        }
        self.init(
            name: row[1], column: row[3], type: type, presence: Presence(rawValue: row[5]) ?? .optional,
            keyPosition: Int(row[6]), targets: targets, mixedCaseRecommended: row[9] == "yes", meaning: row[10])
    }
}
