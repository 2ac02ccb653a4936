import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

extension [UInt8] {
    init(contentsOf path: String) throws { self = [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

@Suite("A table and its index are what SQLite would have made of the same rows")
struct TwinTests {
    private static let schema = """
        CREATE TABLE stop_time(trip INTEGER NOT NULL, stop_sequence INTEGER NOT NULL, stop INTEGER, departure_time INTEGER,
            headsign TEXT, distance REAL, PRIMARY KEY(trip, stop_sequence)) WITHOUT ROWID;
        CREATE INDEX stop_time_stop_departure_time ON stop_time(stop, departure_time)
        """
    private static let index = "SELECT stop, departure_time, trip, stop_sequence FROM stop_time ORDER BY 1, 2, 3, 4"

    /// A text that is now and then long enough for overflow pages.
    private static func longText(_ number: Int, _ dice: inout SeededGenerator) -> SQLiteValue {
        guard number % 23 == 0 else { return .text("Köln Süd") }
        return .text(String(repeating: "aäß東🚊", count: Int.random(in: 0...400, using: &dice)))
    }

    private static func rows(_ count: Int, seed: UInt64) -> [[SQLiteValue]] {
        var dice = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let headsigns: [SQLiteValue] = [.null, .text(""), .text("Alexanderplatz"), longText(number, &dice)]
            let distances: [SQLiteValue] = [
                .null, .double(.random(in: 0...1e6, using: &dice)), .double(Double(number)), .double(-0.0),
            ]
            return [
                .integer(Int64(number / 7) << Int64(seed * 7)), .integer(Int64(number % 7)),
                number % 31 == 0 ? .null : .integer(.random(in: 0...900, using: &dice)),
                number % 13 == 0 ? .null : .integer(.random(in: -5...100_000, using: &dice)),
                headsigns[Int.random(in: 0...3, using: &dice)], distances[Int.random(in: 0...3, using: &dice)],
            ]
        }
    }

    /// Writes table and index with our code. Both trees use the root pages that SQLite made.
    private func write(_ rows: [[SQLiteValue]], indexRows: [[SQLiteValue]], to path: String) throws {
        try appendTree(rows, to: path, root: "stop_time", keyColumns: 2)
        try appendTree(indexRows, to: path, root: "stop_time_stop_departure_time", keyColumns: 4)
    }

    @Test("random rows have the records that SQLite writes", arguments: [512, 4096, 65536], [1, 2, 3, 4] as [UInt64])
    func randomRows(_ pageSize: Int, _ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let rows = Self.rows(1500, seed: seed)
        let twin = try folder.database(Self.schema, pageSize: pageSize, name: "twin.sqlite")
        let connection = try Connection(path: twin, mode: .create)
        try connection.insert(rows, into: "stop_time")
        let path = try folder.database(Self.schema, pageSize: pageSize)
        try write(rows, indexRows: connection.rows(Self.index), to: path)

        #expect(try Connection.faults(of: path) == [])
        let ours = try Connection(path: path, mode: .readOnly)
        let values =
            "SELECT trip, stop_sequence, typeof(stop), quote(stop), quote(departure_time), typeof(headsign), "
            + "quote(headsign), typeof(distance), quote(distance) FROM stop_time"
        #expect(try ours.rows(values) == connection.rows(values))
        for name in ["stop_time", "stop_time_stop_departure_time"] {
            var (mine, theirs) = (try PlainTreeReader(path), try PlainTreeReader(twin))
            let records = mine.records(root: try #require(try rootPages(path)[name]))
            #expect(records == theirs.records(root: try #require(try rootPages(twin)[name])))
        }
    }

    @Test("every row is found by its key, and by the index")
    func lookups() throws {
        let folder = try TemporaryFolder()
        let rows = Self.rows(3000, seed: 1)
        let path = try folder.database(Self.schema, pageSize: 512)
        let twin = try folder.database(Self.schema, name: "twin.sqlite")
        let connection = try Connection(path: twin, mode: .create)
        try connection.insert(rows, into: "stop_time")
        try write(rows, indexRows: connection.rows(Self.index), to: path)
        let ours = try Connection(path: path, mode: .readOnly)
        let byKey = try ours.prepare("SELECT count(*) FROM stop_time WHERE trip = ? AND stop_sequence = ?")
        let byIndex = try ours.prepare(
            "SELECT count(*) FROM stop_time INDEXED BY stop_time_stop_departure_time "
                + "WHERE stop IS ? AND departure_time IS ? AND trip = ? AND stop_sequence = ?")
        for row in rows {
            for (statement, values) in [(byKey, [row[0], row[1]]), (byIndex, [row[2], row[3], row[0], row[1]])] {
                for (place, value) in values.enumerated() { statement.bind(place + 1, value) }
                #expect(try statement.step() && statement.integer(0) == 1)
                statement.reset()
            }
        }
    }

    @Test("SQLite goes on inserting, changing and deleting", arguments: [512, 4096])
    func edits(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let rows = Self.rows(1200, seed: 2)
        let path = try folder.database(Self.schema, pageSize: pageSize)
        let twin = try folder.database(Self.schema, name: "twin.sqlite")
        let theirs = try Connection(path: twin, mode: .create)
        try theirs.insert(rows, into: "stop_time")
        try write(rows, indexRows: theirs.rows(Self.index), to: path)
        let ours = try Connection(path: path, mode: .create)
        let edits = [
            "UPDATE stop_time SET headsign = headsign || 'longer than it was before' WHERE stop % 3 = 0",
            "INSERT INTO stop_time SELECT trip + 1, stop_sequence + 7, stop, departure_time, headsign, distance FROM stop_time",
            "DELETE FROM stop_time WHERE departure_time % 5 < 2",
            "UPDATE stop_time SET stop = stop + 1, trip = -trip - 1",
            "DELETE FROM stop_time WHERE stop > 10", "DELETE FROM stop_time",
        ]
        for edit in edits {
            for connection in [ours, theirs] { try connection.execute(edit) }
            #expect(try Connection.faults(of: path) == [])
            #expect(try ours.rows("SELECT * FROM stop_time") == theirs.rows("SELECT * FROM stop_time"))
        }
    }
}
