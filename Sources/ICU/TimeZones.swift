// IANA's time zones and their clocks.
//
// Unsafe only where ICU borrows the bytes of a cell.

/// Looks up IANA's time zones: names in the system's zone files and in ICU. `ZoneClock` gives offsets, from ICU alone.
/// The fetch layer asks ICU for the offsets of a zone only if the system has no file for it.
///
/// Any thread may call these.
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
}

/// The rules of one time zone, kept open. A look-up costs 0.3 µs. Not for two threads at once.
///
///     ZoneClock("Europe/Berlin")?.offsetSeconds(at: 1_711_846_800)     // 7200, from this second on
package final class ZoneClock {
    /// Years 1 to 9999, plus a day at both ends for the zones' offsets.
    private static let knownSeconds: ClosedRange<Int64> = -62_135_683_200...253_402_387_199

    private let zone: Handle

    /// Opens a zone by its IANA name; nil when it is unknown. Costs 2 µs once ICU has its data, 0.1 ms the first time.
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
}
