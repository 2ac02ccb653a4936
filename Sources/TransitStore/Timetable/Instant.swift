import CivilTime
import FoundationEssentials
import Glibc

/// A moment, the same all over the world: whole seconds since 1970-01-01 00:00 UTC, leap seconds not counted.
///
///     let instant = Instant("2026-10-25T02:30:00+01:00")!
///     print(instant)                              // 2026-10-25T01:30:00Z
///     print(instant + .seconds(90))               // 2026-10-25T01:31:30Z
///     print(Instant.now - instant)                // the seconds since, as a Duration
public struct Instant: InstantProtocol, Codable {
    /// Seconds since 1970-01-01 00:00 UTC.
    public let unixSeconds: Int64

    /// The instant so many seconds after 1970-01-01 00:00 UTC.
    public init(unixSeconds: Int64) { self.unixSeconds = unixSeconds }

    /// The first whole second that is not before the date.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.up)
        unixSeconds = Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min)
    }

    /// The same moment for Foundation.
    public var date: Date { Date(timeIntervalSince1970: Double(unixSeconds)) }

    /// The first whole second that is not before now.
    public static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(unixSeconds: Int64(time.tv_sec) + (time.tv_nsec > 0 ? 1 : 0))
    }

    /// The moment a duration later, in whole seconds.
    public func advanced(by duration: Duration) -> Instant {
        Instant(unixSeconds: unixSeconds.addingClamped(duration.components.seconds))
    }

    /// The duration until another moment; negative if that is earlier.
    public func duration(to other: Instant) -> Duration {
        let (difference, overflow) = other.unixSeconds.subtractingReportingOverflow(unixSeconds)
        return .seconds(overflow ? (other < self ? .min : .max) : difference)
    }
}

extension Instant {
    public static func < (one: Instant, other: Instant) -> Bool { one.unixSeconds < other.unixSeconds }

    /// The moment a duration later, in whole seconds.
    public static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }

    /// The duration from the second moment to the first.
    public static func - (later: Instant, earlier: Instant) -> Duration { earlier.duration(to: later) }
}

extension Instant: CustomStringConvertible {
    /// ISO 8601 in UTC: `2026-10-25T01:30:00Z`.
    public var description: String { text(offset: 0, zone: "Z") }

    /// ISO 8601 as the clock of a zone shows it, with its offset.
    ///
    ///     Instant("2026-10-25T01:30:00Z")!.text(in: .named("Europe/Berlin")!)     // 2026-10-25T02:30:00+01:00
    public func text(in zone: TimetableZone) -> String {
        let offset = zone.offset(at: unixSeconds)
        return text(offset: Int64(offset), zone: Self.offsetText(offset))
    }

    private func text(offset: Int64, zone: String) -> String {
        let reading = ClockReading(localSeconds: unixSeconds.addingClamped(offset))
        return "\(reading)\(zone)"
    }

    /// `+01:00`; with seconds if a historic offset has some.
    private static func offsetText(_ offset: Int) -> String {
        let seconds = offset.magnitude
        let clock = seconds % 60 > 0 ? ClockText.withSeconds(seconds) : ClockText.withMinutes(seconds)
        return (offset < 0 ? "-" : "+") + clock
    }
}

extension Instant: LosslessStringConvertible {
    /// From ISO 8601 with an offset or Z; nil for any other text.
    public init?(_ text: String) {
        guard let moment = WrittenMoment(text), let offset = moment.offset else { return nil }
        self.init(unixSeconds: moment.reading.localSeconds - Int64(offset))
    }
}

extension Int64 {
    /// The range of valid service times and intervals, about 34,000 years each way. Sums of a few of them cannot
    /// overflow. Only a damaged or hostile store has values outside it.
    static let serviceSeconds: ClosedRange<Int64> = -(1 << 40)...1 << 40

    /// The nearest value within `serviceSeconds`.
    var clampedToServiceSeconds: Int64 {
        Swift.min(Swift.max(self, Self.serviceSeconds.lowerBound), Self.serviceSeconds.upperBound)
    }
}

extension SignedInteger where Self: FixedWidthInteger {
    /// The sum, or the nearest number that fits.
    func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
