import Foundation
import ICU
import SearchText
import Testing

/// Other spellings of names, as riders in many places type them.
struct NameSpellingsTests {
    @Test(arguments: [
        ("Hauptbahnhof", []),
        ("S+U Görlitzer Straße", ["goerlitzer", "strasse"]),
        ("Düsseldorf Völklinger Str.", ["duesseldorf", "voelklinger"]),
        ("Großgörschenstraße", ["grossgoerschenstrasse", "grossgorschenstrasse"]),
        ("Go\u{308}rlitz", ["goerlitz"]),
        ("Go\u{331}\u{308}rlitz STRAẞE", ["goerlitz", "strasse"]),
        ("Łódź Øresund Århus", ["lodz", "oeresund", "oresund", "aarhus"]),
        ("Київ-Пасажирський", ["kyiv", "pasazhyrskyi", "pasazhirskiy", "pasazhirskii"]),
        ("Площадь", ["ploshchad", "ploshtad"]),
        ("Πελοπόννησος", ["peloponnisos", "peloponnesos"]),
        ("しんじゅくえき", ["shinjukueki"]),
        ("とうきょう シンバシ", ["toukyou", "tokyo", "shinbashi", "shimbashi"]),
        ("新宿", []),
        ("서울역", ["seoul", "yeog"]),
        ("თბილისი", ["tbilisi"]),
        ("Café de l’Été", []),
        ("ＪＲ高岡駅前", ["jr"]),
        ("ＮＴＴ前", ["ntt"]),
        ("高岡３丁目", ["3"]),
        ("ﬁnance Straﬀe", ["finance", "straffe"]),
        ("ｶﾞｰﾃﾞﾝ", ["カーテン", "gaden"]),
        ("のりば①", ["1", "noriba1"]),
    ])
    func `words by which a name is found as well`(name: String, expected: [String]) {
        let spellings = NameSpellings()
        #expect(spellings.words(of: name) == expected)
        // The second call answers from the cache.
        #expect(spellings.words(of: name) == expected)
    }

    /// Swift takes two spellings of one name for equal, so the cache must not answer for the wrong one.
    @Test(arguments: [
        "Go\u{308}rlitz", "Stra\u{DF}e Su\u{308}d", "\u{212B}rhus", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}",
        "\u{3b1}\u{301}\u{3b3}\u{3b9}\u{3bf}\u{3c2}", "\u{418}\u{306}\u{43E}\u{448}",
        "\u{30B7}\u{30F3}\u{30CF}\u{3099}\u{30B7}",
        "\u{10D7}\u{10D1}\u{301}", "\u{915}\u{93C}\u{932}", "\u{5E9}\u{5C1}\u{5DC}", "o\u{31B}\u{323}i",
        String(repeating: "o\u{308}", count: 120), String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 80),
    ])
    func `canonically equal names in any order`(name: String) {
        let forms = [name, name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping]
        let alone = forms.map { NameSpellings().words(of: $0) }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let spellings = NameSpellings()
            #expect(order.map { spellings.words(of: forms[$0]) } == order.map { alone[$0] })
        }
    }

    @Test func `a part that nobody types has no spellings, and many parts are forgotten`() {
        let spellings = NameSpellings()
        #expect(spellings.words(of: String(repeating: "ö", count: 200)) == [])
        for number in 0..<20_000 { #expect(spellings.words(of: "ö\(number)") == ["oe\(number)"]) }
        #expect(spellings.words(of: "ö7") == ["oe7"])
    }

    /// This would take an hour if each word were compared with all others.
    @Test func `a name of very many words has each spelling once`() {
        let name = (0..<100_000).map { "ö\($0 % 60_000)" }.joined(separator: " ")
        #expect(NameSpellings().words(of: name) == (0..<60_000).map { "oe\($0)" })
    }

    @Test func `rules that ICU cannot read are refused`() {
        #expect(Transform(rules: ":: No-Such;") == nil)
        #expect(Transform(rules: "")?.apply("a\u{0}b") == "a\u{0}b")
    }
}
