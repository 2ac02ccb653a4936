import SQLite

/// What a context's unsaved changes do to the timetable of one of its stores.
///
/// Rows of changed trips are removed from the results of statements; the trips are expanded in memory from their
/// objects. Changed services are checked in memory for whether they run. If lines or stops changed, these are read as
/// objects.
final class ChangedTimetable {
    /// Unowned, because the context owns this object.
    private unowned let context: StoreContext
    private let store: Int32
    /// Trips whose rows in the store are ignored. Some may have no changes any more: their objects are the same.
    private(set) var hiddenTrips: Set<Int64> = []
    private var callsByTrip: [Int64: [ChangedCall]] = [:]
    private var callsByStop: [Int64: [ChangedCall]] = [:]
    private var callsByRoute: [Int64: [ChangedCall]] = [:]
    /// The expanded trips without a headsign, by the last stop, whose name they show.
    private var tripsByNamingStop: [Int64: Set<Int64>] = [:]
    /// An upper bound.
    private(set) var latestTime: Int64?
    /// A lower bound: 0, or negative if times of a repeated trip go backwards.
    private(set) var earliestTime: Int64 = 0
    /// The services that may run on other days than in the store; nil for a deleted service.
    private var services: [Int64: ServiceCalendar?] = [:]
    private var routes: [Int64: RouteFacts] = [:]
    private var stops: [Int64: StopFacts?] = [:]
    /// Objects that were changed since their trips were expanded, and trips that these belonged to before.
    private var touched: Set<ObjectID> = []
    private var touchedTrips: Set<Int64> = []
    private var touchedStops: Set<Int64> = []
    let changesServices: Bool
    let changesRoutes: Bool
    private(set) var changesStops: Bool
    /// The zones that agencies name now, the first agency's first; empty unless lines or agencies changed.
    private(set) var zones: [TimetableZone] = []
    var firstZone: TimetableZone { zones.first ?? .utc }

    /// Tables on which departures depend.
    static let tables = [
        "stop_time", "trip", "frequency", "service", "service_exception", "route", "agency", "stop",
    ]

    init(_ context: StoreContext, store position: Int) throws {
        self.context = context
        store = context.stores[position].number
        let changes = context.changes
        changesServices = changes.concern("service") || changes.concern("service_exception")
        changesRoutes = changes.concern("route") || changes.concern("agency")
        changesStops = changes.concern("stop")
        hiddenTrips = try references("trip", from: Self.partsOfTrips, ofAll: changes.ids)
        if changesRoutes { zones = try agencyZones() }
        if changesStops {
            let keys = changes.ids.compactMap { $0.entity === Stop.entity ? keyHere($0) : nil }
            for key in keys { try hiddenTrips.formUnion(tripsNamedAfter(stop: key)) }
        }
        for trip in hiddenTrips.sorted() { try expand(trip) }
        if changesServices {
            let keys = try references("service", from: [("service_exception", "service")], ofAll: changes.ids)
            for key in keys {
                let service = object(Service.self, key)
                services[key] = .some(service.map { ServiceCalendar($0) })
            }
        }
    }

    private init(copyOf other: ChangedTimetable) {
        (context, store, zones) = (other.context, other.store, other.zones)
        hiddenTrips = other.hiddenTrips
        (callsByTrip, callsByStop, callsByRoute) = (other.callsByTrip, other.callsByStop, other.callsByRoute)
        tripsByNamingStop = other.tripsByNamingStop
        (latestTime, earliestTime) = (other.latestTime, other.earliestTime)
        (services, routes, stops) = (other.services, other.routes, other.stops)
        (touched, touchedTrips, touchedStops) = (other.touched, other.touchedTrips, other.touchedStops)
        (changesServices, changesRoutes) = (other.changesServices, other.changesRoutes)
        changesStops = other.changesStops
    }

    private func agencyZones() throws -> [TimetableZone] {
        let agencies = try context.fetch(FetchRequest<Agency>())
            .filter { context.changes.mayBelong($0.objectID, to: store) }
            .sorted { $0.objectID.isOrderedBefore($1.objectID) }
        return agencies.isEmpty ? [.utc] : agencies.map { .ofAgency($0.timezone) }
    }

    func hasRemoved(route key: Int64) -> Bool { object(Route.self, key) == nil }

    /// The object of a row; nil for one that was deleted.
    private func object<Entity: StoreEntity>(_ type: Entity.Type, _ key: Int64) -> Entity? {
        let id = context.id(Entity.entity, key, referredToFrom: store)
        return context.changes.haveRemoved(id) ? nil : context.object(with: id) as? Entity
    }

    /// The keys of a table's rows among these changed ones, and of the rows to which those of other tables refer now or
    /// referred before.
    private func references(
        _ table: String, from others: [(table: String, column: String)], ofAll ids: some Collection<ObjectID>
    ) throws -> Set<Int64> {
        var keys: Set<Int64> = []
        let changes = context.changes
        for id in ids where changes.mayBelong(id, to: store) {
            if id.entity.table == table, let key = id.keyValues.first?.integer { keys.insert(key) }
            guard let other = others.first(where: { $0.table == id.entity.table }),
                let column = id.entity.columnIndex(other.column)
            else { continue }
            if !changes.deleted.contains(id), let now = changes.row(of: id)?.integer(column) { keys.insert(now) }
            if !id.isTemporary, let before = try before(id, column) { keys.insert(before) }
        }
        return keys
    }

