import TestSupport
import Testing

@testable import TransitStore

/// A condition prints text that its own grammar reads as an equal condition.
@Suite struct PrintedConditionTests {
    private func expectReadBack<Entity: StoreEntity>(
        _ condition: Condition<Entity>, _ text: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let query = try condition.query()
        let read = Result { try Condition<Entity>(format: query.description) }
        #expect(throws: Never.self, "\(query)", sourceLocation: sourceLocation) { _ = try read.get() }
        #expect((try? read.get()) == condition, "\(query)", sourceLocation: sourceLocation)
        if let text { #expect(query.description == text, sourceLocation: sourceLocation) }
    }

    @Test(
        arguments: [
            (#"name = 'it\'s'"#, nil), (#"name LIKE 'a\\*b'"#, nil), (#"name = '\n\r\t\u0001\\'"#, nil),
            ("folded(name) = 'zoo'", nil), ("name =[cd] 'Zoo'", "folded(name) = 'zoo'"),
            ("coalesce(platformCode, 'none') = 'none'", nil), ("length(folded(name)) > 3", nil),
            ("name.length > 3", nil), ("distance(52.5, 13.4) < 800", "distance(52.5, 13.4) < 800"),
            ("distance(parentStation, 52.5, 13.4) <= 800.5", nil), ("inBox(52.4, 13.3, 52.6, 13.5)", nil),
            ("inBox(parentStation, -INFINITY, 179.5, INFINITY, -179.5)", nil), ("hasWords('Zoo bahn')", nil),
            ("latitude BETWEEN {52, 53} AND longitude BETWEEN {13, 14}", "inBox(52.0, 13.0, 53.0, 14.0)"),
            ("hasWords(parentStation, 'zoo') OR NOT (inBox(1, 2, 3, 4) AND id > 3)", nil), ("id % 3 = 1", nil),
            ("id %3 = 1", "(id % 3) = 1"), ("id = -9223372036854775808", "id = -9223372036854775808"),
            ("id - -9223372036854775807 > 1", nil), ("latitude > 1e-7 AND latitude < 1e+300", nil),
            ("latitude = NAN OR latitude = -INFINITY", "latitude = NIL OR latitude = -INFINITY"),
            ("platformCode IN {NIL, 'it\\'s', ''}", nil), ("name IN {}", nil), ("TRUEPREDICATE", nil),
            ("name LIKE[cd] '*'", "name LIKE '*'"), (#"name ENDSWITH[cd] '\u0308'"#, "name LIKE '*'"),
            ("FALSEPREDICATE", nil),
            ("name IN[c] $NAMES AND id BETWEEN $RANGE", nil),
            ("SUBQUERY(stopTimes, $x, $x.stopSequence = $x1).@count > 2", nil),
            ("stopTimes.@count.departureTime > 2", "stopTimes.@count.departureTime > 2"),
            (
                "SUBQUERY(stopTimes, $x, hasWords($x.stop, 'a') AND distance($x.stop, 1, 2) > 3).@max.stop.name.length = 4",
                nil
            ),
            ("childStops.@max.stopTimes.@count > 3", "childStops.@max.stopTimes.@count > 3"),
            ("childStops.@avg.stopTimes.@max.stopSequence > 3", nil),
            ("stopTimes.@sum.stop.childStops.@count.platformCode = 0", nil),
            ("SUBQUERY(childStops, $x, $x.id > 3).@min.stopTimes.@max.stop.name.length = 4", nil),
            ("TERNARY(id > 3, name, NIL) != NIL", nil), ("SELF = 3", "SELF = 3"),
        ] as [(String, String?)]) func whatIsPrintedIsRead(format: String, printed: String?) throws
    {
        try expectReadBack(try Condition<Stop>(format: format), printed)
    }

    /// A condition as a value, and names that are keywords or not plain words.
    @Test func conditionsAsValuesAndOddNamesArePrintedInWords() throws {
        let (name, id) = (QueryExpression.property(.root, ["name"]), QueryExpression.property(.root, ["id"]))
        let one = QueryExpression.comparison(.less, id, .value(3))
        let other = QueryExpression.comparison(.equal, name, .value("Zoo"))
        try expectReadBack(
            Condition<Stop>(.comparison(.equal, one, other)),
            "TERNARY(id < 3, TRUE, FALSE) = TERNARY(name = 'Zoo', TRUE, FALSE)")
        for (property, text) in [("any", "#any = 1"), ("my column", "#'my column' = 1"), ("it's", #"#'it\'s' = 1"#)] {
            let query = QueryExpression.comparison(.equal, .property(.root, [property]), .value(1))
            #expect(query.description == text)
        }
    }

    /// `RANDOM_TEXTS=20000` asks for that many with each seed.
    @Test(arguments: SeededGenerator.seeds(3, from: 81))
    func randomConditionsAreReadBack(seed: UInt64) throws {
        var conditions = RandomConditions(generator: SeededGenerator(seed: seed))
        for _ in 0..<RandomPredicateTests.textCount {
            try expectReadBack(Condition<Stop>(conditions.stop(.root, depth: 3)))
            try expectReadBack(Condition<StopTime>(conditions.stopTime(.root, depth: 3)))
        }
    }

    @Test(arguments: SeededGenerator.seeds(2, from: 84))
    func randomTextsAreReadBack(seed: UInt64) throws {
        var texts = RandomFormats(generator: SeededGenerator(seed: seed))
        for _ in 0..<RandomPredicateTests.textCount {
            try expectReadBack(try Condition<Stop>(format: texts.stop(depth: 3)))
            try expectReadBack(try Condition<StopTime>(format: texts.stopTime(depth: 3)))
        }
    }
}
