import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Compares parsed numbers with the standard library's, bit for bit.
@Suite struct NumbersTests {
    private func float(_ text: String) -> Double? { withBytes(text) { Numbers.parseFloat($0.bytes) } }
    private func integer(_ text: String) -> Int64? { withBytes(text) { Numbers.parseInteger($0.bytes) } }
    private func lenient(_ text: String) -> Int64? { withBytes(text) { Numbers.parseIntegerLeniently($0.bytes) } }

    /// An optional sign, digits with an optional point, and an optional exponent.
    private static func isDecimal(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }
        func dropSign() { if let first = rest.first, "+-".utf8.contains(first) { rest = rest.dropFirst() } }
        dropSign()
        let whole = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(whole)
        var decimals = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            decimals = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(decimals)
        }
        guard whole + decimals > 0 else { return false }
        guard let letter = rest.first else { return true }
        rest = rest.dropFirst()
        dropSign()
        return "eE".utf8.contains(letter) && !rest.isEmpty && rest.allSatisfy(isDigit)
    }

    private func checkFloat(_ text: String) {
        let isDecimal = text.utf8.count <= 400 && Self.isDecimal(text)
        let expected = isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
        let found = float(text)
        if found?.bitPattern != expected?.bitPattern {
            Issue.record("\(text): \(String(describing: found)), not \(String(describing: expected))")
        }
    }

    @Test func randomDecimalsReadAsSwiftReadsThem() {
        var random = SeededGenerator(seed: 2)
        func digits(_ range: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: range, using: &random)).map { _ in "0123456789".randomElement(using: &random) ?? "0"
                })
        }
        for _ in 0..<8_000 {
            let sign = ["", "", "-", "+"].randomElement(using: &random) ?? ""
            let exponent =
                ["", "", "", "e\(Int.random(in: -330...310, using: &random))"].randomElement(using: &random) ?? ""
            checkFloat(sign + digits(1...20) + "." + digits(0...20) + exponent)
            checkFloat(sign + digits(0...3) + "." + digits(0...15))
            checkFloat(sign + digits(0...24) + exponent)
            checkFloat(sign + digits(1...3) + "." + digits(12...60))
            checkFloat(
                sign + "0." + String(repeating: "0", count: .random(in: 0...12, using: &random)) + digits(1...30))
            checkFloat(
                sign + digits(1...1) + "." + digits(0...18) + "E" + ["", "+0", "-"].randomElement(using: &random)!
                    + "\(Int.random(in: 0...24, using: &random))")
        }
    }

    /// Numbers midway between two doubles or slightly off, so that the last of many digits decides.
    @Test func numbersBesideTheMiddleOfTwoDoublesAreRoundedAsBySwift() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<4_000 {
            // From 2^54 to 2^55, doubles are four apart.
            let middle = (UInt64.random(in: 1 << 52..<1 << 53, using: &random)) * 4 + 2
            let zeros = String(repeating: "0", count: .random(in: 0...30, using: &random))
            let nines = String(repeating: "9", count: .random(in: 1...30, using: &random))
            for text in [
                "\(middle).\(zeros)", "\(middle).\(zeros)1", "\(middle - 1).\(nines)", "\(middle)e0",
                "\(middle)\(zeros)",
            ] {
                checkFloat(text)
                checkFloat("-" + text)
                checkFloat("0.\(text.replacing(".", with: ""))")
            }
        }
    }

    @Test(arguments: [
        "1e", "1e+", "e5", ".e5", "1e5e5", "1.2.3e4", "1e5.0", "--1e5", "1e--5", "+", "-", ".", "-.",
        "1e99999999999999999999",
        "1e-99999999999999999999", "0e99999999999999999999", "1E5", "1.E5", ".1E5", "00000000000000000000000001.5",
        "1_0e5", "0x1p3",
        "infinity", "nan", "1e5 ", " 1e5", "1,5e3",
    ]) func oddFormsReadAsSwiftReadsThem(text: String) { checkFloat(text) }

    /// Texts around the greatest length that is read as a number.
    @Test(arguments: 397...402) func longTextsReadAsSwiftReadsThem(count: Int) {
        checkFloat("0." + String(repeating: "3", count: count - 2))
        checkFloat("1." + String(repeating: "0", count: count - 2))
        checkFloat(String(repeating: "0", count: count - 1) + "1")
    }

    /// Coordinates like those of feeds, and the printed forms of random doubles.
    @Test func whatDoublesPrintIsReadBack() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            let value = Double.random(in: -180...180, using: &random)
            checkFloat("\(value)")
            if float("\(value)") != value { Issue.record("\(value)") }
        }
        for _ in 0..<8_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite, float("\(value)")?.bitPattern != value.bitPattern { Issue.record("\(value)") }
        }
    }

    @Test func randomCharactersReadAsSwiftReadsThem() {
        var random = SeededGenerator(seed: 4)
        let alphabet = Array("0123456789..--++eE x,")
        for _ in 0..<8_000 {
            let count = Int.random(in: 0...8, using: &random)
            checkFloat(String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? " " }))
        }
    }

    @Test func edgesOfDoublesReadAsSwiftReadsThemAndOtherTextsDoNot() {
        for text in [
            "9007199254740992", "9007199254740993", "9007199254740991.5", "0.1", "123456789012345678", "1e22", "1e23",
            "999999999999999999", "1234567890123456789", "0.000000000000000001", "1.7976931348623157e308", "4.9e-324",
            "2.2250738585072011e-308", "0", "-0", "+0", "-0.0", ".5", "5.", "-.5", "00052.50", "1e400", "1e-400",
            String(repeating: "9", count: 398), String(repeating: "0", count: 380) + "1.25",
        ] { checkFloat(text) }
        for text in [
            "", "-", "+", ".", "-.", "e5", "1e", "1e+", "nan", "inf", "-infinity", "0x10", "1,5", "1 ", " 1", "1.2.3",
            "--1", "1_000", "١", "1e5.0", String(repeating: "1", count: 400),
        ] { #expect(float(text) == nil, "\(text)") }
        #expect(float("-0")?.sign == .minus)
    }

    @Test func integersAreTheStandardLibrarysUpToEighteenDigits() {
        var random = SeededGenerator(seed: 5)
        let alphabet = Array("0123456789012345678901234567890123456789-+ .a")
        for _ in 0..<8_000 {
            let count = Int.random(in: 0...20, using: &random)
            let text = String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? " " })
            let digits = text.drop { $0 == "-" || $0 == "+" }.count
            let expected = digits <= 18 ? Int64(text) : nil
            if integer(text) != expected { Issue.record("\(text)") }
        }
        #expect(integer("999999999999999999") == 999_999_999_999_999_999)
        #expect(integer("-999999999999999999") == -999_999_999_999_999_999)
        #expect(integer("9223372036854775807") == nil)
        for byte in UInt8.min ... .max where !(48...57).contains(byte) {
            for text in [[byte], [49, byte], [49, byte, 50], [45, byte]] as [[UInt8]] {
                #expect(withBytes(text) { Numbers.parseInteger($0.bytes) } == nil)
            }
        }
    }

    @Test func integersMayBeWrittenAsSpreadsheetsWriteThem() {
        let expected: [(String, Int64?)] = [
            ("3.0", 3), ("3.", 3), ("-3.00", -3), ("1e3", 1000), ("0.0", 0), ("-0.0", 0), ("3.5", nil), ("", nil),
            ("three", nil), ("9e15", nil), ("8999999999999999", 8_999_999_999_999_999), ("1e300", nil), (".0", 0),
            ("-9e15", nil), ("0000000000000000000000007", 7), ("9223372036854775807", nil), ("3,0", nil),
        ]
        for (text, value) in expected { #expect(lenient(text) == value, "\(text)") }
    }
}
