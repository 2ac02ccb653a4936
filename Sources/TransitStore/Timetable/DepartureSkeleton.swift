/// The parts of a departure request that determine its statement; the values are bound.
struct DepartureSkeleton: Hashable {
    /// The keys by which rows are found, and how many there are.
    enum Drive: Hashable {
        case stops(Int)
        case routes(Int)

        var count: Int {
            switch self {
            case .stops(let count), .routes(let count): count
            }
        }
    }

    /// How routes filter the rows, in addition to routes in `drive`.
    enum RouteFilter: Hashable {
        /// By a parameter for each route; 0 for all routes.
        case parameters(Int)
        /// By one parameter, a list in JSON: with 60,000 parameters, SQLite took 9 s to read the statement.
        case list

        var parameterCount: Int {
            switch self {
            case .parameters(let count): count
            case .list: 1
            }
        }
    }

    /// What decides whether a trip's service runs on a day.
    enum ServiceTest: Hashable {
        /// The tables of services and of their days.
        case joined
        /// A function of the connection, which knows the services of these days.
        case known
        /// The reader, for each row, because some services were changed in memory.
        case byReader
    }

    /// What each row includes besides its call and trip.
    enum Joined: Hashable {
        case nothing
        /// Its line, for a connection that does not keep lines.
        case line
        case lineAndStop
    }

    let event: DepartureRequest.Event
    let drive: Drive
    let days: Int
    /// Whether the statement reads trips that frequencies repeat, instead of trips at their own times.
    let isByFrequency: Bool
    /// Whether the store has trips that frequencies repeat. Such trips do not run at their own times.
    let hasFrequencies: Bool
    let routeFilter: RouteFilter
    let hasDirection: Bool
    let columns: FilledColumns
    var services = ServiceTest.joined
    var joined = Joined.nothing
}

/// Which of the columns that departures need have values in a store.
struct FilledColumns: OptionSet, Hashable {
    let rawValue: Int
    static let pickupType = FilledColumns(rawValue: 1)
    static let dropOffType = FilledColumns(rawValue: 2)
    static let stopHeadsign = FilledColumns(rawValue: 4)
    static let filledTimes = FilledColumns(rawValue: 8)
    static let windowStart = FilledColumns(rawValue: 16)
    static let windowEnd = FilledColumns(rawValue: 32)
    static let location = FilledColumns(rawValue: 64)
    static let locationGroup = FilledColumns(rawValue: 128)
    static let all = FilledColumns(rawValue: 255)
    /// They have values only for calls on demand, which have no instant.
    static let onDemand: FilledColumns = [.windowStart, .windowEnd, .location, .locationGroup]

    private static let names: [(FilledColumns, String)] = [
        (.pickupType, "pickup_type"), (.dropOffType, "drop_off_type"), (.stopHeadsign, "stop_headsign"),
        (.filledTimes, "filled_times"), (.windowStart, "start_pickup_drop_off_window"),
        (.windowEnd, "end_pickup_drop_off_window"), (.location, "location"), (.locationGroup, "location_group"),
    ]

    init(rawValue: Int) { self.rawValue = rawValue }

    init(in columns: EmptyColumnList) {
        self = Self.names.reduce(into: []) { filled, column in
            if !columns.contains(column.1, of: "stop_time") { filled.insert(column.0) }
        }
    }

    /// The names of the columns in `stop_time`.
    var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}
