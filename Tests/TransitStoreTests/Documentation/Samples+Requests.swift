import FoundationEssentials
import TransitStore

extension Samples {
    static var requests: [Sample] {
        [
            ("gettingStarted", { try $0.gettingStarted() }), ("entity", { try $0.entity() }),
            ("sortDescriptors", { try $0.sortDescriptors() }),
            ("fetchLimit", { try $0.fetchLimit() }), ("fetchOffset", { try $0.fetchOffset() }),
            ("resultType", { try $0.resultType() }), ("propertiesToFetch", { try $0.propertiesToFetch() }),
            ("decodedRows", { try $0.decodedRows() }), ("ownStatements", { try $0.ownStatements() }),
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
        let request = FetchRequest<StopTime>(
            where: #Predicate { $0.stop.stopID == "markt" && $0.departureTime >= evening },
            sortedBy: .ascending(\.departureTime), limit: 3)
        for call in try context.fetch(request) {
            print(call.departureTime?.description ?? "–", call.trip.headsign ?? "")
        }
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
        let stations = FetchRequest<Stop>(kind: .station)
        let accessible = stations.sorted(by: .descending(\.wheelchairBoarding), .ascending(\.name, .locale("de")))
        print(try context.fetch(accessible).map(\.name))
        let byLevel = stations.sorted(by: .ascending(\.name, .folded), .ascending(\.level?.levelID, nulls: .last))
        print(try context.fetch(byLevel).map(\.name))
        // end
    }

    private func fetchLimit() throws {
        // snippet: fetchLimit
        let request = FetchRequest<Stop>(
            where: .name(beginsWith: "s"), sortedBy: .ascending(\.name, .folded), limit: 2)
        print(try context.fetch(request).map(\.name))
        // end
    }

    private func fetchOffset() throws {
        // snippet: fetchOffset
        let request = FetchRequest<Route>(sortedBy: .ascending(\.id)).limit(2, offset: 2)
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
        let request = try FetchRequest<Trip>(where: #Predicate { $0.tripID == "f1-hin-0900" }).selecting(
            .attribute(\.headsign), .attribute(\.route), .attribute(\.route.agency?.name),
            FetchedProperty(format: "id + 2", as: "line"))
        for row in try context.fetchRows(request) {
            print(row["headsign"], row["route"], row["route.agency.name"], row["line"])
        }
        // end
    }

    private func decodedRows() throws {
        // snippet: decodedRows
        struct Call: Decodable {
            let name: String
            let departureTime: ServiceTime?
        }
        let request = FetchRequest<StopTime>(
            where: #Predicate { $0.trip.tripID == "f1-hin-0900" }, sortedBy: .ascending(\.stopSequence), limit: 2
        ).selecting(.attribute(\.stop.name, as: "name"), .attribute(\.departureTime))
        for row in try context.fetchRows(request) {
            let call = try row.decoded(as: Call.self)
            print(call.name, call.departureTime?.description ?? "–")
        }
        // end
    }

    private func distinct() throws {
        // snippet: distinct
        var request = FetchRequest<Trip>(sortedBy: .ascending(\.headsign)).selecting(.attribute(\.headsign))
        request.returnsDistinctResults = true
        print(try context.fetchRows(request).count)
        // end
    }

    private func groups() throws {
        // snippet: groups
        let request = FetchRequest<StopTime>(where: #Predicate { $0.stop.stopID == "faehrhafen-steg" })
            .selecting(
                .attribute(\.trip.route.shortName), .count(as: "calls"), .min(\.departureTime, as: "first")
            )
            .groups(by: .attribute(\.trip.route.shortName))
        for row in try context.fetchRows(request) { print(row[0], row["calls"], row["first"]) }
        // end
    }

    private func having() throws {
        // snippet: having
        var request = FetchRequest<Trip>()
            .selecting(.attribute(\.route.shortName), .count(), .average(\.id, as: "mean"))
            .groups(by: .attribute(\.route.shortName), having: .count() > 4 && .max(\.id) < 20)
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

    private func ownStatements() throws {
        // snippet: ownStatements
        let perHour = """
            SELECT stop_time.departure_time / 3600 AS hour, count(*) AS calls FROM stop_time JOIN stop ON stop.id = stop_time.stop
            WHERE stop.stop_id = ? GROUP BY 1 ORDER BY calls DESC LIMIT 2
            """
        for row in try context.fetchRows(sql: perHour, "markt") { print(row["hour"], row["calls"]) }
        let market = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" }))
        print(try market?.feedColumns() ?? [:])
        // end
    }

    private func templates() throws {
        // snippet: templates
        var templates = RequestTemplates()
        templates["calls at"] = FetchRequest<StopTime>(
            where: try Condition(
                format: "stop.stopID = $STOP AND departureTime >= $AFTER AND trip.route.shortName IN $LINES"))
        let request: FetchRequest<StopTime> = try templates.request(
            "calls at", ["STOP": "markt", "AFTER": "20:00", "LINES": ["1", "N1"]])
        print(try context.fetchCount(request))
        for values: [String: Any] in [["STOP": "markt"], ["STOP": "markt", "AFTER": "soon", "LINES": "1"]] {
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
