import Foundation
import Testing
import TransitStore

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
