import Foundation
import SQLite
import Testing

@testable import TransitStore

/// Swift takes a separator and a combining mark that follows it for one character, and é in one code point for é in
/// two.
@Suite struct CombiningMarkTests {
    private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

    @Test func `a template file may have combining marks after its separators`() throws {
        let text = """
            #\u{301} a comment
            ;\u{301} another
            [\u{301}x\u{301}]
            entity =\u{301}Stop
             \u{301}goes on
            where=\u{301}name = 'a' \u{301}
            [y]
            entity = Stop
            """
        let file = try TemplateFile(text: text, name: "t.ini")
        #expect(
            file.names.map { Array($0.utf8) }.sorted { $0.count < $1.count } == [
                Array("y".utf8), Array("\u{301}x\u{301}".utf8),
            ])
        let request = try file.request(named: "\u{301}x\u{301}")
        #expect(request.entity.hasSameBytes(as: "\u{301}Stop\n\u{301}goes on"))
        #expect(request.predicate.hasSameBytes(as: "\u{301}name = 'a' \u{301}"))
    }

    @Test func `a key path may have a combining mark after its dot`() throws {
        let store = try TestStore { connection in
            try connection.execute("ALTER TABLE fare_attribute ADD COLUMN \"\u{301}x\" TEXT")
            try connection.execute("INSERT INTO fare_attribute(id, fare_id, \"\u{301}x\") VALUES (0, 'f', 'a')")
            try connection.execute("INSERT INTO fare_rule(id, fare) VALUES (0, 0), (1, NULL)")
        }.open()
        let condition = try Condition<StoredRow>(
            format: "%K = 'a'", arguments: ["fare.\u{301}x"], entity: "fare_rule", in: store)
        #expect(try store.makeContext().fetchCount(FetchRequest<StoredRow>(entity: "fare_rule", where: condition)) == 1)
    }

    /// `[d]` removes the marks of a letter and nothing else: ǅ, a capital with a small letter, stays as it is, and ᾼ
    /// becomes Α. The rule is NFD without nonspacing marks, in NFC. NameNormalizerTests compare all code points.
    @Test func `letters of every case keep it without their marks`() {
        let cased = (UInt32(0x80)...0x1_F1FF).compactMap(Unicode.Scalar.init).filter(\.properties.isCased)
        for letter in cased {
            let text = String(letter)
            let letters = text.decomposedStringWithCanonicalMapping.unicodeScalars
                .filter { $0.properties.generalCategory != .nonspacingMark }
            let plain = String(String.UnicodeScalarView(letters)).precomposedStringWithCanonicalMapping
            #expect(text.withoutDiacritics.hasSameBytes(as: plain), "U+\(String(letter.value, radix: 16)) \(text)")
        }
    }

    /// Theta has another capital in formulas, with the same small letter. It is a letter of its own.
    @Test(arguments: [
        ("ϴ", "Θ", false), ("ϔ", "Υ", false), ("ϔ", "ϒ", true), ("Α\u{345}", "Α", true), ("Α\u{345}", "α", false),
        ("ᾼ", "Α", true), ("Ǆ", "ǅ", false),
    ])
    func `[d] finds texts that differ in marks alone`(name: String, sought: String, isFound: Bool) throws {
        let context = try TestStore { try $0.insertStop(0, name, 52, 13) }.context()
        let stops = FetchRequest<Stop>(where: try Condition(format: "name ==[d] %@", arguments: [sought]))
        #expect(try context.fetchCount(stops) == (isFound ? 1 : 0))
    }

    /// The store takes them for different ids.
    @Test func `requests with names and ids of other bytes are different`() {
        func departures(_ id: String) -> DepartureRequest {
            DepartureRequest(.stops(["markt", id]), from: Instant(unixSeconds: 0), within: .seconds(60))
        }
        #expect(departures(Self.composed) == departures(Self.composed))
        #expect(departures(Self.composed) != departures(Self.decomposed))
        #expect(DepartureRequest.Place.stops([]) != .objects([]) && DepartureRequest.Place.anywhere == .anywhere)
        let changes: [(inout RequestText, String) -> Void] = [
            { $0.entity = $1 }, { $0.predicate = $1 }, { $0.sort = $1 }, { $0.properties = $1 }, { $0.groupBy = $1 },
            { $0.having = $1 }, { $0.prefetch = $1 }, { $0.labels = [.sort: $1] },
        ]
        for (number, change) in changes.enumerated() {
            var (one, other) = (RequestText(entity: "Stop"), RequestText(entity: "Stop"))
            change(&one, Self.composed)
            #expect(one != other, "\(number)")
            change(&other, Self.decomposed)
            #expect(one != other, "\(number)")
            change(&other, Self.composed)
            #expect(one == other && one.hashValue == other.hashValue, "\(number)")
        }
        var limited = RequestText(entity: "Stop")
        limited.limit = 1
        #expect(limited != RequestText(entity: "Stop"))
    }

    /// Each table is asked by itself, also by the same statement again, and with unsaved changes of the other.
    @Test func `tables may have names that Swift takes for equal`() throws {
        let fixture = try TestStore { connection in
            for (name, rows) in [(Self.composed, "(1, 'one')"), (Self.decomposed, "(1, 'two'), (2, 'three')")] {
                try connection.execute("CREATE TABLE \"\(name)\"(id INTEGER PRIMARY KEY, x TEXT)")
                try connection.execute("INSERT INTO \"\(name)\" VALUES \(rows)")
            }
        }
        let context = try fixture.context()
        func values(_ name: String, _ format: String = "TRUEPREDICATE") throws -> [QueryValue] {
            let condition = try Condition<StoredRow>(format: format, entity: name, in: context.stores[0])
            return try context.fetch(FetchRequest<StoredRow>(entity: name, where: condition)).map { $0["x"] }
        }
        #expect(FetchRequest<StoredRow>(entity: Self.composed) != FetchRequest<StoredRow>(entity: Self.decomposed))
        for _ in 0..<2 {
            #expect(try values(Self.composed) == ["one"])
            #expect(try values(Self.decomposed) == ["two", "three"])
        }
        let rows = try context.fetch(FetchRequest<StoredRow>(entity: Self.decomposed))
        try rows[0].setValue("changed", for: "x")
        context.delete(rows[1])
        #expect(try values(Self.composed) == ["one"] && values(Self.composed, "x = 'changed'").isEmpty)
        #expect(try values(Self.composed, "id = 1") == ["one"])
        #expect(try values(Self.decomposed) == ["changed"] && values(Self.decomposed, "id = 1") == ["changed"])
    }

    /// The dictionaries of Swift have one entry for both names. The row itself has both.
    @Test func `columns may have names that Swift takes for equal`() throws {
        let context = try TestStore { connection in
            try connection.insertStop(0, "Hafen", 52, 13)
            for (name, value) in [(Self.composed, "one"), (Self.decomposed, "two")] {
                try connection.execute("ALTER TABLE stop ADD COLUMN \"\(name)\" TEXT")
                try connection.execute("UPDATE stop SET \"\(name)\" = '\(value)'")
            }
        }.context()
        let stop = try #require(try context.fetchFirst(FetchRequest<Stop>()))
        #expect(try stop.feedColumns() == [Self.composed: "one"])
        let row = try context.fetchRows(sql: "SELECT \"\(Self.composed)\", \"\(Self.decomposed)\" FROM stop")[0]
        #expect(row.dictionary == [Self.composed: "one"])
        #expect(row[Self.composed] == "one" && row[Self.decomposed] == "two" && row[1] == "two")
    }
}
