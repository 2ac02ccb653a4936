// IANA's time zones and their clocks.
//
// Unsafe only where ICU borrows the bytes of a cell.

import CivilTime

/// Looks up IANA's time zones: names in the system's zone files and in ICU, offsets in ICU. ICU has its own data, so
/// every machine with the same ICU gives the same offsets.
///
/// Any thread may call these. Each call that needs a zone opens it (2 µs once ICU has its data, 0.1 ms the first time):
/// keep a `ZoneClock` if you ask often.
package enum TimeZones {
    /// Whether the name is one of IANA's in exactly this spelling: `Europe/Berlin` and `UTC` are, `europe/berlin`,
    /// `GMT+1`, `BST` and `Etc/Unknown` are not. Costs 2.5 µs: it looks for a file.
    package static func isKnown(_ utf8: UnsafeRawBufferPointer) -> Bool {
        CZone.isKnown(utf8)
    }

    /// As `isKnown`, for a string.
    package static func isKnown(_ name: String) -> Bool {
        name.withUTF8Bytes(CZone.isKnown)
    }

    /// Seconds east of UTC in the zone at an instant; nil for an unknown zone or beyond the years 1 to 9999.
    package static func offsetSeconds(zone: String, at unixSeconds: Int64) -> Int32? {
        ZoneClock(zone)?.offsetSeconds(at: unixSeconds)
    }

    /// The instant at which the clock in the zone shows this date and time; see `ZoneClock.unixSeconds`.
    package static func unixSeconds(
        zone: String, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Int64? {
        ZoneClock(zone)?.unixSeconds(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }
}

/// The rules of one time zone, kept open. A look-up costs 0.3 µs. Not for two threads at once.
///
///     let berlin = ZoneClock("Europe/Berlin")
///     // Departures of a service day count from noon minus 12 h, which is not midnight when the clock changes.
///     let start = berlin?.unixSeconds(year: 2024, month: 3, day: 31, hour: 12).map { $0 - 43_200 }
package final class ZoneClock {
    /// Years 1 to 9999, plus a day at both ends for the zones' offsets.
    private static let knownSeconds: ClosedRange<Int64> = -62_135_683_200...253_402_387_199

    private let zone: Handle

    /// Opens a zone by its IANA name; nil when it is unknown.
    package init?(_ name: String) {
        guard let zone = name.withUTF8Bytes(CZone.open) else { return nil }
        self.zone = zone
    }

    deinit { CZone.close(zone) }

    /// Seconds east of UTC at an instant (seconds since 1970-01-01 00:00 UTC); nil beyond the years 1 to 9999.
    package func offsetSeconds(at unixSeconds: Int64) -> Int32? {
        guard Self.knownSeconds.contains(unixSeconds) else { return nil }
        return CZone.offset(zone, at: unixSeconds)
    }

    /// The instant at which the clock shows the given date (Gregorian) and time.
    ///
    /// When the clock is put back, a time that occurs twice means the first occurrence. When it is put forward, a
    /// skipped time is read with the offset before the change: 02:30 of that night means 03:30. Nil for a date or time
    /// that does not exist (the year from 1 to 9999, the hour to 23, the second to 59).
    package func unixSeconds(
        year: Int, month: Int, day: Int, hour: Int, minute: Int = 0, second: Int = 0
    ) -> Int64? {
        guard year > 0, let day = CivilDay(year: year, month: month, day: day),
            0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second
        else { return nil }
        let local = day.secondsSince1970 + Int64(hour * 3600 + minute * 60 + second)
        return CZone.offset(zone, ofLocal: local).map { local - Int64($0) }
    }
}
