/// The parts of a departure request that determine its statement; the values are bound.
struct DepartureSkeleton: Hashable {
    /// The keys by which rows are found, and how many there are.
    enum Drive: Hashable {
        case stops(Int)
        case routes(Int)
    }

    let event: DepartureRequest.Event
    let drive: Drive
    let days: Int
    /// Whether the statement reads trips that frequencies repeat, instead of trips at their own times.
    let isByFrequency: Bool
    /// Whether the store has trips that frequencies repeat. Such trips do not run at their own times.
    let hasFrequencies: Bool
    /// How many parameters hold the routes that filter the rows: 0 without such routes, or if `drive` has them; 1 for
    /// many routes, as a list.
    let routeParameterCount: Int
    /// Whether that one is a list in JSON: with 60,000 parameters, SQLite took 9 s to read the statement.
    var filtersByList = false
    let hasDirection: Bool
    let columns: FilledColumns
    /// Whether the reader checks services itself, because some were changed in memory.
    var asksServices = false
    /// Whether the connection knows which services run on the days.
    var knowsServices = false
    /// Whether rows include their lines, for a connection that does not keep lines.
    var joinsLines = false
    /// Whether rows include their stop; then they include their lines too.
    var joinsStop = false
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
