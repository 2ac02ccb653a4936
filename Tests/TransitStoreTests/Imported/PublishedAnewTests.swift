import Foundation
import GTFSImport
import Testing
import TransitStore

/// A program keeps reading its open store while the importer publishes a new one over it.
@Suite struct PublishedAnewTests {
    private static let request = FetchRequest<Agency>()

    private func names(_ context: StoreContext) throws -> [String] {
        try context.fetch(Self.request).flatMap { [$0.name] + $0.routes.map(\.shortName) }
    }

    /// The sample feed with another name for each agency.
    private func renamedFeed(in folder: String, to name: String) throws -> String {
        let feed = folder + "/" + name
        try FileManager.default.copyItem(atPath: ImportedStore.packageRoot + "/pipelines/sample-feed", toPath: feed)
        let path = feed + "/agency.txt"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("Mohnsee", with: name).write(toFile: path, atomically: true, encoding: .utf8)
        return feed
    }

    private func publish(_ feed: String, over store: ImportedStore, keeping count: Int) throws {
        var options = ImportOptions(feed: feed, store: store.path)
        options.previousStoresKept = count
        let (report, error) = Importer(options).run()
        try #require(error == nil, "\(report.message)")
        try #require(report.status == .published)
    }

    @Test(arguments: [0, 2])
    func contextsMadeAfterwardsReadTheOldGeneration(earlierStores: Int) async throws {
        let published = try ImportedStore(feed: ImportedStore.packageRoot + "/pipelines/sample-feed")
        let feed = try renamedFeed(in: published.folder, to: "Neusee")
        let store = try published.open()
        let running = store.makeContext()
        let old = try names(running)
        // Readers that begin before the exchange, during it and after it; none has a connection yet.
        let readers = (0..<20).map { _ in
            Task.detached {
                try (0..<10).map { _ in
                    usleep(2_000)
                    return try self.names(store.makeContext())
                }
            }
        }
        try publish(feed, over: published, keeping: earlierStores)
        for reader in readers { for read in try await reader.value { #expect(read == old) } }
        #expect(store.isStale)
        // All at once, so that no connection is idle.
        let contexts = (0..<20).map { _ in store.makeContext() }
        for context in contexts { #expect(try names(context) == old) }
        #expect(try names(running) == old)
        let fresh = try store.reopened()
        #expect(!fresh.isStale)
        let new = try names(fresh.makeContext())
        #expect(new != old)
        #expect(new == old.map { $0.replacing("Mohnsee", with: "Neusee") })
        // Another exchange. The file that the first store reads now has no name, or is moved once more.
        try publish(ImportedStore.packageRoot + "/pipelines/sample-feed", over: published, keeping: earlierStores)
        #expect(try names(store.makeContext()) == old)
        #expect(try names(fresh.makeContext()) == new)
    }
}

/// Fetching leaves no trace: the file's bytes and its folder stay as the importer left them.
@Suite struct UntouchedStoreTests {
    @Test func tenThousandFetchesChangeNothing() throws {
        let imported = try ImportedStore(feed: ImportedStore.packageRoot + "/pipelines/sample-feed")
        let manager = FileManager.default
        let before = try Data(contentsOf: URL(filePath: imported.path))
        let names = try manager.contentsOfDirectory(atPath: imported.folder).sorted()
        chmod(imported.path, 0o444)
        chmod(imported.folder, 0o555)
        defer { chmod(imported.folder, 0o755) }
        let context = try imported.context()
        for round in 0..<2_500 { try fourFetches(round, context) }
        #expect(context.statistics.statements >= 10_000)
        #expect(try Data(contentsOf: URL(filePath: imported.path)) == before)
        #expect(try manager.contentsOfDirectory(atPath: imported.folder).sorted() == names)
    }

    /// One fetch of each kind: by place, by name, of related rows, grouped and sorted.
    private func fourFetches(_ round: Int, _ context: StoreContext) throws {
        let place = Coordinate(latitude: 53.43 + Double(round % 10) / 1_000, longitude: 12.62)
        let eight = ServiceTime(seconds: 28_800 + round)
        let near = FetchRequest<Stop>(
            where: .within(meters: 800, of: place) && #Predicate { $0.stopTimes.contains { eight <= $0.departureTime } }
        )
        _ = try context.fetch(near)
        _ = try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "fahr")))
        _ = try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.stop.name == "Fährhafen" }))
        var calls = FetchRequest<StopTime>()
        calls.propertiesToFetch = [.attribute(\.stop), .count()]
        calls.propertiesToGroupBy = [.attribute(\.stop)]
        calls.sortDescriptors = [.by(.aggregate(.count, nil), ascending: false), .ascending(\.stop)]
        _ = try context.fetchRows(calls)
    }
}
