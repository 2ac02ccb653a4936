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
        for row in TabSeparatedTable(declaration, of: "gtfs.tsv", columns: 12).rows.reversed() {
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
    fileprivate convenience init(_ row: [String], fields: [FieldDefinition]) {
        self.init(
            name: row[0], table: row[2], presence: Presence(rawValue: row[5]) ?? .optional, fields: fields,
            meaning: row[11])
    }
}

extension FieldDefinition {
    /// Nil for a row that declares a file: its field name is empty. Also nil for an unknown type or condition; a test
    /// makes sure that the declaration has none.
    fileprivate convenience init?(_ row: [String]) {
        guard !row[1].isEmpty, let type = FieldType(row[4], values: row[8]),
            let conditions = FieldConditions(row[10])
        else { return nil }
        let targets = row[7].utf8.split(separator: UInt8(ascii: "|")).compactMap { target -> ColumnReference? in
            let parts = target.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
            return parts.count == 2 ? ColumnReference(table: parts[0], column: parts[1]) : nil
        }
        self.init(
            name: row[1], column: row[3], type: type, presence: Presence(rawValue: row[5]) ?? .optional,
            conditions: conditions.presence, rangeStart: conditions.rangeStart, keyPosition: Int(row[6]),
            targets: targets, mixedCaseRecommended: row[9] == "yes",
            meaning: row[11])
    }
}

extension FieldDefinition {
    /// What the feed must have for a value of this field, as an object of a sentence.
    ///
    ///     trips?.field(named: "service_id")?.targetWords  // "a service_id of calendar.txt or calendar_dates.txt"
    ///
    /// Empty for a field that refers to nothing.
    public var targetWords: String {
        let found = targets.flatMap { target in
            Specification.gtfs.files.compactMap { file -> (name: String, file: String)? in
                let own = file.table == target.table ? file.fields.first { $0.column == target.column } : nil
                let defining = file.definingReference.flatMap { $0.targets.contains(target) ? $0 : nil }
                return (own ?? defining).map { ($0.name, file.name) }
            }
        }
        return found.first.map { Self.words(ofID: $0.name, in: found.map(\.file)) } ?? ""
    }

    /// A field and its files as an object of a sentence: "an agency_id of agency.txt".
    public static func words(ofID name: String, in files: [String]) -> String {
        let beginsWithVowel = name.utf8.first.map("aeiou".utf8.contains) ?? false
        let article = beginsWithVowel ? "an" : "a"
        return "\(article) \(name) of \(files.joined(separator: " or "))"
    }
}

/// The rows of a tab-separated declaration after its header line.
///
/// The declarations are part of the program. So a line that lacks a column, or a last one without a line feed, is a
/// mistake in the program, which ends there: otherwise its row would be missing silently.
///
/// Splits by bytes: splitting by characters took a third of the time of importing a small feed.
struct TabSeparatedTable {
    private(set) var rows: [[String]] = []

    init(_ bytes: [UInt8], of file: String, columns: Int) {
        let text = bytes.span
        var row: [String] = []
        var start = 0
        for place in text.indices {
            let byte = text[place]
            guard byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") else { continue }
            row.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place + 1
            if byte == UInt8(ascii: "\n") {
                rows.append(row)
                precondition(
                    row.count == columns, "\(file):\(rows.count) has \(row.count) of \(columns) columns")
                row.removeAll()
            }
        }
        precondition(start == bytes.count, "\(file):\(rows.count + 1) does not end with a line feed")
        rows = Array(rows.dropFirst())
    }
}
