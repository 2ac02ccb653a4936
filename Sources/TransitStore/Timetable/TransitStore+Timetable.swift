import SQLite

extension TransitStore {
    /// The zone of the clocks at some stops, given by `stop_id`; nil if the stops have different zones.
    ///
    ///     let zone = try store.timeZone(ofStops: ["bahnhof"])
    ///     let instant = zone.flatMap { ClockReading("2026-07-31T17:00")?.instant(in: $0) }
    ///
    /// The zone of a stop is the `stop_timezone` of its station, or its own if it has no parent. Without such a zone,
    /// it is the zone of the trips that call there, if they share one, or else that of the first agency. A stop without
    /// a zone where no trip calls does not count beside others. Throws `StoreError`: `unknownRow` for a stop that the
    /// feed does not have; `corrupt`, `readFailed` or `timedOut` if the store cannot be read.
    public func timeZone(ofStops ids: [String]) throws(StoreError) -> TimetableZone? { try timeZone(at: .stops(ids)) }

    /// The zone of the clocks at the stops of a place; nil if these stops have several zones. Without stops, it is the
    /// zone of the first agency. `.anywhere` means all stops of the feed. Throws `StoreError` as `departures(_:)` does.
    ///
    ///     let zone = try store.timeZone(at: .anywhere) ?? .utc
    public func timeZone(at place: DepartureRequest.Place) throws(StoreError) -> TimetableZone? {
        let request = DepartureRequest(place, from: Instant(unixSeconds: 0), within: .zero)
        return try withSession { session in
            if place == .anywhere { return try zoneOfAllClocks(session) }
            let reader = try DepartureReader(request, self, session) { try session.run($0, prepared: $1, $2) }
            let zones = Set(try reader.places.clockZones())
            return zones.count == 1 ? zones.first : zones.isEmpty ? reader.timetable.firstZone : nil
        }
    }

    private func zoneOfAllClocks(_ session: StoreSession) throws -> TimetableZone? {
        let timetable = try timetable(session)
        var zones = Set(timetable.zones)
        if timetable.hasStopZones {
            let names = try session.rows(SQLFragment("SELECT DISTINCT timezone FROM stop WHERE timezone IS NOT NULL"))
            zones.formUnion(names.compactMap { $0.text(0).flatMap(TimetableZone.named) })
        }
        return zones.count == 1 ? zones.first : nil
    }

    /// The first and the last date on which any service runs; nil if none ever runs.
    ///
    ///     if let dates = try store.serviceDates { print(dates.lowerBound, dates.upperBound) }
    ///
    /// Throws `StoreError`: `corrupt`, `readFailed` or `timedOut` if the store cannot be read.
    public var serviceDates: ClosedRange<ServiceDate>? {
        get throws(StoreError) {
            try withSession { session in
                try timetable(session).dates.map {
                    ServiceDate(dayNumber: $0.lowerBound)...ServiceDate(dayNumber: $0.upperBound)
                }
            }
        }
    }

    /// The lines with an id (`route_id`) or short name, at least one. One line's id may be another line's short name.
    ///
    ///     let lines = try store.routes(named: "F1")
    ///
    /// Throws `StoreError`: `unknownRow` if the feed has no such line; `corrupt`, `readFailed` or `timedOut` if the
    /// store cannot be read.
    public func routes(named name: String) throws(StoreError) -> [ObjectID] {
        let sql = SQLFragment(
            "SELECT id FROM route WHERE route_id = ?1 OR short_name = ?1 ORDER BY id", bindings: [.text(name)])
        let keys = try withSession { try $0.rows(sql).compactMap { $0.integer(0) } }
        guard !keys.isEmpty else {
            throw StoreError(.unknownRow, "The feed has no line \"\(name)\" (route_id or route_short_name)")
        }
        return keys.map { ObjectID(Route.entity, .row($0), store: number) }
    }
}
