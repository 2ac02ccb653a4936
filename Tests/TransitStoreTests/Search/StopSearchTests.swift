import FoundationEssentials
import SQLite
import SearchText
import TestSupport
import Testing
import TransitStore

/// Searching as people type: order, spellings, unsaved changes.
struct StopSearchTests {
    /// A store of stops with names and numbers of departures. `parent` is the id of the stop above.
    static func store(
        _ stops: [(id: Int, name: String, parent: Int?, departures: Int)], codes: [Int: String] = [:]
    ) throws -> TestStore {
        try TestStore { connection in
            let spellings = NameSpellings()
            for stop in stops {
                try connection.insertStop(stop.id, stop.name, 52, 13, parent: stop.parent)
                let parts = SearchText.words(stop.name).flatMap { WordParts.parts(of: $0).dropFirst() }
                let runs = UnbrokenText(SearchText.normalize(stop.name)).runs
                let others = Set(spellings.words(of: stop.name) + parts + runs)
                for word in others.subtracting(SearchText.words(stop.name)) {
                    try connection.insert("search_spelling", "normalized_word, stop", ["'\(word)', \(stop.id)"])
                }
                try connection.insert("stop_departures", "stop, departures", ["\(stop.id), \(stop.departures)"])
            }
            for (id, code) in codes { try connection.execute("UPDATE stop SET code = '\(code)' WHERE id = \(id)") }
        }
    }

    func names(_ text: String, _ store: TestStore, limit: Int = 20) throws -> [String] {
        try store.context().searchStops(text, limit: limit).map(\.name)
    }

    @Test func `the whole name comes first, then its beginning, then a word, then by departures`() throws {
        let store = try Self.store([
            (0, "Alter Markt", nil, 900), (1, "Markt", nil, 1), (2, "Marktplatz", nil, 2), (3, "Markthalle", nil, 3),
            (4, "Neuer Markt", nil, 950), (5, "Marktplatz", nil, 2), (6, "Hafen", nil, 9_999),
        ])
        let sorted = ["Markt", "Markthalle", "Marktplatz", "Marktplatz", "Neuer Markt", "Alter Markt"]
        #expect(try names("markt", store) == sorted)
        #expect(try names("  MARKT ", store, limit: 3) == Array(sorted.prefix(3)))
        #expect(try names("markt", store, limit: 0) == sorted)
        #expect(try store.context().searchStops("marktpl").map(\.id) == [2, 5])
        #expect(try names("alt mar", store) == ["Alter Markt"])
        #expect(try names("markt hafen", store) == [])
        #expect(try names("", store) == [])
        #expect(try names(" ., ", store) == [])
    }

    /// A change that no search depends on, such as one from a realtime feed, changes no search.
    @Test func `a stop keeps its words, spellings and rank when other cells change`() throws {
        let test = try Self.store([(0, "Zoo West", nil, 90), (1, "Zoo Ost", nil, 10), (2, "Görlitzer Straße", nil, 5)])
        let connection = try Connection(path: test.path, mode: .create)
        // A translated name.
        try connection.insert("search_term", "normalized_word, stop", ["'harbour', 1"])
        let context = try test.context()
        let texts = ["zoo", "Goerlitzer Strasse", "Görlitzre", "harbour", "s1"]
        let harbour = FetchRequest<Stop>(where: .name(hasWords: "harbour"))
        let before = try texts.map { try context.searchStops($0).map(\.id) }
        #expect(before == [[0, 1], [2], [2], [1], [1]])
        let stops = try context.fetch(FetchRequest<Stop>())
        for stop in stops { try stop.set(\.wheelchairBoarding, to: .available) }
        #expect(try texts.map { try context.searchStops($0).map(\.id) } == before)
        #expect(try context.fetch(harbour).map(\.id) == [1])
        let east = try #require(stops.first { $0.id == 1 })
        try east.setValue("Zoo Nord", for: "name")
        #expect(try context.fetchCount(harbour) == 0)
        #expect(try context.searchStops("nord").map(\.id) == [1])
        #expect(try context.searchStops("ost").isEmpty)
        try east.setValue("Zoo Ost", for: "name")
        #expect(try texts.map { try context.searchStops($0).map(\.id) } == before)
    }

