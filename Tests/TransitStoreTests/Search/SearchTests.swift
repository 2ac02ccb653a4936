import FoundationEssentials
import Synchronization
import Testing
import TransitStore

@Suite struct SearchTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func prefixOfTheWholeName() throws {
        let context = try context()
        let request = FetchRequest<Stop>(where: .name(beginsWith: "U GÖRLI"))
        #expect(
            request.description.hasSuffix("WHERE t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'"))
        #expect(try context.fetch(request).map(\.name) == ["U Görlitzer Bahnhof (Berlin)"])
        #expect(
            try context.explain(request).steps
                == ["SEARCH t0 USING INDEX stop_normalized_name (normalized_name>? AND normalized_name<?)"])
    }

    @Test func everyWordMustMatch() throws {
        try fixture.get().pretendRows(10_000, in: ["stop", "search_term"])
        let context = try context()
        let request = FetchRequest<Stop>(where: .name(hasWords: "berl kott"))
        #expect(
            try request.sql().text.hasSuffix(
                "WHERE t0.id IN (SELECT stop FROM search_term WHERE normalized_word >= ? AND normalized_word < ?) "
                    + "AND t0.id IN (SELECT stop FROM search_term WHERE normalized_word >= ? AND normalized_word < ?)"))
        #expect(try context.fetch(request).map(\.id) == [1, 2])
        #expect(try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "dt wid"))).map(\.id) == [3])
        #expect(try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "kott xyz"))).isEmpty)
        #expect(try context.fetch(FetchRequest<Stop>(where: .name(hasWords: " .,"))).isEmpty)
        let plan = try context.explain(request, bigTable: 1)
        #expect(plan.warnings == [])
        #expect(plan.steps.contains("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"))
    }

    /// If all rows of a request for words are in memory, its statement takes the ids from search_term alone. It finds
    /// the same stops in the same order as a statement that reads stops.
    @Test func wordsOfKnownStopsAreFoundWithoutReadingStops() throws {
        let fixture = try fixture.get()
        let written = Mutex<[String]>([])
        let context = try fixture.open {
            $0.sqlDebug = SQLDebug(level: 1) { line in
                if line.contains("sql: ") { written.withLock { $0.append(line) } }
            }
        }.makeContext()
        let plain = try fixture.open { $0.rowCacheCapacity = 0 }.makeContext()
        /// Fetches until the keys are enough; the last statement.
        func last(_ request: FetchRequest<Stop>) throws -> String {
            let expected = try plain.fetch(request).map(\.id)
            for _ in 0..<7 { #expect(try context.fetch(request).map(\.id) == expected, "\(request)") }
            return written.withLock { $0.last ?? "" }
        }
        _ = try context.fetch(FetchRequest<Stop>()).map(\.name)
        let range = "normalized_word >= ? AND normalized_word < ?"
        let one = "SELECT DISTINCT stop FROM search_term WHERE \(range)"
        let two = one + " AND stop IN (SELECT stop FROM search_term WHERE \(range))"
        for text in ["berl", "u", "b", "bahnhof berl", "berl u", "u u", "xyz", "Berlin, Kott"] {
            let sql = Set(text.split(separator: " ")).count == 1 ? one : two
            for (limit, offset) in [(0, 0), (1, 0), (2, 1), (0, 2)] {
                var request = FetchRequest<Stop>(where: .name(hasWords: text), limit: limit)
                request.fetchOffset = offset
                let isFound = try !plain.fetch(request).isEmpty
                let last = try last(request)
                #expect(!isFound || last.contains(sql + " ORDER BY stop"), "\(text) \(limit) \(offset): \(last)")
            }
        }
        let others = [
            FetchRequest<Stop>(where: .name(hasWords: "berl"), sortedBy: .descending(\.name)),
            FetchRequest<Stop>(kind: .station, where: .name(hasWords: "berl")),
            FetchRequest<Stop>(where: .name(hasWords: "berl") || .name(hasWords: "zoo")),
            FetchRequest<Stop>(where: !.name(hasWords: "kott")),
            FetchRequest<Stop>(where: try Condition(format: "hasWords(parentStation, 'berl')")),
        ]
        for request in others { #expect(try !last(request).contains("SELECT DISTINCT stop"), "\(request)") }
    }

    @Test func searchTermsCanBeFetched() throws {
        let context = try context()
        let request = FetchRequest<SearchTerm>(where: #Predicate { $0.normalizedWord.starts(with: "gorl") })
        #expect(try context.fetch(request).map(\.stop.id) == [0])
        #expect(
            try context.explain(request).steps
                == ["SEARCH t0 USING PRIMARY KEY (normalized_word>? AND normalized_word<?)"])
    }

    /// Words that were inserted, deleted or moved to another stop count for stops that have no other changes, too.
    @Test func wordsOfChangedTermsAreFound() throws {
        let context = try fixture.get().context()
        func found(_ text: String, _ expected: Set<Int>) throws {
            let request = FetchRequest<Stop>(where: .name(hasWords: text))
            #expect(try Set(context.fetch(request).map(\.id)) == expected, "\(text)")
            #expect(try context.fetchCount(request) == expected.count, "\(text)")
            let calls = FetchRequest<StopTime>(where: try Condition(format: "hasWords(stop, '\(text)')"))
            let all = try context.fetch(FetchRequest<StopTime>()).filter { expected.contains($0.stop.id) }
            #expect(try Set(context.fetch(calls)) == Set(all), "\(text)")
        }
        try found("gorl", [0])
        try found("quux", [])
        let (zero, one) = (
            try #require(try context.object(Stop.self, id: 0)), try #require(try context.object(Stop.self, id: 1))
        )
        let term = context.insert(SearchTerm.self)
        try term.set(\.normalizedWord, to: "quux")
        try term.set(\.stop, to: zero)
        try found("quux", [0])
        try term.set(\.stop, to: one)
        try found("quux", [1])
        let own = try #require(zero.searchTerms.first { $0.normalizedWord.hasPrefix("gorl") })
        try own.set(\.stop, to: one)
        try found("gorl", [1])
        context.delete(own)
        try found("gorl", [])
        try found("quux gorl", [])
        context.rollback()
        try found("gorl", [0])
    }

    /// A word that a program gives a stop may be that of a translation. The words that the store has for a renamed stop
    /// may be those of its old name.
    @Test func wordsGivenToNewAndRenamedStopsAreFound() throws {
        let context = try fixture.get().context()
        func found(_ text: String) throws -> [String] {
            let request = FetchRequest<Stop>(where: .name(hasWords: text))
            let stops = try context.fetch(request)
            #expect(try context.fetchCount(request) == stops.count, "\(text)")
            return stops.map(\.name)
        }
        let new = context.insert(Stop.self)
        try new.set(\.name, to: "Neu")
        let (harbour, bridge) = (context.insert(SearchTerm.self), context.insert(SearchTerm.self))
        for (term, word) in [(harbour, "harbour"), (bridge, "bridge")] { try term.set(\.normalizedWord, to: word) }
        try harbour.set(\.stop, to: new)
        #expect(try found("harb") == ["Neu"])
        #expect(try found("neu harb") == ["Neu"])
        let old = try #require(try context.object(Stop.self, id: 0))
        try old.set(\.name, to: "Alt")
        try bridge.set(\.stop, to: old)
        #expect(try found("bridge alt") == ["Alt"])
        #expect(try found("gorl").isEmpty)
        let moved = try #require(
            try context.fetchFirst(FetchRequest<SearchTerm>(where: #Predicate { $0.normalizedWord == "kottbusser" })))
        try moved.set(\.stop, to: new)
        #expect(try found("kott neu") == ["Neu"])
        context.delete(harbour)
        #expect(try found("harb").isEmpty)
    }

    @Test func likeMatchesAndOptions() throws {
        let context = try context()
        func ids(_ op: TextOperator, _ options: TextOptions, _ pattern: String) throws -> [Int] {
            let condition = QueryExpression.text(op, options, .property(.root, ["name"]), .value(.text(pattern)))
            return try context.fetch(FetchRequest<Stop>(where: Condition(condition))).map(\.id)
        }
        #expect(try ids(.like, [], "U *Tor*") == [1, 2])
        #expect(try ids(.like, [], "Z?o") == [7])
        #expect(try ids(.like, .folded, "*olm?hle") == [6])
        #expect(try ids(.matches, [], ".*[Ss]tr\\..*") == [4])
        #expect(try ids(.endsWith, [], "(Berlin)") == [0, 1, 2, 3, 4])
        #expect(try ids(.contains, .folded, "GÖR") == [0])
        #expect(try ids(.equals, .folded, "ZÖO") == [7])
        #expect(try ids(.beginsWith, .caseInsensitive, "ÖLM") == [6])
        #expect(try ids(.beginsWith, .caseInsensitive, "OLM") == [])
    }

    /// Comparing a folded name with a text that is not folded finds the name all the same, in SQL and in memory.
    @Test func constantsBesideFoldedTextsAreFolded() throws {
        let plain = try fixture.get().context()
        let changed = try fixture.get().context()
        _ = changed.insert(Level.self)
        for spelling in ["Ölmühle", "olmuhle", "ÖLMÜHLE"] {
            let start = String(spelling.prefix(3))
            let set: Set = [spelling, "nowhere"]
            for (condition, sql) in [
                (Condition<Stop>(#Predicate { $0.name.folded == spelling }), "t0.normalized_name = 'olmuhle'"),
                (Condition(#Predicate { spelling == $0.name.folded }), "t0.normalized_name = 'olmuhle'"),
                (
                    Condition(#Predicate { $0.name.folded.starts(with: start) }),
                    "t0.normalized_name >= 'olm' AND t0.normalized_name < 'oln'"
                ),
                (
                    Condition(#Predicate { $0.name.folded.contains(start) }),
                    "instr(COALESCE(t0.normalized_name, ''), 'olm') > 0"
                ),
                (Condition(#Predicate { set.contains($0.name.folded) }), nil),
                (
                    Condition(.text(.endsWith, [], .folded(.property(.root, ["name"])), .value(.text(spelling)))),
                    "text_endsWith(COALESCE(t0.normalized_name, ''), 'olmuhle')"
                ),
            ] as [(Condition<Stop>, String?)] {
                let request = FetchRequest<Stop>(where: condition)
                if let sql { #expect(request.description.hasSuffix(" WHERE " + sql), "\(request)") }
                #expect(try plain.fetch(request).map(\.id) == [6], "\(request)")
                #expect(try changed.fetch(request).map(\.id) == [6], "\(request)")
            }
            let other = FetchRequest<Stop>(where: #Predicate { $0.name.folded != spelling && $0.name != "" })
            #expect(try plain.fetchCount(other) == 6)
            let child = FetchRequest<Stop>(where: #Predicate { ($0.parentStation?.name.folded ?? "") < spelling })
            #expect(try plain.fetchCount(child) == 6)
        }
    }
}
