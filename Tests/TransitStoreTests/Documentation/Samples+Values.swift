import FoundationEssentials
import TransitStore

extension Samples {
    static var values: [Sample] {
        [
            ("missingValues", { try $0.missingValues() }), ("missingInPredicates", { try $0.missingInPredicates() }),
            ("enumerations", { try $0.enumerations() }),
            ("enumerationsInPredicates", { try $0.enumerationsInPredicates() }),
        ]
    }

    private func missingValues() throws {
        // snippet: missingValues
        if let stop = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "bahnhof" })) {
            print(stop.platformCode ?? "no platform", stop.description ?? "no description")
            if let place = stop.coordinate { print(place.latitude, place.longitude) }
        }
        let calls = FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == "n1-heim" }, limit: 1)
        for call in try context.fetch(calls) {
            if let departure = call.departureTime { print(departure, departure.advanced(by: 60)) }
        }
        // end
    }

    private func missingInPredicates() throws {
        // snippet: missingInPredicates
        let eight = ServiceTime(hours: 8)
        let early = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 16 && $0.departureTime < eight })
        let untimed = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 5 && $0.departureTime == nil })
        print(try context.fetchCount(early), try context.fetchCount(untimed))
        let north = FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" && $0.latitude ?? 0 > 53.42 })
        print(try context.fetchCount(north))
        // end
    }

    private func enumerations() throws {
        // snippet: enumerations
        for route in try context.fetch(FetchRequest<Route>(sortedBy: .ascending(\.shortName), limit: 3)) {
            switch route.routeType {
            case .ferry?: print(route.shortName, "sails")
            case let type?: print(route.shortName, type, type.rawValue, type.isBus)
            case nil: print(route.shortName, "?")
            }
        }
        print(RouteType(rawValue: 705), RouteType.nightBus.basic == .bus, RouteType.other(42).isKnown)
        // end
    }

    private func enumerationsInPredicates() throws {
        // snippet: enumerationsInPredicates
        let entrances = FetchRequest<Stop>(where: #Predicate { $0.locationType.isEntrance })
        let same = FetchRequest<Stop>(where: #Predicate { $0.locationType == 2 })
        let entrance = LocationType.entrance
        let again = FetchRequest<Stop>(where: #Predicate { $0.locationType == entrance })
        print(entrances == same, same == again, try context.fetchCount(entrances))
        let buses = FetchRequest<Route>(where: #Predicate { $0.routeType?.isBus == true })
        print(try context.fetchCount(buses))
        // end
    }
}