    /// As after an import of such a feed, a stop in a cycle stands for itself.
    @Test func `a cycle of parents that a change makes is no station`() throws {
        let context = try Self.store([(0, "Top", nil, 3), (1, "Middle", 0, 2), (2, "Platform", 1, 1)]).context()
        #expect(try context.searchStops("plat").map(\.id) == [0])
        let top = try #require(try context.object(Stop.self, id: 0))
        try top.set(\.parentStation, to: try context.object(Stop.self, id: 1))
        #expect(try context.searchStops("plat").map(\.id) == [2])
    }

    /// A change of a platform does not take the departures of its station away, by which equal hits are ordered.
    @Test func `a station keeps its departures when one of its platforms changes`() throws {
        let context = try Self.store([
            (0, "Markt", nil, 5), (1, "Markt", nil, 900), (2, "Markt Gleis 1", 1, 300), (3, "Markt Gleis 2", 1, 600),
        ]).context()
        #expect(try context.searchStops("markt").map(\.id) == [1, 0])
        let platform = try #require(try context.object(Stop.self, id: 2))
        try platform.set(\.name, to: "Markt Gleis 9")
        #expect(try context.searchStops("markt").map(\.id) == [1, 0])
        #expect(try context.searchStops("gleis").map(\.id) == [1])
    }

