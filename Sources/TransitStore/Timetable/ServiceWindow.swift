/// The service days that have times within a stretch of time, each with the range of its times.
///
/// Zones are some hours apart, so that one date has a range for each. Those that overlap are put together: a call's own
/// zone then decides whether it is within the stretch.
///
/// A frequency starts its trip many times, so its row may match two ranges of one date, and each match would give all
/// its departures. For frequencies a date has one range, around those of all zones.
struct ServiceWindow {
    struct Day: Equatable {
        /// Days since 1970-01-01.
        let number: Int64
        /// Seconds of the service day, from and until.
        var from: Int64
        var until: Int64

        var date: Int64 { Int64(ServiceDate(dayNumber: number).number) }
    }

    private(set) var days: [Day] = []

    /// - Parameters:
    ///   - window: seconds since 1970, from and until.
    ///   - times: the least and the greatest time of a service day that occurs.
    ///   - hasOneRangePerDate: whether the ranges of a date are put together even where they do not overlap.
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
