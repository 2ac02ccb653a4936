import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares random rows of stop_times.txt and shapes.txt with what SQLite keeps of them with INSERT OR IGNORE.
@Suite struct RowOrderPropertyTests {
    private struct Row {
        let parent: String
        let sequence: String
        let text: String

        var isComplete: Bool { !parent.isEmpty && !sequence.isEmpty }
    }

    private static let names = (0..<30).map { "p\($0 * 11 % 30)" }

    /// Keys of whole parents, of parents in pieces and in descending order, with some duplicates and some empty keys.
    private static func keys(_ random: inout SeededGenerator) -> [(String, String)] {
        var keys: [(String, String)] = []
        for name in names.shuffled(using: &random) {
            var sequences = (0..<Int.random(in: 0...20, using: &random)).map { $0 * 7 }
            if Bool.random(using: &random) { sequences.reverse() }
            keys += sequences.map { (name, String($0)) }
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) where !keys.isEmpty {
            let piece = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                keys.remove(at: .random(in: keys.indices, using: &random))
            }
            keys += piece
            if keys.count < 20 { break }
        }
        for _ in 0..<Int.random(in: 0...15, using: &random) {
            let again = keys.randomElement(using: &random) ?? ("", "")
            keys.insert(again, at: .random(in: 0...keys.count, using: &random))
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            keys.insert(
                Bool.random(using: &random) ? ("", "3") : ("p1", ""), at: .random(in: 0...keys.count, using: &random))
        }
        return Int.random(in: 0...3, using: &random) == 0 ? keys.shuffled(using: &random) : keys
    }

    private static func rows(_ random: inout SeededGenerator, _ cells: (String, String, Int) -> String) -> [Row] {
        keys(&random).enumerated().map { number, key in
            Row(parent: key.0, sequence: key.1, text: cells(key.0, key.1, number + 2))
        }
    }

    /// Texts of the rows that should be stored, in the order of `parents` and sequences.
    private static func twin(_ rows: [Row], parents: [String]) throws -> [String] {
        let connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute(
            "CREATE TABLE t(parent, sequence INTEGER, text, PRIMARY KEY(parent, sequence)) WITHOUT ROWID")
        let insert = try connection.prepare("INSERT OR IGNORE INTO t VALUES(?, ?, ?)")
        for row in rows where row.isComplete {
            insert.bind(1, Int64(parents.firstIndex(of: row.parent) ?? -1))
            insert.bind(2, Int64(row.sequence))
            insert.bind(3, row.text)
            try insert.run()
        }
        let texts = try connection.prepare("SELECT text FROM t ORDER BY parent, sequence")
        var stored: [String] = []
        while try texts.step() { stored.append(texts.text(0) ?? "") }
        return stored
    }

    @Test(arguments: 0..<40) func ofRowsInAnyOrderTheFirstOfEachKeyIsStored(seed: UInt64) throws {
        var random = SeededGenerator(seed: 4_000 + seed)
        let calls = Self.rows(&random) { parent, sequence, number in
            "\(parent),06:00:00,06:\(10 + number % 40):00,s\(number % 2 + 1),\(sequence),\"row \(number)\""
        }
        let points = Self.rows(&random) { shape, sequence, number in "\(shape),50.\(number)5,8.1,\(sequence)" }
        let feed = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\n" + Self.names.map { "r,w,\($0)\n" }.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
                + "p29,06:00:00,06:00:00,s1,9999,\"row 1\"\n" + calls.map { $0.text + "\n" }.joined(),
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
                + points.map { $0.text + "\n" }.joined(),
        ])
        feed.options.rowsPerRun = [1, 3, 20, 1000].randomElement(using: &random) ?? 1
        let store = try feed.imported()
        let first = Row(parent: "p29", sequence: "9999", text: "p29,06:00:00,06:00:00,s1,9999,\"row 1\"")
        #expect(
            try store.rows(
                """
                SELECT trip_id || ',' || arrival_time || ',' || departure_time || ',' || stop_id || ',' || stop_sequence
                    || ',"' || stop_headsign || '"'
                FROM gtfs_stop_times JOIN trip USING (trip_id) ORDER BY trip.id, stop_sequence
                """) == Self.twin([first] + calls, parents: Self.names))
        var shapes: [String] = []
        for row in points where row.isComplete && !shapes.contains(row.parent) { shapes.append(row.parent) }
        #expect(try store.rows("SELECT shape_id FROM shape ORDER BY id") == shapes)
        #expect(
            try store.rows(
                """
                SELECT shape_id || ',' || shape_pt_lat || ',' || shape_pt_lon || ',' || shape_pt_sequence
                FROM gtfs_shapes JOIN shape USING (shape_id) ORDER BY shape.id, shape_pt_sequence
                """) == Self.twin(points, parents: shapes))
        try store.expectSound()
        try expectKept(
            store, "stop_times.txt", [first] + calls, stored: Self.twin([first] + calls, parents: Self.names))
        #expect(
            try store.rows("SELECT value FROM notice WHERE code = 'unsorted_stop_times' ORDER BY value")
                == Self.unsortedParents([first] + calls))
        try expectKept(store, "shapes.txt", points, stored: Self.twin(points, parents: shapes))
        #expect(
            try store.rows("SELECT latest_time FROM feed")
                == store.rows("SELECT max(max(arrival_time), max(departure_time)) FROM stop_time"))
    }

    /// The parents whose complete rows do not stand together in ascending sequence.
    private static func unsortedParents(_ rows: [Row]) -> [String] {
        let rows = rows.filter(\.isComplete)
        return Set(rows.map(\.parent)).filter { parent in
            let places = rows.indices.filter { rows[$0].parent == parent }
            return zip(places, places.dropFirst()).contains { place, next in
                next != place + 1 || Int(rows[next].sequence) ?? 0 <= Int(rows[place].sequence) ?? 0
            }
        }.sorted()
    }

    /// Expects each row that is not stored to be kept with its number and text, and its sequence in a notice.
    private func expectKept(_ store: AskedStore, _ file: String, _ rows: [Row], stored: [String]) throws {
        let stored = Set(stored)
        let left = rows.enumerated().filter { !stored.contains($1.text) }
        let kept = left.map { "\($0 + 2)|\($1.text)" }
        let duplicates = left.filter(\.element.isComplete).map { "\($0 + 2)|\($1.sequence)" }
        #expect(
            try store.rows("SELECT row_number, text FROM kept_row WHERE file = '\(file)' ORDER BY row_number") == kept)
        let notices = "SELECT row_number, value FROM notice WHERE code = 'duplicate_key' AND file = '\(file)'"
        #expect(try store.rows(notices + " ORDER BY row_number") == duplicates)
        #expect(
            try store.rows("SELECT row_count, kept_row_count FROM feed_file WHERE name = '\(file)'")
                == ["\(rows.count)|\(kept.count)"])
    }

    /// The views of the store are the same for each order of rows that exporters write.
    @Test func theOrderOfRowsChangesNoView() throws {
        var random = SeededGenerator(seed: 77)
        let trips = (0..<60).map { "trip \($0)" }
        let calls = trips.enumerated().flatMap { trip, name in
            (1...Int.random(in: 2...25, using: &random)).map { call in
                (
                    trip: trip, sequence: call * 2,
                    text: "\(name),\(Self.time(trip * 97 + call * 3)),s\(1 + call % 2),\(call * 2)"
                )
            }
        }
        let places = trips.indices.shuffled(using: &random)
        let shuffled = calls.shuffled(using: &random)
        let orders = [
            calls,
            calls.sorted { (places[$0.trip], $0.sequence) < (places[$1.trip], $1.sequence) },
            calls.sorted { (places[$0.trip] % 30, $0.trip, $0.sequence) < (places[$1.trip] % 30, $1.trip, $1.sequence) }
                .filter { $0.sequence <= 10 || $0.trip % 10 != 0 }
                + calls.filter { $0.sequence > 10 && $0.trip % 10 == 0 },
            calls.sorted { ($0.trip, -$0.sequence) < ($1.trip, -$1.sequence) },
            calls.sorted { $0.text.dropFirst(8) < $1.text.dropFirst(8) },
            calls.sorted { ($0.sequence % 4, $0.trip) < ($1.sequence % 4, $1.trip) },
            shuffled,
        ]
        var first: [String]?
        for (number, order) in orders.enumerated() {
            #expect(order.count == calls.count)
            let feed = try LayeredFeed([
                "trips.txt": "route_id,service_id,trip_id\n" + trips.map { "r,w,\($0)\n" }.joined(),
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                    + order.map { $0.text + "\n" }.joined(),
            ])
            feed.options.rowsPerRun = 100
            let store = try feed.imported()
            let views = try store.rows("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
            let contents =
                try views.flatMap { view in try store.rows("SELECT '\(view)', * FROM \"\(view)\"") }
                + store.rows(
                    "SELECT * FROM stop_time INDEXED BY stop_time_stop_departure_time ORDER BY stop, departure_time")
            #expect(contents == first ?? contents, "order \(number)")
            first = contents
        }
    }

    private static func time(_ minutes: Int) -> String {
        let (hours, rest) = (4 + minutes / 60, minutes % 60)
        let text = "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest):00"
        return "\(text),\(text)"
    }
}
