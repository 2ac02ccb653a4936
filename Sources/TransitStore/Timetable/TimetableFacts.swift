/// The lines and stops of departures that a connection knows.
final class TimetableFacts {
    private var stops = ObjectTable<StopFacts>()
    private var routes = ObjectTable<RouteFacts>()
    private var places: [Int64: [Int64]] = [:]

    private static let mostKnown = 20_000

    func route(_ key: Int64) -> RouteFacts? { routes[ObjectID(Route.entity, .row(key))] }
    func stop(_ key: Int64) -> StopFacts? { stops[ObjectID(Stop.entity, .row(key))] }

    /// Keeps a line; -1 is the key for trips without a line.
    func keep(_ route: RouteFacts, _ key: Int64) {
        if routes.count >= Self.mostKnown { routes = ObjectTable() }
        routes[ObjectID(Route.entity, .row(key))] = route
    }

    func keep(_ stop: StopFacts) {
        if stops.count >= Self.mostKnown { stops = ObjectTable() }
        stops[ObjectID(Stop.entity, .row(stop.key))] = stop
    }

    /// The keys of a stop and all below it.
    func placesBelow(_ key: Int64, read: () throws -> [Int64]) throws -> [Int64] {
        if let known = places[key] { return known }
        let keys = try read()
        if places.count >= Self.mostKnown { places = [:] }
        places[key] = keys
        return keys
    }
}
