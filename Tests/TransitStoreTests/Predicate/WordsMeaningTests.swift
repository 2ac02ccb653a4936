import FoundationEssentials
import TestSupport
import Testing

@testable import TransitStore

/// A condition in words finds what `Predicate.evaluate` finds for the `#Predicate` of the same meaning.
@Suite struct WordsMeaningTests {
    private static let names = ["Zoo", ""]
    private static let meanings: [(words: String, predicate: Predicate<Stop>)] = [
        ("parentStation.name = NIL", #Predicate { $0.parentStation?.name == nil }),
        ("parentStation.name != NIL", #Predicate { $0.parentStation?.name != nil }),
        ("NIL = parentStation.name", #Predicate { $0.parentStation?.name == nil }),
        ("parentStation.name = $NONE", #Predicate { $0.parentStation?.name == nil }),
        ("NOT (parentStation.name = NIL)", #Predicate { !($0.parentStation?.name == nil) }),
        ("parentStation.stopID = NIL", #Predicate { $0.parentStation?.stopID == nil }),
        ("parentStation.id = NIL", #Predicate { $0.parentStation?.id == nil }),
        ("parentStation.locationType = NIL", #Predicate { $0.parentStation?.locationType == nil }),
        ("parentStation.latitude = NIL", #Predicate { $0.parentStation?.latitude == nil }),
        ("parentStation.latitude != NIL", #Predicate { $0.parentStation?.latitude != nil }),
        ("parentStation.platformCode = NIL", #Predicate { $0.parentStation?.platformCode == nil }),
        (
            "parentStation != NIL AND parentStation.latitude = NAN",
            #Predicate { $0.parentStation.flatMap { $0.latitude == nil } ?? false }
        ),
        ("NOT (latitude = NAN)", #Predicate { $0.latitude != nil }),
        ("platformCode = NIL", #Predicate { $0.platformCode == nil }),
        ("parentStation.parentStation.name = NIL", #Predicate { $0.parentStation?.parentStation?.name == nil }),
        ("folded(parentStation.name) = NIL", #Predicate { $0.parentStation?.name.folded == nil }),
        (
            "parentStation.name IN {NIL, 'Zoo', ''}",
            #Predicate { $0.parentStation.flatMap { names.contains($0.name) } ?? true }
        ),
        (
            "parentStation.latitude IN {NIL, 52.5}",
            #Predicate { $0.parentStation?.latitude == nil || $0.parentStation?.latitude == 52.5 }
        ),
        ("coalesce(parentStation.name, 'x') = 'x'", #Predicate { ($0.parentStation?.name ?? "x") == "x" }),
        ("coalesce(parentStation.locationType, 9) = 0", #Predicate { ($0.parentStation?.locationType ?? 9) == 0 }),
        (
            "SUBQUERY(childStops, $c, $c.parentStation.name = NIL).@count = 0",
            #Predicate { $0.childStops.allSatisfy { !($0.parentStation?.name == nil) } }
        ),
    ]

    @Test(arguments: SeededGenerator.seeds(3, from: 91))
    func nilAtTheEndOfAPathIsSwiftsNil(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try RandomPredicateTests.randomStore(&generator, named: RandomPredicateTests.plainName)
        for isChanged in [false, true] {
            let context = try store.context()
            let stops = try context.fetch(FetchRequest<Stop>())
            if isChanged {
                for stop in stops.prefix(10) { try stop.setValue(.null, for: "name") }
                try stops[20].setValue(.integer(3), for: "parentStation")
                context.delete(stops[0])
            }
            let current = try context.fetch(FetchRequest<Stop>())
            for (words, predicate) in Self.meanings {
                let condition = try Condition<Stop>(format: words)
                let request = FetchRequest(
                    where: words.contains("$NONE") ? try condition.substituting(["NONE": QueryValue.null]) : condition)
                let wanted = try current.filter { try predicate.evaluate($0) }.map(\.id).sorted()
                #expect(try context.fetch(request).map(\.id).sorted() == wanted, "\(words): \(request)")
            }
            #expect(context.hasMetMissingRowsOnly)
        }
    }

    /// On the row itself, `= NIL` finds values that the feed leaves empty, even where Swift reads a default.
    /// `$0.name == nil` is not a valid `#Predicate`.
    private static let empty: [(words: String, holds: @Sendable (Stop) -> Bool)] = [
        ("name = NIL", { $0.value(of: "name") == .null }),
        ("NIL != name", { $0.value(of: "name") != .null }),
        ("NOT (name = NIL)", { $0.value(of: "name") != .null }),
        ("name = $NONE", { $0.value(of: "name") == .null }),
        ("name = ''", { $0.name == "" }),
        ("name = NIL OR name = 'Zoo'", { $0.value(of: "name") == .null || $0.name == "Zoo" }),
        ("locationType = NIL", { $0.value(of: "locationType") == .null }),
        ("locationType = 0", { $0.locationType == 0 }),
        ("ANY childStops.name = NIL", { $0.childStops.contains { $0.value(of: "name") == .null } }),
        ("parentStation.name = NIL", { $0.parentStation == nil }),
        ("parentStation.name = ''", { $0.parentStation?.name == "" }),
        ("latitude = NIL", { $0.latitude == nil }),
        ("SELF = NIL", { _ in false }),
    ]

    @Test(arguments: SeededGenerator.seeds(3, from: 94))
    func nilOfTheRowItselfFindsEmptyFields(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try RandomPredicateTests.randomStore(&generator, named: RandomPredicateTests.plainName)
        for isChanged in [false, true] {
            let context = try store.context()
            if isChanged {
                let stops = try context.fetch(FetchRequest<Stop>())
                for (index, name) in [nil, "", "Zoo", nil, ""].enumerated() {
                    try stops[index * 3].setValue(name.map { .text($0) } ?? .null, for: "name")
                    try stops[index * 3 + 1].setValue(index == 0 ? .null : 0, for: "locationType")
                }
            }
            let current = try context.fetch(FetchRequest<Stop>())
            for (words, holds) in Self.empty {
                let condition = try Condition<Stop>(format: words)
                let request = FetchRequest(
                    where: words.contains("$NONE") ? try condition.substituting(["NONE": QueryValue.null]) : condition)
                let wanted = current.filter(holds).map(\.id).sorted()
                #expect(try context.fetch(request).map(\.id).sorted() == wanted, "\(words): \(request)")
            }
            #expect(context.hasMetMissingRowsOnly)
        }
    }

    /// An import stores no empty text, so that NIL and '' find the same rows of a feed.
    @Test func nilAndEmptyTextFindTheSameRows() throws {
        let context = try TestStore.berlin().context()
        for (words, count) in [("name = NIL", 1), ("name = ''", 1), ("latitude = NIL", 1), ("latitude != NIL", 7)] {
            #expect(
                try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: words))) == count, "\(words)")
        }
    }

    @Test func functionsMeanConditionsOfTheLibrary() throws {
        let context = try TestStore.berlin().context()
        let place = Coordinate(latitude: 52.4992490, longitude: 13.4181670)
        for (words, condition) in [
            ("folded(name) BEGINSWITH 'u gorli'", Condition(#Predicate { $0.name.folded.starts(with: "U Görli") })),
            ("hasWords('bahn gorl')", .name(hasWords: "bahn gorl")),
            ("HASWORDS('')", .none),
            (
                "inBox(52.4, 13.3, 52.6, 13.5)",
                .within(BoundingBox(minLatitude: 52.4, maxLatitude: 52.6, minLongitude: 13.3, maxLongitude: 13.5))
            ),
            (
                "coalesce(platformCode, 'none') = 'none'",
                Condition(#Predicate { ($0.platformCode ?? "none") == "none" })
            ),
            ("id % 3 = 1", Condition(#Predicate { $0.id % 3 == 1 })),
        ] as [(String, Condition<Stop>)] {
            #expect(try Condition<Stop>(format: words) == condition, "\(words)")
            #expect(
                try context.fetchCount(FetchRequest(where: try Condition<Stop>(format: words)))
                    == context.fetchCount(FetchRequest(where: condition)))
        }
        let near = try Condition<Stop>(format: "distance(%f, %f) <= 800", place.latitude, place.longitude)
        let within = FetchRequest<Stop>(where: .within(meters: 800, of: place))
        #expect(try context.fetchCount(FetchRequest(where: near)) == context.fetchCount(within))
        let calls = FetchRequest<StopTime>(where: try Condition(format: "distance(stop, 52.499249, 13.418167) <= 800"))
        let typed = FetchRequest<StopTime>(where: .within(meters: 800, of: place, at: \.stop))
        #expect(try context.fetchCount(calls) == context.fetchCount(typed))
    }

    @Test(
        arguments: [
            ("folded(id) = 'x'", "folded(…) takes a text\n  folded(id) = 'x'\n  ^~~~~~~~~~"),
            ("coalesce(name) = 'x'", "coalesce(…) takes two values\n  coalesce(name) = 'x'\n  ^~~~~~~~~~~~~~"),
            (
                "inBox(1, 2, 3)",
                "inBox(…) takes its southern, western, northern and eastern edge\n  inBox(1, 2, 3)\n  ^~~~~~~~~~~~~~"
            ),
            (
                "distance(id, 2) < 3",
                "distance(…) takes a latitude and a longitude\n  distance(id, 2) < 3\n  ^~~~~~~~~~~~~~~"
            ),
            (
                "distance(level, 1, 2) < 3",
                "Level has no latitude and longitude\n  distance(level, 1, 2) < 3\n  ^~~~~~~~~~~~~~~~~~~~~"
            ),
            (
                "hasWords(level, 'x')",
                "only the words of a stop's name can be searched\n  hasWords(level, 'x')\n  ^~~~~~~~~~~~~~~~~~~~"
            ),
            ("hasWords(name)", "hasWords(…) takes a text in quotes\n  hasWords(name)\n  ^~~~~~~~~~~~~~"),
            ("folded(name = 'x'", "expected ) to end folded\n  folded(name = 'x'\n              ^"),
        ]) func argumentsThatDoNotFitAreRefused(format: String, message: String) throws
    {
        #expect(throws: StoreError(.syntax, "predicate: " + message)) { try Condition<Stop>(format: format) }
    }

    @Test(
        arguments: [
            (["a", "b", "c"], "expected a list of two values"), ("a", "expected a list of two values"),
        ] as [(any Sendable, String)]) func boundsThatAreNotTwoAreRefused(value: any Sendable, message: String) throws
    {
        let open = try Condition<Stop>(format: "name BETWEEN $SPAN")
        #expect(throws: StoreError(.unsuitableValue, "The request: $SPAN stands after BETWEEN: \(message)")) {
            try open.substituting(["SPAN": value])
        }
        #expect(throws: StoreError(.missingVariable, "The request has no value for its variable $SPAN")) {
            try open.substituting([:])
        }
    }
}
