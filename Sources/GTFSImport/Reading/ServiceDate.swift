// Unsafe: raw bytes for speed, of millions of cells.

/// Dates of GTFS as the integer YYYYMMDD (GTFS reference, "Field Types", Date).
enum ServiceDate {
    /// Eight digits that name a day of the Gregorian calendar; nil for anything else.
    static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 8 else { return nil }
        var value: Int64 = 0
        for byte in text {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        let (year, month, day) = (value / 10000, value / 100 % 100, value % 100)
        guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year) else { return nil }
        return value
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
