// IANA time zone names, and time in them.
//
// Unsafe only where the bytes of a cell are lent to ICU.

/// What ICU knows of IANA's time zones; its own data, not those of the machine, so every machine answers the same.
///
/// Any thread may call these. Each call that needs a zone opens it (2 µs once ICU has its data, 0.1 ms the first time):
/// who asks often keeps a `ZoneClock`.
public enum TimeZones {
    /// Whether the name is one of IANA's in this very spelling: `Europe/Berlin` and `UTC` are, `europe/berlin`,
    /// `GMT+1`, `BST` and `Etc/Unknown` are not. Costs 0.2 µs.
    public static func isKnown(_ utf8: UnsafeRawBufferPointer) -> Bool {
        CZone.isKnown(utf8)
    }

    /// As `isKnown`, for a string.
    public static func isKnown(_ name: String) -> Bool {
        name.withUTF8Bytes(CZone.isKnown)
    }

    /// Seconds east of UTC in the zone at an instant; nil for an unknown zone or beyond the years 1 to 9999.
    public static func offsetSeconds(zone: String, at unixSeconds: Int64) -> Int32? {
        ZoneClock(zone)?.offsetSeconds(at: unixSeconds)
    }

    /// The instant at which the clock in the zone shows this; see `ZoneClock.unixSeconds`.
    public static func unixSeconds(
        zone: String, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Int64? {
        ZoneClock(zone)?.unixSeconds(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }
}
