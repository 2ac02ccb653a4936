import Foundation
import GTFSImport
import Testing
import TransitStore

/// A service goes on while the importer publishes over the store that it has open.
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
        // Another exchange: the file that the first store reads has no name any more, or one that moves on.
        try publish(ImportedStore.packageRoot + "/pipelines/sample-feed", over: published, keeping: earlierStores)
        #expect(try names(store.makeContext()) == old)
        #expect(try names(fresh.makeContext()) == new)
    }
}
