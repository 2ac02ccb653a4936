import Foundation
import GTFSFeed
import KeySorting
import TestSupport
import Testing

@testable import GTFSImport

@Suite struct EndedSurveyTests {
    private struct NoRoom: Error {}

    /// The search for a filter's trips goes through all stop times. Only a search that has come to its end warns of the
    /// route that the feed lacks.
    @Test func `an import that cannot write does not wait for the search for a filter's trips`() throws {
        let calls = (0..<200_000).map { "t,06:00:00,06:00:00,s1,\($0)\n" }
        let small = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls.joined()
        ])
        small.options.filter.routes = ["r", "missing"]
        let file = small.folder.path("private")
        try Data().write(to: URL(filePath: file))
        let feed = try OpenedFeed.open(small.options.feed)
        let place = try StorePlace(
            at: file, for: feed, space: SortingSpace(folder: small.folder.path("")), options: small.options,
            cancellation: CancellationFlag())
        let loading = FeedLoading(feed: feed, place: place, filter: small.options.filter, progress: nil)
        let log = ImportLog(small.options)
        #expect(throws: NoRoom.self) { _ = try loading.run(log) { throw NoRoom() } }
        #expect(log.report.warnings == [])
    }
}
