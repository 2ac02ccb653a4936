import CivilTime

/// A local date and time, as a clock and a calendar on the wall show them, without a time zone.
///
///     ClockReading("2026-10-25T02:30")!.instant(in: .named("Europe/Berlin")!)
public struct ClockReading: Sendable, Hashable {
    /// Seconds since 1970-01-01 00:00, as if it were UTC.
    let localSeconds: Int64

    init(localSeconds: Int64) { self.localSeconds = localSeconds }

    /// Nil for an invalid date or time (years 1 to 9999, hours to 23, minutes and seconds to 59).
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard year > 0, let day = CivilDay(year: year, month: month, day: day), 0...23 ~= hour,
            0...59 ~= minute, 0...59 ~= second
        else { return nil }
        localSeconds = day.secondsSince1970 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// From ISO 8601 without an offset: `2026-10-25`, `2026-10-25T02:30`, `2026-10-25 02:30:15`; nil for any other
    /// text.
    public init?(_ text: String) {
        guard let moment = WrittenMoment(text), moment.offset == nil else { return nil }
        self = moment.reading
    }

    /// The instant at which a clock of the zone shows this.
    ///
    /// A reading that occurs twice, because the clock is put back, means the first time. A reading that never occurs,
    /// because the clock is put forward, uses the offset before the change: 02:30 of that night means 03:30.
    public func instant(in zone: TimetableZone) -> Instant {
        Instant(unixSeconds: localSeconds - Int64(zone.offset(ofLocal: localSeconds)))
    }

    /// The date that the calendar shows.
    public var date: ServiceDate { ServiceDate(dayNumber: localSeconds.flooredDays) }
}

extension ClockReading: CustomStringConvertible {
    /// `2026-10-25T02:30:00`
    public var description: String {
        let seconds = CivilDay.seconds(atUnixSeconds: localSeconds)
        return "\(CivilDay(unixSeconds: localSeconds))T\(ClockText.withSeconds(seconds))"
    }
}

extension Int64 {
    /// Whole days since 1970-01-01, rounded down.
    var flooredDays: Int64 { CivilDay(unixSeconds: self).daysSince1970 }
}

/// A moment in ISO 8601: `2026-10-25T02:30:00+01:00`. A space may separate date and time. The seconds, the offset or
/// the whole time may be missing.
struct WrittenMoment {
    let reading: ClockReading
    /// Seconds east of UTC, if the text gives an offset.
    let offset: Int?

    init?(_ text: String) {
        var rest = Substring(text)[...]
        guard let year = rest.takeNumber(digits: 4), rest.take("-"), let month = rest.takeNumber(digits: 2),
            rest.take("-"), let day = rest.takeNumber(digits: 2)
        else { return nil }
        var (hour, minute, second, fraction) = (0, 0, 0, false)
        var offset: Int?
        if !rest.isEmpty {
            guard rest.take("T") || rest.take("t") || rest.take(" "), let hours = rest.takeNumber(digits: 2),
                rest.take(":"), let minutes = rest.takeNumber(digits: 2)
            else { return nil }
            (hour, minute) = (hours, minutes)
            if rest.take(":") {
                guard let seconds = rest.takeNumber(digits: 2), let rounds = rest.takeFraction() else { return nil }
                (second, fraction) = (seconds, rounds)
            }
            guard let found = rest.takeOffset() else { return nil }
            offset = found
        }
        guard rest.isEmpty,
            let reading = ClockReading(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        // Rounds a fraction of a second up.
        self.reading = ClockReading(localSeconds: reading.localSeconds + (fraction ? 1 : 0))
        self.offset = offset
    }
}

extension Substring {
    fileprivate mutating func take(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func takeNumber(digits: Int) -> Int? {
        let taken = prefix(digits)
        guard taken.utf8.count == digits, taken.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        removeFirst(digits)
        return Int(taken)
    }

    /// Takes a fraction such as `.25` and returns whether it is greater than zero. Nil for a point without digits.
    fileprivate mutating func takeFraction() -> Bool? {
        guard take(".") || take(",") else { return false }
        let digits = prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        removeFirst(digits.count)
        return digits.contains { $0 != "0" }
    }

    /// Takes an offset: `Z`, `+01:00`, `+0100` or `+01`. The inner nil means that the text has ended; the outer nil
    /// means that the text is not an offset.
    fileprivate mutating func takeOffset() -> Int?? {
        if isEmpty { return .some(nil) }
        if take("Z") || take("z") { return .some(0) }
        let isWest = first == "-"
        guard take("+") || take("-"), let hours = takeNumber(digits: 2) else { return nil }
        let hasColon = take(":")
        guard let minutes = isEmpty && !hasColon ? 0 : takeNumber(digits: 2), hours < 24, minutes < 60 else {
            return nil
        }
        return .some((isWest ? -1 : 1) * (hours * 3_600 + minutes * 60))
    }
}
