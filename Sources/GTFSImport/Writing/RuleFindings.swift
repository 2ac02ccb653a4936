import GTFSSchema
import SQLite

/// The rows that break one rule: all are counted, and the first ones become notices with all details.
final class RuleFindings {
    private let rule: FeedRule
    /// Looked up with the first finding, as most rules have none.
    private lazy var kind = NoticeKind(code: rule.code)
    private let place: NoticeLog.FilePlace
    private let connection: Connection
    /// The words of the message around the values.
    private var words: [String] = []
    /// Reads a row's offending value and the values for the message. Made when the first notice needs it.
    private var details: Statement?

    init(_ rule: FeedRule, _ connection: Connection) {
        (self.rule, place, self.connection) = (rule, NoticeLog.FilePlace(rule.file), connection)
    }

    /// How many more notices of the rule are kept with all details.
    func room(in notices: NoticeLog) -> Int { kind.map { notices.room(for: $0) } ?? 0 }

    /// Counts what is not kept with all details.
    func count(_ times: Int, _ notices: inout NoticeLog) {
        if let kind { notices.count(kind, in: place, times: times) }
    }

    /// Adds what a row gives. `broken` is the value of the rule's condition.
    func add(row: Int64, _ broken: Int64, times: Int, _ notices: inout NoticeLog) throws(SQLiteError) {
        guard let kind else { return }
        let named = min(times, notices.room(for: kind))
        for number in 0..<named {
            notices.keep(try notice(kind, row, broken, number))
        }
        notices.count(kind, in: place, times: times)
    }

    private func notice(
        _ kind: NoticeKind, _ row: Int64, _ broken: Int64, _ number: Int
    ) throws(SQLiteError) -> Notice {
        let details = try readied()
        defer { details.reset() }
        details.bind(1, row)
        if details.parameterCount > 1 { details.bind(2, broken) }
        if details.parameterCount > 2 { details.bind(3, Int64(number)) }
        _ = try details.step()
        let value = rule.value.isEmpty ? nil : details.text(0).map(Notice.shortened)
        var message = words[0]
        for place in 1..<words.count {
            message += Notice.shortened(details.text(place) ?? "") + words[place]
        }
        let rowNumber = rule.hasRowNumbers ? Int(row) + 1 : nil
        let place = rule.file + (rowNumber.map { ", row \($0)" } ?? "")
        let fault = value.map { "\(place), \(rule.field): \"\($0)\" \(message)" } ?? "\(place): \(message)"
        return Notice(
            kind: kind, file: rule.file, rowNumber: rowNumber, field: rule.field, value: value, fault: fault,
            outcome: .storedAsItIs)
    }

    private func readied() throws(SQLiteError) -> Statement {
        if let details { return details }
        let (words, values) = FeedRule.parts(of: rule.message)
        self.words = words
        let columns = ([rule.value.isEmpty ? "NULL" : rule.value] + values).joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(columns) FROM \(StoreSchema.quoted(rule.table)) AS t WHERE t.id = ?1")
        details = statement
        return statement
    }
}

extension FeedRule {
    /// Rows of `shape` are not rows of a file.
    fileprivate var hasRowNumbers: Bool { Specification.gtfs.file(named: file)?.table == table }
}
