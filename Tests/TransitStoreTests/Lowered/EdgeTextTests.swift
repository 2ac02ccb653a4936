import Foundation
import SQLite
import Testing
@testable import TransitStore

/// Texts and lists that Swift and SQLite take differently, or that are larger than SQLite allows.
struct EdgeTextTests {
    @Test(arguments: ["name IN $x", "name IN[cd] $x", "name BETWEEN $x", "NOT name IN $x OR name = 'a'"])
    func `a list without its value is refused`(format: String) throws {
        let context = try TestStore.berlin().context()
        let request = FetchRequest<Stop>(where: try Condition(format: format))
        #expect(#expect(throws: StoreError.self) { try context.fetch(request) }?.code == .missingVariable)
        #expect(#expect(throws: StoreError.self) { try context.fetchCount(request) }?.code == .missingVariable)
        #expect(#expect(throws: StoreError.self) { try request.sql() }?.code == .missingVariable)
        try context.fetch(FetchRequest<Stop>())[0].set(\.name, to: "Kai")
        #expect(#expect(throws: StoreError.self) { try context.fetch(request) }?.code == .missingVariable)
    }

    @Test func `statements whose texts Swift takes for equal`() throws {
        let texts = ["\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "a\u{323}\u{301}", "a\u{301}\u{323}"]
        let context = try TestStore.berlin().context()
        for _ in 0..<2 {
            for text in texts {
                let hex = text.utf8.map { String($0, radix: 16, uppercase: true) }.joined()
                #expect(try context.fetchRows(sql: "SELECT hex('\(text)')")[0][0] == .text(hex))
            }
        }
    }

    @Test(arguments: [0, 999, 1_000, 3_000]) func `a list with texts that have U+0000`(others: Int) throws {
        let names = [
            "a", "ab", "a\0b", "a\0", "\0", "", "\u{1}", "\u{1}0", "\u{1}1", "a\u{1}0b", "\0\u{1}\0", "1", "\"\\\0",
        ]
        let store = try TestStore { connection in
            for (id, name) in names.enumerated() { try connection.insertStop(id, name, nil, Double(id)) }
        }
        let context = try store.context()
        for (id, name) in names.enumerated() {
            let list = [name] + (0..<others).map { "none \($0)" }
            let found = try context.fetch(FetchRequest<Stop>(where: #Predicate { list.contains($0.name) }))
            #expect(found.map(\.id) == [id], "\(name.debugDescription)")
            let rest = try context.fetch(FetchRequest<Stop>(where: #Predicate { !list.contains($0.name) }))
            #expect(rest.map(\.id) == names.indices.filter { $0 != id })
        }
        let numbers = [1.0, 3] + (0..<others).map { Double($0) + 100.5 }
        let found = try context.fetch(FetchRequest<Stop>(where: #Predicate { numbers.contains($0.longitude ?? 0) }))
        #expect(found.map(\.id) == [1, 3])
    }

    /// Between U+D7FF and U+E000 there is no character, and behind U+10FFFF none at all.
    @Test(arguments: ["\u{D7FF}", "\u{10FFFF}", "\u{7F}", "a"])
    func `texts with a prefix end where the next character begins`(last: String) throws {
        let characters = ["\u{7F}", "\u{80}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "a", "b", ""]
        let names = characters.flatMap { ["x\($0)", "x\($0)y"] }
        let store = try TestStore { connection in
            for (id, name) in (names + ["y"]).enumerated() { try connection.insertStop(id, name, nil, nil) }
        }
        let prefix = "x" + last
        let found = try store.context().fetch(FetchRequest<Stop>(where: #Predicate { $0.name.starts(with: prefix) }))
        #expect(Set(found.map(\.id)) == Set(names.indices.filter { names[$0].utf8.starts(with: prefix.utf8) }))
    }

    @Test func `batches of rows whose keys have U+0000`() throws {
        let words = ["a", "a\0", "a\0b", "a\u{1}", "a\u{1}0", "b"]
        let store = try TestStore { connection in
            try connection.insertStop(0, nil, nil, nil)
            let term = try connection.prepare("INSERT INTO search_term(normalized_word, stop) VALUES (?, 0)")
            for word in words {
                term.bind(1, word)
                try term.run()
                term.reset()
            }
        }
        var request = FetchRequest<SearchTerm>(sortedBy: .descending(\.normalizedWord))
        request.fetchBatchSize = 4
        let found = try store.context().fetchBatches(request).map(\.normalizedWord)
        #expect(found.map { Array($0.utf8) } == words.reversed().map { Array($0.utf8) })
    }

    /// SQLite stops a statement only between its steps, so a function must not take long.
    @Test func `a pattern that would take minutes in a long text is refused`() throws {
        let long = String(repeating: "a", count: 1_000_000)
        let store = try TestStore { connection in
            try connection.insertStop(0, long, nil, nil, platform: String(repeating: "a", count: 500_000) + "b")
        }
        let (plain, changed) = (try store.context(), try store.context())
        try #require(try changed.object(Stop.self, id: 0)).set(\.code, to: "1")
        for context in [plain, changed] {
            func count(_ format: String, _ pattern: String) throws -> Int {
                try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: format, pattern)))
            }
            let part = String(repeating: "a", count: 500_000)
            #expect(try count("name CONTAINS %@", part) == 1)
            #expect(try count("name CONTAINS %@", part + "b") == 0)
            #expect(try count("name CONTAINS[cd] %@", part + "B") == 0)
            #expect(try count("name CONTAINS[c] %@", part + "B") == 0)
            #expect(try count("name CONTAINS platformCode AND name != %@", "") == 0)
            #expect(try count("name LIKE %@", "*a?a*") == 1)
            let error = #expect(throws: StoreError.self) { try count("name LIKE %@", "*" + part + "b*") }
            #expect(error?.code == .tooComplex)
            #expect(error?.message.contains("matching a text of 1000000 bytes takes too long") == true)
            #expect((error?.message.utf8.count ?? 0) < 400)
        }
    }

    /// A pattern stays the same for all rows, however long it is: beyond what a text can match, it is not read.
    @Test func `a pattern that is longer than the text is refused at once`() throws {
        for (text, pattern, holds) in [
            ("ab", "ab", true), ("ab", "???", false), ("ab", "a?b", false), ("ab", "*a*b*", true), ("", "***", true),
            ("", "?", false), ("a*", "a\\*", true), ("a*", "a\\*b", false), ("a\\", "a\\", true),
            ("é", "e\u{301}", false), ("\\", "\\\\", true), ("\\a", "\\\\a", true), ("a", "\\\\a", false),
        ] {
            #expect(try TextOperator.like.holds(text, pattern) == holds, "\(text) LIKE \(pattern)")
        }
        let pattern = "*" + String(repeating: "é", count: 500_000) + "*"
        for _ in 0..<20_000 { #expect(try !TextOperator.like.holds("Fährhafen", pattern)) }
    }

    @Test func `parts of any length are found`() throws {
        let texts = [
            String(repeating: "ab", count: 200), String(repeating: "a", count: 300) + "b",
            String(repeating: "aab", count: 120),
            "x" + String(repeating: "a", count: 257), String(repeating: "\u{E4}", count: 129), "b",
        ]
        let store = try TestStore { connection in
            for (id, text) in texts.enumerated() { try connection.insertStop(id, text, nil, nil) }
        }
        let context = try store.context()
        for text in texts {
            for length in [1, 255, 256, 257, 258, 300, 301] {
                for part in [String(text.prefix(length)), String(text.suffix(length)), text.prefix(length) + "b"] {
                    let found = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.name.contains(part) }))
                    #expect(found.map(\.id) == texts.indices.filter { texts[$0].contains(part) })
                }
            }
        }
    }

    @Test func `a zone whose name Swift takes for another's`() {
        for name in ["Asia/\u{212A}olkata", "Asia/\u{212A}arachi"] {
            let plain = name.replacing("\u{212A}", with: "K")
            #expect(TimetableZone.named(name) == nil)
            #expect(TimetableZone.named(plain)?.name == plain)
            #expect(TimetableZone.named(name) == nil)
        }
    }

    @Test(arguments: [63, 64, 70, 500]) func `of 64 or more sort terms none may be of related rows`(count: Int) throws {
        let context = try TestStore.berlin().context()
        var plain = FetchRequest<Stop>()
        plain.sortDescriptors = (0..<count).map { _ in .ascending(\.name) }
        let all = try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.name)))
        #expect(try context.fetch(plain) == all)
        var joined = FetchRequest<Stop>()
        joined.sortDescriptors = (0..<count).map { _ in .ascending(\.parentStation?.name) }
        if count < 64 {
            #expect(try context.fetch(joined).count == all.count)
        } else {
            #expect(#expect(throws: StoreError.self) { try context.fetch(joined) }?.code == .tooComplex)
        }
    }

    @Test func `an id with half a key is no row's`() throws {
        let context = try TestStore.berlin().context()
        let half = ObjectID(StopTime.entity, row: 3)
        let all = try context.fetchCount(FetchRequest<StopTime>())
        #expect(try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.objectID == half })) == 0)
        #expect(try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.objectID != half })) == all)
        let ids = [half]
        #expect(try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { ids.contains($0.objectID) })) == 0)
    }

    /// A prefetch during unsaved changes must not keep their effect after a rollback.
    @Test func `relationships that were prefetched under changes that are rolled back`() throws {
        let store = try TestStore { connection in
            for stop in 0..<5 { try connection.insertStop(stop, "Steig \(stop)", 52, 13) }
            try connection.execute("UPDATE stop SET parent_station = 0 WHERE id IN (1, 2, 3)")
        }
        let context = try store.context()
        let stops = try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.id)))
        func children() -> [Int] { stops[0].childStops.map(\.id).sorted() }
        try stops[1].set(\.parentStation, to: nil)
        try stops[4].set(\.parentStation, to: stops[0])
        let station = FetchRequest<Stop>(where: #Predicate { $0.id == 0 }).prefetching(\.childStops)
        _ = try context.fetch(station)
        #expect(children() == [2, 3, 4])
        context.rollback()
        #expect(children() == [1, 2, 3])
        try stops[2].set(\.parentStation, to: stops[4])
        _ = try context.fetch(station)
        #expect(children() == [1, 3])
        context.refresh(stops[2], mergeChanges: false)
        #expect(children() == [1, 2, 3])
    }

