import FoundationEssentials
import Synchronization
import SQLite
import Testing
import TransitStore

@Suite struct PlanTests {
    private static let oddNames = [
        "my \"big\" table", "two words", " AS t0 ", "1st", "Größe", "a\"", "x AS t0 FROM y", "t0",
    ]

    /// Names of tables may be anything.
    @Test func tablesWithAnyName() throws {
        let store = try TestStore { connection in
            for table in Self.oddNames {
                let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
                try connection.execute("CREATE TABLE \(quoted)(id INTEGER PRIMARY KEY, name TEXT)")
                try connection.execute("INSERT INTO \(quoted) VALUES (1, 'a'), (2, 'b')")
            }
        }
        let opened = try store.open()
        for table in Self.oddNames {
            let request = FetchRequest<StoredRow>(
                entity: table, where: try Condition(format: "name = 'a'", entity: table, in: opened))
            let plan = try opened.makeContext().explain(request, bigTable: 1)
            #expect(plan.warnings.count == 1 && plan.warnings[0].contains("goes through all 2 rows"), "\(plan)")
        }
    }

    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func fullScansOfBigTablesAreWarnings() throws {
        let context = try context()
        let request = FetchRequest<StopTime>(where: #Predicate { $0.stopHeadsign == "Zoo" })
        let plan = try context.explain(request, bigTable: 10)
        #expect(plan.steps == ["SCAN t0"])
        #expect(plan.warnings == ["SCAN t0 goes through all 14 rows of stop_time"])
        #expect(plan.description.hasSuffix("\n  SCAN t0\n  warning: SCAN t0 goes through all 14 rows of stop_time"))
        #expect(try context.explain(request).warnings == [])
        #expect(try context.explain(request, bigTable: 14).warnings.count == 1)
        #expect(try context.explain(request, bigTable: 15).warnings == [])
    }

    @Test func documentedQueriesDoNotScan() throws {
        try fixture.get().pretendRows(10_000, in: ["stop", "search_term"])
        let context = try context()
        let (eight, halfPastEight) = (ServiceTime(hours: 8), ServiceTime(hours: 8, minutes: 30))
        let departures: Predicate<Stop> = #Predicate {
            $0.stopTimes.contains { eight <= $0.departureTime && $0.departureTime <= halfPastEight }
        }
        let requests: [FetchRequest<Stop>] = [
            FetchRequest(where: .within(meters: 80, of: TestStore.pointOfInterest)),
            FetchRequest(where: .within(meters: 800, of: TestStore.pointOfInterest) && departures),
            FetchRequest(where: .name(beginsWith: "u gorli")), FetchRequest(where: .name(hasWords: "gorli bahn")),
            FetchRequest(where: #Predicate { $0.stopID == "s1" }), FetchRequest(where: #Predicate { $0.id == 1 }),
            FetchRequest(where: #Predicate { $0.parentStation?.id == 1 }),
        ]
        for request in requests {
            #expect(try context.explain(request, bigTable: 1).warnings == [], "\(request)")
        }
        let ofStop = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 2 && $0.departureTime >= eight })
        #expect(
            try context.explain(ofStop, bigTable: 1).steps
                == ["SEARCH t0 USING INDEX stop_time_stop_departure_time (stop=? AND departure_time>?)"])
        let byName = FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == "t1" })
        #expect(try context.explain(byName, bigTable: 1).warnings == [])
    }

    @Test func sqlDebugWritesInTheStyleOfCoreData() throws {
        let lines = Lines()
        let store = try fixture.get().open { $0.sqlDebug = SQLDebug(level: 2) { lines.append($0) } }
        _ = try store.makeContext().fetchCount(FetchRequest<Stop>(where: #Predicate { $0.id < 3 }))
        let written = lines.all.filter { !$0.contains("sqlite_schema") }
        #expect(written.contains("TransitStore: sql: SELECT count(*) FROM stop AS t0 WHERE t0.id < ?"))
        #expect(written.contains("TransitStore: details: bind[1] = 3"))
        #expect(
            written.last?.wholeMatch(
                of: /TransitStore: annotation: total fetch execution time: \d\.\d{4}s for 1 rows\./) != nil)
    }
}

/// Lines written by any thread.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
