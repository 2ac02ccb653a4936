import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Rows of the long tables in any order. The store has the rows in the order of a plain sort.
@Suite struct RowOrderTests {
    /// A row of stop_times.txt as the test writes it.
    private struct Row {
        let trip: String
        let sequence: Int
        let number: Int

        /// The row's text. Each row has a headsign of its own.
        var text: String { "\(trip),06:00:00,06:00:00,s1,\(sequence),row \(number)" }
    }

    private static let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
    private static let trips = (0..<8).map { "trip \($0 * 37 % 8)" }

    /// What the store should have: the first row in the file for each key, ordered by trip (as in trips.txt) and
    /// sequence.
    private static func twin(_ rows: [Row]) -> (stored: [String], kept: [String]) {
        var firsts: [[Row]] = trips.map { _ in [] }
        var kept: [String] = []
        for row in rows {
            guard let trip = trips.firstIndex(of: row.trip) else { continue }
            if firsts[trip].contains(where: { $0.sequence == row.sequence }) {
                kept.append("stop_times.txt|\(row.number)|duplicate_key|\(row.text)")
            } else {
                firsts[trip].append(row)
            }
        }
        let stored = firsts.flatMap { $0.sorted { $0.sequence < $1.sequence } }
        return (stored.map { "\($0.trip)|\($0.sequence)|row \($0.number)" }, kept)
    }

