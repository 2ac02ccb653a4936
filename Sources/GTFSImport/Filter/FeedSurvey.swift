// Unsafe only for cells: they are bytes in the reader's block.

import GTFSFeed
import GTFSSchema

/// The IDs of the rows that a filtered store needs, by ID column.
///
/// In a table without an entry here, a row is kept if everything that it refers to is kept (`RowFilter`).
struct NeededIDs {
    private(set) var maps: [ColumnReference: IdentifierMap] = [:]
    /// Warnings for the operator about the filter.
    var warnings: [String] = []

    /// The IDs of a column; empty at first.
    mutating func map(of column: ColumnReference) -> IdentifierMap {
        if let map = maps[column] { return map }
        let map = IdentifierMap()
        maps[column] = map
        return map
    }

    mutating func map(_ table: String, _ column: String) -> IdentifierMap {
        map(of: ColumnReference(table: table, column: column))
    }

    mutating func set(_ table: String, _ column: String, _ map: IdentifierMap) {
        maps[ColumnReference(table: table, column: column)] = map
    }
}

extension IdentifierMap {
    /// Adds a text if it is new and not empty; returns whether it did. The key is the number of texts before it.
    @discardableResult
    func add(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.isEmpty && insert(text, key: Int32(clamping: count)) == nil
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool { key(of: text) != nil }

    convenience init(_ ids: [String]) {
        self.init()
        for id in ids {
            var id = id
            _ = id.withUTF8 { add(UnsafeRawBufferPointer($0)) }
        }
    }
}

/// Scans a feed before it is read: finds the trips that a filter chooses, and what these trips need.
///
///     let needed = try FeedSurvey(filter, scan).run()
///
/// Reads the small files, and stop_times.txt once. For a box, stop_times.txt may be read up to three times
/// (`BoxCalls`). Memory grows with the kept IDs and the number of stops; for dates also with the exceptions within
/// them; for a box also with the calls of the candidate trips (8 bytes each, at most 64 MiB) and with the calls in
/// doubt.
struct FeedSurvey {
    private let filter: FeedFilter
    let scan: FileScan
    var needed = NeededIDs()
    /// The stops of the chosen trips, if the search in the box has found them.
    var calledStops: IdentifierMap?

    init(_ filter: FeedFilter, _ scan: FileScan) {
        self.filter = filter
        self.scan = scan
    }

    /// Throws `feedRefused` if no trip is left.
    func run() throws -> NeededIDs {
        var survey = self
        let trips = try survey.chosenTrips()
        guard trips.count > 0 else {
            throw ImportError(
                .feedRefused,
                (["\(scan.feed.place): with \(filter.options), no trip remains"] + survey.needed.warnings)
                    .joined(separator: "; "))
        }
        survey.needed.set("trip", "trip_id", trips)
        try survey.followTrips()
        return survey.needed
    }

    // MARK: Trips

    private mutating func chosenTrips() throws -> IdentifierMap {
        let routes = try chosenRoutes()
        let services = try filter.dates.map { try ChosenServices(running: $0).read(scan) }
        let (trips, seen) = (IdentifierMap(), IdentifierMap())
        try scan.rows(of: "trips.txt", ["trip_id", "route_id", "service_id"]) { row in
            // If several rows have the same ID, the first counts, as in the store. The same holds for routes and stops.
            guard seen.add(row.text(0)) else { return }
            if let routes, !row.isIn(routes, field: 1) { return }
            if let services, !row.isIn(services, field: 2) { return }
            trips.add(row.text(0))
        }
        guard let box = filter.box, trips.count > 0 else { return trips }
        var calls = BoxCalls(of: trips, in: try BoxPlaces(box).read(scan))
        try calls.read(scan)
        calledStops = calls.stops
        return calls.trips
    }

    /// Nil if any route will do. If the feed has only one agency, routes need not name it.
    private mutating func chosenRoutes() throws -> IdentifierMap? {
        guard filter.routes != nil || filter.agencies != nil else { return nil }
        let routes = filter.routes.map(IdentifierMap.init)
        let agencies = filter.agencies.map(IdentifierMap.init)
        let found = (routes: IdentifierMap(), agencies: IdentifierMap())
        var agencyCount = 0
        try scan.rows(of: "agency.txt", ["agency_id"]) { row in
            agencyCount += 1
            found.agencies.add(row.text(0))
        }
        let isSoleChosen =
            agencyCount == 1
            && filter.agencies.map { found.agencies.count == 1 && found.agencies.hasAny(of: $0) } == true
        let chosen = IdentifierMap()
        try scan.rows(of: "routes.txt", ["route_id", "agency_id"]) { row in
            guard found.routes.add(row.text(0)) else { return }
            if let routes, !row.isIn(routes, field: 0) { return }
            if let agencies, row.text(1).isEmpty ? !isSoleChosen : !row.isIn(agencies, field: 1) { return }
            chosen.add(row.text(0))
        }
        warn("--routes", filter.routes, missingIn: found.routes, file: "routes.txt")
        warn("--agencies", filter.agencies, missingIn: found.agencies, file: "agency.txt")
        return chosen
    }

    private mutating func warn(_ option: String, _ ids: [String]?, missingIn found: IdentifierMap, file: String) {
        let missing = (ids ?? []).filter { !found.hasAny(of: [$0]) }
        guard !missing.isEmpty else { return }
        let named = missing.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
        let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
        needed.warnings.append("\(option): \(file) has no \(named)\(more)")
    }
}

extension IdentifierMap {
    fileprivate func hasAny(of ids: [String]) -> Bool {
        ids.contains { id in
            var id = id
            return id.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
        }
    }
}
