/// Parses numbers of GTFS from bytes: no locale, no allocation on the common path.
package enum Numbers {
    /// An optional sign and up to 18 digits; nil for anything else.
    @inline(__always)
    static func parseInteger(_ text: RawSpan) -> Int64? {
        var index = 0
        let negative = skipSign(text, &index)
        guard index < text.byteCount, text.byteCount - index <= 18 else { return nil }
        var value: Int64 = 0
        while index < text.byteCount {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        return negative ? -value : value
    }

    /// Accepts `3.0` and `3.`, which spreadsheets write for 3; nil if the number is not whole.
    static func parseIntegerLeniently(_ text: RawSpan) -> Int64? {
        guard let value = parseFloat(text), value.rounded() == value, abs(value) < 9e15 else { return nil }
        return Int64(value)
    }

    /// The powers of ten that a double holds exactly.
    static let powersOfTen: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { product, _ in product * 10 }
    }

    /// The same as integers.
    static let wholePowersOfTen: [UInt64] = (0...19).map { exponent in
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }

    /// A decimal number, correctly rounded: sign, digits, point, exponent; nil for anything else, including "nan" and
    /// "inf".
    package static func parseFloat(_ text: RawSpan) -> Double? {
        var index = 0
        let negative = skipSign(text, &index)
        var mantissa: UInt64 = 0
        var digits = 0
        var decimals = -1
        while index < text.byteCount {
            let byte = text[index]
            let digit = byte &- 0x30
            if digit < 10 {
                // 19 digits are below 2^64.
                guard digits < 19 else { return parseLongFloat(text) }
                mantissa = mantissa &* 10 &+ UInt64(digit)
                digits += 1
                if decimals >= 0 { decimals += 1 }
            } else if byte == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
            } else {
                return parseLongFloat(text)
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        // Both operands are exact, so the division rounds only once.
        let value =
            mantissa <= 1 << 53
            ? Double(mantissa) / powersOfTen[max(decimals, 0)]
            : quotient(mantissa, wholePowersOfTen[max(decimals, 0)])
        return negative ? -value : value
    }

    /// Skips a sign and returns whether it is a minus.
    @inline(__always)
    static func skipSign(_ text: RawSpan, _ index: inout Int) -> Bool {
        guard index < text.byteCount, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") else {
            return false
        }
        index += 1
        return text[index - 1] == UInt8(ascii: "-")
    }

    /// The quotient of two positive numbers, rounded once. Coordinates with more digits than a double holds are parsed
    /// 12 times as fast as by the standard library.
    ///
    /// Computes 63 or 64 bits of the quotient; the last bit is also set if there is a remainder. The processor then
    /// rounds these bits to 53.
    static func quotient(_ number: UInt64, _ divisor: UInt64) -> Double {
        let (shift, divisorShift) = (number.leadingZeroBitCount, divisor.leadingZeroBitCount)
        let shifted = number << UInt64(shift)
        let (bits, rest) = (divisor << UInt64(divisorShift)).dividingFullWidth((shifted >> 1, shifted << 63))
        let value = Double(bits | (rest == 0 ? 0 : 1))
        return value * Double(sign: .plus, exponent: divisorShift - shift - 63, significand: 1)
    }

    /// Parses numbers with an exponent or with more than 19 digits. 64-bit arithmetic cannot round some of them.
    @inline(never)
    private static func parseLongFloat(_ text: RawSpan) -> Double? {
        guard let decimal = LongDecimal(text) else { return nil }
        return decimal.rounded ?? parseSlowly(text)
    }

    /// Parses with the standard library, which takes ten times as long.
    private static func parseSlowly(_ text: RawSpan) -> Double? {
        var letters = ""
        for index in text.byteOffsets { letters.unicodeScalars.append(Unicode.Scalar(text[index])) }
        guard let value = Double(letters), value.isFinite else { return nil }
        return value
    }
}

/// Access to bytes by position. A position beyond the end traps, so the bytes of another cell are never read.
///
/// The standard library calls these loads unsafe because some types have invalid bit patterns; integers have none.
extension RawSpan {
    @inline(__always)
    package subscript(place: Int) -> UInt8 { unsafeLoad(fromByteOffset: place, as: UInt8.self) }

    /// The first eight bytes; the first one is the lowest byte.
    @inline(__always)
    var firstWord: UInt64 { UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)) }
}
