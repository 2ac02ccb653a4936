// Unsafe: names of shapes are bound where the reading stage left them.

import GTFSSchema
import SQLite

/// By column: rows that refer to later rows of their own file, and the rows that they refer to.
typealias LateReferences = [String: [(row: UInt32, target: UInt32)]]

/// Stores what a feed has besides the rows of its tables: files that are not tables, locations, the names of shapes,
/// and references that were found after their rows.
///
/// References wait until the rows of their file are stored: while a table's pages are written, nothing else may be
/// written to the store.
final class SideRowWriter {
    private let connection: Connection
    private let extraFile: Statement
    private let location: Statement
    private var references: LateReferences = [:]

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        extraFile = try connection.prepare("INSERT INTO extra_file VALUES(?, ?, ?)")
        location = try connection.prepare(
            "INSERT INTO location(id, location_id, name, description, geometry_type, geometry, properties) "
                + "VALUES(?, ?, ?, ?, ?, ?, ?)"
        )
    }

    func add(_ late: [LateReference]) {
        for reference in late {
            references[reference.column, default: []].append(
                (UInt32(clamping: reference.row), UInt32(clamping: reference.target)))
        }
    }

    /// Stores references whose targets came later in the same file, and returns them.
    func settle(afterRowsOf plan: TablePlan) throws(SQLiteError) -> LateReferences {
        defer { references = [:] }
        for (column, rows) in references.sorted(by: { $0.key < $1.key }) {
            let statement = try connection.prepare(
                "UPDATE \(StoreSchema.quoted(plan.table)) SET \(StoreSchema.quoted(column)) = ? WHERE id = ?")
            for row in rows { try run(statement, [.integer(Int64(row.target)), .integer(Int64(row.row))]) }
        }
        return references
    }

    /// Stores the shapes of shapes.txt. Call it after all files: the reading stage uses `shapes` until then.
    func write(shapes: IdentifierMap, checking check: () throws -> Void) throws {
        let insert = try connection.prepare("INSERT INTO shape(id, shape_id) VALUES(?, ?)")
        var interval = CheckInterval()
        try shapes.forEachNumber { number in
            if interval.isOver() { try check() }
            insert.bind(1, Int64(shapes.key(number)))
            insert.bind(2, text: shapes.text(number))
            try insert.run()
        }
    }

    func write(_ location: LocationRecord) throws(SQLiteError) {
        let texts = [
            location.locationID, location.name, location.description, location.geometryType, location.geometry,
            location.properties,
        ]
        try run(self.location, [.integer(Int64(location.number))] + texts.map { $0.map(SQLiteValue.text) ?? .null })
    }

    func write(file: String, part: Int, bytes: [UInt8]) throws(SQLiteError) {
        extraFile.bind(1, file)
        extraFile.bind(2, Int64(part))
        bytes.withUnsafeBytes { extraFile.bind(3, blob: $0) }
        try extraFile.run()
    }

    private func run(_ statement: Statement, _ values: [SQLiteValue]) throws(SQLiteError) {
        for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
        try statement.run()
    }
}
