import ICU
import Testing

struct NameCollatorTests {
    @Test(arguments: [
        ("", ["Aachen", "Äpfingen", "Berlin", "Zürich"]),
        ("de", ["Aachen", "Äpfingen", "Berlin", "Zürich"]),
        ("sv", ["Aachen", "Berlin", "Zürich", "Äpfingen"]),
        ("de-u-co-phonebk", ["Ac", "Äd", "Af"]),
        ("en-u-kn", ["Line 2", "Line 9", "Line 10"]),
        ("en", ["Line 10", "Line 2", "Line 9"]),
        ("cs", ["Cukrovar", "Hradec", "Cheb"]),
        ("ha-NG", ["Aachen", "Äpfingen", "Berlin", "Zürich"]),
    ])
    func `each language has its own order`(locale: String, expected: [String]) throws {
        let collator = try #require(NameCollator(locale: locale))
        #expect(expected.reversed().sorted { collator.compare($0, $1) < 0 } == expected)
    }

    @Test func `long names and malformed bytes have an order`() throws {
        let collator = try #require(NameCollator(locale: "de"))
        let long = String(repeating: "Straße", count: 50_000)
        #expect(collator.compare(long, long + "a") < 0)
        let malformed: [UInt8] = [0x61, 0xFF]
        let replaced = Array("a\u{FFFD}".utf8)
        #expect(malformed.withUnsafeBytes { left in replaced.withUnsafeBytes { collator.compare(left, $0) } } == 0)
    }

    /// Vietnamese is one of the languages for which ICU sorts the marks on a letter. Comparing two
    /// names of 160,000 marks took 52 s.
    @Test func `endless marks have an order`() throws {
        let collator = try #require(NameCollator(locale: "vi"))
        let marks = String(repeating: "\u{301}\u{323}", count: 300_000)
        #expect(collator.compare("a\(marks)x", "a\(marks)y") < 0)
        #expect(collator.compare("a\(marks)", "b") < 0)
        #expect(collator.compare("\(marks)a", "\(marks)a") == 0)
        let few = String(repeating: "\u{323}\u{301}", count: 499)
        #expect(collator.compare("a\(few)x", "a\(few)\u{327}x") < 0)
    }

    @Test(arguments: ["de_DE", "not a locale", "d", "-", "de\u{0}", String(repeating: "a", count: 200)])
    func `a malformed locale has no order`(locale: String) {
        #expect(NameCollator(locale: locale) == nil)
    }

    @Test(arguments: ["xx-YY", "deutsch", "xx", "qq-DE", "x-private", "aaq"])
    func `an unknown language has no order`(locale: String) {
        #expect(NameCollator(locale: locale) == nil)
    }

    @Test(arguments: ["", "und", "und-u-kn", "UND", "es-419", "zh-Hant-TW", "sr-Latn", "hsb", "nds", "de-QQ", "ha"])
    func `known languages`(locale: String) {
        #expect(NameCollator(locale: locale) != nil)
    }

    @Test func `threads may share one`() async throws {
        let collator = try #require(NameCollator(locale: "de"))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<2000).allSatisfy { collator.compare("Ä\($0)", "B\($0)") < 0 }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
