import FoundationEssentials
import TransitStore

/// The contests over a store with a timetable like Berlin's.
struct Contests {
    let path: String
    let store: TransitStore
    let context: StoreContext
    let raw: RawConnection
    let workload: Workload

    /// `size` is the number of fetches in a round. A cold store caches no rows, so it reads each row anew.
    init(path: String, size: Int, isCold: Bool = false) throws {
        self.path = path
        // TransitStore opens before C, because it configures SQLite, which is possible only before the first use. Both
        // sides profit.
        var configuration = Self.mapped
        if isCold { configuration.rowCacheCapacity = 0 }
        store = try TransitStore(path: path, configuration: configuration)
        context = store.makeContext()
        raw = try RawConnection(path: path)
        workload = Workload(count: size)
    }

    /// Maps the file, as C does. The default is to read it, which is safe even if the store is truncated in place.
    static var mapped: TransitStore.Configuration {
        var configuration = TransitStore.Configuration()
        configuration.isMemoryMapped = true
        return configuration
    }

    /// Each contest has its own `Contests`, so that it does not profit from the caches of the one before.
    static let all: [(name: String, make: @Sendable (Contests) throws -> Contest)] = [
        ("box of 800 m", { $0.within(800) }),
        ("box of 80 m", { $0.within(80) }),
        ("box of 800 m with departures", { $0.departures }),
        ("departures of a stop", { try $0.departures(ofStops: 1, seconds: 1_200) }),
        ("departures of 20 platforms", { try $0.departures(ofStops: 20, seconds: 1_200) }),
        ("departures of 300 stops", { try $0.departures(ofStops: 300, seconds: 1_200) }),
        ("near and leaving soon", { try $0.departuresNear }),
        ("a day at 20 platforms", { try $0.departures(ofStops: 20, seconds: 86_400) }),
        ("search by words", { $0.search }),
        ("search as people type", { try $0.searchStops(Workload.texts) }),
        ("search with a wrong letter", { try $0.searchStops(Workload.wrongTexts) }),
        ("object by id, its row cached", { try $0.cachedObject }),
        ("object by id, held already", { try $0.livingObject }),
        ("walk over all stop times", { $0.walk }),
        ("next departures with 5,000 changes", { try $0.departuresWithChanges }),
        ("groups with a change", { try $0.groupsWithChange }),
        ("two threads", { $0.threads($0.ourStops) }),
        ("two threads in C", { $0.threads($0.rawStops) }),
        ("opening to the first result", { $0.opening }),
    ]

    /// Contests that are measured cold as well as warm.
    static let cold: Set = [
        "box of 800 m", "box of 80 m", "box of 800 m with departures", "search by words", "departures of a stop",
        "departures of 20 platforms", "near and leaving soon", "a day at 20 platforms", "search as people type",
        "search with a wrong letter",
    ]

    static let coldSuffix = ", cold"

    /// Finds a contest by name. The suffix says whether it is cold.
    static func named(_ name: String) -> (make: @Sendable (Contests) throws -> Contest, isCold: Bool)? {
        let isCold = name.hasSuffix(coldSuffix)
        let plain = isCold ? String(name.dropLast(coldSuffix.count)) : name
        guard !isCold || cold.contains(plain) else { return nil }
        return all.first { $0.name == plain }.map { ($0.make, isCold) }
    }

    /// A request for stops with all their values.
    static func request(_ meters: Double, _ place: Coordinate) -> FetchRequest<Stop> {
        var request = FetchRequest<Stop>(where: .within(meters: meters, of: place))
        request.returnsObjectsAsFaults = false
        return request
    }

    func within(_ meters: Double) -> Contest {
        Contest(
            iterations: workload.queries.count, ours: ourSide(meters),
            other: Contest.Side("C") { range in
                try each(range) { try raw.stops(within: meters, of: $0.place) }
            })
    }

    func ourSide(_ meters: Double, name: String = "TransitStore") -> Contest.Side {
        Contest.Side(name) { range in
            try each(range) { Tally(try context.fetch(Self.request(meters, $0.place))) }
        }
    }

    var departures: Contest {
        Contest(
            iterations: workload.queries.count,
            ours: Contest.Side("TransitStore") { range in
                try each(range) { query in
                    let (from, to) = (query.from, query.to)
                    var request = Self.request(800, query.place)
                    request.predicate =
                        request.predicate
                        && #Predicate { $0.stopTimes.contains { from <= $0.departureTime && $0.departureTime <= to } }
                    return Tally(try context.fetch(request))
                }
            },
            other: Contest.Side("C") { range in
                try each(range) { try raw.stops(within: 800, departing: $0) }
            })
    }

    var search: Contest {
        let prefixes = Workload.prefixes
        return Contest(
            iterations: prefixes.count, turn: 5,
            ours: Contest.Side("TransitStore") { range in
                try range.reduce(into: Tally()) { tally, position in
                    var request = FetchRequest<Stop>(where: .name(hasWords: prefixes[position]))
                    request.returnsObjectsAsFaults = false
                    tally += Tally(try context.fetch(request))
                }
            },
            other: Contest.Side("C") { range in
                try range.reduce(into: Tally()) { $0 += try raw.search(prefixes[$1]) }
            })
    }

    var opening: Contest {
        Contest(
            iterations: workload.queries.count,
            ours: Contest.Side("TransitStore") { range in
                try each(range) {
                    Tally(
                        try TransitStore(path: path, configuration: Self.mapped).makeContext().fetch(
                            Self.request(80, $0.place)))
                }
            },
            other: Contest.Side("C") { range in
                try each(range) { try RawConnection.firstResult(path: path, within: 80, of: $0.place) }
            })
    }

    func each(_ range: Range<Int>, _ fetch: (Workload.Query) throws -> Tally) rethrows -> Tally {
        try range.reduce(into: Tally()) { $0 += try fetch(workload.queries[$1]) }
    }
}
