import CivilTime

/// Dates of GTFS as the integer YYYYMMDD (GTFS reference, "Field Types", Date).
enum DateCell {
    /// Eight digits that name a day of the Gregorian calendar; nil for anything else.
    static func parse(_ text: RawSpan) -> Int64? {
        guard text.byteCount == 8 else { return nil }
        // All digits at once, the first one in the lowest byte.
        let digits = text.firstWord &- 0x3030_3030_3030_3030
        guard (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let year = Int(pairs & 0xFF) * 100 + Int(pairs >> 16 & 0xFF)
        let (month, day) = (Int(pairs >> 32 & 0xFF), Int(pairs >> 48))
        guard (1...12).contains(month), day >= 1, day <= CivilDay.days(inMonth: month, of: year) else { return nil }
        return Int64(year * 10_000 + month * 100 + day)
    }

    /// A date as a feed spells it: "00010101" for 10101.
    static func text(_ date: Int64) -> String { CivilDay.digits(of: Int(date)) }
}
