import FoundationEssentials
import Testing

@testable import TransitStore

/// A text in NSPredicate's language and the `#Predicate` of the same meaning give the same SQL with the same values.
@Suite struct FormatPredicateTests {
    private struct Words {
        let format: String
        let arguments: [Any?]

        init(_ format: String, _ arguments: Any?...) {
            self.format = format
            self.arguments = arguments
        }
    }

    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    /// Checks the SQL and values, and that both find the same rows.
    private func same<Entity: StoreEntity>(
        _ words: Words, _ predicate: Predicate<Entity>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let byText = FetchRequest<Entity>(where: try Condition(format: words.format, arguments: words.arguments))
        let typed = FetchRequest<Entity>(where: predicate)
        #expect(try byText.sql() == typed.sql(), sourceLocation: sourceLocation)
        #expect(byText == typed, sourceLocation: sourceLocation)
        let context = try context()
        #expect(try context.fetch(byText) == context.fetch(typed), sourceLocation: sourceLocation)
    }

    @Test func comparisonsInWordsMeanThoseOfPredicates() throws {
        let south = -15.0
        try same(Words("name = 'Zoo'"), #Predicate<Stop> { $0.name == "Zoo" })
        try same(Words(#""Zoo" == name"#), #Predicate<Stop> { $0.name == "Zoo" })
        try same(Words("name != %@", "Zoo"), #Predicate<Stop> { $0.name != "Zoo" })
        try same(Words("name <> %@", "Zoo"), #Predicate<Stop> { $0.name != "Zoo" })
        try same(Words("locationType < 2"), #Predicate<Stop> { $0.locationType.rawValue < 2 })
        try same(Words("locationType =< 2"), #Predicate<Stop> { $0.locationType.rawValue <= 2 })
        try same(Words("2 > locationType"), #Predicate<Stop> { 2 > $0.locationType.rawValue })
        try same(Words("latitude => %f", 52.5), #Predicate<Stop> { $0.latitude! >= 52.5 })
        try same(Words("latitude >= -1.5e1"), #Predicate<Stop> { $0.latitude! >= south })
        try same(Words("code == nil"), #Predicate<Stop> { $0.code == nil })
        try same(Words("code != NULL"), #Predicate<Stop> { $0.code != nil })
        try same(Words("monday == YES"), #Predicate<Service> { $0.monday == true })
        try same(Words("id BETWEEN {%d, %d}", 2, 4), #Predicate<Stop> { (2...4).contains($0.id) })
        try same(Words("id between %@", [2, 4]), #Predicate<Stop> { (2...4).contains($0.id) })
        let ids = [1, 3, 5]
        try same(Words("id IN {1, 3, 5}"), #Predicate<Stop> { ids.contains($0.id) })
        try same(Words("id IN %@", ids), #Predicate<Stop> { ids.contains($0.id) })
        try same(Words("%@ CONTAINS id", ids), #Predicate<Stop> { ids.contains($0.id) })
        let set: Set<String> = ["Zoo", "Ölmühle"]
        try same(Words("name IN %@", set), #Predicate<Stop> { set.contains($0.name) })
        try same(Words("location_type = 1"), #Predicate<Stop> { $0.locationType == 1 })
    }

    /// A text beside a number is read as a number, on either side. NSPredicate does the same with variables.
    @Test(
        arguments: [
            ("$X = 3 OR id = 9", ["X": "3"], "3 = 3 OR id = 9"), ("3 = $X AND id = 2", ["X": "3"], "id = 2"),
            ("$X < 5 AND id = 2", ["X": "10"], "FALSEPREDICATE"), ("'3' IN {3, 4} AND id = 2", [:], "id = 2"),
            ("'3' IN {id, 4}", [:], "id = 3"), ("id IN {0x3, 0b101, 0o7}", [:], "id IN {3, 5, 7}"),
            ("coalesce('52', latitude) = 52 AND id = 2", [:], "id = 2"),
            ("TERNARY(id = 2, '1', locationType) = 1", [:], "TERNARY(id = 2, 1, locationType) = 1"),
            ("distance($A, $B) < 100", ["A": "52.5", "B": "13.4"], "distance(52.5, 13.4) < 100"),
        ] as [(String, [String: String], String)])
    func constantTextsAreReadAsTheOtherSide(format: String, variables: [String: String], same: String) throws {
        let read = FetchRequest<Stop>(where: try Condition(format: format, arguments: [], variables: variables))
        let plain = FetchRequest<Stop>(where: try Condition(format: same))
        let context = try context()
        #expect(try context.fetch(read) == context.fetch(plain))
        let times = FetchRequest<StopTime>(
            where: try Condition(format: "TERNARY(stopSequence = 1, '8:00', departureTime) < '7:59'"))
        let seconds = FetchRequest<StopTime>(
            where: try Condition(format: "TERNARY(stopSequence = 1, 28800, departureTime) < 28740"))
        #expect(try context.fetch(times) == context.fetch(seconds))
    }

    @Test func logicInWordsMeansThatOfPredicates() throws {
        try same(
            Words("id > 1 AND id < 6 && locationType = 0"),
            #Predicate<Stop> { $0.id > 1 && $0.id < 6 && $0.locationType == 0 })
        try same(
            Words("id = 1 or id = 2 || id = 3"), #Predicate<Stop> { $0.id == 1 || $0.id == 2 || $0.id == 3 })
        try same(
            Words("id = 1 OR id > 2 AND id < 5"), #Predicate<Stop> { $0.id == 1 || $0.id > 2 && $0.id < 5 })
        try same(
            Words("(id = 1 OR id > 2) AND id < 5"),
            #Predicate<Stop> { ($0.id == 1 || $0.id > 2) && $0.id < 5 })
        try same(Words("NOT (id = 1 OR id = 2)"), #Predicate<Stop> { !($0.id == 1 || $0.id == 2) })
        try same(Words("not id = 1 and !id = 2"), #Predicate<Stop> { !($0.id == 1) && !($0.id == 2) })
        #expect(FetchRequest<Stop>(where: try Condition(format: "")) == FetchRequest<Stop>())
        #expect(FetchRequest<Stop>(where: try Condition(format: " TRUEPREDICATE ")) == FetchRequest<Stop>())
        #expect(FetchRequest<Stop>(where: try Condition(format: "FALSEPREDICATE")) == FetchRequest<Stop>(where: .none))
        try same(
            Words("TERNARY(locationType = 1, id, 7) = 7"),
            #Predicate<Stop> { ($0.locationType == 1 ? $0.id : 7) == 7 })
    }

    @Test func arithmeticInWordsMeansThatOfPredicates() throws {
        try same(Words("id * 2 + 1 = 7"), #Predicate<Stop> { $0.id * 2 + 1 == 7 })
        try same(Words("(id + 1) * -id < 7 - 3 - 1"), #Predicate<Stop> { ($0.id + 1) * -$0.id < 7 - 3 - 1 })
        try same(Words("id / 2 = 3"), #Predicate<Stop> { $0.id / 2 == 3 })
        let times = FetchRequest<StopTime>(where: try Condition(format: "departureTime - arrivalTime > '0:00:30'"))
        #expect(times.description.hasSuffix("WHERE (t0.departure_time - t0.arrival_time) > 30"))
        let later = FetchRequest<StopTime>(where: try Condition(format: "departureTime + '0:10' >= '08:00'"))
        #expect(later.description.hasSuffix("WHERE (t0.departure_time + 600) >= 28800"))
    }

    @Test func comparisonsOfTextsInWordsMeanThoseOfPredicates() throws {
        try same(Words("name BEGINSWITH %@", "U "), #Predicate<Stop> { $0.name.starts(with: "U ") })
        try same(
            Words("name beginswith[cd] %@", "U Görli"),
            #Predicate<Stop> { $0.name.folded.starts(with: "U Görli".folded) })
        try same(Words("name CONTAINS 'Tor'"), #Predicate<Stop> { $0.name.contains("Tor") })
        try same(Words("'Tor' IN name"), #Predicate<Stop> { $0.name.contains("Tor") })
        try same(Words("name ==[cd] 'OLMUHLE'"), #Predicate<Stop> { $0.name.folded == "OLMUHLE".folded })
        try same(Words("name !=[cd] 'OLMUHLE'"), #Predicate<Stop> { $0.name.folded != "OLMUHLE".folded })
        try same(Words("name >=[cd] 'V'"), #Predicate<Stop> { $0.name.folded >= "V".folded })
        let context = try context()
        for (format, ids) in [
            ("name ENDSWITH '(Berlin)'", [0, 1, 2, 3, 4]), ("name ENDSWITH[c] '(BERLIN)'", [0, 1, 2, 3, 4]),
            ("name LIKE '*Tor*'", [1, 2]), ("name LIKE 'Z?o'", [7]), ("name LIKE[cd] '?LMUH*'", [6]),
            ("name LIKE[dc] '?LMUH*'", [6]),
            ("name ==[c] 'ÖLMÜHLE'", [6]), ("name ==[c] 'OLMUHLE'", []), ("name ==[d] 'Olmuhle'", [6]),
            ("name ==[d] 'OLMUHLE'", []), ("name CONTAINS[d] 'lmuh'", [6]), ("name MATCHES 'Z.o|Ö\\\\w+'", [6, 7]),
            ("name MATCHES 'z.o'", []), ("name MATCHES[c] 'z.o'", [7]), ("name MATCHES[cd] 'ÖLMU\\\\D+'", [6]),
            ("name IN[c] {'ZOO', 'x'}", [7]), ("name IN[cd] {'ZOO', 'ölmühle'}", [6, 7]),
            ("name.length = 3", [7]), ("name ==[n] 'Zoo'", [7]), ("name ==[cn] 'zoo'", []),
            ("name CONTAINS[cdl] 'olmuh'", [6]), ("name LIKE '*'", [0, 1, 2, 3, 4, 5, 6, 7]),
        ] as [(String, [Int])] {
            let request = FetchRequest<Stop>(where: try Condition(format: format))
            #expect(try context.fetch(request).map(\.id).sorted() == ids, "\(format)")
        }
    }

    /// Foundation finds the empty text in no text (CFStringFindWithOptions); Swift finds it in each.
    @Test func noTextHasAnEmptyPartInWords() throws {
        let context = try context()
        for op in ["BEGINSWITH", "CONTAINS", "ENDSWITH", "BEGINSWITH[cd]", "CONTAINS[c]", "ENDSWITH[d]"] {
            let conditions: [Condition<Stop>] = [
                try Condition(format: "name \(op) ''"), try Condition(format: "name \(op) %@", ""),
                try Condition(format: "name \(op) $TEXT", arguments: [], variables: ["TEXT": ""]),
                try Condition(format: "name \(op) $TEXT").substituting(["TEXT": ""]),
            ]
            for condition in conditions {
                #expect(try context.fetchCount(FetchRequest(where: condition)) == 0, "\(op)")
                #expect(try context.fetchCount(FetchRequest(where: !condition)) == 8, "\(op)")
            }
        }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: Condition(format: "'' IN name"))) == 0)
        let typed = #Predicate<Stop> { $0.name.starts(with: "") && $0.name.contains("") }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: typed)) == 8)
        #expect(try Condition(typed).query().description == "name LIKE '*' AND name LIKE '*'")
    }

    /// What Core Data reads as well: bits, signs, numbers as in C, ANY before one row, names after parentheses.
    @Test(
        arguments: [
            ("id & 5 = 4", "id IN {4, 6}"), ("(id | 1) = 5", "id IN {4, 5}"), ("id >> 1 = 2", "id IN {4, 5}"),
            ("id = 1 << 2", "id = 4"), ("~id = -4", "id = 3"), ("id & ~1 = 6", "id IN {6, 7}"),
            ("id & 1 + 2 = 3", "id IN {3, 7}"), ("latitude & 52 = 52", "latitude >= 52 AND latitude < 54"),
            ("abs(id - 4) = 1", "id IN {3, 5}"), ("abs(-2.5) > id", "id < 3"), ("id > +5", "id > 5"),
            ("id > 5. AND id < 6.", "FALSEPREDICATE"), (".5 < id AND id < 1.5e0", "id = 1"),
            ("(parentStation).name = 'x'", "parentStation.name = 'x'"),
            ("(stopTimes).@count > 3", "stopTimes.@count > 3"),
            (
                "(SUBQUERY(stopTimes, $x, $x.stopSequence = 1)).@count > 1",
                "SUBQUERY(stopTimes, $x, $x.stopSequence = 1).@count > 1"
            ),
            ("ANY name = 'Zoo'", "name = 'Zoo'"), ("NONE name IN {'Zoo'}", "NOT (name IN {'Zoo'})"),
            ("ANY parentStation.name BEGINSWITH 'x'", "parentStation.name BEGINSWITH 'x'"),
            ("NONE SELF IN {1, 2}", "NOT (SELF IN {1, 2})"), ("ALL name = 'Zoo'", "name = 'Zoo'"),
        ])
    func whatCoreDataReadsIsReadHere(format: String, same: String) throws {
        let (read, plain) = try (Condition<Stop>(format: format), Condition<Stop>(format: same))
        let context = try context()
        let found = try context.fetch(FetchRequest(where: plain)).map(\.id).sorted()
        #expect(try context.fetch(FetchRequest(where: read)).map(\.id).sorted() == found)
        for stop in try context.fetch(FetchRequest<Stop>()) { try stop.set(\.code, to: "x") }
        #expect(try context.fetch(FetchRequest(where: read)).map(\.id).sorted() == found, "with unsaved changes")
    }

    @Test func timesAndDatesMayBeWrittenAsTexts() throws {
        let eight = ServiceTime(hours: 8)
        let lastTrain = try #require(ServiceTime("25:10:00"))
        let condition = #Predicate<StopTime> { $0.departureTime >= eight && $0.departureTime < lastTrain }
        try same(Words("departureTime >= '08:00:00' AND departureTime < '25:10:00'"), condition)
        try same(Words("departureTime >= '8:00' AND departureTime < '25:10'"), condition)
        try same(Words("departureTime >= 28800 AND departureTime < %@", lastTrain), condition)
        try same(Words("departureTime >= %@ AND '25:10:00' > departureTime", "8:00:00"), condition)
        let day = ServiceDate(year: 2026, month: 5, day: 1)
        for format in ["date = '2026-05-01'", "date = '20260501'", "date = 20260501", "'2026-05-01' = date"] {
            try same(Words(format), #Predicate<ServiceException> { $0.date == day })
        }
        try same(Words("%K = %@", "date", day), #Predicate<ServiceException> { $0.date == day })
    }

    @Test func toOnePathsInWordsMeanThoseOfPredicates() throws {
        try same(Words("parentStation.name = 'x'"), #Predicate<Stop> { $0.parentStation?.name == "x" })
        try same(
            Words("%K != %@", "trip.route.shortName", "U1"), #Predicate<StopTime> { $0.trip.route.shortName != "U1" })
        try same(Words("parentStation = nil"), #Predicate<Stop> { $0.parentStation == nil })
        try same(Words("stop.id = 2"), #Predicate<StopTime> { $0.stop.id == 2 })
        let context = try context()
        let stop = try #require(try context.object(Stop.self, id: 2))
        let conditions: [Condition<StopTime>] = [
            try Condition(format: "stop = %@", stop), try Condition(format: "stop = %@", stop.objectID),
            try Condition(format: "stop IN %@", [stop]), try Condition(format: "stop = 2"),
        ]
        for condition in conditions {
            #expect(try context.fetchCount(FetchRequest(where: condition)) == 5)
        }
        #expect(try context.fetch(FetchRequest<Stop>(where: Condition(format: "SELF = %@", stop))) == [stop])
        #expect(
            try context.fetch(FetchRequest<Stop>(where: Condition(format: "SELF.name = 'Zoo' AND SELF IN {7}"))).count
                == 1)
    }

    @Test func subqueriesInWordsMeanThoseOfPredicates() throws {
        let (eight, halfPastEight) = (ServiceTime(hours: 8), ServiceTime(hours: 8, minutes: 30))
        let ten = ServiceTime(hours: 10)
        let article = #Predicate<Stop> {
            $0.stopTimes.contains { eight <= $0.departureTime && $0.departureTime <= halfPastEight }
        }
        try same(
            Words("SUBQUERY(stopTimes, $x, $x.departureTime BETWEEN {%@, %@}).@count != 0", eight, halfPastEight),
            article)
        try same(
            Words("subquery(stopTimes, $t, $t.departureTime between {'8:00', '8:30'}).@count > 0"), article)
        try same(
            Words("SUBQUERY(stopTimes, $x, $x.departureTime >= '10:00').@count >= 2"),
            #Predicate<Stop> { $0.stopTimes.filter { $0.departureTime >= ten }.count >= 2 })
        try same(
            Words("SUBQUERY(trips, $t, SUBQUERY($t.stopTimes, $x, $x.stop.name = 'Zoo').@count > 0).@count > 0"),
            #Predicate<Route> { $0.trips.contains { $0.stopTimes.contains { $0.stop.name == "Zoo" } } })
        // Names without a variable refer to the fetched row.
        try same(
            Words("SUBQUERY(stopTimes, $x, $x.stopSequence = locationType).@count = 0"),
            #Predicate<Stop> { stop in !stop.stopTimes.contains { $0.stopSequence == stop.locationType.rawValue } })
    }

    @Test func countsInWordsMeanThoseOfPredicates() throws {
        try same(Words("stopTimes.@count = 0"), #Predicate<Stop> { $0.stopTimes.isEmpty })
        try same(Words("stopTimes.@count > 4"), #Predicate<Stop> { $0.stopTimes.count > 4 })
        try same(Words("3 < stopTimes.@count"), #Predicate<Stop> { 3 < $0.stopTimes.count })
        // Without a station, a path in words counts 0 rows, as a SUBQUERY does. In Swift, `?.` gives nil.
        try same(
            Words("parentStation != NIL AND parentStation.childStops.@count = 0"),
            #Predicate<Stop> { $0.parentStation?.childStops.count == 0 })
        let context = try context()
        for (format, ids) in [
            ("stopTimes.@min.departureTime < '8:00'", [2, 3]), ("stopTimes.@max.departureTime > '25:00'", [2, 7]),
            ("stopTimes.@avg.stopSequence >= 5", [7]), ("stopTimes.@sum.stopSequence = 15", []),
            ("SUBQUERY(stopTimes, $x, $x.stopSequence = 1).@min.departureTime = '7:56'", [2]),
        ] as [(String, [Int])] {
            let request = FetchRequest<Stop>(where: try Condition(format: format))
            let found = try context.fetch(request).map(\.id).sorted()
            let inMemory = try context.fetch(FetchRequest<Stop>()).filter {
                var evaluator = ExpressionEvaluator($0)
                return try evaluator.holds(request.predicate.query())
            }
            #expect(found == inMemory.map(\.id).sorted(), "\(format)")
            if !ids.isEmpty { #expect(found == ids, "\(format)") }
        }
    }

    @Test func quantifiersInWordsMeanSubqueriesOfPredicates() throws {
        try same(
            Words("ANY stopTimes.stopSequence = 3"),
            #Predicate<Stop> { $0.stopTimes.contains { $0.stopSequence == 3 } })
        try same(
            Words("SOME stopTimes.stopSequence BETWEEN {3, 5}"),
            #Predicate<Stop> { $0.stopTimes.contains { (3...5).contains($0.stopSequence) } })
        try same(
            Words("3 IN stopTimes.stopSequence"),
            #Predicate<Stop> { $0.stopTimes.contains { $0.stopSequence == 3 } })
        try same(
            Words("stopTimes.stopSequence CONTAINS 3"),
            #Predicate<Stop> { $0.stopTimes.contains { $0.stopSequence == 3 } })
        try same(
            Words("childStops CONTAINS 2"), #Predicate<Stop> { $0.childStops.contains { $0.id == 2 } })
        try same(
            Words("ANY stopTimes.stop.name CONTAINS 'oo'"),
            #Predicate<Trip> { $0.stopTimes.contains { $0.stop.name.contains("oo") } })
        try same(
            Words("ALL stopTimes.stop.locationType = 0"),
            #Predicate<Trip> { $0.stopTimes.allSatisfy { $0.stop.locationType == 0 } })
        try same(
            Words("NONE stopTimes.stop.name CONTAINS 'Zoo'"),
            #Predicate<Trip> { !$0.stopTimes.contains { $0.stop.name.contains("Zoo") } })
        try same(
            Words("ANY trips.stopTimes.stop.name = 'Zoo'"),
            #Predicate<Route> { $0.trips.contains { $0.stopTimes.contains { $0.stop.name == "Zoo" } } })
        try same(
            Words("ANY trips.stopTimes.@count > 2"),
            #Predicate<Route> { $0.trips.contains { $0.stopTimes.count > 2 } })
        try same(
            Words("ANY childStops = 2"), #Predicate<Stop> { $0.childStops.contains { $0.id == 2 } })
        try same(
            Words("ANY SUBQUERY(trips, $t, $t.directionID = 0).headsign = 'Hermannplatz'"),
            #Predicate<Route> { $0.trips.contains { $0.directionID == 0 && $0.headsign == "Hermannplatz" } })
    }

    @Test func variablesAreBoundLater() throws {
        let open = try Condition<StopTime>(format: "departureTime >= $TIME AND stop.name = $NAME")
        #expect(throws: StoreError(.missingVariable, "The request has no value for its variable $NAME")) {
            try open.substituting(["TIME": 28_800])
        }
        let bound = try open.substituting(["TIME": 28_800, "NAME": "Zoo"])
        let same = try Condition<StopTime>(
            format: "departureTime >= $TIME AND stop.name = $NAME", arguments: [],
            variables: ["TIME": "8:00", "NAME": "Zoo"])
        #expect(FetchRequest(where: bound) == FetchRequest(where: same))
        let listed = try Condition<Stop>(format: "id IN $IDS", arguments: [], variables: ["IDS": [1, 2]])
        #expect(FetchRequest(where: listed) == FetchRequest(where: try Condition(format: "id IN {1, 2}")))
        let one = try Condition<Stop>(format: "id IN $IDS", arguments: [], variables: ["IDS": 1])
        #expect(FetchRequest(where: one) == FetchRequest(where: try Condition(format: "id = 1")))
    }

    @Test func valuesAreBoundNeverSpliced() throws {
        let evil = "'; DROP TABLE stop; -- \" ? \\ \u{0}"
        let request = FetchRequest<Stop>(where: try Condition(format: "name = %@ OR name = %@", evil, nil))
        #expect(try request.sql().text.hasSuffix("WHERE t0.name = ? OR t0.name IS NULL"))
        #expect(try request.sql().bindings == [.text(evil)])
        #expect(try context().fetch(request).map(\.id) == [5])
        #expect(try context().fetchCount(FetchRequest<Stop>()) == 8)
        let escaped = FetchRequest<Stop>(
            where: try Condition(format: #"name = "a\"b\\c\n\t\u00E9\U0001F600\uD83D\uDE00""#))
        #expect(try escaped.sql().bindings == ["a\"b\\c\n\té😀😀"])
    }

    @Test func tablesByName() throws {
        let store = try fixture.get().open()
        let context = store.makeContext()
        let condition = try Condition<StoredRow>(
            format: "table_name = %@", arguments: ["stops"], entity: "translation", in: store)
        #expect(try context.fetchCount(FetchRequest<StoredRow>(entity: "translation", where: condition)) == 0)
        let byName = try Condition<StoreObject>(format: "name = 'Zoo'", entity: "stop", in: store)
        #expect(try context.fetch(FetchRequest<StoreObject>(entity: "stop", where: byName)).count == 1)
        #expect(throws: StoreError.self) { try Condition<StoreObject>(format: "name = 1", entity: "ship", in: store) }
    }
}
