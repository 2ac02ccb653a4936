import TestSupport
import Testing

@testable import GTFSImport

/// Feeds that differ in the number of their trips, and the stores that were made from them.
extension LayeredFeed {
    /// Imports feeds of 1 trip, 2 trips and so on. The last one is live, and the others are kept as `.1`, `.2`, ….
    convenience init(generations count: Int) throws {
        try self.init()
        options.previousStoresKept = count - 1
        for trips in 1...count {
            try write(trips: trips)
            #expect(run().report.status == .published)
        }
    }

    func write(trips count: Int) throws {
        let trips = "route_id,service_id,trip_id\nr,w,t\n" + (1..<count).map { "r,w,t\($0)\n" }.joined()
        try write("trips.txt", Array(trips.utf8))
    }

    /// How many trips the live store has, or the earlier one with a suffix such as `.1`; nil if it cannot be read.
    func trips(_ suffix: String = "") -> Int? { LiveStore(path: options.store + suffix)?.counts.trips }

    func rollBack() throws -> CommandLineProgram.Result { try CommandLineProgram.run(["--rollback", options.store]) }
}
