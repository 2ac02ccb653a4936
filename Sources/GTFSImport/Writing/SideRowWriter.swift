import GTFSSchema
import SQLite

/// Stores what a block brings besides its rows.
final class SideRowWriter {
    private let connection: Connection
    private let keptValue: Statement
    private let keptRow: Statement
    private let extraCell: Statement
    private let extraFile: Statement
    private let service: Statement
    private let shape: Statement
    private let location: Statement
    private var references: [String: Statement] = [:]
    /// Tables with a value that no column could take; their views look further.
    private(set) var tablesWithKeptValues: Set<String> = []

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        keptValue = try connection.prepare("INSERT OR REPLACE INTO kept_value VALUES(?, ?, ?, ?, ?)")
        keptRow = try connection.prepare("INSERT OR REPLACE INTO kept_row VALUES(?, ?, ?, ?)")
        extraCell = try connection.prepare("INSERT OR REPLACE INTO extra_cell VALUES(?, ?, ?, ?)")
        extraFile = try connection.prepare("INSERT INTO extra_file VALUES(?, ?, ?)")
        service = try connection.prepare("INSERT INTO service(id, service_id, in_calendar) VALUES(?, ?, 0)")
        shape = try connection.prepare("INSERT INTO shape(id, shape_id) VALUES(?, ?)")
        location = try connection.prepare(
            "INSERT INTO location(id, location_id, name, description, geometry_type, geometry) VALUES(?, ?, ?, ?, ?, ?)"
        )
    }

    func write(_ rows: [SideRow], of plan: TablePlan) throws(SQLiteError) {
        for row in rows { try write(row, plan) }
    }

    private func write(_ row: SideRow, _ plan: TablePlan) throws(SQLiteError) {
        switch row {
        case .keptValue(let row, let sequence, let column, let value):
            tablesWithKeptValues.insert(plan.table)
            try run(keptValue, [.text(plan.table), .integer(row), .integer(sequence), .text(column), .text(value)])
        case .keptRow(let number, let reason, let text):
            try keep(row: number, of: plan.file, reason: reason, text: text)
        case .extraCell(let row, let position, let value):
            try run(extraCell, [.text(plan.file), .integer(Int64(row)), .integer(Int64(position)), .text(value)])
        case .reference(let column, let row, let target):
            try run(reference(plan.table, column), [.integer(target), .integer(row)])
        case .service(let id, let name): try run(service, [.integer(id), .text(name)])
        case .shape(let id, let name): try run(shape, [.integer(id), .text(name)])
        }
    }

    func keep(row number: Int, of file: String, reason: String, text: String) throws(SQLiteError) {
        try run(keptRow, [.text(file), .integer(Int64(number)), .text(reason), .text(text)])
    }

    func write(_ location: LocationRecord) throws(SQLiteError) {
        let texts = [
            location.locationID, location.name, location.description, location.geometryType, location.geometry,
        ]
        try run(self.location, [.integer(Int64(location.number))] + texts.map { $0.map(SQLiteValue.text) ?? .null })
    }

    func write(file: String, part: Int, bytes: [UInt8]) throws(SQLiteError) {
        extraFile.bind(1, file)
        extraFile.bind(2, Int64(part))
        bytes.withUnsafeBytes { extraFile.bind(3, blob: $0) }
        try extraFile.run()
    }

    private func reference(_ table: String, _ column: String) throws(SQLiteError) -> Statement {
        if let statement = references[column] { return statement }
        let statement = try connection.prepare(
            "UPDATE \(StoreSchema.quoted(table)) SET \(StoreSchema.quoted(column)) = ? WHERE id = ?")
        references[column] = statement
        return statement
    }

    private func run(_ statement: Statement, _ values: [SQLiteValue]) throws(SQLiteError) {
        for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
        try statement.run()
    }
}