    /// Neither does a change of the stop itself, or of a platform whose name alone has the word.
    @Test func `a changed stop keeps its departures`() throws {
        let context = try Self.store([
            (0, "Markt", nil, 5), (1, "Markt", nil, 900), (2, "Markt Gleis 1", 1, 300), (3, "Am Gleis", nil, 10),
        ]).context()
        let texts = ["markt", "gleis"]
        let before = try texts.map { try context.searchStops($0).map(\.id) }
        #expect(before == [[1, 0], [1, 3]])
        for id in [1, 2] { try #require(try context.object(Stop.self, id: id)).set(\.code, to: "4711") }
        #expect(try texts.map { try context.searchStops($0).map(\.id) } == before)
    }

    /// Only a damaged store has such counts.
    @Test(arguments: [Int.max, Int.min]) func `any number of departures may move with a stop`(departures: Int) throws {
        let context = try Self.store([
            (0, "Markt", nil, departures), (1, "Hafen", nil, 5), (2, "Markt Gleis 1", 0, departures),
            (3, "Markt Gleis 2", 2, departures),
        ]).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        for stop in stops[2...] { try stop.set(\.parentStation, to: stops[1]) }
        #expect(try Set(context.searchStops("markt").map(\.id)) == [0, 1])
    }

    /// ICU takes @ for a word, but no part of it is a letter.
    @Test(arguments: ["@", "zoo @", "*", "&"]) func `signs find nothing, also among changed stops`(text: String) throws
    {
        let context = try Self.store([(0, "Zoo", nil, 3), (1, "Markt", nil, 2)]).context()
        let stored = try context.searchStops(text).map(\.id)
        let stop = try #require(try context.object(Stop.self, id: 1))
        try stop.set(\.name, to: "Neuer Markt")
        #expect(try context.searchStops(text).map(\.id) == stored)
    }

    @Test func `a station stands for all below it`() throws {
        let store = try Self.store([
            (0, "Bahnhof", nil, 50), (1, "Bahnhof Gleis 1", 0, 30), (2, "Gleis 1 Sektor A", 1, 10),
            (3, "Bahnhofstraße", nil, 40), (4, "Gleisdreieck", nil, 5),
        ])
        #expect(try names("bahnhof", store) == ["Bahnhof", "Bahnhofstraße"])
        // Only stops below the station contain the word. The result names the station, once.
        #expect(try names("gleis", store) == ["Bahnhof", "Gleisdreieck"])
        // An id or a code finds the stop itself.
        #expect(try store.context().searchStops("s2").map(\.id) == [2])
        #expect(try store.context().searchStops("S2").map(\.id) == [2])
    }

    @Test func `parents that go round in a circle end`() throws {
        let store = try Self.store([(0, "Kreis", 1, 1), (1, "Rund", 0, 1)])
        #expect(try names("kreis", store) == ["Kreis"])
    }

    /// In many feeds, the id of a platform is a word of its station's name.
    @Test func `a station that the id of its platform finds appears once`() throws {
        let store = try Self.store(
            [
                (0, "Lake Merritt", nil, 50), (1, "Lake Merritt", 0, 30), (2, "Lake Park", nil, 90),
                (3, "Lake Merritt Gate 3", 0, 10),
            ], codes: [1: "LAKE", 3: "4711"])
        func found(_ text: String, limit: Int = 20) throws -> [Int] {
            try store.context().searchStops(text, limit: limit).map(\.id)
        }
        #expect(try found("lake") == [0, 2])
        #expect(try found("lake", limit: 1) == [0])
        // The name does not match the code, so one platform is meant.
        #expect(try found("4711") == [3])
        let context = try store.context()
        try #require(try context.object(Stop.self, id: 1)).set(\.platformCode, to: "2")
        #expect(try context.searchStops("lake").map(\.id) == [0, 2])
        #expect(try context.searchStops("lake", limit: 1).map(\.id) == [0])
    }

    /// Otherwise a short list shows another place than a long one, or the platform beside its station.
    @Test func `a limit does not part a platform from its station`() throws {
        let stops: [(id: Int, name: String, parent: Int?, departures: Int)] = [
            (0, "Goerlitz Hbf", nil, 50), (1, "Görlitz", 0, 30), (2, "Goerlitz West", nil, 20),
            (3, "Görlitz Ost", nil, 10),
        ]
        let context = try Self.store(stops, codes: [1: "goerlitz"]).context()
        let all = try context.searchStops("goerlitz", limit: 0).map(\.id)
        #expect(all.sorted() == [0, 2, 3] && all.first == 0)
        for limit in 1...4 {
            #expect(try context.searchStops("goerlitz", limit: limit).map(\.id) == Array(all.prefix(limit)))
        }
    }

    @Test func `codes come first`() throws {
        let store = try Self.store([(0, "Zob 7", nil, 50), (1, "Markt", nil, 1)], codes: [1: "ZOB"])
        #expect(try names("zob", store) == ["Markt", "Zob 7"])
        #expect(try names("ZOB", store) == ["Markt", "Zob 7"])
    }

    @Test(arguments: [
        ("goerlitzer", ["Görlitzer Straße"]), ("strasse", ["Görlitzer Straße", "Strasse A"].reversed()),
        ("Goerlitzer Strasse", ["Görlitzer Straße"]), ("duesseldorf hbf", ["Düsseldorf Hbf"]),
        ("duess", ["Düsseldorf Hbf"]), ("kyiv", ["Kyiv Central", "Київ"]), ("Київ", ["Київ", "Kyiv Central"]),
        ("Görlitz", ["Görlitzer Straße", "Goerlitz"]), ("shinjuku", ["しんじゅく"]),
        ("ΠΕΛΟΠΟΝΝΗΣ", ["Πελοπόννησος"]), ("πελοποννησ", ["Πελοπόννησος"]), ("peloponnisos", ["Πελοπόννησος"]),
    ])
    func `other spellings come after those that are written so`(text: String, expected: [String]) throws {
        let store = try Self.store([
            (0, "Görlitzer Straße", nil, 10), (1, "Strasse A", nil, 1), (2, "Düsseldorf Hbf", nil, 10),
            (3, "Київ", nil, 10), (4, "Kyiv Central", nil, 5), (5, "Goerlitz", nil, 3), (6, "しんじゅく", nil, 3),
            (7, "Πελοπόννησος", nil, 3),
        ])
        #expect(try names(text, store) == expected)
    }

    @Test(arguments: [
        ("hospitalet", ["L’Hospitalet"]), ("l'hosp", ["L’Hospitalet"]), ("L’hosp", ["L’Hospitalet"]),
        ("valdemara", ["K.Valdemāra iela"]), ("K. Valdemara", ["K.Valdemāra iela"]), ("iela k.v", ["K.Valdemāra iela"]),
        ("St.Pölten", ["St.Pölten", "St. Pölten Hbf"]), ("St Poelten", ["St. Pölten Hbf", "St.Pölten"]),
        ("poelten", ["St. Pölten Hbf", "St.Pölten"]), ("St. Polten", ["St. Pölten Hbf", "St.Pölten"]),
        ("plten", ["St. Pölten Hbf", "St.Pölten"]), ("d'alsace", ["Rue d'Alsace"]), ("alsace", ["Rue d'Alsace"]),
        ("dalsace", ["Rue d'Alsace"]), ("...", []), ("d'", ["Rue d'Alsace"]),
    ])
    func `words behind a full stop or an apostrophe are found`(text: String, expected: [String]) throws {
        let store = try Self.store([
            (0, "L’Hospitalet", nil, 1), (1, "K.Valdemāra iela", nil, 1), (2, "St.Pölten", nil, 1),
            (3, "St. Pölten Hbf", nil, 9), (4, "Rue d'Alsace", nil, 1),
        ])
        #expect(try names(text, store) == expected)
    }

    /// Each word must be found, in one spelling or the other.
    @Test func `the spellings of two words are not those of each`() throws {
        let store = try Self.store([(0, "Goerlitz", nil, 9), (1, "Görlitz-Süd", nil, 1), (2, "Suedbad", nil, 5)])
        #expect(try names("Görlitz-Süd", store) == ["Görlitz-Süd"])
    }

    @Test func `a text has 64 words at most`() throws {
        let store = try Self.store([(0, "Hafen", nil, 1)])
        let words = (0..<65).map { "w\($0)" }
        #expect(try names(words.dropLast().joined(separator: " "), store) == [])
        #expect(
            throws: StoreError(.tooComplex, "The text has 65 different words; stops are searched by 64 at most")
        ) { try names(words.joined(separator: " "), store) }
    }

