import GTFSSchema
import SQLite

/// By column, rows whose references are to later rows of their own file, and those rows.
typealias LateReferences = [String: [(row: UInt32, target: UInt32)]]

/// Stores what a block brings besides its rows.
///
/// It waits until the rows of its file are stored: while a table's pages are written, nothing else may be written to
/// the store.
final class SideRowWriter {
    private let connection: Connection
    private let extraFile: Statement
    private let shape: Statement
    private let location: Statement
    private var services: [NamedService] = []
    private var references: LateReferences = [:]

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        try connection.execute("CREATE TEMP TABLE waiting_shape AS SELECT * FROM shape WHERE 0")
        extraFile = try connection.prepare("INSERT INTO extra_file VALUES(?, ?, ?)")
        shape = try connection.prepare("INSERT INTO temp.waiting_shape(id, shape_id) VALUES(?, ?)")
        location = try connection.prepare(
            "INSERT INTO location(id, location_id, name, description, geometry_type, geometry, properties) "
                + "VALUES(?, ?, ?, ?, ?, ?, ?)"
        )
    }

    func write(_ rows: [SideRow]) throws(SQLiteError) { for row in rows { try write(row) } }

    private func write(_ row: SideRow) throws(SQLiteError) {
        switch row {
        case .reference(let column, let row, let target):
            references[column, default: []].append((UInt32(clamping: row), UInt32(clamping: target)))
        case .service(let id, let name): services.append(NamedService(id: id, name: name))
        case .shape(let id, let name): try run(shape, [.integer(id), .text(name)])
        }
    }

    /// The services that came beside the rows of calendar_dates.txt, once.
    func takeServices() -> [NamedService] {
        defer { services = [] }
        return services
    }

    /// Stores references whose targets came later in the same file, and answers them.
    func settle(afterRowsOf plan: TablePlan) throws(SQLiteError) -> LateReferences {
        defer { references = [:] }
        for (column, rows) in references.sorted(by: { $0.key < $1.key }) {
            let statement = try connection.prepare(
                "UPDATE \(StoreSchema.quoted(plan.table)) SET \(StoreSchema.quoted(column)) = ? WHERE id = ?")
            for row in rows { try run(statement, [.integer(Int64(row.target)), .integer(Int64(row.row))]) }
        }
        return references
    }

    /// Stores shapes, after all files.
    func settleShapes() throws(SQLiteError) {
        try connection.execute("INSERT INTO shape SELECT * FROM temp.waiting_shape ORDER BY rowid")
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
