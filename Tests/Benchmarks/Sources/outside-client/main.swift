// A program of another package: imports a feed, asks its store in every way that the library offers, and ends with 1
// where an answer is wrong. It is built twice, in the language modes 6 and 5, with optimization: make check-client

import Foundation
import GTFSImport
import TransitStore

/// Says and counts what is not as it should be.
struct Report {
    private(set) var faults = 0

    mutating func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
        guard value != expected else { return }
        faults += 1
        print("\(what): \(value), not \(expected)")
    }
}

/// Imports the feed twice; answers the store's path.
func importFeed(_ feed: String, _ report: inout Report) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "outside-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let options = ImportOptions(feed: feed, store: folder.appending(path: "a.sqlite").path)
    let (first, error) = Importer(options).run()
    report.expect("import", error?.message, nil)
    report.expect("status", first.status, .published)
    report.expect("second status", Importer(options).run().report.status, .unchanged)
    let refused = Importer(ImportOptions(feed: feed + "-missing", store: options.store)).run().error
    report.expect("code", refused?.code, .cannotOpenFeed)
    report.expect("place", refused?.place, feed + "-missing")
    return options.store
}

func askTyped(_ context: StoreContext, _ report: inout Report) throws {
    let (eight, nine) = (ServiceTime(hours: 8), ServiceTime(hours: 9))
    let served: Predicate<Stop> = #Predicate {
        $0.stopTimes.contains { eight <= $0.departureTime && $0.departureTime <= nine }
    }
    let request = FetchRequest<Stop>(where: .name(beginsWith: "fahr")).filter(served).sorted(by: .ascending(\.name))
        .limit(3)
    let stops = try context.fetch(request)
    report.expect("names", stops.map(\.name), ["Fährhafen"])
    report.expect("count", try context.fetchCount(request), 1)
    report.expect("first", try context.fetchFirst(request) === stops.first, true)
    report.expect("ids", try context.fetchIDs(request), stops.map(\.objectID))
    guard let stop = stops.first else { return }
    let id = stop.id
    let calls = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == id })
    report.expect("calls", try context.fetchCount(calls), stop.stopTimes.count)
    let sql = "SELECT count(*) AS n FROM stop_time WHERE stop = ?"
    report.expect("SQL", try context.fetchRows(sql: sql, stop.id).first?["n"], .integer(Int64(stop.stopTimes.count)))
    do {
        _ = try context.fetch(FetchRequest<Stop>(where: Condition(format: "nmae = 'x'")))
        report.expect("error", "none", "unknownProperty")
    } catch {
        report.expect("error", error.code, .unknownProperty)
    }
}

@MainActor func run() async throws -> Int {
    var report = Report()
    let feed = CommandLine.arguments.dropFirst().first ?? "pipelines/sample-feed"
    let path = try importFeed(feed, &report)
    defer { try? FileManager.default.removeItem(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path) }
    let store = try TransitStore(path: path)
    try askTyped(store.makeContext(), &report)
    let all = try await store.makeContext().fetchCountInBackground(FetchRequest<Stop>())
    report.expect("in background", all, try store.makeContext().fetchCount(FetchRequest<Stop>()))
    let words = FetchRequest<Stop>(where: .name(beginsWith: "mohnstadt"))
    if let stop = try store.makeContext().fetchFirst(words) {
        let noon = Instant("2026-11-23T12:00:00+01:00") ?? .now
        let departures = try store.makeContext().departures(at: stop, from: noon, within: .seconds(86_400), limit: 5)
        report.expect("departures are in order", departures.map(\.instant), departures.map(\.instant).sorted())
        report.expect("departures", departures.isEmpty, false)
    }
    return report.faults
}

do {
    exit(try await run() == 0 ? 0 : 1)
} catch {
    print("\(error)")
    exit(1)
}
