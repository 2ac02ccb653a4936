// Unsafe: raw bytes for speed: two times in each of millions of stop times, and millions of dates.

/// Times of GTFS: seconds since noon minus 12 h of the service day (GTFS reference, "Field Types", Time).
enum TimeCell {
    /// H:MM:SS, HH:MM:SS or HHH:MM:SS with minutes and seconds below 60; nil for anything else.
    @inline(__always)
    static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
        if text.count == 8 {
            let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
            return parseEight(word)
        }
        return text.count == 7 || text.count == 9 ? parseOther(text) : nil
    }

    /// "HH:MM:SS" in one word, first character lowest.
    @inline(__always)
    private static func parseEight(_ word: UInt64) -> Int64? {
        // Colons become '0', so that eight digits remain to be checked at once.
        guard word & 0x0000_FF00_00FF_0000 == 0x0000_3A00_003A_0000 else { return nil }
        let digits = (word ^ 0x0000_0A00_000A_0000) &- 0x3030_3030_3030_3030
        guard (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        let hours = (digits & 0xFF) &* 10 &+ (digits >> 8 & 0xFF)
        let minutes = (digits >> 24 & 0xFF) &* 10 &+ (digits >> 32 & 0xFF)
        let seconds = (digits >> 48 & 0xFF) &* 10 &+ (digits >> 56)
        guard minutes < 60, seconds < 60 else { return nil }
        return Int64(hours &* 3600 &+ minutes &* 60 &+ seconds)
    }

    private static func parseOther(_ text: UnsafeRawBufferPointer) -> Int64? {
        let hourDigits = text.count - 6
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

    /// What people write instead: `6:05`, `06:05`, `6:5:3`. Nil when it cannot be meant as a time.
    static func parseLeniently(_ text: UnsafeRawBufferPointer) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var numbers: [Int64] = []
        for part in parts {
            guard (1...3).contains(part.count) else { return nil }
            var number: Int64 = 0
            for byte in part {
                guard let digit = digit(byte) else { return nil }
                number = number * 10 + digit
            }
            numbers.append(number)
        }
        let seconds = numbers.count == 3 ? numbers[2] : 0
        guard numbers[1] < 60, seconds < 60 else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + seconds
    }

    /// HH:MM:SS.
    static func text(_ seconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- 0x30
        return value < 10 ? Int64(value) : nil
    }

    private static func twoDigits(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Int64? {
        guard let tens = digit(text[offset]), let ones = digit(text[offset + 1]), tens < 6 else { return nil }
        return tens * 10 + ones
    }
}

/// Dates of GTFS as the integer YYYYMMDD (GTFS reference, "Field Types", Date).
enum DateCell {
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
