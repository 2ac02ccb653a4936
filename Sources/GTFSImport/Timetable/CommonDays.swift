import CivilTime
import SQLite
import SQLitePages

/// Tells on which day two sets of days both run first. Reads `service_day` when it is first asked about sets that may
/// have a day in common.
///
/// Memory: a bit for each day from a set's first one to its last.
final class CommonDays {
    private let spans: ServiceSpans
    private let connection: Connection
    private let place: StorePlace
    /// By the set's id: where its words begin, each with 64 days.
    private var starts: [Int] = []
    private var words: [UInt64] = []
    private var known: [UInt64: Int64?] = [:]

    init(_ spans: ServiceSpans, _ connection: Connection, in place: StorePlace) {
        (self.spans, self.connection, self.place) = (spans, connection, place)
    }

    /// A date such as 20261126; nil if the sets have no day in common.
    func first(of first: UInt32, _ second: UInt32) throws -> Int64? {
        guard let days = spans.days(of: first), let otherDays = spans.days(of: second), days.overlaps(otherDays) else {
            return nil
        }
        if first == second { return Self.date(days.lowerBound) }
        let pair = UInt64(min(first, second)) << 32 | UInt64(max(first, second))
        if let known = known[pair] { return known }
        if starts.isEmpty { try read() }
        let common = Self.words(of: days).clamped(to: Self.words(of: otherDays))
        let shifts = (starts[Int(first)] - (days.lowerBound >> 6), starts[Int(second)] - (otherDays.lowerBound >> 6))
        let day = common.lazy.compactMap { word -> Int? in
            let both = self.words[shifts.0 + word] & self.words[shifts.1 + word]
            return both == 0 ? nil : word << 6 + both.trailingZeroBitCount
        }.first
        let date = day.map(Self.date)
        known[pair] = date
        return date
    }

    private static func date(_ day: Int) -> Int64 { Int64(CivilDay(daysSince1970: Int64(day)).number) }

    private static func words(of days: ClosedRange<Int>) -> ClosedRange<Int> {
        days.lowerBound >> 6...days.upperBound >> 6
    }

    private func read() throws {
        var count = 0
        for set in 0..<UInt32(clamping: spans.setCount) {
            starts.append(count)
            count += spans.days(of: set).map { Self.words(of: $0).count } ?? 0
        }
        words = [UInt64](repeating: 0, count: count)
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        let reader = try file.reader(root: connection.rootPage(ofTable: "service_day", in: place))
        var (date, day): (Int64, Int?) = (0, nil)
        while let record = try reader.next() {
            guard let next = RecordIntegers.value(of: record, at: 0), let set = RecordIntegers.value(of: record, at: 1)
            else { continue }
            if next != date { (date, day) = (next, CivilDay(number: Int(next)).map { Int($0.daysSince1970) }) }
            guard let day, let days = spans.days(of: UInt32(clamping: set)), days.contains(day) else { continue }
            words[starts[Int(set)] + day >> 6 - days.lowerBound >> 6] |= 1 << UInt64(day & 63)
        }
    }
}
