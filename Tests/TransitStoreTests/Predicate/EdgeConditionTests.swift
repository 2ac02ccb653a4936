import Foundation
import Testing

@testable import TransitStore

/// Conditions whose statements or values look like those of another condition.
@Suite struct EdgeConditionTests {
    /// The facts kept about ids are updated with each change.
    @Test func `an id of the feed that is set after others were looked up is found`() throws {
        let context = try TestStore.berlin().context()
        func named(_ id: String) throws -> [Int] {
            try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.stopID == id })).map(\.id)
        }
        try context.object(Stop.self, id: 3)?.set(\.stopID, to: "first")
        #expect(try named("first") == [3] && named("s3") == [])
        try context.object(Stop.self, id: 4)?.set(\.stopID, to: "second")
        #expect(try named("second") == [4] && named("s4") == [])
        try context.object(Stop.self, id: 4)?.set(\.stopID, to: "third")
        #expect(try named("third") == [4] && named("second") == [])
        let inserted = context.insert(Stop.self)
        try inserted.set(\.stopID, to: "fourth")
        #expect(try named("fourth") == [inserted.id])
    }

    /// A search without a sigma and one with a sigma have different statements.
    @Test func `a search with a sigma finds both sigmas after one without`() throws {
        let store = try TestStore { connection in
            for (id, name) in ["Οδός Αθηνάς", "ΟΔΟΣΗΜΑ", "Αθήνα"].enumerated() {
                try connection.insertStop(id, name, 37, 23)
            }
        }
        let context = try store.context()
        for _ in 0..<3 {
            for (text, ids) in [("αθη", [0, 2]), ("οδοσ", [0, 1]), ("ημα", [1]), ("ΟΔΟΣ", [0, 1])] {
                let request = FetchRequest<Stop>(where: try Condition(format: "name CONTAINS[cd] %@", text))
                #expect(try context.fetch(request).map(\.id).sorted() == ids, "\(text)")
                #expect(try context.fetchCount(request) == ids.count, "\(text)")
            }
        }
    }

    /// Both boxes have too many cells of longitude to be looked up one by one.
    @Test func `a box over the 180th meridian does not take the statement of a wide one`() throws {
        let store = try TestStore { connection in
            for (id, longitude) in [-175, 0, 100, 175].enumerated() {
                try connection.insertStop(id, "Stop \(id)", 0, Double(longitude))
            }
        }
        func box(_ west: Double, _ east: Double) -> FetchRequest<Stop> {
            FetchRequest(
                where: .within(BoundingBox(minLatitude: -1, maxLatitude: 1, minLongitude: west, maxLongitude: east)))
        }
        for boxes in [[(-10.0, 110.0, [1, 2]), (170, -170, [0, 3])], [(170, -170, [0, 3]), (-10, 110, [1, 2])]] {
            let context = try store.context()
            for _ in 0..<3 {
                for (west, east, ids) in boxes {
                    #expect(try context.fetch(box(west, east)).map(\.id).sorted() == ids, "\(west) \(east)")
                    #expect(try context.fetchCount(box(west, east)) == ids.count, "\(west) \(east)")
                }
            }
        }
    }

    /// In words, such edges are two comparisons, not a box over the 180th meridian.
    @Test func `no longitude is at least a greater and at most a smaller number`() throws {
        for isChanged in [false, true] {
            let context = try TestStore.berlin().context()
            if isChanged { try context.object(Stop.self, id: 7)?.set(\.name, to: "Zoo 2") }
            for words in [
                "longitude >= 13.42 AND longitude <= 13.40 AND latitude >= 52 AND latitude <= 53",
                "longitude BETWEEN {13.42, 13.40} AND latitude BETWEEN {52, 53}",
            ] {
                #expect(try context.fetchCount(FetchRequest<Stop>(where: Condition(format: words))) == 0, "\(words)")
            }
            let (west, east) = (13.42, 13.40)
            let request = FetchRequest<Stop>(
                where: #Predicate {
                    $0.longitude ?? 0 >= west && $0.longitude ?? 99 <= east && $0.latitude ?? 0 >= 52
                        && $0.latitude ?? 99 <= 53
                })
            #expect(try context.fetchCount(request) == 0)
        }
    }

    /// A list of so many texts is passed as JSON, in which NUL and U+0001 are escaped.
    @Test func `a long list holds texts with control characters`() throws {
        let names = ["a\u{1}0b", "x\0y", "\u{1}", "a\0b"]
        let store = try TestStore { connection in
            for (id, name) in names.enumerated() { try connection.insertStop(id, name, 52, 13) }
        }
        let context = try store.context()
        for (id, name) in names.enumerated() {
            let list = (0..<1_001).map { "n\($0)" } + ["\0", name]
            let request = FetchRequest<Stop>(where: #Predicate { list.contains($0.name) })
            #expect(try context.fetch(request).map(\.id) == [id])
        }
    }

    /// `?` is any one character, `\\?` a question mark (NSPredicate, LIKE).
    @Test func `an escaped question mark is no placeholder`() throws {
        let store = try TestStore { connection in
            for (id, name) in ["a?", "ab", "a*", "a\\b"].enumerated() { try connection.insertStop(id, name, 52, 13) }
        }
        let context = try store.context()
        func found(_ pattern: String) throws -> [Int] {
            try context.fetch(FetchRequest<Stop>(where: Condition(format: "name LIKE %@", pattern))).map(\.id).sorted()
        }
        for isChanged in [false, true] {
            if isChanged { try context.object(Stop.self, id: 0)?.set(\.latitude, to: 53) }
            #expect(try found("a\\?") == [0] && found("a?") == [0, 1, 2])
            #expect(try found("a\\*") == [2] && found("a*") == [0, 1, 2, 3])
        }
    }
}
