/// The service days with times in a stretch of time, each with its range of times.
///
/// Each zone has its own range on a date, because zones are some hours apart. Overlapping ranges are merged, so a
/// statement may find too many calls: the zone of each call then decides whether it is in the stretch.
///
/// A frequency starts its trip many times. Its row could match two ranges of one date and give all its departures
/// twice. So for frequencies, a date has one range that covers those of all zones.
struct ServiceWindow {
    struct Day: Equatable {
        /// Days since 1970-01-01.
        let number: Int64
        /// Seconds of the service day; `until` is excluded.
        var from: Int64
        var until: Int64

        var date: Int64 { Int64(ServiceDate(dayNumber: number).number) }
    }

    private(set) var days: [Day] = []

    /// - Parameters:
    ///   - window: seconds since 1970, from and until.
    ///   - times: the least and the greatest time of a service day that occurs.
    ///   - hasOneRangePerDate: whether the ranges of a date are merged even if they do not overlap.
    init(
        _ window: Range<Int64>, zones: [TimetableZone], times: ClosedRange<Int64>, dates: ClosedRange<Int64>,
        hasOneRangePerDate: Bool = false
    ) {
        guard !window.isEmpty else { return }
        // A zone's day begins less than a day from UTC's.
        let first = max(window.lowerBound.addingClamped(-times.upperBound).flooredDays - 1, dates.lowerBound)
        let last = min(window.upperBound.addingClamped(-times.lowerBound).flooredDays + 1, dates.upperBound)
        guard first <= last else { return }
        for number in first...last {
            func day(_ zone: TimetableZone) -> Day? {
                let start = zone.startOfDay(number: number)
                let from = max(window.lowerBound - start, times.lowerBound)
                let until = min(window.upperBound - start, times.upperBound.addingClamped(1))
                return from < until ? Day(number: number, from: from, until: until) : nil
            }
            guard zones.count > 1 else {
                if let day = zones.first.flatMap(day) { days.append(day) }
                continue
            }
            append(zones.compactMap(day).sorted { $0.from < $1.from }, asOne: hasOneRangePerDate)
        }
    }

    private mutating func append(_ ranges: [Day], asOne: Bool) {
        for range in ranges {
            if let last = days.last, last.number == range.number, asOne || range.from <= last.until {
                days[days.count - 1].until = max(last.until, range.until)
            } else {
                days.append(range)
            }
        }
    }
}
