import GTFSFeed
import GTFSSchema

/// Finds what the chosen trips need, by following the references that the specification declares.
extension FeedSurvey {
    mutating func followTrips() throws {
        let emptyFields = try follow("trips.txt", owner: "trip_id")
        if let calledStops {
            needed.set("stop", "stop_id", calledStops)
        } else {
            try follow("stop_times.txt", owner: "trip_id")
        }
        try follow("routes.txt", owner: "route_id")
        try followUnknownAgencies(hasTripWithoutRoute: emptyFields.contains("route_id"))
        try follow("location_group_stops.txt", owner: "location_group_id")
        try followStations()
        try follow("stops.txt", owner: "stop_id")
        try follow("booking_rules.txt", owner: "booking_rule_id")
        // timeframes.txt may name services that no trip has, so all its rows are followed.
        try follow("timeframes.txt", owner: nil)
        try keepFares()
    }

    /// Adds everything that needed rows refer to; without an `owner`, everything that any row refers to.
    /// Returns the references that are empty in one of the rows.
    @discardableResult
    private mutating func follow(_ file: String, owner: String?) throws -> [String] {
        guard let definition = Specification.gtfs.file(named: file) else { return [] }
        let references = definition.fields.filter { $0.type == .reference && $0.name != owner }
        let maps = references.compactMap(\.targets.first).map { needed.map(of: $0) }
        let first = owner.map { [$0] } ?? []
        let owners = owner.flatMap(definition.field(named:)).map { field in
            needed.map(of: field.targets.first ?? ColumnReference(table: definition.table, column: field.column))
        }
        var isEmpty = [Bool](repeating: false, count: maps.count)
        try scan.rows(of: file, first + references.map(\.name), owners: owners) { row in
            for (index, map) in maps.enumerated() {
                let id = row.text(first.count + index)
                if id.isEmpty { isEmpty[index] = true } else { map.add(id) }
            }
        }
        return zip(references, isEmpty).filter(\.1).map(\.0.name)
    }

    /// If a needed route names no agency, all agencies are kept, as it may belong to any of them. If it names an
    /// unknown one, or a trip has no route that the feed knows, the first agency is kept, because its time zone counts.
    private mutating func followUnknownAgencies(hasTripWithoutRoute: Bool) throws {
        let (routes, agencies) = (needed.map("route", "route_id"), needed.map("agency", "agency_id"))
        let known = (routes: IdentifierMap(), agencies: IdentifierMap())
        try scan.rows(of: "agency.txt", ["agency_id"]) { known.agencies.add($0.text(0)) }
        var (isUnnamed, isUnknown) = (false, hasTripWithoutRoute)
        try scan.rows(of: "routes.txt", ["route_id", "agency_id"], owners: routes) { row in
            known.routes.add(row.text(0))
            if row.text(1).isEmpty { isUnnamed = true } else if !row.isIn(known.agencies, field: 1) { isUnknown = true }
        }
        guard isUnnamed || isUnknown || known.routes.count < routes.count else { return }
        var isFirst = true
        try scan.rows(of: "agency.txt", ["agency_id"]) { row in
            if isUnnamed || isFirst { agencies.add(row.text(0)) }
            isFirst = false
        }
    }

    // MARK: Stations

    /// Adds the stations of needed stops, and all entrances, nodes and boarding areas of what is kept. Other platforms
    /// are not needed.
    private mutating func followStations() throws {
        var tree = StopTree()
        try scan.rows(of: "stops.txt", ["stop_id", "parent_station", "location_type"]) { row in
            tree.add(row)
        }
        tree.complete(needed.map("stop", "stop_id"))
    }

    // MARK: Fares