    /// They have few parts: x, y and z, or a single letter after each row of signs.
    @Test func `words that share their parts count each`() throws {
        let store = try Self.store([(0, "Hafen", nil, 1)])
        let letters = "abcdefghi"
        let joined = letters.flatMap { one in letters.map { "\(one).\($0)" } }
        let signs = (1...66).map { String(repeating: "_", count: $0) + "x" }
        for words in [joined, signs] {
            #expect(try names(words.prefix(64).joined(separator: " "), store) == [])
            #expect(
                throws: StoreError(
                    .tooComplex, "The text has \(words.count) different words; stops are searched by 64 at most")
            ) { try names(words.joined(separator: " "), store) }
        }
    }

    @Test func `unsaved changes take part in a search`() throws {
        let store = try Self.store([(0, "Hafen", nil, 100), (1, "Markt", nil, 1), (2, "Hafenbad", nil, 1)])
        let context = try store.context()
        let stops = try (0..<5).compactMap { try context.object(Stop.self, id: $0) }
        try stops[0].setValue("Kai", for: "name")
        context.delete(stops[2])
        #expect(try context.searchStops("hafen").isEmpty)
        #expect(try context.searchStops("kai").map(\.id) == [0])
    }

    @Test func `a new or changed stop is found by its id and its code`() throws {
        let store = try Self.store([(0, "Hafen", nil, 100), (1, "Markt", nil, 1)], codes: [1: "M1"])
        let context = try store.context()
        let new = context.insert(Stop.self)
        try new.set(\.stopID, to: "QQQ")
        try new.set(\.code, to: "4711")
        try new.set(\.name, to: "Interim")
        let markt = try #require(try context.object(Stop.self, id: 1))
        try markt.set(\.code, to: "99")
        for text in ["QQQ", "qqq", "4711", "inter"] { #expect(try context.searchStops(text) == [new], "\(text)") }
        for text in ["99", "s1", "markt"] { #expect(try context.searchStops(text) == [markt], "\(text)") }
        #expect(try context.searchStops("M1").isEmpty && context.searchStops("").isEmpty)
    }

    @Test func `a changed station stands for all below it`() throws {
        let store = try Self.store([
            (0, "Bahnhof", nil, 50), (1, "Gleis 1", 0, 30), (2, "Gleis 2", 0, 10), (3, "Gleisdreieck", nil, 5),
            (4, "Gleis 3", nil, 3),
        ])
        let context = try store.context()
        let stops = try (0..<5).compactMap { try context.object(Stop.self, id: $0) }
        for change in 0..<5 {
            switch change {
            case 0: try stops[0].set(\.code, to: "B")
            case 1: try stops[2].set(\.code, to: "2")
            case 2: try stops[4].set(\.parentStation, to: stops[0])
            case 3: try stops[1].set(\.parentStation, to: nil)
            default: context.delete(stops[0])
            }
            let expected = [[0, 3, 4], [0, 3, 4], [0, 3], [0, 1, 3], [1, 2, 3, 4]][change]
            #expect(try context.searchStops("gleis", limit: 0).map(\.id).sorted() == expected, "\(change)")
            #expect(try context.searchStops("gleis", limit: 2).count == 2, "\(change)")
        }
    }

    /// Compares the order of hits with that of a store with the changes, whose departures are counted anew.
    @Test func `departures move with the stops that have them`() throws {
        for seed in 0..<12 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var stops: [(id: Int, name: String, parent: Int?, departures: Int)] = []
            for id in 0..<10 {
                let parent = id < 3 || Bool.random(using: &random) ? nil : Int.random(in: 0..<id, using: &random)
                stops.append((id, "Zoo", parent, 1 << id))
            }
            let context = try Self.store(Self.counted(stops)).context()
            for change in 0..<5 {
                let place = Int.random(in: 3..<stops.count, using: &random)
                let stop = try #require(try context.object(Stop.self, id: stops[place].id))
                if change == 3 {
                    context.delete(stop)
                    let deleted = stops.remove(at: place).id
                    for index in stops.indices where stops[index].parent == deleted { stops[index].parent = nil }
                } else {
                    let parents = stops[..<place].map(\.id)
                    stops[place].parent = Bool.random(using: &random) ? parents.randomElement(using: &random) : nil
                    try stop.set(
                        \.parentStation, to: stops[place].parent.flatMap { try context.object(Stop.self, id: $0) })
                }
                let found = try context.searchStops("zoo", limit: 0).map(\.id)
                let anew = try Self.store(Self.counted(stops)).context().searchStops("zoo", limit: 0).map(\.id)
                #expect(found == anew, "seed \(seed), change \(change)")
            }
        }
    }

    /// The stops with the departures of all below them added to their own.
    private static func counted(
        _ stops: [(id: Int, name: String, parent: Int?, departures: Int)]
    ) -> [(id: Int, name: String, parent: Int?, departures: Int)] {
        var counted = stops
        for stop in stops {
            var above = stop.parent
            while let id = above, let place = stops.firstIndex(where: { $0.id == id }) {
                counted[place].departures += stop.departures
                above = stops[place].parent
            }
        }
        return counted
    }

    @Test func `no search reads a table through`() throws {
        let store = try Self.store([(0, "Görlitzer Bahnhof", nil, 10)], codes: [0: "G"])
        let context = try store.context()
        for sql in [
            "SELECT normalized_word FROM search_spelling WHERE normalized_word >= 'a' ORDER BY normalized_word LIMIT 1",
            "SELECT id FROM stop WHERE code IN ('G', 'g')",
        ] {
            let connection = try Connection(path: store.path, mode: .readOnly)
            let plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
            while try plan.step() { #expect(plan.text(3)?.hasPrefix("SEARCH") == true, "\(plan.text(3) ?? "")") }
        }
        _ = try context.searchStops("gorlitzxr")
        // One statement for ids, one for codes, three for words, and some lookups for each letter.
        #expect(context.statistics.statements < 400)
    }

    /// Swift compares and hashes a letter with very many combining marks in quadratic time: a search for 20,000 of them
    /// took 1.9 s, for 60,000 it took 13.9 s.
    @Test func aLetterMayHaveManyMarks() throws {
        let context = try Self.store([(0, "Σ-Platz", nil, 1)]).context()
        let marks = String(repeating: "\u{301}\u{323}", count: 500_000)
        #expect(try context.searchStops("Σ\(marks) pla").map(\.id) == [0])
    }
}
