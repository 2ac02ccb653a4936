import TestSupport
import Testing

@testable import GTFSImport

/// Compares the rows of frequencies.txt that are said to overlap with those that a slow, obvious loop finds.
@Suite struct FrequencyOverlapTests {
    /// A row of frequencies.txt; times are in quarters of an hour, and some cannot be read.
    private struct Row {
        let trip: String
        let start: Int?
        let end: Int?
        let headway: Int

        init(_ trips: Int, _ generator: inout some RandomNumberGenerator) {
            // Known trips, one that the feed lacks, and no trip.
            let known = "t\(Int.random(in: 0..<trips, using: &generator))"
            trip = [known, known, known, "x", ""].randomElement(using: &generator) ?? known
            let start = Int.random(in: 0..<100, using: &generator)
            let isUsual = Int.random(in: 0..<3, using: &generator) > 0
            let end = isUsual ? start + .random(in: 1..<9, using: &generator) : .random(in: 0..<110, using: &generator)
            self.start = Int.random(in: 0..<30, using: &generator) == 0 ? nil : start
            self.end = Int.random(in: 0..<30, using: &generator) == 0 ? nil : end
            headway = Int.random(in: 0...1, using: &generator) * 600
        }

        var line: String { "\(trip),\(Self.text(start)),\(Self.text(end)),\(headway)\n" }

        private static func text(_ quarters: Int?) -> String {
            guard let quarters else { return "soon" }
            func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(digits(quarters / 4)):\(digits(quarters % 4 * 15)):00"
        }
    }

    /// The numbers of the rows that begin before the row before them ends, among those of a trip in the order of their
    /// times.
    private static func overlapping(_ rows: [Row]) -> [Int] {
        var found: [Int] = []
        for trip in Set(rows.map(\.trip)) {
            let times = rows.enumerated().compactMap { number, row -> [Int]? in
                guard row.trip == trip, let start = row.start, let end = row.end else { return nil }
                return [start, end, number + 2]
            }
            .sorted { $0.lexicographicallyPrecedes($1) }
            for (before, row) in zip(times, times.dropFirst()) where row[0] < before[1] { found.append(row[2]) }
        }
        return found.sorted()
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func randomRowsAgreeWithAllPairs(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let trips = [1, 2, 20].randomElement(using: &generator) ?? 1
        let count = [2, 2, 3, 8, 200].randomElement(using: &generator) ?? 2
        let rows = (0..<count).map { _ in Row(trips, &generator) }
        let tripRows = (0..<20).map { "r,w,t\($0)\n" }.joined()
        let store = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\n" + tripRows,
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" + rows.map(\.line).joined(),
        ]).imported()
        let found = try store.rows("SELECT row_number FROM notice WHERE code = 'overlapping_frequency' ORDER BY id")
        #expect(found == Self.overlapping(rows).map(String.init), "\(rows.map(\.line))")
    }

    /// The first of these rows ends before it begins, and begins within the other.
    @Test func aRowThatEndsBeforeItBeginsMayOverlap() throws {
        let store = try LayeredFeed([
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,25:00:00,21:00:00,600\n"
                + "t,24:00:00,26:00:00,600\n"
        ]).imported()
        #expect(
            try store.rows("SELECT message FROM notice WHERE code = 'overlapping_frequency'")
                == ["frequencies.txt, row 2: begins before row 3 of the same trip ends; stored as it is"])
    }

    /// Trips in the file's opposite order: the notices follow the rows.
    @Test func findingsAreCountedAndTheFirstRowsKept() throws {
        let tripRows = (0..<3_000).map { "r,w,t\($0)\n" }.joined()
        let rows = (0..<3_000).reversed().map { "t\($0),06:00:00,09:00:00,600\nt\($0),07:00:00,08:00:00,600\n" }
        let feed = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\n" + tripRows,
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" + rows.joined(),
        ])
        feed.options.noticesKeptPerCode = 3
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT count, kept FROM notice_total WHERE code = 'overlapping_frequency'") == ["3000|3"])
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE code = 'overlapping_frequency' ORDER BY id")
                == ["3", "5", "7"])
    }
}
