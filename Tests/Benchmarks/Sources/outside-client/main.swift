// A program in another package. It imports a feed, queries its store in every way that the library offers, and exits
// with 1 if an answer is wrong. `make check-client` builds it twice with optimization, in the language modes 6 and 5.

import Foundation
import GTFSImport
import TransitStore

/// Prints and counts wrong answers.
struct Report {
    private(set) var faults = 0

    mutating func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
        guard value != expected else { return }
        faults += 1
        print("\(what): \(value), not \(expected)")
    }
}

/// Imports the feed twice and returns the store's path.
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

/// Predicates that capture objects, ids and enumerations as they are, without conversion.
func askByObjects(_ context: StoreContext, _ report: inout Report) throws {
    guard let market = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" })) else {
        return report.expect("market", "none", "markt")
    }
    let calls = FetchRequest<StopTime>(where: #Predicate { $0.stop == market })
    report.expect("calls of an object", try context.fetchCount(calls), market.stopTimes.count)
    report.expect(
        "others", try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.stop != market })) > 0, true)
    let id = try JSONDecoder().decode(ObjectID.self, from: JSONEncoder().encode(market.objectID))
    report.expect("id", "\(id)".isEmpty, false)
    // A decoded id stands for the context's first store, so the requests differ, and their rows do not.
    let callsOfID = FetchRequest<StopTime>(where: #Predicate { $0.stop.objectID == id })
    report.expect("calls of an id", try context.fetchIDs(callsOfID), try context.fetchIDs(calls))
    let station = market.parentStation
    let siblings = FetchRequest<Stop>(where: #Predicate { $0.parentStation == station })
    report.expect("siblings", try context.fetch(siblings).contains(market), true)
    let kinds = FetchRequest<Stop>(where: #Predicate { $0.locationType.isStation || $0.locationType == 2 })
    report.expect("kinds", try Set(context.fetch(kinds).map(\.locationType)), [.station, .entrance])
    report.expect(
        "unknown", try context.fetchCount(FetchRequest<Route>(where: #Predicate { $0.routeType == 4_711 })), 0)
    report.expect("other", RouteType.other(4_711).rawValue, 4_711)
    let buses = FetchRequest<Route>(where: #Predicate { $0.routeType?.isBus == true })
    report.expect("buses", try context.fetch(buses).allSatisfy { $0.routeType?.isBus == true }, true)
}

/// Groups, batches, prefetching and unsaved changes.
func askInOtherForms(_ context: StoreContext, _ report: inout Report) throws {
    let lines = FetchRequest<Trip>().selecting(.attribute(\.route.shortName, as: "line"), .count())
        .groups(by: .attribute(\.route.shortName), having: .count() > 4).sorted(by: .by(.count(), ascending: false))
    let counts = try context.fetchRows(lines).compactMap { $0["count"].integer }
    report.expect("groups", !counts.isEmpty && counts == counts.sorted(by: >) && counts.allSatisfy { $0 > 4 }, true)
    let trips = try context.fetch(FetchRequest<Trip>(limit: 3).prefetching(\.stopTimes, \.route))
    report.expect("prefetched", trips.allSatisfy { !$0.stopTimes.isEmpty && !$0.route.routeID.isEmpty }, true)
    report.expect(
        "batches", try context.fetchBatches(FetchRequest<Stop>()).count, try context.fetchCount(FetchRequest<Stop>()))
    guard let call = trips.first?.stopTimes.first else { return report.expect("call", "none", "one") }
    try call.set(\.departureTime, to: ServiceTime(hours: 99))
    let late = ServiceTime(hours: 98)
    report.expect(
        "changed", try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.departureTime > late })), [call])
    context.rollback()
    do {
        try call.trip.set(\.id, to: 7)
        report.expect("key", "set", "refused")
    } catch {
        report.expect("key", error.code, .unsuitableValue)
    }
    report.expect("feed's own columns", try call.trip.feedColumns(), [:])
}

@MainActor func run() async throws -> Int {
    var report = Report()
    let feed = CommandLine.arguments.dropFirst().first ?? "pipelines/sample-feed"
    let path = try importFeed(feed, &report)
    defer { try? FileManager.default.removeItem(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path) }
    let store = try TransitStore(path: path)
    try askTyped(store.makeContext(), &report)
    try askByObjects(store.makeContext(), &report)
    try askInOtherForms(store.makeContext(), &report)
    let all = try await store.makeContext().fetchCountInBackground(FetchRequest<Stop>())
    report.expect("in background", all, try store.makeContext().fetchCount(FetchRequest<Stop>()))
    let words = FetchRequest<Stop>(where: .name(beginsWith: "mohnstadt"))
    let first = try await store.makeContext().fetchFirstInBackground(words)
    report.expect("first in background", first?.name, "Mohnstadt Bahnhof")
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
