import ICU
import TestSupport
import Testing

@testable import SearchText

/// Compares our rules for Cyrillic with ICU's transliterators.
final class CyrillicSpellingTests {
    let normalizer = NameNormalizer()

    @Test(arguments: [
        ("Київ", ["kyiv"]),
        ("Щербакова", ["shcherbakova", "shterbakova"]),
        ("Шчастя", ["shchastia", "shchastya"]),
        ("Об'їзна зв’язок", ["obizna", "zviazok", "zvyazok"]),
        ("Згурівка", ["zghurivka"]),
        ("Хасково", ["khaskovo", "haskovo"]),
        ("Търново", ["trnovo", "turnovo"]),
        ("Градътъ Ѫгъл", ["hradt", "gradt", "gradutu", "ugul"]),
        ("Ђурђевак", ["đurđevak"]),
        ("Љиг Чачак", ["ljig", "chachak", "cacak"]),
        ("Ёлкино", ["yelkyno", "yelkino"]),
        ("подъезд ПОДЪЕЗД", ["podezd", "podyezd", "poduezd"]),
        ("Нью-Йорк", ["niu", "york", "nyu", "iork"]),
        ("Ме\u{301}сто", ["mesto"]),
        ("Советская", ["sovetskaia", "sovetskaya"]),
        ("Красные", ["krasnye", "krasnyye"]),
    ])
    func `names of several languages are spelled in Latin letters`(name: String, expected: [String]) {
        #expect(NameSpellings().words(of: name) == expected)
    }

    @Test func `letters and their marks may be one code point or two, in either case`() {
        for (composed, decomposed) in [("Йорк", "И\u{306}орк"), ("Ёлкино", "Е\u{308}лкино"), ("Їжак", "І\u{308}жак")] {
            let expected = NameSpellings().words(of: composed)
            #expect(!expected.isEmpty)
            #expect(NameSpellings().words(of: decomposed) == expected)
            #expect(NameSpellings().words(of: decomposed.uppercased()) == expected)
        }
    }

    @Test func `lower case and NFC are those of ICU's transliterators`() throws {
        let twin = try #require(Transform(rules: ":: Lower; :: NFC;"))
        for scalar in [0...0x2FFF, 0xAC00...0xAD00, 0x10400...0x1044F].joined().compactMap(Unicode.Scalar.init) {
            let text = "\(scalar) A\(scalar)\u{301}Σ\(scalar)"
            #expect(normalizer.composedLowercase(text) == twin.apply(text), "U+\(String(scalar.value, radix: 16))")
        }
        #expect(normalizer.composedLowercase("") == "")
        #expect(normalizer.composedLowercase(String(repeating: "Ж", count: 1 << 19)) != nil)
        #expect(normalizer.composedLowercase(String(repeating: "Ж", count: 1 << 19) + "a") == nil)
    }

    @Test(arguments: Rules.all)
    func `words of any letters are spelled as by ICU's own rules`(_ rules: Rules) throws {
        // A line with `::` would make ICU fill its list of all transliterators.
        #expect(!rules.ours.text.contains("::"))
        let ours = try #require(Transform(rules: rules.ours.text))
        let twin = try #require(Transform(rules: ":: Lower; :: NFC; " + rules.twin))
        var random = SeededGenerator(seed: 1917)
        var compared = 0
        for _ in 0..<10_000 {
            let word = WordMaker.word(using: &random)
            guard let expected = expected(twin.apply(word)) else { continue }
            compared += 1
            let spelled = normalizer.composedLowercase(word).flatMap(ours.apply)
            #expect(spelled.map(normalizer.normalize) == expected, "\(word.debugDescription)")
        }
        #expect(compared > 9_500)
    }

    /// ICU's spelling without the dots that it puts between letters that could be misread: t·s, sh·ch. Nil for words
    /// with such a dot before э or ы and then е, because ICU overlooks there that е follows a vowel.
    private func expected(_ spelled: String?) -> String? {
        let normalized = spelled.map(normalizer.normalize) ?? ""
        // By scalars: a mark may follow the е.
        let overlooked = ["·ee", "·ye"]
        if overlooked.contains(where: { normalized.unicodeScalars.contains($0.unicodeScalars) }) { return nil }
        return normalized.filter { $0 != "·" }
    }
}

/// Our rules and the ICU rules that they replace.
struct Rules: Sendable, CustomTestStringConvertible {
    let ours: SpellingRules
    let twin: String
    var testDescription: String { "\(ours)" }

    static let all = [
        Rules(ours: .ukrainian, twin: ukrainian),
        Rules(ours: .russian, twin: byICU("Russian")),
        Rules(ours: .bulgarian, twin: byICU("Bulgarian")),
        Rules(ours: .serbian, twin: byICU("Serbian")),
    ]

    private static let noSigns = "[ʹʺʻʼʽʾʿ‘’\\u0027] > ; "

    private static func byICU(_ language: String) -> String {
        ":: \(language)-Latin/BGN; :: NFD; :: [:Mn:] Remove; :: Lower; \(noSigns)"
    }

    private static let ukrainian = """
        $edge = [[:^L:]$]; \
        $edge { є > ye; $edge { ї > yi; $edge { й > y; $edge { ю > yu; $edge { я > ya; зг > zgh; щ > shch; \
        а > a; б > b; в > v; г > h; ґ > g; д > d; е > e; є > ie; ж > zh; з > z; и > y; і > i; ї > i; й > i; к > k; \
        л > l; м > m; н > n; о > o; п > p; р > r; с > s; т > t; у > u; ф > f; х > kh; ц > ts; ч > ch; ш > sh; \
        ю > iu; я > ia; ь > ; ъ > ; \(noSigns):: Russian-Latin/BGN;
        """
}

/// Random words of Cyrillic letters and of characters that may stand next to them.
private enum WordMaker {
    static func word(using random: inout SeededGenerator) -> String {
        var word = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &random)]
            word.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
        }
        return String(word)
    }

    /// Each letter comes from a random one of these. Letters with rules, and vowels, are listed more than once.
    private static let alphabets: [[Unicode.Scalar]] = [
        (0x400...0x52F).compactMap(Unicode.Scalar.init), known, known, known, vowels, vowels,
        scalars("\u{300}\u{301}\u{304}\u{306}\u{308}\u{323}\u{327}"),
        scalars("-'’‘ʼʹʺʻʽʾʿ.,/ №«0123²½aeiyABTxèŠğạ"),
    ]
    private static let known = scalars("абвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґђјљњћџѣѫЩЖШЧЦТСЗГЬЪІЇЄҐЂЈЉЊЋЏѢѪ")
    private static let vowels = scalars("аеёийоуыэюяъьАЕЁИЙОУЫЭЮЯ")

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
