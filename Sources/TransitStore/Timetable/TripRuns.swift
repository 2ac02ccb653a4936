/// One run of a trip on a service day: all its calls that have an instant.
public struct TripRun: Sendable, Hashable {
    /// The service day that the run belongs to; it may leave after that day's midnight.
    public let serviceDate: ServiceDate
    /// How frequencies repeat the trip; nil for its own times, which run once a day.
    public let repetition: Departure.Repetition?
    /// In the order of `stop_sequence`.
    public let calls: [TripCall]
}

/// A call of a run. Calls on demand have no instant and are not among them.
public struct TripCall: Sendable, Hashable {
    /// The id of the call's `StopTime`.
    public let stopTimeObjectID: ObjectID
    /// The id of the `Stop` where the vehicle calls.
    public let stopObjectID: ObjectID
    /// `stop_sequence` of the call.
    public let stopSequence: Int
    /// When the vehicle arrives.
    public let arrival: Instant
    /// When it leaves; not before `arrival` unless the feed says so.
    public let departure: Instant
    /// Whether the times were interpolated from the neighbouring calls because the feed gives none.
    public let isInterpolated: Bool
    /// How to board here; a planner of journeys leaves out `notAvailable`.
    public let pickupType: BoardingType
    /// How to alight here.
    public let dropOffType: BoardingType
}

extension Trip {
    /// The runs of the trip on a service day, unsaved changes included: one run, or one for each start by its
    /// frequencies, or none if its service does not run that day. A trip whose calls have no times, or that has no
    /// calls, has runs without calls.
    ///
    ///     for call in try trip.runs(on: ServiceDate(20_261_025)).first?.calls ?? [] { print(call.departure) }
    ///
    /// Costs a statement for the calls, and one each for frequencies, service and line if these are not loaded. Throws
    /// `StoreError`: `tooComplex` for more than 100,000 runs, otherwise as `Service.isRunning(on:)` does.
    public func runs(on date: ServiceDate) throws(StoreError) -> [TripRun] {
        guard let context, try isRunning(on: date) else { return [] }
        let trip = try context.readingProperties { ChangedTrip(self, in: context) }
        // An inserted trip has the id of the first store, whatever store its line is of.
        let home = ObjectID(Trip.entity, objectID.key, store: context.changes.home(of: objectID))
        let zone = try StoreError.only {
            try context.serviceZone(ofRoute: trip.route, store: context.storePosition(of: home))
        }
        guard let start = zone.start(of: date)?.unixSeconds else { return [] }
        guard !trip.bands.isEmpty else { return [run(trip, date, at: start, nil)] }
        try expectFew(trip.bands.reduce(0) { $0.addingClamped($1.count) }, on: date)
        return trip.bands.flatMap { band in
            band.starts(start, start - 86_400..<start + (1 << 40)).map {
                run(trip, date, at: start + $0, band.isExact ? .exact : .headway)
            }
        }
    }

    private static let mostRuns = 100_000

    /// Throws for more runs than `mostRuns`: a feed may by mistake have a headway of one second for a year, and all
    /// runs would not fit into memory.
    private func expectFew(_ runs: Int64, on date: ServiceDate) throws(StoreError) {
        guard runs > Self.mostRuns else { return }
        throw StoreError(
            .tooComplex,
            "The trip \"\(tripID)\" runs \(runs) times on \(date), more than \(Self.mostRuns); ask for the departures of one of its stops"
        )
    }

    private func run(
        _ trip: ChangedTrip, _ date: ServiceDate, at start: Int64, _ repetition: Departure.Repetition?
    ) -> TripRun {
        let calls = trip.calls.map { call in
            TripCall(
                stopTimeObjectID: id(StopTime.entity, call.key), stopObjectID: id(Stop.entity, .row(call.stop)),
                stopSequence: Int(call.sequence),
                arrival: Instant(unixSeconds: start + call.arrival),
                departure: Instant(unixSeconds: start + call.departure), isInterpolated: call.isInterpolated,
                pickupType: BoardingType(rawValue: Int(call.pickupType)),
                dropOffType: BoardingType(rawValue: Int(call.dropOffType)))
        }
        return TripRun(serviceDate: date, repetition: repetition, calls: calls)
    }

    /// The id of a row that the trip or one of its calls refers to. Inserted objects have ids of the first store.
    private func id(_ entity: EntityDescription, _ key: ObjectID.Key) -> ObjectID {
        guard let context else { return ObjectID(entity, key, store: objectID.store) }
        let id = ObjectID(entity, key, store: context.changes.home(of: objectID))
        return id.isTemporary ? ObjectID(entity, key, store: context.firstNumber) : id
    }

    /// Whether the trip's service runs on a date. A deleted trip does not run.
    ///
    ///     if try trip.isRunning(on: ServiceDate(20_261_225)) { print(trip.tripID) }
    ///
    /// Throws `StoreError` as `Service.isRunning(on:)` does, for the trip and for its service.
    public func isRunning(on date: ServiceDate) throws(StoreError) -> Bool {
        try currentService()?.isRunning(on: date) ?? false
    }

    /// The dates on which the trip's service runs, ascending, as `Service.days()` gives them; none for a deleted trip.
    /// Throws `StoreError` as `isRunning(on:)` does.
    public func serviceDays() throws(StoreError) -> [ServiceDate] { try currentService()?.days() ?? [] }

