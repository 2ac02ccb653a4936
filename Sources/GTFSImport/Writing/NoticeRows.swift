import GTFSSchema
import SQLite

/// Stores the notices: the first ones of each code whole, all of them counted.
struct NoticeRows {
    let connection: Connection

    func write(_ log: NoticeLog) throws(SQLiteError) {
        let statement = try connection.prepare(
            "INSERT INTO notice(code, severity, file, row_number, field, value, message) VALUES(?, ?, ?, ?, ?, ?, ?)")
        for notice in log.kept {
            statement.bind(1, notice.kind.code.name)
            statement.bind(2, notice.kind.code.severity.rawValue)
            statement.bind(3, notice.file)
            statement.bind(4, notice.rowNumber.map(Int64.init))
            statement.bind(5, notice.field)
            statement.bind(6, notice.value)
            statement.bind(7, notice.message)
            try statement.run()
        }
        let totals = try connection.prepare("INSERT INTO notice_total VALUES(?, ?, ?, ?)")
        for (kind, count) in log.totals {
            totals.bind(1, kind.code.name)
            totals.bind(2, kind.code.severity.rawValue)
            totals.bind(3, Int64(count))
            totals.bind(4, Int64(log.keptCount(kind)))
            try totals.run()
        }
    }
}
