/// A decimal number of up to 400 bytes: its first 19 significant digits, and the power of ten to multiply them by.
///
///     LongDecimal("4.812345678E+01".utf8.span.bytes)?.rounded  // 48.12345678
///
/// The standard library takes a microsecond for each such number. With it, half a million shape points with coordinates
/// of 30 digits took 1.1 s to import; points with six decimals took 0.12 s.
struct LongDecimal {
    private static let longestText = 400
    private static let mostDigits = 19

    private var isNegative = false
    private var mantissa: UInt64 = 0
    private var digits = 0
    private var power = 0
    /// Whether there are further digits, so that the number lies between the mantissa and the mantissa plus 1.
    private var isCut = false

    /// Parses a sign, digits with a point before, among or after them, and an exponent; nil for anything else.
    init?(_ text: RawSpan) {
        guard (1...Self.longestText).contains(text.byteCount) else { return nil }
        var index = 0
        isNegative = Numbers.skipSign(text, &index)
        let first = index
        takeDigits(text, &index, areDecimals: false)
        var count = index - first
        if index < text.byteCount, text[index] == UInt8(ascii: ".") {
            index += 1
            let point = index
            takeDigits(text, &index, areDecimals: true)
            count += index - point
        }
        guard count > 0 else { return nil }
        if index < text.byteCount, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            guard takeExponent(text, &index) else { return nil }
        }
        guard index == text.byteCount else { return nil }
    }

    private mutating func takeDigits(_ text: RawSpan, _ index: inout Int, areDecimals: Bool) {
        while index < text.byteCount, case let digit = text[index] &- 0x30, digit < 10 {
            index += 1
            if digits == Self.mostDigits {
                isCut = true
                if !areDecimals { power += 1 }
                continue
            }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            // Leading zeros are not significant.
            if mantissa > 0 { digits += 1 }
            if areDecimals { power -= 1 }
        }
    }

    private mutating func takeExponent(_ text: RawSpan, _ index: inout Int) -> Bool {
        let isNegative = Numbers.skipSign(text, &index)
        let first = index
        var exponent = 0
        while index < text.byteCount, case let digit = text[index] &- 0x30, digit < 10 {
            // The cap is far beyond a double's exponents; the standard library parses such numbers.
            exponent = min(exponent * 10 + Int(digit), 100_000)
            index += 1
        }
        power += isNegative ? -exponent : exponent
        return index > first
    }

    /// The nearest double; nil if 64-bit arithmetic cannot tell. If digits were cut off, the mantissa and the mantissa
    /// plus 1 must round to the same double.
    var rounded: Double? {
        guard let value = rounded(mantissa) else { return nil }
        if isCut, rounded(mantissa + 1) != value { return nil }
        return isNegative ? -value : value
    }

    private func rounded(_ mantissa: UInt64) -> Double? {
        let tens = Numbers.powersOfTen, wholeTens = Numbers.wholePowersOfTen
        if mantissa == 0 { return 0 }
        if mantissa <= 1 << 53, abs(power) < tens.count {
            // Both operands are exact, so the operation rounds only once.
            return power < 0 ? Double(mantissa) / tens[-power] : Double(mantissa) * tens[power]
        }
        guard abs(power) < wholeTens.count else { return nil }
        if power < 0 { return Numbers.quotient(mantissa, wholeTens[-power]) }
        let (product, isTooLarge) = mantissa.multipliedReportingOverflow(by: wholeTens[power])
        return isTooLarge ? nil : Double(product)
    }
}
