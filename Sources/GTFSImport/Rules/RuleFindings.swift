// Unsafe: texts are lent by SQLite while they are copied.

import GTFSSchema
import SQLite

/// The rows that break one rule: all are counted, and the first ones become notices with all details.
final class RuleFindings {
    private let rule: FeedRule
    /// Looked up with the first finding, as most rules have none.
    private lazy var kind = NoticeKind(code: rule.code)
    // Looking these up in the specification each time took an eighth of the instructions of a notice.
    private lazy var hasRowNumbers = rule.hasRowNumbers
    /// What stands before and behind each value of a key, such as `, trip_id "` and `"`.
    private lazy var keyWords = rule.keyFields.map { field in
        let quote = field.type == .reference ? "\"" : ""
        return (before: Array(", \(field.name) \(quote)".utf8), behind: Array(quote.utf8))
    }
    private lazy var beforeValue = Array(", \(rule.field): \"".utf8)
    private let place: NoticeLog.FilePlace
    private let connection: Connection
    /// The words of the message around the values.
    private var words: [[UInt8]] = []
    /// The message at hand, as bytes: appending to a String takes several times as long. Unchecked: no access lasts
    /// beyond `fault`.
    @exclusivity(unchecked) private var text: [UInt8] = []
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

    /// Adds what a row gives. `broken` is the value of the rule's condition. A row of a table without an `id` has a
    /// `sequence` as well, the second part of its key. `other` is one more number for the message.
    func add(
        row: Int64, sequence: Int64 = 0, _ broken: Int64, other: Int64 = 0, times: Int, _ notices: inout NoticeLog
    ) throws(SQLiteError) {
        guard let kind else { return }
        let named = min(times, notices.room(for: kind))
        for number in 0..<named {
            notices.keep(try notice(kind, row, [row, broken, Int64(number), sequence, other]))
        }
        notices.count(kind, in: place, times: times)
    }

    private func notice(
        _ kind: NoticeKind, _ row: Int64, _ values: [Int64]
    ) throws(SQLiteError) -> Notice {
        let details = try readied()
        defer { details.reset() }
        for (place, value) in values.prefix(details.parameterCount).enumerated() { details.bind(place + 1, value) }
        _ = try details.step()
        let value = rule.value.isEmpty ? nil : details.text(0).map(Notice.shortened)
        let rowNumber = hasRowNumbers ? Int(row) + 1 : nil
        return Notice(
            kind: kind, file: rule.file, rowNumber: rowNumber, field: rule.field, value: value,
            fault: fault(rowNumber, value, details), outcome: .storedAsItIs)
    }

    /// Such as `stops.txt, row 7, stop_name: "A" is …`. A row whose number is not stored is named by its key:
    /// `stop_times.txt, trip_id "a", stop_sequence 3: …`.
    private func fault(_ rowNumber: Int?, _ value: String?, _ details: Statement) -> String {
        text.removeAll(keepingCapacity: true)
        text += rule.file.utf8
        if let rowNumber {
            text += ", row ".utf8
            text += rowNumber.description.utf8
        } else {
            addKey(details)
        }
        if let value {
            text += beforeValue
            text += value.utf8
            text += "\" ".utf8
        } else {
            text += ": ".utf8
        }
        text += words[0]
        for column in 1..<words.count {
            appendText(of: details, column)
            text += words[column]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func addKey(_ details: Statement) {
        let first = details.columnCount - keyWords.count
        for (number, words) in keyWords.enumerated() {
            text += words.before
            appendText(of: details, first + number)
            text += words.behind
        }
    }

    private func appendText(of details: Statement, _ column: Int) {
        details.withText(column) { value in
            let end = Notice.endOfShortened(value)
            text += value[..<(end ?? value.count)]
            if end != nil { text += "…".utf8 }
        }
    }

    private func readied() throws(SQLiteError) -> Statement {
        if let details { return details }
        words = FeedRule.parts(of: rule.message).words.map { Array($0.utf8) }
        let statement = try connection.prepare(rule.detailsSQL)
        details = statement
        return statement
    }
}

extension FeedRule {
    /// Rows of `shape` are not rows of a file, and those of the long tables are stored without their numbers.
    fileprivate var hasRowNumbers: Bool {
        Specification.gtfs.file(named: file)?.table == table && keyFields.isEmpty
    }

    /// The fields of the key of a table whose rows have no `id`.
    fileprivate var keyFields: [FieldDefinition] {
        guard let file = Specification.gtfs.file(ofTable: table), file.storage == .clustered else { return [] }
        return file.keyFields
    }

    /// The statement that reads the offending value, the values of the message and the row's key as the feed has it.
    /// ?1 is the row, ?2 the value of the condition, ?3 the number of the notice among the row's, ?4 the sequence, ?5
    /// another number.
    package var detailsSQL: String {
        let values = [value.isEmpty ? "NULL" : value] + Self.parts(of: message).braces
        let keys = keyFields.map { field in
            guard let target = field.targets.first else { return "t.\(field.column)" }
            return "(SELECT \(target.column) FROM \(target.table) WHERE id = t.\(field.column))"
        }
        let condition =
            keyFields.count == 2 ? "t.\(keyFields[0].column) = ?1 AND t.\(keyFields[1].column) = ?4" : "t.id = ?1"
        return "SELECT \((values + keys).joined(separator: ", ")) FROM \(StoreSchema.quoted(table)) AS t "
            + "WHERE \(condition)"
    }
}
