import ICU
import Synchronization

/// A time zone by its IANA name, with all its rules in memory. A lookup takes about 0.1 µs; any thread may call it.
///
/// Rules come from the system's zone files (`/usr/share/zoneinfo`), which change several times a year and reach a
/// machine with its updates. If they are missing, ICU's own rules are used, which are as old as the library: in ICU 72,
/// Mexico's clocks still change after 2022.
public final class TimetableZone: Sendable {
    /// The IANA name: `Europe/Berlin`.
    public let name: String
    private let rules: any ZoneRules

    private init(name: String, rules: any ZoneRules) {
        self.name = name
        self.rules = rules
    }

    /// Coordinated universal time.
    public static let utc = TimetableZone(name: "UTC", rules: FixedOffset())

    private static let known = Mutex<[String: TimetableZone?]>([:])

    /// The zone with a name in IANA's own spelling; nil if there is none. Reads the zone's file the first time.
    ///
    ///     let berlin = TimetableZone.named("Europe/Berlin")!
    ///     berlin.offset(at: Instant("2026-07-31T17:00:00Z")!)     // 7,200
    public static func named(_ name: String) -> TimetableZone? {
        // Names of zones are ASCII. Swift takes some other texts for equal to them, such as those with a Kelvin sign.
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if name == utc.name { return utc }
        return known.withLock { known in
            if let zone = known[name] { return zone }
            let zone = read(name)
            // Limited because names come from feeds: there are 600 zones, but any number of misspelled names.
            if known.count >= 2_000 { known = [:] }
            known[name] = .some(zone)
            return zone
        }
    }

    /// The zone that a feed names for an agency; UTC if the system does not know it.
    static func ofAgency(_ name: String) -> TimetableZone { named(name) ?? .utc }

    private static func read(_ name: String) -> TimetableZone? {
        guard TimeZones.isKnown(name) else { return nil }
        if let rules = ZoneFile(named: name) { return TimetableZone(name: name, rules: rules) }
        return ICUZone(name).map { TimetableZone(name: name, rules: $0) }
    }

    /// Seconds east of UTC at an instant.
    public func offset(at instant: Instant) -> Int { offset(at: instant.unixSeconds) }

    func offset(at unixSeconds: Int64) -> Int { rules.period(at: unixSeconds).offset }

    /// Noon minus 12 hours of a service day, from which its times count; nil if the number is not a date.
    ///
    ///     // The clocks are put back on this day, so it is an hour after midnight.
    ///     TimetableZone.named("Europe/Berlin")!.start(of: ServiceDate(20_261_025))    // 2026-10-24T23:00:00Z
    public func start(of day: ServiceDate) -> Instant? {
        day.dayNumber.map { Instant(unixSeconds: startOfDay(number: $0)) }
    }

    /// The start of a service day, given in days since 1970-01-01.
    func startOfDay(number: Int64) -> Int64 {
        let noon = number * 86_400 + 43_200
        return noon - Int64(offset(ofLocal: noon)) - 43_200
    }

    /// The offset for a local time. If the time occurs twice, the offset of the first; if it never occurs, the offset
    /// before the change.
    func offset(ofLocal local: Int64) -> Int {
        // No zone has ever been more than 16 hours from UTC or changed by more than a day.
        var period = rules.period(at: local - 2 * 86_400)
        while true {
            guard let end = period.end, local - Int64(period.offset) >= end else { return period.offset }
            let next = rules.period(at: end)
            if local - Int64(next.offset) < end { return period.offset }
            period = next
        }
    }
}

extension TimetableZone: Equatable, Hashable {
    public static func == (one: TimetableZone, other: TimetableZone) -> Bool {
        one === other || one.name == other.name
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension TimetableZone: CustomStringConvertible {
    public var description: String { name }
}

/// The rules by which a zone's clocks change.
protocol ZoneRules: Sendable {
    /// The offset in effect at an instant, and when the next one begins.
    func period(at unixSeconds: Int64) -> ZonePeriod
}

/// A period in which a zone's offset does not change.
struct ZonePeriod: Sendable, Equatable {
    /// Seconds east of UTC.
    let offset: Int
    /// The first second of the next period; nil if none is known.
    let end: Int64?
}

private struct FixedOffset: ZoneRules {
    func period(at unixSeconds: Int64) -> ZonePeriod { ZonePeriod(offset: 0, end: nil) }
}

/// ICU's rules. Only one thread at a time may use an ICU clock.
final class ICUZone: ZoneRules {
    private struct Clock: @unchecked Sendable {
        // @unchecked: the lock around it lets only one thread at a time use the clock.
        let clock: ZoneClock
    }

    private let clock: Mutex<Clock>

    init?(_ name: String) {
        guard let clock = ZoneClock(name) else { return nil }
        self.clock = Mutex(Clock(clock: clock))
    }

    func period(at unixSeconds: Int64) -> ZonePeriod {
        clock.withLock { state in
            let offset = Int(state.clock.offsetSeconds(at: unixSeconds) ?? 0)
            // ICU does not report the next change. A binary search finds it within the next 4 days, which is enough for
            // a local time.
            func isSame(_ instant: Int64) -> Bool { Int(state.clock.offsetSeconds(at: instant) ?? 0) == offset }
            var (low, high) = (unixSeconds, unixSeconds.addingClamped(4 * 86_400))
            if isSame(high) { return ZonePeriod(offset: offset, end: nil) }
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if isSame(middle) { low = middle } else { high = middle }
            }
            return ZonePeriod(offset: offset, end: high)
        }
    }
}
