import Foundation
import Glibc
import SQLite
import TestSupport
import Testing
import TransitStore

/// Walking through many rows in batches takes little memory: a constant amount, plus eight bytes a row if sorted.
///
/// Each test runs in its own process, because the memory of other tests cannot be told apart. Only memory that the
/// process alone can give back counts. Pages of the store do not: the system reclaims them when it likes.
@Suite(.enabled(if: !isSanitized, "sanitizers take memory of their own")) struct BatchMemoryTests {
    private static let rows = 200_000
    /// The promise: three million stop times within 64 MB. Half of it is for the program itself.
    private static let mostBytes = 32 << 20
    private static let promisedRows = 3_000_000

    private static func fixture() throws -> TestStore {
        try TestStore { connection in
            for id in 0..<100 { try connection.insertStop(id, "Stop \(id)", 52, 13 + Double(id) / 100) }
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(rows))
                INSERT INTO stop_time(trip, stop_sequence, stop, arrival_time, departure_time, stop_headsign)
                SELECT i / 20, i % 20, i % 100, 20000 + i * 7919 % 80000, 20000 + i * 7919 % 80000, 'Headsign ' || i
                FROM n
                """)
        }
    }

    /// The memory that only this process has, in bytes (RssAnon, proc_pid_status(5)).
    private static func privateBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.filter(\.isNumber))) * 1_024
    }

    /// The most that memory grows while a request's rows are read from first to last.
    private static func growth(walking request: FetchRequest<StopTime>, _ context: StoreContext) throws -> Int {
        let before = try privateBytes()
        var most = before
        let times = try context.fetchBatches(request)
        try #require(times.count == rows)
        for index in times.indices {
            try #require(times.object(at: index).stopHeadsign?.hasPrefix("Headsign ") == true)
            if index % 10_000 == 0 { most = max(most, try privateBytes()) }
        }
        return max(most, try privateBytes()) - before
    }

    @Test func aWholeTableTakesTheSameHoweverManyRows() async {
        await #expect(processExitsWith: .success) {
            let store = try Self.fixture()
            let context = try store.context()
            var request = FetchRequest<StopTime>()
            request.fetchBatchSize = 200
            let growth = try Self.growth(walking: request, context)
            // Less than half a key (8 bytes) for each row, so there is no list of keys.
            try #require(growth < Self.rows * 8 / 2, "grew by \(growth) bytes")
        }
    }

    @Test func aSortedTableTakesEightBytesARow() async {
        await #expect(processExitsWith: .success) {
            let store = try Self.fixture()
            let context = try store.context()
            var request = FetchRequest<StopTime>()
            request.sortDescriptors = [.descending(\.departureTime)]
            request.fetchBatchSize = 200
            let growth = try Self.growth(walking: request, context)
            let constant = growth - Self.rows * 8
            try #require(constant + Self.promisedRows * 8 < Self.mostBytes, "grew by \(growth) bytes")
        }
    }

    /// Hundreds of statements stay prepared, and some requests stay known. Long texts do not stay with them.
    @Test func preparedStatementsKeepNoLongTexts() async {
        await #expect(processExitsWith: .success) {
            let store = try Self.fixture()
            let context = try store.context()
            let text = String(repeating: "x", count: 1 << 20)
            let before = try Self.privateBytes()
            var terms = "id >= 0"
            for number in 1...100 {
                terms += " AND id != \(number)"
                let named = FetchRequest<Stop>(where: try Condition(format: terms + " AND name = %@", text))
                try #require(try context.fetchCount(named) == 0)
                try #require(try context.fetchIDs(named).isEmpty)
                try #require(
                    try context.fetchRows(sql: "SELECT \(number) FROM stop WHERE name = ?", text).isEmpty)
                for try await _ in context.rowsInBackground(of: named) { try #require(Bool(false)) }
            }
            let growth = try Self.privateBytes() - before
            try #require(growth < 32 << 20, "grew by \(growth) bytes")
        }
    }

    /// Checks the memory figures on the page about faults. The row cache and the connection hold some of the same rows.
    @Test func aHeldFaultTakesWhatIsDocumented() async {
        await #expect(processExitsWith: .success) {
            let store = try Self.fixture()
            let context = try store.context()
            let before = try Self.privateBytes()
            let times = try context.fetch(FetchRequest<StopTime>())
            try #require(times.count == Self.rows)
            let perRow = (try Self.privateBytes() - before) / Self.rows
            try #require((300...450).contains(perRow), "a fault takes \(perRow) bytes")
            for time in times { try #require((time.departureTime?.seconds ?? 0) > 0) }
            let filled = (try Self.privateBytes() - before) / Self.rows
            try #require(filled <= perRow + 10, "a filled object takes \(filled) bytes, a fault \(perRow)")
            try #require(context.statistics.statements == 1)
        }
    }
}
