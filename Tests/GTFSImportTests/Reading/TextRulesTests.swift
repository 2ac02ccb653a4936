import TestSupport
import Testing

@testable import GTFSImport

/// The rules for text formats accept everything valid and reject the faults that they look for.
@Suite struct TextRulesTests {
    private func holds(_ rule: (UnsafeRawBufferPointer) -> Bool, _ texts: [String], _ expected: Bool) {
        for text in texts { #expect(withBytes(text, rule) == expected, "\(text)") }
    }

    @Test func colorsAreSixHexadecimalDigits() {
        holds(TextRules.isColor, ["000000", "FFFFFF", "a1B2c3", "09afAF"], true)
        holds(
            TextRules.isColor,
            ["", "FFF", "#FFFFFF", "FFFFFG", "FFFFF", "FFFFFFF", "GGGGGG", "fffff ", "@ABCDE", "`abcde"], false)
        let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
        for byte in UInt8.min ... .max {
            #expect(withBytes([48, 48, byte, 48, 48, 48]) { TextRules.isColor($0) } == hexadecimal.contains(byte))
        }
    }

    @Test func urlsAreWholeAddressesOfHTTP() {
        holds(
            TextRules.isURL,
            [
                "http://a.de", "https://example.org", "HTTPS://EXAMPLE.ORG/x?y=z#f", "http://bücher.example/straße",
                "https://user:pw@host.de:8080/a,b;c(d)", "http://[::1]/", "http://host.de?x",
                "https://xn--bcher-kva.example",
                "http://e.org/'it%20s'", "http://example.com.", "http://my_host.example:80/", "http://a.de:",
                "http://a.de:65535",
                "http://1.2.3.4/", "http://a-b.c--d.example", "https://[2001:db8::1]:443/x",
                "http://a.de/?q=a/b?c:d@e#f/?g",
                "http://a.de?", "http://a.de/#", "http://a.de/%C3%A4", "http://a.de/~b/*;v=1.1",
            ], true)
        holds(
            TextRules.isURL,
            [
                "", "example.org", "www.example.org", "ftp://example.org", "http:/example.org", "http://", "https:///x",
                "http\u{1A}//a.de", "http:\u{0F}\u{0F}a.de",
                "http://...", "http://a.de b", "http://a.de/<b>", "http://a.de/\"b\"", "http://a.de\tb", "http://?x",
                "http://a,b.de/", "javascript:alert(1)", "http", "http:", "mailto:a@b.c", "http://a.de\u{7F}",
                "http://a.de/`b", "http://a.de/b c", "http://a.de/b ", "http://a.de/{b}", "http://a.de/b|c",
                "http://a.de/b\\c", "http://a.de/b^c", "http://a.de/[b]", "http://a.de/?b[]=1", "http://a.de/%zz",
                "http://a.de/%4", "http://a.de/%", "http://a.de/#b#c", "http://example..com", "http://.example.com",
                "http://-example.com", "http://example-.com", "http://a.de-", "http://a.de:65536", "http://a.de:99999",
                "http://a.de:1:2", "http://a.de:b", "http://:80", "http://a.de..", "http://[::1", "http://[]/",
                "http://[::1]80/", "http://[::g]/", "http://a@b@c.de/", "http://a%20b.de/", "http://a",
                "http://localhost:8080/x", "http://https://example.com", "https://http://example.com/x", "http://com.",
                "http://example.c", "http://example.123", "http://1.2.3/", "http://1.2.3.256/", "http://1.2.3.4.5/",
                "http://1..2.3.4/", "http://1.2.3.4../",
            ], false)
    }

    @Test func emailsAreSingleAddresses() {
        holds(
            TextRules.isEmail,
            [
                "a@b.ch", "first.last+tag@sub.example.org", "ü@bücher.example", "a'b@c.de", "x@192.0.2.1",
                "\"a b\"@c.de",
                "\"a\\\"b@c\"@d.ef", "\"\"@b.ch", "{a}@b.ch", "a@[192.0.2.1]", "a@[IPv6:2001:db8::1]", "a@b-c.de",
            ],
            true)
        holds(
            TextRules.isEmail,
            [
                "", "a", "@b.ch", "a@b.c", "a@1.2", "a@", "a@b", "a@.c", "a@b.", "a@b@c.d", "a b@c.d", "a@b.c, d@e.f",
                "a@b.c;d@e.f",
                "a@b .c",
                "http://a.b", "a@b.c\n", "mailto:a@b.com", "<a@b.com>", "A <a@b.com>", ".a@b.com", "a.@b.com",
                "a..b@c.com",
                "a@b..com", "a@-b.com", "a@b-.com", "a@b.com-", "a@.b.com", "\"a@b.com", "a\"@b.com", "\"a\"b\"@c.de",
                "\"a\\\"@c.de", "a(b)@c.de", "a@[]", "a@[192.0.2.1", "a@b/c.d", "a@b.com.",
            ], false)
    }

    @Test func phoneNumbersHaveDigitsAndNothingOfAnAddress() {
        holds(
            TextRules.isPhoneNumber,
            [
                "110", "+49 30 123456", "(555) 123-4567", "555.123.4567 ext. 8", "1-800-GO-METRO 12", "030/12345",
                "#61",
                "0570-05-0000", "+7 (495) 123–45–67",
            ], true)
        holds(
            TextRules.isPhoneNumber, ["", "call us", "1", "a@b.c12", "12 < 13", "none", "---"], false)
    }

    @Test func printableASCIIIsFromTheSpaceToTheTilde() {
        for byte in UInt8.min ... .max {
            #expect(withBytes([65, byte]) { TextRules.isPrintableASCII($0) } == (32...126).contains(byte), "\(byte)")
        }
        holds(TextRules.isPrintableASCII, ["", "a-b_c:d/e f~"], true)
    }

    /// Compares with the standard library's decoder, which replaces invalid bytes by U+FFFD.
    @Test func utf8IsValidWhereSwiftReadsItUnchanged() {
        var random = SeededGenerator(seed: 6)
        let pieces: [[UInt8]] = [
            [0x41], [0xC3, 0xA4], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x9A, 0x8B], [0x80], [0xC3], [0xE2, 0x82],
            [0xC0, 0x80],
            [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xF0, 0x80, 0x80, 0x80], [0xE0, 0x80, 0x80], [0],
            [0xF4, 0x8F, 0xBF, 0xBF], [0xED, 0x9F, 0xBF],
        ]
        for _ in 0..<100_000 {
            let count = Int.random(in: 0...5, using: &random)
            let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            let expected = Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
            if withBytes(bytes, { TextRules.isUTF8($0) }) != expected { Issue.record("\(bytes)") }
        }
    }

    @Test func replacementCharactersAreFoundAnywhere() {
        holds(TextRules.containsReplacementCharacter, ["\u{FFFD}", "a\u{FFFD}", "\u{FFFD}b", "ab\u{FFFD}cd"], true)
        holds(TextRules.containsReplacementCharacter, ["", "a", "ab", "abc", "\u{FFFC}", "\u{FEFF}", "ï¿½"], false)
    }
}
