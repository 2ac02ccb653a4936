/// Dates of GTFS as the integer YYYYMMDD (GTFS reference, "Field Types", Date).
enum DateCell {
    /// Eight digits that name a day of the Gregorian calendar; nil for anything else.
    static func parse(_ text: RawSpan) -> Int64? {
        guard text.byteCount == 8 else { return nil }
        var value: Int64 = 0
        for index in 0..<8 {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        let (year, month, day) = (value / 10000, value / 100 % 100, value % 100)
        guard (1...12).contains(month), day >= 1, day <= CalendarDay.days(inMonth: Int(month), of: Int(year)) else {
            return nil
        }
        return value
    }
}
