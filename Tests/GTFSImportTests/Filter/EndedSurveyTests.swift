import Foundation
import GTFSFeed
import KeySorting
import TestSupport
import Testing

@testable import GTFSImport

@Suite struct EndedSurveyTests {
    private struct NoRoom: Error {}

    @Test func `an import that cannot write does not wait for the search for a filter's trips`() throws {
        let calls = (0..<200_000).map { "t,06:00:00,06:00:00,s1,\($0)\n" }
        let small = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls.joined()
        ])
        small.options.filter.box = FilterBox(south: 50, west: 8, north: 51, east: 9)
        let (feed, filter) = (try OpenedFeed.open(small.options.feed), small.options.filter)
        var notices = NoticeLog(keptPerCode: 1)
        let inventory = FeedInventory(feed.entries, notices: &notices)
        let scan = FileScan(
            feed: feed, inventory: inventory, encodings: FeedEncodings(feed, inventory) { false }, check: {})
        let search = try ContinuousClock().measure { _ = try FeedSurvey(filter, scan).run() }

        let file = small.folder.path("private")
        try Data().write(to: URL(filePath: file))
        let place = try StorePlace(
            at: file, for: feed, space: SortingSpace(folder: small.folder.path("")), options: small.options,
            cancellation: CancellationFlag())
        let loading = FeedLoading(feed: feed, place: place, filter: filter, progress: nil)
        let failure = ContinuousClock().measure {
            #expect(throws: NoRoom.self) {
                _ = try loading.run(ImportLog(small.options)) { throw NoRoom() }
            }
        }
        #expect(failure * 3 < search)
    }
}
