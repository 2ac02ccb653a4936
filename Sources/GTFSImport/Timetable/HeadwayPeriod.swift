/// A usable row of frequencies.txt: vehicles leave at its start, and every headway after it, but none at its end or
/// later (GTFS reference, frequencies.txt).
///
///     HeadwayPeriod(start: 21_600, end: 25_200, headway: 1_200)?.starts(before: 24_000)     // 2, at 6:00 and 6:20
///
/// Times are seconds since noon minus 12 hours of the service day.
struct HeadwayPeriod {
    let start: Int64
    let end: Int64
    let headway: Int64

    /// Nil if the row is not usable: its start must be before its end, and its headway above 0.
    init?(start: Int64, end: Int64, headway: Int64) {
        guard start < end, headway > 0 else { return nil }
        (self.start, self.end, self.headway) = (start, end, headway)
    }

    /// How many vehicles leave before a time.
    func starts(before time: Int64) -> Int64 {
        let limit = min(time, end)
        return limit <= start ? 0 : (limit - start - 1) / headway + 1
    }

    /// When the last vehicle leaves.
    var last: Int64 { end - 1 - (end - 1 - start) % headway }

    /// How many vehicles leave in all.
    var starts: Int64 { starts(before: end) }
}
