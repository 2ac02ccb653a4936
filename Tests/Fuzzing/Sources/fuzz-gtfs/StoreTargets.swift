import FoundationEssentials
import TransitStore

/// Reads the bytes as a condition on stops, stop times or groups and compiles it to SQL.
func readPredicate(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    switch kind % 4 {
    case 0: translate { try FetchRequest<Stop>(where: Condition(format: text)) }
    case 1: translate { try FetchRequest<StopTime>(where: Condition(format: text, "a", 1, 2.5, ["b", "c"])) }
    case 2:
        translate {
            var request = FetchRequest<StopTime>()
            request.propertiesToGroupBy = [.attribute(\.stop)]
            request.resultType = .dictionaries
            request.havingPredicate = try Condition(having: text)
            return request
        }
    default: _ = try? TemplateFile(text: text, name: "templates.ini")
    }
}

private func translate<Entity: StoreEntity>(_ make: () throws -> FetchRequest<Entity>) {
    guard let request = try? make() else { return }
    _ = try? request.sql()
    _ = request.predicate.description
}

/// Reads the bytes as the lines of a request and runs it on the sample store.
func runRequest(_ bytes: [UInt8]) {
    guard let store = sampleStore.store else { return }
    run(String(decoding: bytes, as: UTF8.self), store)
}

/// Runs a request of seven lines: entity, condition, sort, properties, groups, having, prefetch.
private func run(_ words: String, _ store: TransitStore) {
    let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func line(_ index: Int) -> String { index < lines.count ? lines[index] : "" }
    var text = RequestText(entity: line(0))
    (text.predicate, text.sort, text.properties) = (line(1), line(2), line(3))
    (text.groupBy, text.having, text.prefetch) = (line(4), line(5), line(6))
    text.limit = 50
    guard let request: FetchRequest<StoreObject> = try? text.request(in: store) else { return }
    let context = store.makeContext()
    _ = try? context.fetchCount(request)
    _ = try? context.execute(request)
}

private let requests = [
    "Stop\nname CONTAINS[cd] 'a'\nname[cd]", "StopTime\nstop.name != 'x' AND trip.route.shortName != 'y'",
    "Trip\nSUBQUERY(stopTimes, $x, $x.departureTime > '8:00').@count > 1", "Route", "fare_attribute", "location",
    "StopTime\n\n\nstop, @count AS n, @min.departureTime\nstop\n@count > 1", "notice", "kept_value", "shape_point",
]

/// Changes bytes of the sample store and runs all requests on it. Every four input bytes are an offset and a value. The
/// store must answer or throw, whether its pages are read or mapped. Past the end of a mapped page, SQLite would see
/// the next page, and past the last page no memory at all.
func readDamagedStore(_ bytes: [UInt8]) {
    var store = sampleStore.bytes
    guard !store.isEmpty else { return }
    for start in stride(from: 0, to: bytes.count - 3, by: 4) {
        let place = Int(bytes[start]) | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]) << 16
        store[place % store.count] = bytes[start + 3]
    }
    let file = MemoryFile(store)
    var configuration = TransitStore.Configuration()
    configuration.isMemoryMapped = bytes.count % 2 == 1
    guard let damaged = try? TransitStore(path: file.path, configuration: configuration) else { return }
    for request in requests { run(request, damaged) }
    askForDepartures(damaged)
}

/// Fetches a week's departures and arrivals at a stop and around a place. Searches in other spellings and with a wrong
/// letter, and for the nearest stops. Fetches runs of trips with frequencies, then departures with these trips changed.
private func askForDepartures(_ store: TransitStore) {
    let context = store.makeContext()
    let monday = Instant(unixSeconds: 1_780_000_000)
    for place in [
        DepartureRequest.Place.stops(["bahnhof"]), .near(Coordinate(latitude: 53.4, longitude: 12.6), meters: 900),
    ] {
        var request = DepartureRequest(place, from: monday, within: .seconds(7 * 86_400))
        request.limit = 300
        _ = try? store.departures(request)
        request.event = .arrivals
        _ = try? store.departures(request)
    }
    for text in ["markt", "goerlitz", "marlt"] { _ = try? context.searchStops(text, limit: 9) }
    _ = try? context.nearestStops(to: Coordinate(latitude: 53.4, longitude: 12.6), limit: 3)
    let repeated = FetchRequest<Trip>(where: #Predicate { !$0.frequencies.isEmpty })
    for trip in (try? context.fetch(repeated))?.prefix(2) ?? [] {
        _ = try? trip.runs(on: ServiceDate(20_260_601))
        _ = try? trip.serviceDays()
        try? trip.setValue("x", for: "headsign")
    }
    var changed = DepartureRequest(.stops(["bahnhof"]), from: monday, within: .seconds(86_400))
    changed.limit = 300
    _ = try? context.departures(changed)
}