    private func check(_ keys: [(trip: Int, sequence: Int)], batchRows: Int = 500_000) throws {
        let rows = keys.enumerated().map {
            Row(trip: Self.trips[$1.trip], sequence: $1.sequence, number: $0 + 2)
        }
        let feed = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\n" + Self.trips.map { "r,w,\($0)\n" }.joined(),
            "stop_times.txt": Self.header + rows.map { $0.text + "\n" }.joined(),
        ])
        feed.options.batchRows = batchRows
        let store = try feed.imported()
        let (stored, kept) = Self.twin(rows)
        #expect(
            try store.rows(
                """
                SELECT trip.trip_id, stop_sequence, stop_headsign FROM stop_time JOIN trip ON trip.id = stop_time.trip
                ORDER BY stop_time.trip, stop_sequence
                """) == stored)
        #expect(try store.rows("SELECT file, row_number, reason, text FROM kept_row ORDER BY row_number") == kept)
        #expect(
            try store.rows("SELECT row_count, kept_row_count FROM feed_file WHERE name = 'stop_times.txt'")
                == ["\(rows.count)|\(kept.count)"])
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE code = 'duplicate_key' ORDER BY row_number")
                == kept.map { String($0.split(separator: "|")[1]) })
        try store.expectSound()
    }

    @Test func rowsInOrderAreStored() throws { try check((0..<8).flatMap { trip in (1...5).map { (trip, $0) } }) }

    @Test func rowsInReverseOrderAreStored() throws {
        try check((0..<8).flatMap { trip in (1...5).map { (trip, $0) } }.reversed())
    }

    @Test func interleavedTripsAreStored() throws {
        try check((1...5).flatMap { sequence in (0..<8).map { ($0, sequence) } })
    }

    @Test func ofDuplicatesBesideEachOtherTheFirstIsStored() throws {
        try check([(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (1, 1)])
    }

    @Test func ofDuplicatesApartTheFirstIsStored() throws {
        try check([(3, 2), (0, 1), (3, 2), (0, 1), (3, 1), (3, 1), (0, 1), (7, 9), (7, 9), (3, 2)])
    }

    @Test func ofEqualRowsOneIsStored() throws { try check((0..<20).map { _ in (0, 1) }) }

    @Test(arguments: 0..<12) func shuffledRowsAreStored(seed: UInt64) throws {
        var random = SeededGenerator(seed: 100 + seed)
        let count = Int.random(in: 1...400, using: &random)
        let keys = (0..<count).map { _ in
            (Int.random(in: 0..<8, using: &random), Int.random(in: 0...(seed % 2 == 0 ? 10 : 1000), using: &random))
        }
        try check(keys, batchRows: Int.random(in: 1...100, using: &random))
    }

    /// Several blocks of 256 KB, with rows that go back to earlier ones.
    @Test func rowsOutOfOrderMayFillMoreThanOneBlock() throws {
        var random = SeededGenerator(seed: 9)
        var keys = (0..<8).flatMap { trip in (0..<3000).map { (trip, $0 * 2) } }
        for _ in 0..<500 {
            keys.swapAt(Int.random(in: 0..<keys.count, using: &random), Int.random(in: 0..<keys.count, using: &random))
        }
        keys += (0..<200).map { _ in (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<6000, using: &random)) }
        try check(keys, batchRows: 5000)
    }

    /// An extra column may have the name of something that the loader uses itself.
    @Test(arguments: ["row_number", "rowid", "trip", "id", "c0", "table", "t"])
    func extraColumnsOfRowsOutOfOrderMayHaveAnyName(name: String) throws {
        let store = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,\(name)\n"
                + "u,06:00:00,06:00:00,s1,1,a\nt,06:00:00,06:00:00,s1,1,b\nt,06:00:00,06:00:00,s1,0,c\n"
        ]).imported()
        #expect(
            try store.rows("SELECT trip_id, stop_sequence, \"\(name)\" FROM gtfs_stop_times ORDER BY 1, 2")
                == ["t|0|c", "t|1|b", "u|1|a"])
        try store.expectSound()
    }

    /// Texts longer than a page and rows of a thousand columns, in order and out of order.
    @Test(arguments: [false, true]) func longRowsAreStoredInAnyOrder(inOrder: Bool) throws {
        var random = SeededGenerator(seed: inOrder ? 21 : 22)
        let sizes = [0, 1, 100, 950, 1000, 1010, 4000, 4080, 4096, 5000, 8200, 20_000, 70_000, 300_000]
        let extra = (0..<1000).map { "x\($0)" }
        var rows = (1...120).map { sequence in
            let size = sizes.randomElement(using: &random) ?? 0
            let width = [0, 1, 10, 200, 1000].randomElement(using: &random) ?? 0
            let cells = extra.indices.map {
                $0 < width ? ["", "1", "text \($0)"].randomElement(using: &random) ?? "" : ""
            }
            let headsign = String(repeating: "h", count: size) + "\(sequence)"
            return (sequence: sequence, cells: ["t", "06:00:00", "", "s1", "\(sequence)", headsign] + cells)
        }
        let expected = rows.map { $0.cells.map { $0.isEmpty ? "-" : $0 }.joined(separator: "|") }
        if !inOrder { rows.shuffle(using: &random) }
        let header = Self.header.replacing("\n", with: ",") + extra.joined(separator: ",") + "\n"
        let store = try LayeredFeed([
            "stop_times.txt": header + rows.map { $0.cells.joined(separator: ",") + "\n" }.joined()
        ]).imported()
        let columns =
            (["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "stop_headsign"] + extra)
            .joined(separator: ", ")
        #expect(try store.rows("SELECT \(columns) FROM gtfs_stop_times ORDER BY stop_sequence") == expected)
        #expect(try store.rows("SELECT count(*) FROM gtfs_stop_times WHERE stop_id = 's1'") == ["120"])
        try store.expectSound()
    }

    @Test func shapePointsAreOrderedToo() throws {
        let store = try LayeredFeed([
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                + "b,50.1,8.1,2,\na,50.2,8.2,7,far\nb,50.3,8.3,1,\na,50.4,8.4,3,2.5\nb,50.5,8.5,2,9\n"
        ]).imported()
        #expect(
            try store.rows("SELECT * FROM gtfs_shapes")
                == ["b|50.3|8.3|1|-", "b|50.1|8.1|2|-", "a|50.4|8.4|3|2.5", "a|50.2|8.2|7|far"])
        #expect(try store.rows("SELECT row_number, text FROM kept_row") == ["6|b,50.5,8.5,2,9"])
        try store.expectSound()
    }
}
