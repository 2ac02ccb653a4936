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
    ])
    func `words by which a name is found as well`(name: String, expected: [String]) {
        let spellings = NameSpellings()
        #expect(spellings.words(of: name) == expected)
        // The second call answers from the cache.
        #expect(spellings.words(of: name) == expected)
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
        #expect(Transform(rules: "ö > ") == nil || Transform(rules: ":: No-Such; ") == nil)
        #expect(Transform(rules: ":: No-Such;") == nil)
        #expect(Transform(rules: "")?.apply("a\u{0}b") == "a\u{0}b")
    }
}
