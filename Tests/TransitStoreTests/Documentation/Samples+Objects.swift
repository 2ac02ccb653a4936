import FoundationEssentials
import TransitStore

extension Samples {
    static var objects: [Sample] {
        [
            ("propertyValues", { try $0.propertyValues() }), ("faults", { try $0.faults() }),
            ("refetched", { try $0.refetched() }),
            ("pendingChanges", { try $0.pendingChanges() }), ("entities", { try $0.entities() }),
            ("relationshipsByName", { try $0.relationshipsByName() }),
            ("refreshing", { try $0.refreshing() }), ("manyContexts", { try await $0.manyContexts() }),
            ("stale", { try $0.stale() }),
        ]
    }

    private func propertyValues() throws {
        // snippet: propertyValues
        var keysOnly = FetchRequest<Stop>(kind: .platform)
        keysOnly.includesPropertyValues = false
        let platforms = try context.fetch(keysOnly)
        print(platforms.count, context.statistics.statements)
        print(platforms.first?.stopID ?? "", context.statistics.statements)
        // end
    }

    private func faults() throws {
        // snippet: faults
        let stops = try context.fetch(FetchRequest<Stop>(kind: .station))
        if let stop = stops.first { print(stop.isFault, stop.name, stop.isFault) }
        print(context.statistics.faultsFilledFromCache, context.statistics.statements)
        var filled = FetchRequest<Stop>(kind: .entrance)
        filled.returnsObjectsAsFaults = false
        print(try context.fetch(filled).map(\.isFault))
        // end
    }

    private func refetched() throws {
        // snippet: refetched
        var request = FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" })
        let market = try context.fetch(request).first
        print(market?.stopTimes.map(\.departureTime).count ?? 0)
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
        // end
    }

    private func pendingChanges() throws {
        // snippet: pendingChanges
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == "f1-hin-0900" })
        request.sortDescriptors = [.ascending(\.departureTime)]
        let calls = try context.fetch(request)
        try calls.first?.set(\.departureTime, to: ServiceTime(hours: 9, minutes: 12))
        if calls.count > 1 { context.delete(calls[1]) }
        print(try context.fetch(request).compactMap(\.departureTime))
        request.includesPendingChanges = false
        print(try context.fetchCount(request))
        do { try context.save() } catch { print(error.code) }
        context.rollback()
        // end
    }

    private func entities() throws {
        // snippet: entities
        if let trip = try context.fetchFirst(FetchRequest<Trip>(where: #Predicate { $0.tripID == "n1-heim" })) {
            print(trip.route.longName, trip.service.friday, trip.shape?.points.count ?? 0)
            print(trip.stopTimes.map(\.stop.name))
            print(trip.stopTimes[0]?.trip === trip)
        }
        // end
    }

    private func relationshipsByName() throws {
        // snippet: relationshipsByName
        let dear = try Condition<StoredRow>(format: "fareID = 'umland'", entity: "fare_attribute", in: store)
        for fare in try context.fetch(FetchRequest(entity: "fare_attribute", where: dear)) {
            let origins = try fare.objects(of: "fareRules").map { $0.value(of: "origin_id") ?? .null }
            print(fare["fare_id"], try fare.object(of: "agency")?.value(of: "name") ?? .null, origins)
        }
        let request = FetchRequest<Route>(where: try Condition(format: "ANY fareRules.fare.price > 3"))
        print(try context.fetch(request).map(\.shortName))
        // end
    }

    private func refreshing() throws {
        // snippet: refreshing
        if let stop = try context.object(Stop.self, id: 5) {
            try stop.set(\.name, to: "Markt")
            context.refresh(stop, mergeChanges: true)
            print(stop.name)
            context.refresh(stop, mergeChanges: false)
            print(stop.name)
            context.refreshAll()
            print(stop.isFault)
        }
        // end
    }

    private func manyContexts() async throws {
        let store = store
        // snippet: manyContexts
        let request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 5 })
        async let one = Task.detached { try store.makeContext().fetchCount(request) }.value
        async let two = Task.detached { try store.makeContext().fetchCount(request) }.value
        print(try await one == two)
        // end
    }

    private func stale() throws {
        // snippet: stale
        if store.isStale {
            let fresh = try store.reopened()
            print(fresh.isStale)
        }
        print(store.isStale)
        // end
    }
}
