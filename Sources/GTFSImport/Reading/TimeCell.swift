import CivilTime

/// Times of GTFS: seconds since noon minus 12 h of the service day (GTFS reference, "Field Types", Time).
enum TimeCell {
    /// H:MM:SS, HH:MM:SS or HHH:MM:SS with minutes and seconds below 60; nil for anything else.
    @inline(__always)
    static func parse(_ text: RawSpan) -> Int64? {
        if text.byteCount == 8 { return parseEight(text.firstWord) }
        return text.byteCount == 7 || text.byteCount == 9 ? parseOther(text) : nil
    }

    /// "HH:MM:SS" in one word; the first character is the lowest byte.
    @inline(__always)
    private static func parseEight(_ word: UInt64) -> Int64? {
        // Turns the colons into '0', so that eight digits can be checked at once.
        guard word & 0x0000_FF00_00FF_0000 == 0x0000_3A00_003A_0000 else { return nil }
        let digits = (word ^ 0x0000_0A00_000A_0000) &- 0x3030_3030_3030_3030
        guard (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        let hours = (digits & 0xFF) &* 10 &+ (digits >> 8 & 0xFF)
        let minutes = (digits >> 24 & 0xFF) &* 10 &+ (digits >> 32 & 0xFF)
        let seconds = (digits >> 48 & 0xFF) &* 10 &+ (digits >> 56)
        guard minutes < 60, seconds < 60 else { return nil }
        return Int64(hours &* 3600 &+ minutes &* 60 &+ seconds)
    }

    private static func parseOther(_ text: RawSpan) -> Int64? {
        let hourDigits = text.byteCount - 6
        var hours: Int64 = 0
        for index in 0..<hourDigits {
            guard let digit = digit(text[index]) else { return nil }
            hours = hours * 10 + digit
        }
        guard text[hourDigits] == UInt8(ascii: ":"), text[hourDigits + 3] == UInt8(ascii: ":"),
            let minutes = twoDigits(text, hourDigits + 1), let seconds = twoDigits(text, hourDigits + 4)
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// Other spellings that people use: `6:05`, `06:05`, `6:5:3`. Nil if the text cannot be meant as a time.
    static func parseLeniently(_ text: RawSpan) -> Int64? {
        var (hours, minutes, seconds): (Int64, Int64, Int64) = (0, 0, 0)
        var (colons, digits) = (0, 0)
        for index in text.byteOffsets {
            if let digit = digit(text[index]), digits < 3 {
                switch colons {
                case 0: hours = hours * 10 + digit
                case 1: minutes = minutes * 10 + digit
                default: seconds = seconds * 10 + digit
                }
                digits += 1
            } else if text[index] == UInt8(ascii: ":"), digits > 0, colons < 2 {
                (colons, digits) = (colons + 1, 0)
            } else {
                return nil
            }
        }
        guard digits > 0, colons > 0, minutes < 60, seconds < 60 else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// HH:MM:SS.
    static func text(_ seconds: Int64) -> String { ClockText.withSeconds(seconds) }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- 0x30
        return value < 10 ? Int64(value) : nil
    }

    private static func twoDigits(_ text: RawSpan, _ offset: Int) -> Int64? {
        guard let tens = digit(text[offset]), let ones = digit(text[offset + 1]), tens < 6 else { return nil }
        return tens * 10 + ones
    }
}
