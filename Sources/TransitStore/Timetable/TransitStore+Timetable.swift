import SQLite

extension TransitStore {
    /// The zone of the clocks at some stops, of the feed's ids; nil where these show different times.
    ///
    /// `stop_timezone` of a stop's station, or its own where it has no parent; else the zone that the trips which call
    /// there run in, if it is one; else that of the first agency.
    public func timeZone(ofStops ids: [String]) throws -> TimetableZone? {
        let request = DepartureRequest(.stops(ids), from: Instant(unixSeconds: 0), within: .zero)
        return try withReader(request) { reader in
            let zones = Set(try reader.places.clockZones())
            return zones.count == 1 ? zones.first : zones.isEmpty ? reader.timetable.firstZone : nil
        }
    }

    /// The zone of the first agency, in which trips without a line run.
    public var firstTimeZone: TimetableZone {
        get throws {
            let session = try borrowSession()
            defer { giveBack(session) }
            return try timetable(session).firstZone
        }
    }

    /// The lines of an id (`route_id`); where there is none, those of that short name. Throws `unknownRow`.
    public func routes(named name: String) throws -> [ObjectID] {
        let session = try borrowSession()
        defer { giveBack(session) }
        for column in ["route_id", "short_name"] {
            let sql = SQLFragment("SELECT id FROM route WHERE \(column) = ? ORDER BY id", bindings: [.text(name)])
            let keys = try session.rows(sql).compactMap { $0.integer(0) }
            if !keys.isEmpty { return keys.map { ObjectID(Route.entity, .row($0), store: number) } }
        }
        throw StoreError(.unknownRow, "The feed has no line \"\(name)\" (route_id or route_short_name)")
    }

    func withReader<Value>(_ request: DepartureRequest, _ body: (DepartureReader) throws -> Value) throws -> Value {
        let session = try borrowSession()
        defer { giveBack(session) }
        return try body(DepartureReader(request, self, session) { try session.run($0, prepared: $1, $2) })
    }
}
