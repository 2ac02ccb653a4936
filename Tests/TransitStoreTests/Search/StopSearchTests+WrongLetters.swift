import SearchText
import TestSupport
import Testing
import TransitStore

/// Words with a wrong letter, a missing one or one too many.
extension StopSearchTests {
    @Test(arguments: [
        ("gorlitzre", true), ("gorlizter", true), ("gorltzer", true), ("gorrlitzer", true), ("gorlitzxr", true),
        ("bahhof", true), ("bhof", false), ("ahnh", true), ("anh", false), ("xorlitzer", true), ("orlitzer", true),
        ("ggorlitzer", true), ("ogrlitzer", true), ("gorlitzee", true),
        ("görlizt", true), ("gorlitzer bahnhoff", true), ("gorlizter bahnohf", true), ("Goerlitzre", true),
        ("gorlxtzxr", false), ("gxrl", false), ("gorl bahnhoxx", false),
    ])
    func `one wrong letter in a long word is corrected`(text: String, isFound: Bool) throws {
        let store = try Self.store([(0, "Görlitzer Bahnhof", nil, 10), (1, "Hafen", nil, 1), (2, "Bahn", nil, 1)])
        #expect(try names(text, store) == (isFound ? ["Görlitzer Bahnhof"] : []))
    }

    @Test(arguments: [("mart", true), ("mrkt", true), ("arkt", true), ("mark", true), ("makrt", true), ("matk", false)])
    func `a letter may be missing in a word of five`(text: String, isFound: Bool) throws {
        let store = try Self.store([(0, "Alter Markt", nil, 1), (1, "Hof", nil, 1)])
        #expect(try names(text, store) == (isFound ? ["Alter Markt"] : []))
    }

    @Test func `wrong letters come after all that is right`() throws {
        let store = try Self.store([
            (0, "Hafen", nil, 100), (1, "Haken", nil, 1), (2, "Hafenstraße", nil, 1), (3, "Haxen", nil, 999),
        ])
        #expect(try names("haken", store) == ["Haken", "Haxen", "Hafen", "Hafenstraße"])
        #expect(try names("haken", store, limit: 1) == ["Haken"])
    }

    /// Compares the search in the tree of letters with a comparison of each word.
    @Test func `wrong letters are corrected as a comparison with every word does`() throws {
        var generator = SeededGenerator(seed: 5)
        let letters = Array("abcaä")
        func word(_ lengths: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: lengths, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? "a"
                })
        }
        let words = Set((0..<60).map { _ in word(4...8) }).sorted()
        let store = try Self.store(words.enumerated().map { ($0, $1, nil, 0) })
        let context = try store.context()
        for _ in 0..<60 {
            let typed = word(4...7)
            let wanted = SearchText.normalize(typed)
            let expected = words.indices.filter { index in
                let name = SearchText.normalize(words[index])
                let spelled = [name] + NameSpellings().words(of: words[index])
                return spelled.contains { spelled in
                    ([wanted] + NameSpellings().words(of: typed)).contains { wanted in
                        spelled.hasPrefix(wanted)
                            || (0...spelled.count).contains {
                                max(wanted.count, $0) >= 5 && wanted.count >= 4
                                    && NearestName.distance(String(spelled.prefix($0)), wanted) <= 1
                            }
                    }
                }
            }
            #expect(try context.searchStops(typed, limit: 0).map(\.id).sorted() == expected, "\(typed)")
        }
    }

    /// SQLite takes at most 500 SELECTs in one.
    @Test func `a word may be one letter off from hundreds of others`() throws {
        var names = Set<String>()
        for place in 0..<7 {
            for letter in "abcdefghijklmnopqrstuvwxyz0123456789" {
                var (other, longer) = (Array("querung"), Array("querung"))
                other[place] = letter
                longer.insert(letter, at: place)
                names.formUnion([String(other), String(longer)])
            }
        }
        let store = try Self.store(names.sorted().enumerated().map { ($0, $1, nil, $0) })
        #expect(try Set(self.names("querung", store, limit: 1_000)) == names)
    }
}