    /// The trip's service, unless that or the trip was deleted.
    private func currentService() throws(StoreError) -> Service? {
        guard let context, !context.changes.haveRemoved(objectID) else { return nil }
        try context.fill(self)
        // The service takes the exceptions that were prefetched with the trip.
        return context.object(of: self, reference: Column.service.rawValue, type: Service.self) as? Service
    }
}

extension Route {
    /// Whether any of the line's trips runs on a date.
    ///
    ///     print(try route.isRunning(on: ServiceDate(20_261_225)))
    ///
    /// Runs one statement for the services of its trips, then checks each service. For an inserted line, it looks
    /// through the trips of all stores. Throws `StoreError` as `Service.isRunning(on:)` does, for the line and for its
    /// services.
    public func isRunning(on date: ServiceDate) throws(StoreError) -> Bool {
        guard let context, !context.changes.haveRemoved(objectID) else { return false }
        try context.fill(self)
        let id = objectID
        var request = FetchRequest<Trip>(
            entity: Trip.entity.name,
            where: Condition(
                .comparison(
                    .equal, .property(.root, ["route"]), .value(.integer(id.keyValues.first?.integer ?? -1)))))
        if id.isTemporary {
            for trip in try context.fetch(request) where try trip.isRunning(on: date) { return true }
            return false
        }
        request.propertiesToFetch = [.attribute(\.service.id)]
        request.returnsDistinctResults = true
        request.affectedStores = try StoreError.only { try [context.stores[context.storePosition(of: id)]] }
        for row in try context.fetchRows(request) {
            guard let key = row[0].integer else { continue }
            let serviceID = context.id(Service.entity, key, referredToFrom: id.store)
            guard let service = context.object(with: serviceID) as? Service else { continue }
            if try service.isRunning(on: date) { return true }
        }
        return false
    }
}

extension Service {
    /// Whether the service runs on a date, by its weekdays and exceptions, including unsaved changes.
    ///
    ///     print(try trip.service.isRunning(on: ServiceDate(20_261_225)))
    ///
    /// Costs a statement for the exceptions, unless they are loaded, the first time. Then the context knows the
    /// service's dates until a service or an exception is changed. Throws `StoreError`: `unknownRow` if the store has
    /// no such service, `unknownStore` if the context does not read its store; `corrupt`, `readFailed` or
    /// `timedOut` if a statement fails.
    public func isRunning(on date: ServiceDate) throws(StoreError) -> Bool {
        guard let number = date.dayNumber, !isRemoved else { return false }
        return try calendar().runs(onDay: number)
    }

    /// The dates on which the service runs, ascending; only those of the first hundred years. Costs and throws the same
    /// as `isRunning(on:)`.
    ///
    ///     let mondays = try trip.service.days().filter { $0.weekday == 0 }
    public func days() throws(StoreError) -> [ServiceDate] {
        guard !isRemoved else { return [] }
        let calendar = try calendar()
        guard let bounds = calendar.bounds else { return [] }
        let last = min(bounds.upperBound, bounds.lowerBound + 36_525)
        return (bounds.lowerBound...last).filter(calendar.runs).map { ServiceDate(dayNumber: $0) }
    }

    private var isRemoved: Bool { context?.changes.haveRemoved(objectID) ?? false }

    private func calendar() throws(StoreError) -> ServiceCalendar {
        guard let context else { return ServiceCalendar(self) }
        if let known = context.changes.known.calendars[objectID] { return known }
        try StoreError.only { try context.fill(self) }
        let calendar = try context.readingProperties { ServiceCalendar(self) }
        context.changes.known.keep(calendar, of: objectID)
        return calendar
    }
}

extension StoreContext {
    /// The zone that the trips of a line run in; -1 is the key for trips without a line.
    func serviceZone(ofRoute key: Int64, store position: Int) throws -> TimetableZone {
        if let changed = try changedTimetable(store: position), changed.changesRoutes {
            return try changed.route(key).zone
        }
        let route = object(with: ObjectID(Route.entity, .row(key), store: stores[position].number)) as? Route
        guard key >= 0, let route else { return try stores[position].timetable(session(position)).firstZone }
        return .ofAgency(route.timezone)
    }

    /// The first departure of a service day, which may be after its midnight; nil if there is none.
    ///
    ///     let first = try context.firstDeparture(at: .stops(["bahnhof"]), on: ServiceDate(20_260_731))
    ///
    /// Reads the day from its start, an hour at first and then twice as long each time, until there is a departure.
    /// Each time takes one statement, and one more in stores with frequencies. Throws `StoreError` as `departures(_:)`
    /// does.
    public func firstDeparture(
        at place: DepartureRequest.Place, on date: ServiceDate
    ) throws(StoreError) -> Departure? {
        var request = DepartureRequest(place, on: date)
        request.limit = 1
        return try departures(request).first
    }

    /// The last departure of a service day; nil if there is none. Reads the day from its end, as `firstDeparture` does
    /// from its start.
    ///
    ///     let last = try context.lastDeparture(at: .stops(["bahnhof"]), on: ServiceDate(20_260_731))
    ///
    /// Throws `StoreError` as `departures(_:)` does.
    public func lastDeparture(
        at place: DepartureRequest.Place, on date: ServiceDate
    ) throws(StoreError) -> Departure? {
        try StoreError.only { try check.alone { try cursor(DepartureRequest(place, on: date)).last() } }
    }
}