    /// The key of a changed object that may belong to this store.
    private func keyHere(_ id: ObjectID) -> Int64? {
        context.changes.mayBelong(id, to: store) ? id.keyValues.first?.integer : nil
    }

    /// The store's trips without a headsign that end at a stop: they show the name of that stop.
    private func tripsNamedAfter(stop key: Int64) throws -> [Int64] {
        guard key >= 0, let position = context.storePosition(store) else { return [] }
        let sql = SQLFragment(
            "SELECT id FROM trip WHERE headsign IS NULL AND id IN (SELECT trip FROM stop_time WHERE stop = ?1) "
                + "AND (SELECT stop FROM stop_time WHERE trip = trip.id ORDER BY stop_sequence DESC LIMIT 1) = ?1",
            bindings: [.integer(key)])
        return try context.rows(sql, store: position).compactMap { $0.integer(0) }
    }

    /// The key that a row refers to in the store.
    private func before(_ id: ObjectID, _ column: Int) throws -> Int64? {
        if case .pair(let first, _) = id.key { return first }
        if let row = context.changes.storedRows[id] { return row.integer(column) }
        let position = try context.storePosition(of: id)
        return try context.storedRow(of: id, store: position)?.integer(column)
    }

    // MARK: Trips

    private static let partsOfTrips = [(table: "stop_time", column: "trip"), (table: "frequency", column: "trip")]

    /// Notes that an object was changed. False if that may affect more than the calls of a trip: then the timetable is
    /// no longer right.
    ///
    /// A realtime overlay changes one trip after another and asks for departures in between. Expanding all changed
    /// trips again after each change would take seconds for thousands of them.
    func note(_ id: ObjectID, _ earlier: PackedRow?, _ now: PackedRow?) -> Bool {
        if id.entity === Stop.entity {
            if let key = keyHere(id) { touchedStops.insert(key) }
            return true
        }
        let table = id.entity.table
        guard table == Trip.entity.table || Self.partsOfTrips.contains(where: { $0.table == table }) else {
            return !Self.tables.contains(table)
        }
        let column = id.entity.columnIndex("trip")
        let (before, after) = (column.flatMap { earlier?.integer($0) }, column.flatMap { now?.integer($0) })
        // An inserted trip may have calls in several stores, and each of them decides which is the last one.
        for case let trip? in [before, after] where trip < 0 { touchedTrips.insert(trip) }
        guard context.changes.mayBelong(id, to: store) else { return true }
        touched.insert(id)
        if let before { touchedTrips.insert(before) }
        return true
    }

    /// Expands the trips of noted objects again. Does so in a copy if a lazy loop holds the timetable: the loop would
    /// show a call again that moved to a later day.
    static func expandAgain(_ timetable: inout ChangedTimetable) throws {
        guard !timetable.touched.isEmpty || !timetable.touchedTrips.isEmpty || !timetable.touchedStops.isEmpty else {
            return
        }
        if !isKnownUniquelyReferenced(&timetable) { timetable = ChangedTimetable(copyOf: timetable) }
        try timetable.expandAgain()
    }

    private func expandAgain() throws {
        var trips = try touchedTrips.union(references("trip", from: Self.partsOfTrips, ofAll: touched))
        for stop in touchedStops { try trips.formUnion(tripsShowing(stop: stop)) }
        if !touchedStops.isEmpty { (changesStops, stops) = (true, [:]) }
        for trip in trips.sorted() {
            hiddenTrips.insert(trip)
            let calls = callsByTrip.removeValue(forKey: trip) ?? []
            for stop in Set(calls.map(\.stop)) { callsByStop[stop]?.removeAll { $0.trip == trip } }
            for route in Set(calls.map(\.route)) { callsByRoute[route]?.removeAll { $0.trip == trip } }
            try expand(trip)
        }
        (touched, touchedTrips, touchedStops) = ([], [], [])
    }

    /// The trips that show the name of a changed stop. Calls at a deleted one need no more: departures leave them out.
    private func tripsShowing(stop: Int64) throws -> Set<Int64> {
        let unchanged = try tripsNamedAfter(stop: stop).filter { !hiddenTrips.contains($0) }
        return (tripsByNamingStop.removeValue(forKey: stop) ?? []).union(unchanged)
    }

    private func expand(_ key: Int64) throws {
        guard let trip = object(Trip.self, key), context.changes.mayBelong(trip.objectID, to: store) else { return }
        if !trip.objectID.isTemporary { try context.fill(trip) }
        let changed = try context.readingProperties { ChangedTrip(trip, in: context) }
        let calls = changed.calls.filter { isHere($0, of: trip) }
        callsByTrip[key] = calls
        if let stop = changed.namingStop { tripsByNamingStop[stop, default: []].insert(key) }
        for call in calls {
            callsByStop[call.stop, default: []].append(call)
            callsByRoute[call.route, default: []].append(call)
            latestTime = max(latestTime ?? 0, call.latestTime)
            earliestTime = min(earliestTime, call.earliestTime)
        }
    }

