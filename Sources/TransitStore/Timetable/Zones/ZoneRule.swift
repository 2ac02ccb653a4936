import CivilTime

/// The yearly rule of a zone, from the footer of a zone file, in the form of POSIX's variable TZ (RFC 8536, 3.3):
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// Seconds east of UTC.
    private let standard: Int
    private let summer: Summer?

    private struct Summer {
        let offset: Int
        let begin: ChangeDay
        let end: ChangeDay
    }

    init?(_ text: String) {
        var rest = Substring(text)
        guard rest.takeZoneName(), let standard = rest.takeTime(mostHours: 24) else { return nil }
        self.standard = -standard
        if rest.isEmpty {
            summer = nil
            return
        }
        guard rest.takeZoneName() else { return nil }
        var offset = self.standard + 3_600
        if rest.first != "," {
            guard let written = rest.takeTime(mostHours: 24) else { return nil }
            offset = -written
        }
        guard let begin = ChangeDay(&rest), let end = ChangeDay(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, begin: begin, end: end)
    }

    /// The offset at an instant after the last of the listed changes.
    func period(at unixSeconds: Int64) -> ZonePeriod {
        guard let summer else { return ZonePeriod(offset: standard, end: nil) }
        let year = CivilDay(unixSeconds: unixSeconds).parts.year
        // A change is at most a week outside its own year. If two changes coincide, as for a summer that never ends,
        // the later one in the list counts.
        let changes = (year - 1...year + 1).flatMap { year in
            [
                (time: summer.begin.instant(in: year, offset: standard), offset: summer.offset),
                (time: summer.end.instant(in: year, offset: summer.offset), offset: standard),
            ]
        }.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        let offset = changes.last { $0.time <= unixSeconds }?.offset ?? standard
        let next = changes.first { $0.time > unixSeconds && $0.offset != offset }
        return ZonePeriod(offset: offset, end: next?.time)
    }
}

/// The day of the year and the time of day at which clocks change.
private struct ChangeDay {
    private enum Day {
        /// `M3.5.0`: the nth given weekday of a month (5: the last); weekday 0 is Sunday.
        case weekday(month: Int, week: Int, weekday: Int)
        /// `J60`: the day of the year from 1 to 365, never counting 29 February.
        case counted(Int)
        /// `59`: the day of the year from 0, counting 29 February.
        case zeroBased(Int)
    }

    private let day: Day
    /// Seconds after midnight; may be negative or more than a day.
    private let time: Int

    /// Takes `,M10.5.0/3`.
    init?(_ rest: inout Substring) {
        guard rest.takeLetter(",") else { return nil }
        if rest.takeLetter("M") {
            guard let month = rest.takeInteger(), rest.takeLetter("."), let week = rest.takeInteger(),
                rest.takeLetter("."), let weekday = rest.takeInteger(), 1...12 ~= month, 1...5 ~= week,
                0...6 ~= weekday
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if rest.takeLetter("J") {
            guard let number = rest.takeInteger(), 1...365 ~= number else { return nil }
            day = .counted(number)
        } else {
            guard let number = rest.takeInteger(), 0...365 ~= number else { return nil }
            day = .zeroBased(number)
        }
        guard rest.takeLetter("/") else {
            time = 7_200
            return
        }
        guard let time = rest.takeTime(mostHours: 167) else { return nil }
        self.time = time
    }

    /// The instant of the change in a year, for clocks that are `offset` seconds east of UTC before it.
    func instant(in year: Int, offset: Int) -> Int64 {
        dayNumber(in: year) * 86_400 + Int64(time - offset)
    }

    private func dayNumber(in year: Int) -> Int64 {
        func day(_ month: Int, _ day: Int) -> Int64 {
            CivilDay(year: year, month: month, day: day)?.daysSince1970 ?? 0
        }
        switch self.day {
        case .counted(let number):
            // 1970 has no leap day.
            let (_, month, dayOfMonth) = CivilDay(daysSince1970: Int64(number - 1)).parts
            return day(month, dayOfMonth)
        case .zeroBased(let number): return day(1, 1) + Int64(number)
        case .weekday(let month, let week, let weekday):
            let first = day(month, 1)
            // The rule counts weekdays from Sunday, a civil day from Monday.
            let firstWeekday = CivilDay(daysSince1970: first).weekday + 1
            let wanted = first + Int64((weekday - firstWeekday + 7) % 7 + (week - 1) * 7)
            let next = month == 12 ? first + 31 : day(month + 1, 1)
            return wanted < next ? wanted : wanted - 7
        }
    }
}

extension Substring {
    fileprivate mutating func takeLetter(_ letter: Character) -> Bool {
        guard first == letter else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func takeInteger() -> Int? {
        let digits = prefix { $0.isASCII && $0.isNumber }
        guard 1...4 ~= digits.utf8.count else { return nil }
        removeFirst(digits.count)
        return Int(digits)
    }

    /// Takes `CET` or `<-03>`.
    fileprivate mutating func takeZoneName() -> Bool {
        if takeLetter("<") {
            guard let end = firstIndex(of: ">") else { return false }
            self = self[index(after: end)...]
            return true
        }
        let letters = prefix { $0.isASCII && $0.isLetter }
        removeFirst(letters.count)
        return letters.count >= 3
    }

    /// Takes `[+-]h[h][:mm[:ss]]`, in seconds.
    fileprivate mutating func takeTime(mostHours: Int) -> Int? {
        let isNegative = first == "-"
        if isNegative || first == "+" { removeFirst() }
        guard let hours = takeInteger(), hours <= mostHours else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where takeLetter(":") {
            guard let number = takeInteger(), number < 60 else { return nil }
            seconds += number * unit
        }
        return isNegative ? -seconds : seconds
    }
}