    @Test func `ids of another store, or of an earlier file, are not taken for this store's`() throws {
        let imported = try ImportedStore.sample.get()
        let (one, other) = (try imported.open(), try imported.open())
        let stop = try #require(
            try one.makeContext().fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" })))
        let routes = try one.makeContext().fetch(FetchRequest<Route>()).map(\.objectID)
        let from = Instant(unixSeconds: 1_777_870_000)
        var requests = [DepartureRequest(.objects([stop.objectID]), from: from, within: .seconds(86_400))]
        requests.append(DepartureRequest(.anywhere, from: from, within: .seconds(86_400)))
        requests[1].routes = routes
        for request in requests {
            let expected = try one.makeContext().departures(request).map(\.instant)
            #expect(!expected.isEmpty)
            #expect(try one.departures(request).map(\.instant) == expected)
            let both = StoreCoordinator([other, one]).makeContext()
            #expect(try both.departures(request).map(\.instant) == expected)
            #expect(
                #expect(throws: StoreError.self) { try other.makeContext().departures(request) }?.code == .unknownStore)
            #expect(#expect(throws: StoreError.self) { try other.departures(request) }?.code == .unknownStore)
            #expect(
                #expect(throws: StoreError.self) { try one.reopened().makeContext().departures(request) }?.code
                    == .unknownStore)
        }
    }

    @Test func `a view whose name goes on with a combining mark`() throws {
        let store = try TestStore { connection in
            try connection.insertStop(0, "Hafen", 52, 13)
            try connection.execute("CREATE VIEW \"gtfs_\u{301}\" AS SELECT 1 AS a")
        }
        #expect(try store.context().fetchCount(FetchRequest<Stop>()) == 1)
    }
}
