import ICU
import TestSupport
import Testing

@testable import SearchText

/// Compares our spelling of Japanese syllables with ICU's transliterator.
@Suite struct KanaSpellingTests {
    @Test(arguments: [
        ("とうきょう", ["toukyou", "tokyo"]),
        ("シンバシ", ["shinbashi", "shimbashi"]),
        ("みかづき", ["mikadzuki", "mikazuki"]),
        ("ハナヂャヤ", ["hanadjaya", "hanajaya"]),
        ("はっちょうぼり", ["hatchoubori", "hatchobori"]),
        ("センター", ["senta"]),
        ("カーブ前", []),
        ("キャッスル", ["kyassuru"]),
        ("シティホール", ["shitihoru"]),
        ("トゥモロー", ["tumoro"]),
        ("チェリー・ジェット", ["cheri", "jetto"]),
        ("ウィング ヴァレー", ["wingu", "vare"]),
        ("デュオ フュージョン", ["dyuo", "fyujon"]),
        ("クヮ イェ ッア かっ", ["kwa", "ye", "a", "ka"]),
        ("いすゞ カヽ サヾ", ["isuzu", "kaka", "saza"]),
        ("ｶﾞｰﾃﾞﾝ ﾊﾟｰｸ", ["gaden", "paku"]),
        ("ｳﾞｨﾗ ﾜﾞ ｦﾞ", ["vira", "va", "vo"]),
        ("ﾊﾞｯｸﾞ ﾎﾟｯﾌﾟ ﾍﾞｯﾄﾞ", ["baggu", "poppu", "beddo"]),
        ("ｶﾟｷ ｱﾞ ｶﾞﾞ ｯﾞｱ ﾞ", ["kaki", "a", "ga"]),
        ("か\u{3099}くえん", ["gakuen"]),
        ("アｱァ", ["aaa"]),
        ("ㇰ", []),
    ])
    func `names of stops are spelled in Latin letters`(name: String, expected: [String]) {
        let words = NameSpellings().words(of: name)
        // Plain forms of narrow letters are no Latin ones.
        #expect(words.filter { $0.utf8.allSatisfy { $0 < 0x80 } } == expected)
    }

    /// Syllables that contain no small vowels.
    private static let syllables: [String] = {
        let plain = (0x3041...0x3094).compactMap(Unicode.Scalar.init).map(String.init)
            .filter { !"ぁぃぅぇぉゃゅょゎっ".contains($0) }
        let glides = "きぎしじちぢにひびぴみり".flatMap { first in "ゃゅょ".map { "\(first)\($0)" } }
        let doubled = "かきくけこさしすせそたちつてとぱぴぷぺぽ".map { "っ\($0)" }
        return plain + glides + doubled
    }()

    private static func word(_ random: inout SeededGenerator) -> String {
        let hiragana = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            syllables.randomElement(using: &random) ?? ""
        }.joined()
        guard Bool.random(using: &random) else { return hiragana }
        let katakana = hiragana.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x60) }
        return String(String.UnicodeScalarView(katakana))
    }

    @Test func `words of whole syllables are spelled as by ICU`() throws {
        let letters = SpellingRules.anyScript.text
        let signs = letters + "ou > o; oo > o; uu > u; n } [bmp] > m; dj > j; dz > z;"
        let twins = try [
            (KanaSpelling.letters, #require(Transform(rules: letters))),
            (.signs, #require(Transform(rules: signs))),
        ]
        var random = SeededGenerator(seed: 1887)
        for _ in 0..<20_000 {
            let word = Self.word(&random)
            for (ours, twin) in twins { #expect(ours.spell(word) == twin.apply(word), "\(word)") }
        }
    }

    /// If a letter cannot have its mark, ICU keeps it as a combining mark, which the twin removes.
    @Test func `letters of half width with and without marks are spelled as by ICU`() throws {
        let twin = try #require(Transform(rules: ":: Any-Latin; :: NFD; :: [:Mn:] Remove;"))
        let isSmall = (0xFF67...0xFF6F)
        for code in 0xFF66...0xFF9D where code != 0xFF70 && !isSmall.contains(code) {
            let letter = try String(#require(Unicode.Scalar(code)))
            for mark in ["", "ﾞ", "ﾟ"] {
                let word = "ｶ" + letter + mark + "ｷ"
                #expect(KanaSpelling.letters.spell(word) == twin.apply(word), "\(word)")
            }
        }
    }

    @Test func `half and full width are spelled alike`() throws {
        let wide = try #require(Transform(rules: ":: NFKC;"))
        let letters = (0xFF66...0xFF9D).compactMap(Unicode.Scalar.init).map(String.init)
        var random = SeededGenerator(seed: 1959)
        for _ in 0..<20_000 {
            let word = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                (letters.randomElement(using: &random) ?? "") + (["", "ﾞ", "ﾟ"].randomElement(using: &random) ?? "")
            }.joined()
            let full = (wide.apply(word) ?? "").unicodeScalars.filter { !(0x3099...0x309A).contains($0.value) }
            let expected = KanaSpelling.letters.spell(String(String.UnicodeScalarView(full)))
            #expect(KanaSpelling.letters.spell(word) == expected, "\(word)")
        }
    }

    /// In any text, all characters that are not kana stay, and spelling the result again changes nothing.
    @Test func `any text is spelled`() {
        let letters =
            (0x3040...0x30FF).compactMap(Unicode.Scalar.init) + (0xFF66...0xFF9F).compactMap(Unicode.Scalar.init)
            + Array("aZé-・ 駅".unicodeScalars)
        var random = SeededGenerator(seed: 30)
        for _ in 0..<20_000 {
            let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                letters.randomElement(using: &random)
            }
            let text = String(String.UnicodeScalarView(scalars))
            let spelled = KanaSpelling.letters.spell(text)
            for scalar in text.unicodeScalars where !(0x3040...0xFFFF).contains(scalar.value) || scalar == "駅" {
                #expect(spelled.unicodeScalars.contains(scalar))
            }
            #expect(KanaSpelling.letters.spell(spelled) == spelled)
            #expect(KanaSpelling.signs.spell(text).count <= spelled.count)
        }
    }
}