    /// In the older fare model, a fare without rules is valid everywhere. So a fare that loses all its rules is left
    /// out. A fare is also left out if a rule requires a zone that is gone (contains_id): without that rule it would
    /// apply to trips through fewer zones.
    private mutating func keepFares() throws {
        guard scan.inventory.has("fare_attributes.txt") else { return }
        let rules = try fareRules()
        let (agencies, fares, seen) = (needed.map("agency", "agency_id"), IdentifierMap(), IdentifierMap())
        try scan.rows(of: "fare_attributes.txt", ["fare_id", "agency_id"]) { row in
            // If several rows have the same ID, the first counts, as in the store.
            guard seen.add(row.text(0)) else { return }
            guard row.text(1).isEmpty || row.isIn(agencies, field: 1) else { return }
            let id = row.text(0)
            let hasKeptRule = rules.kept.contains(id) && !rules.needingLostZone.contains(id)
            if hasKeptRule || !rules.all.contains(id) { fares.add(id) }
        }
        needed.set("fare_attribute", "fare_id", fares)
    }

    /// The fares that have rules, the fares that keep at least one rule, and the fares with a rule that contains a zone
    /// that is gone.
    private mutating func fareRules() throws -> (
        all: IdentifierMap, kept: IdentifierMap, needingLostZone: IdentifierMap
    ) {
        let zones = IdentifierMap()
        try scan.rows(of: "stops.txt", ["stop_id", "zone_id"], owners: needed.map("stop", "stop_id")) {
            zones.add($0.text(1))
        }
        // A trip may name a route that the feed lacks. Its rules are left out as well.
        let routes = IdentifierMap()
        try scan.rows(of: "routes.txt", ["route_id"], owners: needed.map("route", "route_id")) {
            routes.add($0.text(0))
        }
        let (all, kept, needingLostZone) = (IdentifierMap(), IdentifierMap(), IdentifierMap())
        let fields = ["fare_id", "route_id", "origin_id", "destination_id", "contains_id"]
        try scan.rows(of: "fare_rules.txt", fields) { row in
            func stands(_ field: Int, _ map: IdentifierMap) -> Bool {
                row.text(field).isEmpty || row.isIn(map, field: field)
            }
            all.add(row.text(0))
            guard stands(1, routes), stands(2, zones), stands(3, zones) else { return }
            (stands(4, zones) ? kept : needingLostZone).add(row.text(0))
        }
        return (all, kept, needingLostZone)
    }
}

/// The stops of a feed and their parents.
private struct StopTree {
    private let keys = IdentifierMap()
    private let parentNames = IdentifierMap()
    /// By stop: the key of its parent's name, or -1; and its location type.
    private var parents: [Int32] = []
    private var types: [Int64] = []

    /// If several rows have the same ID, the first counts, as in the store.
    mutating func add(_ row: ScannedRow) {
        let id = row.text(0)
        guard !id.isEmpty, keys.insert(id, key: Int32(clamping: parents.count)) == nil else { return }
        types.append(row.integer(2) ?? 0)
        let (parent, next) = (row.text(1), Int32(clamping: parentNames.count))
        parents.append(parent.isEmpty ? -1 : parentNames.insert(parent, key: next) ?? next)
    }

    /// Adds the parents of needed stops, and the entrances, nodes and boarding areas that belong to them.
    func complete(_ needed: IdentifierMap) {
        let parentOf = resolvedParents()
        var isNeeded = [Bool](repeating: false, count: parents.count)
        var children: [Int: [Int]] = [:]
        for (stop, parent) in parentOf.enumerated() where parent >= 0 && (2...4).contains(types[stop]) {
            children[parent, default: []].append(stop)
        }
        var waiting: [Int] = []
        keys.forEach { id, key in
            if needed.contains(id) { waiting.append(Int(key)) }
        }
        while let stop = waiting.popLast() {
            guard !isNeeded[stop] else { continue }
            isNeeded[stop] = true
            if parentOf[stop] >= 0 { waiting.append(parentOf[stop]) }
            waiting += children[stop] ?? []
        }
        keys.forEach { id, key in
            if isNeeded[Int(key)] { needed.add(id) }
        }
    }

    /// By stop: the key of its parent, or -1 if it has none or the file does not contain it.
    private func resolvedParents() -> [Int] {
        var stopOfName = [Int](repeating: -1, count: parentNames.count)
        parentNames.forEach { name, key in
            if let stop = keys.key(of: name) { stopOfName[Int(key)] = Int(stop) }
        }
        return parents.map { $0 < 0 ? -1 : stopOfName[Int($0)] }
    }
}
