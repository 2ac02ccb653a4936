import Foundation
import SQLite
import TestSupport
import Testing

@testable import TransitStore

/// With unsaved changes or several stores, conditions are partly tested in memory. If a row cannot be read meanwhile,
/// the fetch throws. Once, the values of such a row counted as missing, and the fetch found too little.
@Suite struct EvaluationFailureTests {
    private let test: TestStore
    private let context: StoreContext
    private let stop: Stop

    /// The calls of the changed stop are far behind the pages that have been read.
    init() throws {
        test = try TestStore { connection in
            try connection.insertStop(0, "Stop", 52, 13)
            try connection.insert("trip", "id, trip_id", ["0, 't'"])
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO stop_time(trip, stop_sequence, stop, departure_time) SELECT 0, i, 0, i FROM n
                """)
        }
        context = try test.open().makeContext()
        stop = try #require(try context.fetchFirst(FetchRequest<Stop>()))
        try stop.setValue("x", for: "code")
        #expect(try context.fetchCount(FetchRequest<Stop>(where: Self.hasCode)) == 1)
    }

    private static let hasCode = #Predicate<Stop> { $0.code == "x" }
    private static let hasCalls = #Predicate<Stop> { $0.code == "x" && $0.stopTimes.count > 0 }

    private func cutStore() throws {
        let file = try #require(FileHandle(forWritingAtPath: test.path))
        try file.truncate(atOffset: 8_192)
        try file.close()
    }

    @Test func `a condition that cannot be tested throws`() async throws {
        try cutStore()
        let request = FetchRequest<Stop>(where: Self.hasCalls)
        #expect(throws: StoreError.self) { try context.fetchCount(request) }
        #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(throws: StoreError.self) { try context.fetchIDs(request) }
        #expect(throws: StoreError.self) { try context.fetchBatches(request) }
        #expect(throws: StoreError.self) { try context.fetchRows(request) }
        await #expect(throws: StoreError.self) { try await context.fetchCountInBackground(request) }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: Self.hasCode)) == 1)
    }

    @Test func `an order that cannot be found throws`() throws {
        var request = FetchRequest<Stop>(where: Self.hasCode)
        request.sortDescriptors = [.ascending(\.stopTimes.count)]
        try cutStore()
        #expect(throws: StoreError.self) { try context.fetch(request) }
    }

    @Test func `a row that the store lacks reads as missing`() throws {
        let call = context.insert(StopTime.self)
        try call.setValue(99, for: "trip")
        #expect(try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == "u" })) == 0)
    }

    @Test func `a row of a store that the context does not read reads as missing`() throws {
        let other = try TestStore.berlin()
        let route = try #require(try other.context().object(Route.self, id: 0))
        let (trip, call) = (context.insert(Trip.self), context.insert(StopTime.self))
        try trip.set(\.route, to: route)
        try call.set(\.trip, to: trip)
        let name = route.shortName
        let calls = FetchRequest<StopTime>(where: #Predicate { $0.trip.route.shortName == name })
        #expect(try context.fetchCount(calls) == 0)
        #expect(context.lastError?.code == .unknownStore)
    }

    /// A loop over the rows of a statement may run others. Their limits must not lengthen that of the loop.
    @Test func `statements within a loop do not lengthen its time limit`() throws {
        let test = try TestStore { connection in
            for id in 0..<3_000 { try connection.insertStop(id, "Stop \(id)", 52, 13) }
        }
        let context = try test.open { $0.timeLimit = 0.2 }.makeContext()
        let error = #expect(throws: StoreError.self) {
            try context.forEachRow(of: FetchRequest<Stop>()) { _ in
                _ = try context.fetchCount(FetchRequest<Stop>(where: #Predicate { $0.id == 1 }))
                usleep(1_000)
            }
        }
        #expect(error?.code == .timedOut)
    }

    /// SQL and memory give the same error code for a pattern, even if the pattern contains words of error messages.
    @Test(arguments: ["(too long", "[too many", "(at most "])
    func `a wrong pattern is an unsuitable value`(pattern: String) throws {
        let matching = try Condition<Stop>(format: "name MATCHES $P").substituting(["P": pattern])
        for isChanged in [false, true] {
            if isChanged { try context.insert(Stop.self).setValue("x", for: "name") }
            let error = #expect(throws: StoreError.self) { try context.fetchCount(FetchRequest<Stop>(where: matching)) }
            #expect(error?.code == .unsuitableValue)
            #expect(error?.message.hasPrefix("MATCHES '\(pattern)': ") == true, "\(error?.message ?? "")")
        }
    }

    /// The limit counts from the beginning of each statement, also of one that is read row by row.
    @Test func `the time limit begins anew with merged batches`() async throws {
        let test = try TestStore { connection in
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
                INSERT INTO stop(id, stop_id) SELECT i, 's' || i FROM n
                """)
        }
        let context = try test.open { $0.timeLimit = 0.3 }.makeContext()
        _ = context.insert(Stop.self)
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 10_001)
        try await Task.sleep(for: .milliseconds(400))
        #expect(try context.fetchBatches(FetchRequest<Stop>()).count == 10_001)
    }
}
