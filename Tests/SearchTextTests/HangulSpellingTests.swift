import ICU
import TestSupport
import Testing

@testable import SearchText

/// Compares our spelling of Korean syllables with ICU's transliterator.
@Suite struct HangulSpellingTests {
    @Test(arguments: [
        ("서울역", ["seoul", "yeog"]), ("강남", ["gangnam"]), ("종로3가", ["jonglo3ga"]), ("아이", ["ai"]),
        ("아에", ["a", "e"]), ("을지로입구", ["euljiloibgu"]), ("히로오 역", ["hiloo", "yeog"]), ("ㄱ", ["g"]),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", ["hangeul"]),
    ])
    func `names of stops are spelled in Latin letters`(name: String, expected: [String]) {
        let words = NameSpellings().words(of: name)
        // Plain forms of narrow letters are no Latin ones.
        #expect(words.filter { $0.utf8.allSatisfy { $0 < 0x80 } } == expected)
    }

    private static func twin() throws -> Transform { try #require(Transform(rules: ":: Any-Latin;")) }

    /// The syllable with the given numbers of its first consonant, vowel and last consonant.
    private static func syllable(_ first: Int, _ vowel: Int, _ last: Int) -> String {
        Unicode.Scalar(UInt32(0xAC00 + (first * 21 + vowel) * 28 + last)).map(String.init) ?? ""
    }

    @Test func `every syllable between others is spelled as by ICU`() throws {
        let twin = try Self.twin()
        let syllables = (0xAC00...0xD7A3).compactMap(Unicode.Scalar.init)
        var random = SeededGenerator(seed: 1446)
        for syllable in syllables {
            let scalars = [syllable, syllables.randomElement(using: &random) ?? syllable, syllable]
            let text = String(String.UnicodeScalarView(scalars))
            #expect(HangulSpelling.spell(text) == twin.apply(text), "\(text)")
        }
    }

    @Test func `each last consonant before each first one is spelled as by ICU`() throws {
        let twin = try Self.twin()
        for (last, first, vowel) in Self.triples(28, 19, 21) {
            let text = Self.syllable(11, 0, last) + Self.syllable(first, vowel, 0)
            #expect(HangulSpelling.spell(text) == twin.apply(text), "\(text)")
        }
    }

    @Test func `each vowel before each other one is spelled as by ICU`() throws {
        let twin = try Self.twin()
        for (vowel, next, first) in Self.triples(21, 21, 19) {
            let text = Self.syllable(first, vowel, 0) + Self.syllable(11, next, 0)
            #expect(HangulSpelling.spell(text) == twin.apply(text), "\(text)")
        }
    }

    private static func triples(_ first: Int, _ second: Int, _ third: Int) -> [(Int, Int, Int)] {
        (0..<first).flatMap { a in (0..<second).flatMap { b in (0..<third).map { c in (a, b, c) } } }
    }
}
