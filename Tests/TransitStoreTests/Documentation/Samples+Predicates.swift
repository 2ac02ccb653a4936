import FoundationEssentials
import TransitStore

extension Samples {
    static var predicates: [Sample] {
        [
            ("settingPredicates", { try $0.settingPredicates() }), ("predicate", { try $0.predicate() }),
            ("compound", { try $0.compound() }),
            ("relationships", { try $0.relationships() }), ("sameObject", { try $0.sameObject() }),
            ("folded", { try $0.foldedTexts() }),
            ("textEquality", { try $0.textEquality() }), ("joined", { try $0.joined() }),
            ("refused", { try $0.refused() }),
            ("cheapFirst", { try $0.cheapFirst() }),
        ]
    }

    private func settingPredicates() throws {
        // snippet: settingPredicates
        let below = FetchRequest<Stop>(where: #Predicate { $0.parentStation?.stopID == "bahnhof" })
        var request = below.filter(#Predicate { $0.locationType.isEntrance })
        print(request.predicate, try context.fetchCount(request))
        request.predicate = Condition(#Predicate { $0.stopID == "markt" })
        print(request.predicate, try context.fetchCount(request))
        request.predicate = .all
        print(request == FetchRequest<Stop>())
        // end
    }

    private func predicate() throws {
        // snippet: predicate
        let harbours: Set = ["faehrhafen", "moewenhoeft"]
        let request = FetchRequest<Stop>(where: #Predicate { harbours.contains($0.stopID) && $0.level == nil })
        print(try context.fetch(request).map(\.name))
        let (eight, noon) = (ServiceTime(hours: 8), ServiceTime(hours: 12))
        let morning = FetchRequest<StopTime>(
            where: #Predicate { $0.stop.id == 16 && eight <= $0.departureTime && $0.departureTime < noon })
        print(try context.fetch(morning).map(\.departureTime))
        // end
    }

    private func compound() throws {
        // snippet: compound
        let wheelchair: Condition<Stop> = Condition(#Predicate { $0.wheelchairBoarding.isAvailable })
        let named: Condition<Stop> = .name(hasWords: "fahr")
        print(try context.fetchCount(FetchRequest(where: named && !wheelchair)))
        print(try context.fetchCount(FetchRequest(where: named && wheelchair)))
        // end
    }

    private func relationships() throws {
        // snippet: relationships
        let late = ServiceTime(hours: 24)
        let byNight = FetchRequest<Stop>(
            where: #Predicate { $0.stopID == "markt" && $0.stopTimes.contains { $0.departureTime >= late } })
        print(try context.fetch(byNight).map(\.name))
        let busy = FetchRequest<Route>(where: #Predicate { $0.trips.filter { $0.directionID == 1 }.count > 2 })
        print(try context.fetch(busy).map(\.shortName))
        let ofStation = FetchRequest<Stop>(where: #Predicate { $0.parentStation?.stopID == "bahnhof" })
        print(try context.fetch(ofStation).map(\.stopID))
        // end
    }

    private func sameObject() throws {
        // snippet: sameObject
        if let market = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" })) {
            let calls = FetchRequest<StopTime>(where: #Predicate { $0.stop == market })
            print(try context.fetchCount(calls))
            let id = market.objectID
            let same = FetchRequest<StopTime>(where: #Predicate { $0.stop.objectID == id })
            print(same == calls)
        }
        let atStation = #Predicate<Stop> { $0.parentStation?.stopID == "bahnhof" && $0.locationType.isEntrance }
        print(try context.fetch(FetchRequest(where: atStation)).map(\.stopID))
        // end
    }

    private func foldedTexts() throws {
        // snippet: folded
        let typed = "GÖRLITZER"
        let request = FetchRequest<Stop>(where: #Predicate { $0.name.folded.starts(with: typed) })
        print(try context.fetch(request).map(\.name))
        // end
    }

    private func textEquality() throws {
        // snippet: textEquality
        let (oneCodePoint, two) = ("M\u{F6}wenh\u{F6}ft", "Mo\u{308}wenho\u{308}ft")
        print(oneCodePoint == two)
        for name in [oneCodePoint, two] {
            let exact = FetchRequest<Stop>(where: #Predicate { $0.stopID == "moewenhoeft" && $0.name == name })
            let folded = FetchRequest<Stop>(where: #Predicate { $0.name.folded == name.folded })
            print(try context.fetchCount(exact), try context.fetchCount(folded))
        }
        // end
    }

    private func joined() throws {
        // snippet: joined
        let starts = ["markt", "bahnhof-"]
        let stops = Condition<Stop>.any(
            of: starts.map { start in Condition<Stop>(#Predicate { $0.stopID.starts(with: start) }) })
        print(try context.fetch(FetchRequest<Stop>(where: stops)).map(\.stopID))
        // end
    }

    private func refused() throws {
        // snippet: refused
        let request = FetchRequest<Stop>(where: #Predicate { $0.name.count > 40 })
        do { _ = try context.fetch(request) } catch { print(error) }
        // end
    }

    private func cheapFirst() throws {
        // snippet: cheapFirst
        let noon = ServiceTime(hours: 12)
        let request = FetchRequest<Stop>(
            where: #Predicate { $0.stopTimes.filter { $0.departureTime >= noon }.count > 0 && $0.stopID == "markt" })
        print(try context.fetch(request).map(\.name))
        // end
    }
}
