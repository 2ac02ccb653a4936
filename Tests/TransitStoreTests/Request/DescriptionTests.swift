import FoundationEssentials
import Testing
import TransitStore

/// The printed text of conditions, parts of requests, results and objects.
@Suite struct DescriptionTests {
    let fixture = Result { try TestStore.berlin() }

    @Test func conditionsPrintInWords() throws {
        let (eight, zoo) = (ServiceTime(hours: 8), "Zoo")
        for (condition, text) in [
            (.all, "TRUEPREDICATE"), (.none, "FALSEPREDICATE"),
            (Condition(#Predicate { $0.name == zoo && $0.level == nil }), "name = 'Zoo' AND level = NIL"),
            (
                Condition(#Predicate { $0.name != zoo && ($0.id > 3 || !($0.code == "a")) }),
                "name != 'Zoo' AND (id > 3 OR NOT (code = 'a'))"
            ),
            (
                Condition(#Predicate { $0.stopTimes.contains { $0.departureTime >= eight } }),
                "SUBQUERY(stopTimes, $x1, $x1.departureTime >= 28800).@count != 0"
            ),
            (Condition(#Predicate { $0.stopTimes.count > 4 }), "stopTimes.@count > 4"),
            (.name(beginsWith: "u gö"), "name BEGINSWITH[cd] 'u go'"),
            (.name(hasWords: "gor"), "hasWords('gor')"),
            (try Condition(format: "zoneID IN {'A', 'B'} AND latitude * 2 > 5"), "(latitude * 2) > 5"),
            (Condition(#Predicate { $0.name.count > 4 }), "refused: key path \\String.count has no SQL translation"),
        ] as [(Condition<Stop>, String)] {
            #expect("\(condition)".contains(text), "\(condition)")
        }
    }

    @Test func partsOfRequestsPrint() throws {
        let columns: [FetchedProperty<StopTime>] = [
            .attribute(\.stop.name), .count(as: "calls"), .min(\.departureTime, as: "first"), .attribute(\.stop),
        ]
        #expect("\(columns)" == "[stop.name, @count AS calls, @min.departureTime AS first, stop]")
        let order: [Sort<Stop>] = [
            .ascending(\.name, .folded), .descending(\.name, .locale("de"), nulls: .last), .descending(\.id),
        ]
        #expect("\(order)" == "[name[cd], name LOCALE de DESC NULLS LAST, id DESC]")
    }

    @Test func resultsPrintTheirValues() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>(where: #Predicate { $0.id == 7 })
        request.propertiesToFetch = [.attribute(\.name), .attribute(\.locationType), .attribute(\.code)]
        #expect("\(try context.fetchRows(request))" == "[[name: \"Zoo\", locationType: 0, code: nil]]")
        var times = FetchRequest<StopTime>()
        times.fetchBatchSize = 5
        #expect("\(try context.fetchBatches(times))" == "14 of StopTime in batches of 5")
        let results = try FetchedResults(FetchRequest<Trip>(), sectionedBy: \.route.routeID, in: context)
        #expect("\(results)" == "6 of Trip in batches of 50, in 3 sections")
    }

    @Test func objectsPrintWhatTheyHave() throws {
        let context = try fixture.get().context()
        let zoo = try #require(try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id == 7 })).first)
        #expect("\(zoo)" == "Stop(stop/7, fault)")
        #expect("\(zoo.stopTimes)" == "stopTimes of stop/7 (not read)")
        let statements = context.statistics.statements
        _ = zoo.name
        #expect(
            "\(zoo)" == "Stop(stop/7, stopID: \"s7\", name: \"Zoo\", latitude: 52.5075, longitude: 13.3325, "
                + "locationType: 0, normalizedName: \"zoo\")")
        #expect(context.statistics.statements == statements)
        let calls = zoo.stopTimes.objects
        #expect("\(zoo.stopTimes)" == "stopTimes of stop/7 (2 objects)")
        _ = calls[0].departureTime
        #expect("\(calls[0])".contains("departureTime: 08:11:40, stop: 7"), "\(calls[0])")
    }
}
