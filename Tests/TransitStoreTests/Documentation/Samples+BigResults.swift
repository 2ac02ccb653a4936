import FoundationEssentials
import TransitStore

extension Samples {
    static var bigResults: [Sample] {
        [
            ("batches", { try $0.batches() }), ("affectedStores", { try $0.affectedStores() }),
            ("prefetching", { try $0.prefetching() }),
            ("prefetchingByName", { try $0.prefetchingByName() }), ("background", { try await $0.background() }),
            ("backgroundRows", { try await $0.backgroundRows() }), ("sections", { try $0.sections() }),
            ("computedSections", { try $0.computedSections() }),
        ]
    }

    private func batches() throws {
        // snippet: batches
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 40
        let times = try context.fetchBatches(request)
        print(times.count, times[85].departureTime?.description ?? "")
        print(times.lazy.filter { $0.departureTime >= ServiceTime(hours: 24) }.count)
        // end
    }

    private func affectedStores() throws {
        // snippet: affectedStores
        let coordinator = StoreCoordinator([store, try TransitStore(path: store.path)])
        let context = coordinator.makeContext()
        var request = FetchRequest<Stop>(kind: .station).sorted(by: .ascending(\.name))
        print(try context.fetch(request).map(\.name))
        request.affectedStores = [coordinator.stores[1]]
        print(try context.fetchCount(request))
        let lines = FetchRequest<Trip>()
            .selecting(.attribute(\.route.routeID), .count(as: "trips")).groups(by: .attribute(\.route.routeID))
            .sorted(by: .by(.count(), ascending: false), .ascending(\.route.routeID)).limit(2)
        for row in try context.fetchRows(lines) { print(row[0], row["trips"]) }
        // end
    }

    private func prefetching() throws {
        // snippet: prefetching
        let request = FetchRequest<Trip>(where: #Predicate { $0.route.routeID == "1" })
        let trips = try context.fetch(request.prefetching(\.stopTimes, \.service))
        print(trips.map(\.stopTimes.count), trips.count { $0.service.monday })
        print(context.statistics.statements)
        // end
    }

    private func prefetchingByName() throws {
        // snippet: prefetchingByName
        var text = RequestText(entity: "fare_attribute")
        text.predicate = "fareID IN {'stadt', 'umland'}"
        text.prefetch = "fareRules.route, agency"
        let request: FetchRequest<StoredRow> = try text.request(in: store)
        print(request.relationshipNamesForPrefetching)
        let fares = try context.fetch(request)
        print(try fares.map { try $0.objects(of: "fareRules").count }, context.statistics.statements)
        // end
    }

    private func background() async throws {
        // snippet: background
        let request = FetchRequest<Stop>(where: .name(hasWords: "bahn"))
        let stops = try await context.fetchInBackground(request)
        print(stops.map(\.stopID))
        // end
    }

    private func backgroundRows() async throws {
        // snippet: backgroundRows
        let request = FetchRequest<Trip>().selecting(.attribute(\.headsign))
        var count = 0
        for try await row in context.rowsInBackground(of: request) where row["headsign"] == "Fährhafen" { count += 1 }
        print(count)
        // end
    }

    private func computedSections() throws {
        // snippet: computedSections
        let request = FetchRequest<Stop>(kind: .station).sorted(by: .descending(\.name))
        let letters = try FetchedResults(request, in: context) { String($0.name.prefix(1)) }
        print(letters.sections.map(\.name), letters[0, 0].name)
        // end
    }

    private func sections() throws {
        // snippet: sections
        let results = try FetchedResults(FetchRequest<Trip>(), sectionedBy: \.route.shortName, in: context)
        for section in results.sections { print(section.name, section.count) }
        print(results[4, 0].headsign ?? "")
        // end
    }
}
