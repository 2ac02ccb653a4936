import GTFSSchema
import SQLite

/// Stores what a block brings besides its rows.
///
/// What any table's rows can bring waits in temporary tables until all rows are stored: while a clustered table's pages
/// are written, nothing else may be written to the file.
final class SideRowWriter {
    private let connection: Connection
    private let keptValue: Statement
    private let keptRow: Statement
    private let extraFile: Statement
    private let service: Statement
    private let shape: Statement
    private let location: Statement
    private var waitingValue: Statement?
    private var references: [String: Statement] = [:]
    /// Columns with a value that they could not take, by table; views look for those values.
    private(set) var keptColumns: [String: Set<String>] = [:]

    private static let waitingTables = ["kept_value", "kept_row", "shape"]

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        for table in Self.waitingTables {
            try connection.execute("CREATE TEMP TABLE waiting_\(table) AS SELECT * FROM \(table) WHERE 0")
        }
        keptValue = try connection.prepare("INSERT INTO temp.waiting_kept_value VALUES(?, ?, ?, ?, ?)")
        keptRow = try connection.prepare("INSERT INTO temp.waiting_kept_row VALUES(?, ?, ?, ?)")
        extraFile = try connection.prepare("INSERT INTO extra_file VALUES(?, ?, ?)")
        service = try connection.prepare("INSERT INTO service(id, service_id, in_calendar) VALUES(?, ?, 0)")
        shape = try connection.prepare("INSERT INTO temp.waiting_shape(id, shape_id) VALUES(?, ?)")
        location = try connection.prepare(
            "INSERT INTO location(id, location_id, name, description, geometry_type, geometry, properties) "
                + "VALUES(?, ?, ?, ?, ?, ?, ?)"
        )
    }

    func write(_ rows: [SideRow], of plan: TablePlan) throws(SQLiteError) {
        for row in rows { try write(row, plan) }
    }

    private func write(_ row: SideRow, _ plan: TablePlan) throws(SQLiteError) {
        switch row {
        case .keptValue(let row, let sequence, let latecomer, let column, let value):
            let values: [SQLiteValue] = [
                .text(plan.table), .integer(row), .integer(sequence), .text(column), .text(value),
            ]
            keptColumns[plan.table, default: []].insert(column)
            if let latecomer {
                try run(waitingStatement(), values + [.integer(Int64(latecomer))])
            } else {
                try run(keptValue, values)
            }
        case .keptRow(let number, let reason, let text):
            try keep(row: number, of: plan.file, reason: reason, text: text)
        case .reference(let column, let row, let target):
            try run(reference(plan.table, column), [.integer(target), .integer(row)])
        case .service(let id, let name): try run(service, [.integer(id), .text(name)])
        case .shape(let id, let name): try run(shape, [.integer(id), .text(name)])
        }
    }

    /// Values of rows that came out of order wait until it is known which of those rows are `duplicates`.
    func settleLatecomers(duplicates: LateDuplicates?) throws(SQLiteError) {
        guard waitingValue != nil else { return }
        if let duplicates { try forgetValues(of: duplicates) }
        try connection.execute(
            "INSERT INTO temp.waiting_kept_value SELECT \"table\", \"row\", sequence, \"column\", value "
                + "FROM temp.waiting_value ORDER BY row_number; DELETE FROM temp.waiting_value")
    }

    private func forgetValues(of duplicates: LateDuplicates) throws(SQLiteError) {
        let waiting = try connection.prepare("SELECT DISTINCT row_number FROM temp.waiting_value")
        var rows: [Int64] = []
        while try waiting.step() {
            if duplicates.contains(Int(waiting.integer(0))) { rows.append(waiting.integer(0)) }
        }
        let forget = try connection.prepare("DELETE FROM temp.waiting_value WHERE row_number = ?")
        for row in rows { try run(forget, [.integer(row)]) }
    }

    /// Brings what waited to its place, and the shapes last.
    func settle(_ extraCells: ExtraCells) throws {
        for table in Self.waitingTables {
            if table == "shape" { try extraCells.insert(into: connection) }
            try connection.execute("INSERT OR REPLACE INTO \(table) SELECT * FROM temp.waiting_\(table) ORDER BY rowid")
        }
    }

    private func waitingStatement() throws(SQLiteError) -> Statement {
        if let waitingValue { return waitingValue }
        try connection.execute(
            "CREATE TEMP TABLE waiting_value(\"table\", \"row\", sequence, \"column\", value, row_number INTEGER);"
                + "CREATE INDEX temp.waiting_value_row ON waiting_value(row_number)")
        let statement = try connection.prepare("INSERT INTO temp.waiting_value VALUES(?, ?, ?, ?, ?, ?)")
        waitingValue = statement
        return statement
    }

    func keep(row number: Int, of file: String, reason: String, text: String) throws(SQLiteError) {
        try run(keptRow, [.text(file), .integer(Int64(number)), .text(reason), .text(text)])
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