    /// Whether a call counts in this store. A call of an inserted trip counts in the store into which its own
    /// references lead, else in that of the trip's references, else in the context's first store.
    private func isHere(_ call: ChangedCall, of trip: Trip) -> Bool {
        guard trip.objectID.isTemporary else { return true }
        let id = ObjectID(StopTime.entity, call.key, store: context.firstNumber)
        let given = context.changes.givenStore(of: id) ?? context.changes.givenStore(of: trip.objectID)
        return (given ?? context.firstNumber) == store
    }

    func calls(atStop key: Int64) -> [ChangedCall] { callsByStop[key] ?? [] }
    func calls(ofRoute key: Int64) -> [ChangedCall] { callsByRoute[key] ?? [] }

    // MARK: Services

    /// Whether a service runs on a day; nil for an unchanged service.
    func runs(_ service: Int64, onDay number: Int64) -> Bool? {
        guard let changed = services[service] else { return nil }
        return changed?.runs(onDay: number) ?? false
    }

    /// The days between which changed services run.
    var serviceDays: [ClosedRange<Int64>] { services.values.compactMap { $0?.bounds } }

    // MARK: Lines and stops

    /// The current state of a line, from its objects.
    func route(_ key: Int64) throws -> RouteFacts {
        if let known = routes[key] { return known }
        let facts = try context.evaluating { currentRoute(key) }
        routes[key] = facts
        return facts
    }

    private func currentRoute(_ key: Int64) -> RouteFacts {
        let route = key == -1 ? nil : object(Route.self, key)
        var zone: TimetableZone?
        if let route, let id = context.referencedID(of: route, Route.Column.agency.rawValue),
            !context.changes.haveRemoved(id), let agency = context.object(with: id) as? Agency
        {
            zone = .ofAgency(agency.timezone)
        }
        let columns: [Route.Column] = [.route_id, .short_name, .long_name, .color, .text_color]
        let values = columns.compactMap { route?.value(ofColumn: $0.rawValue).sqliteValue }
        return RouteFacts(route.map { _ in key }, PackedRow(values), from: 0, zone: zone ?? firstZone)
    }

    /// The current state of a stop, from its object; nil for a deleted stop.
    func stop(_ key: Int64) throws -> StopFacts? {
        if let known = stops[key] { return known }
        let facts = try context.evaluating { object(Stop.self, key).map { currentStop($0, key) } }
        stops[key] = .some(facts)
        return facts
    }

    private func currentStop(_ stop: Stop, _ key: Int64) -> StopFacts {
        let columns: [Stop.Column] = [.id, .stop_id, .name, .platform_code]
        let row = PackedRow(columns.map { stop.value(ofColumn: $0.rawValue).sqliteValue })
        let zone = stop.topmost.timezone.flatMap(TimetableZone.named)
        return StopFacts(key: key, row, from: 1, zone: zone, isStation: stop.locationType == .station)
    }

    /// The current keys of a station and all stops below it; for any other stop, its own key. Empty if the stop does
    /// not exist or was deleted.
    func placesBelow(_ key: Int64) throws -> [Int64] { try context.evaluating { try currentPlaces(below: key) } }

    private func currentPlaces(below key: Int64) throws -> [Int64] {
        guard let stop = object(Stop.self, key),
            try stop.isInserted || context.existingObject(with: stop.objectID) != nil
        else { return [] }
        guard stop.locationType == .station else { return [key] }
        var (found, seen, rest) = ([key], Set([key]), [stop])
        while let next = rest.popLast() {
            for child in next.childStops.objects {
                guard let key = child.objectID.keyValues.first?.integer, seen.insert(key).inserted else { continue }
                found.append(key)
                rest.append(child)
            }
        }
        return found
    }

    /// The keys of stops that a request finds, changes included.
    func stops(_ request: FetchRequest<Stop>) throws -> [Int64] {
        try context.fetch(request).filter { context.changes.mayBelong($0.objectID, to: store) }
            .compactMap { $0.objectID.keyValues.first?.integer }
    }
}

extension StoreContext {
    /// What unsaved changes do to the timetable of a store; nil if they do not affect it.
    func changedTimetable(store: Int) throws -> ChangedTimetable? {
        guard ChangedTimetable.tables.contains(where: changes.concern) else { return nil }
        // Taken out meanwhile, so that only lazy loops count as holders.
        if var known = changes.known.timetables.removeValue(forKey: store) {
            defer { changes.known.timetables[store] = known }
            try evaluating { try ChangedTimetable.expandAgain(&known) }
            return known
        }
        let changed = try evaluating { try ChangedTimetable(self, store: store) }
        changes.known.timetables[store] = changed
        return changed
    }
}
