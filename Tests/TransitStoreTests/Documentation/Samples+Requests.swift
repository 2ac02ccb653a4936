import FoundationEssentials
import TransitStore

extension Samples {
    static var requests: [Sample] {
        [
            ("gettingStarted", { try $0.gettingStarted() }), ("entity", { try $0.entity() }),
            ("sortDescriptors", { try $0.sortDescriptors() }),
            ("fetchLimit", { try $0.fetchLimit() }), ("fetchOffset", { try $0.fetchOffset() }),
            ("resultType", { try $0.resultType() }), ("propertiesToFetch", { try $0.propertiesToFetch() }),
            ("distinct", { try $0.distinct() }), ("groups", { try $0.groups() }), ("having", { try $0.having() }),
            ("subentities", { try $0.subentities() }), ("templates", { try $0.templates() }),
            ("count", { try $0.count() }),
        ]
    }

    private func gettingStarted() throws {
        let path = store.path
        // snippet: gettingStarted
        let store = try TransitStore(path: path)
        let context = store.makeContext()
        let evening = ServiceTime(hours: 20)
        var request = FetchRequest<StopTime>(
            where: #Predicate { $0.stop.stopID == "markt" && $0.departureTime >= evening })
        request.sortDescriptors = [.ascending(\.departureTime)]
        request.fetchLimit = 3
        for call in try context.fetch(request) { print(call.departureTime, call.trip.headsign ?? "") }
        // end
    }

    private func entity() throws {
        // snippet: entity
        let routes = try context.fetch(FetchRequest<Route>())
        print(routes.map(\.shortName))
        let fares = try context.fetch(FetchRequest<StoredRow>(entity: "fare_attribute"))
        print(fares.map { $0["price"] })
        print(FetchRequest<Route>(where: .all && .all) == FetchRequest<Route>())
        // end
    }

    private func sortDescriptors() throws {
        // snippet: sortDescriptors
        var request = FetchRequest<Stop>(kind: .station)
        request.sortDescriptors = [.descending(\.wheelchairBoarding), .ascending(\.name, .locale("de"))]
        print(try context.fetch(request).map(\.name))
        request.sortDescriptors = [.ascending(\.name, .folded), .ascending(\.level?.levelID, nulls: .last)]
        print(try context.fetch(request).map(\.name))
        // end
    }

    private func fetchLimit() throws {
        // snippet: fetchLimit
        var request = FetchRequest<Stop>(where: .name(beginsWith: "s"))
        request.sortDescriptors = [.ascending(\.name, .folded)]
        request.fetchLimit = 2
        print(try context.fetch(request).map(\.name))
        // end
    }

    private func fetchOffset() throws {
        // snippet: fetchOffset
        var request = FetchRequest<Route>()
        request.sortDescriptors = [.ascending(\.id)]
        request.fetchLimit = 2
        request.fetchOffset = 2
        print(try context.fetch(request).map(\.shortName))
        // end
    }

    private func resultType() throws {
        // snippet: resultType
        var request = FetchRequest<Trip>(where: #Predicate { $0.route.routeID == "f1" })
        request.resultType = .objectIDs
        print(request)
        request.resultType = .count
        if case .count(let trips) = try context.execute(request) { print(trips) }
        // end
    }

    private func propertiesToFetch() throws {
        // snippet: propertiesToFetch
        var request = FetchRequest<Trip>(where: #Predicate { $0.tripID == "f1-hin-0900" })
        request.propertiesToFetch = [
            .attribute(\.headsign), .attribute(\.route), .attribute(\.route.agency?.name),
            .expression(.arithmetic(.add, .property(.root, ["id"]), .value(1)), as: "line"),
        ]
        for row in try context.fetchRows(request) {
            print(row["headsign"], row["route"], row["route.agency.name"], row["line"])
        }
        // end
    }

    private func distinct() throws {
        // snippet: distinct
        var request = FetchRequest<Trip>()
        request.propertiesToFetch = [.attribute(\.headsign)]
        request.returnsDistinctResults = true
        request.sortDescriptors = [.ascending(\.headsign)]
        print(try context.fetchRows(request).count)
        // end
    }

    private func groups() throws {
        // snippet: groups
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.stopID == "faehrhafen-steg" })
        request.propertiesToFetch = [
            .attribute(\.trip.route.shortName), .count(as: "calls"), .min(\.departureTime, as: "first"),
        ]
        request.propertiesToGroupBy = [.attribute(\.trip.route.shortName)]
        for row in try context.fetchRows(request) { print(row[0], row["calls"], row["first"]) }
        // end
    }

    private func having() throws {
        // snippet: having
        var request = FetchRequest<Trip>()
        request.propertiesToFetch = [.attribute(\.route.shortName), .count(), .average(\.id, as: "mean")]
        request.propertiesToGroupBy = [.attribute(\.route.shortName)]
        request.havingPredicate = .count() > 4 && .max(\.id) < 20
        for row in try context.fetchRows(request) { print(row) }
        request.havingPredicate = try Condition(having: "@count > 4 AND @max.id < 20")
        print(request.havingPredicate)
        // end
    }

    private func subentities() throws {
        // snippet: subentities
        let stations = FetchRequest<Stop>(kind: .station)
        print(try context.fetch(stations).map(\.stopID))
        let entrances = FetchRequest<Stop>(entity: "Entrance")
        print(try context.fetch(entrances).map(\.name))
        var unknown = FetchRequest<Stop>()
        unknown.includesSubentities = false
        print(try context.fetchCount(unknown))
        // end
    }

    private func templates() throws {
        // snippet: templates
        var templates = RequestTemplates()
        templates["calls at"] = FetchRequest<StopTime>(
            where: try Condition(format: "stop = $STOP AND departureTime >= $AFTER AND trip.route.shortName IN $LINES"))
        let request: FetchRequest<StopTime> = try templates.request(
            "calls at", ["STOP": 5, "AFTER": "20:00", "LINES": ["1", "N1"]])
        print(try context.fetchCount(request))
        for values: [String: Any] in [["STOP": 5], ["STOP": 5, "AFTER": "soon", "LINES": "1"]] {
            do { let _: FetchRequest<StopTime> = try templates.request("calls at", values) } catch { print(error) }
        }
        // end
    }

    private func count() throws {
        // snippet: count
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 5 })
        print(try context.fetchCount(request))
        request.fetchLimit = 4
        print(try context.fetchCount(request))
        // end
    }
}
