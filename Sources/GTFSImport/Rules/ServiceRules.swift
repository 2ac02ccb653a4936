import CivilTime
import GTFSSchema
import SQLite

/// Rules about the days of services: what the import knows about them when it has written `service_day`.
struct ServiceRules: ComparedRule {
    private enum Word: String, CaseIterable {
        case longPause = "long_pause"
        /// A service of calendar.txt.
        case outsidePeriod = "outside_period"
        /// A service that only calendar_dates.txt names.
        case outsidePeriodByDates = "outside_period_by_dates"
        case periodTooLong = "period_too_long"
    }

    private let connection: Connection
    private let days: ServiceDays
    /// By the service's id: whether any trip takes it.
    private let isTaken: [Bool]
    /// `feed_start_date` and `feed_end_date`; nil if one of them is missing.
    private let period: (row: Int64, start: Int64, end: Int64)?

    /// If the feed may have the dates for which it is valid, `hasPeriod` is true.
    init(_ connection: Connection, _ days: ServiceDays, isTaken: [Bool], hasPeriod: Bool) throws(SQLiteError) {
        (self.connection, self.days, self.isTaken) = (connection, days, isTaken)
        guard hasPeriod else {
            period = nil
            return
        }
        let rows = try connection.prepare("SELECT id, start_date, end_date FROM feed_info ORDER BY id LIMIT 1")
        let hasBoth = try rows.step() && !rows.isNull(1) && !rows.isNull(2)
        period = hasBoth ? (rows.integer(0), rows.integer(1), rows.integer(2)) : nil
    }

    var words: Set<String> { Set(Word.allCases.map(\.rawValue)) }

    /// Whether any service may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool {
        switch Word(rawValue: word) {
        case .longPause: !days.spans.pauses.isEmpty
        case .outsidePeriod, .outsidePeriodByDates: taken.contains { isOutside($0.span) }
        case .periodTooLong: longPeriod != nil
        case nil: false
        }
    }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        for rule in rules {
            guard let word = rule.comparison.flatMap(Word.init) else { continue }
            let findings = RuleFindings(rule, connection)
            switch word {
            case .longPause: try notePauses(findings, &notices)
            case .outsidePeriod, .outsidePeriodByDates:
                for (service, span) in taken where isOutside(span) {
                    guard (service > days.lastOfCalendar) == (word == .outsidePeriodByDates) else { continue }
                    try findings.add(row: service, Self.packed(span), times: 1, &notices)
                }
            case .periodTooLong:
                guard let period, let longPeriod else { continue }
                try findings.add(row: period.row, Self.packed(longPeriod), times: 1, &notices)
            }
        }
    }

    /// Both dates in one number, for SQL.
    private static func packed(_ span: (first: Int64, last: Int64)) -> Int64 { span.first * 100_000_000 + span.last }

    // MARK: Pauses

    /// Notes the pauses of the services of calendar.txt, in the order of its rows.
    private func notePauses(_ findings: RuleFindings, _ notices: inout NoticeLog) throws {
        let pauses = Dictionary(grouping: days.spans.pauses) { $0.set }
        for (service, set) in days.sets.enumerated() where service <= Int(days.lastOfCalendar) {
            for pause in pauses[set] ?? [] {
                try findings.add(
                    row: Int64(service), Self.packed((pause.last, pause.next)), times: 1, &notices)
            }
        }
    }

    // MARK: The feed's period

    /// The services that trips take, with their first and last day.
    private var taken: some Sequence<(service: Int64, span: (first: Int64, last: Int64))> {
        isTaken.indices.lazy.filter { isTaken[$0] && $0 < days.sets.count }.compactMap { service in
            days.spans.span(of: days.sets[service]).map { (Int64(service), $0) }
        }
    }

    private func isOutside(_ span: (first: Int64, last: Int64)) -> Bool {
        period.map { span.first < $0.start || span.last > $0.end } ?? false
    }

    /// The first and the last day of all services together, if the feed's period is more than 14 days longer at either
    /// end.
    private var longPeriod: (first: Int64, last: Int64)? {
        guard let period else { return nil }
        var all: (first: Int64, last: Int64)?
        for (_, span) in taken {
            all = (min(all?.first ?? .max, span.first), max(all?.last ?? .min, span.last))
        }
        guard let all, let early = CivilDay(number: Int(all.first))?.adding(days: -14),
            let late = CivilDay(number: Int(all.last))?.adding(days: 14)
        else { return nil }
        return period.start < early.number || period.end > late.number ? all : nil
    }
}
