import GTFSSchema

/// The columns of a departure statement, in order. Texts come first; a departure keeps these unchanged.
enum DepartureColumn: Int, CaseIterable {
    case tripID, headsign, time, stop, trip, sequence, route, date, pickupType, dropOffType, filledTimes, direction
    case service, startTime, endTime, headway, exactTimes, frequency
    // Only in skeletons that join lines.
    case lineID, shortName, longName, color, textColor, lineZone
    // Only in skeletons that join a stop.
    case stopID, stopName, platformCode, locationType

    static let textCount = 2

    fileprivate var isOfLine: Bool { rawValue >= Self.lineID.rawValue && !isOfStop }
    fileprivate var isOfStop: Bool { rawValue >= Self.stopID.rawValue }
}

/// Writes the statement of a skeleton.
///
/// It finds calls in the index (stop, departure_time), which also holds the row's key. It checks the trip and the
/// service day before it reads the row itself, because half of a stop's calls are on other days.
struct DepartureSelect {
    let skeleton: DepartureSkeleton
    private(set) var text = ""

    init(_ skeleton: DepartureSkeleton) {
        self.skeleton = skeleton
        text = "SELECT " + columns + " FROM " + tables + " WHERE " + conditions.joined(separator: " AND ")
    }

    /// The alias from which a call's columns are read: `c` if the index has all of them, else the row `t0`.
    private var call: String { needsRow ? "t0" : "c" }

    private var needsRow: Bool {
        if skeleton.isByFrequency { return !skeleton.columns.isEmpty }
        if case .routes = skeleton.drive { return false }
        return skeleton.event == .arrivals || !skeleton.columns.isEmpty
    }

    private var time: String {
        if skeleton.isByFrequency { return skeleton.event == .departures ? "c.departure" : "c.arrival" }
        return skeleton.event == .departures ? "c.departure_time" : "\(call).arrival_time"
    }

    // MARK: Columns

    private var columns: String {
        DepartureColumn.allCases.filter(isIncluded).map(expression).joined(separator: ", ")
    }

    private func isIncluded(_ column: DepartureColumn) -> Bool {
        if column.isOfStop { return joinsStop }
        return !column.isOfLine || joinsLine
    }

    private func expression(_ column: DepartureColumn) -> String {
        switch column {
        case .tripID: "t1.trip_id"
        case .headsign: headsign
        case .time: time
        case .stop: "c.stop"
        case .trip: "c.trip"
        case .sequence: "c.stop_sequence"
        case .route: "t1.route"
        case .date: date
        case .pickupType: filled(.pickupType)
        case .dropOffType: filled(.dropOffType)
        case .filledTimes: filled(.filledTimes)
        case .direction: "t1.direction_id"
        case .service: "t1.service"
        case .startTime: ofFrequency("start_time")
        case .endTime: ofFrequency("end_time")
        case .headway: ofFrequency("headway_secs")
        case .exactTimes: ofFrequency("exact_times")
        case .frequency: ofFrequency("id")
        case .lineID: "r.route_id"
        case .shortName: "r.short_name"
        case .longName: "r.long_name"
        case .color: "r.color"
        case .textColor: "r.text_color"
        case .lineZone: "r.timezone"
        case .stopID: "s.stop_id"
        case .stopName: "s.name"
        case .platformCode: "s.platform_code"
        case .locationType: "s.location_type"
        }
    }

    /// The headsign of the call or of its trip; else the name of the stop of the trip's last call, if it has one.
    private var headsign: String {
        let own = skeleton.columns.contains(.stopHeadsign) ? "\(call).stop_headsign, " : ""
        let lastStop =
            "(SELECT s.name FROM stop_time AS l LEFT JOIN stop AS s ON s.id = l.stop WHERE l.trip = t1.id "
            + "ORDER BY l.stop_sequence DESC LIMIT 1)"
        return "coalesce(\(own)t1.headsign, \(lastStop))"
    }

    private func filled(_ column: FilledColumns) -> String {
        skeleton.columns.intersection(column).names.first.map { "\(call).\($0)" } ?? "NULL"
    }

    private func ofFrequency(_ column: String) -> String { skeleton.isByFrequency ? "f.\(column)" : "NULL" }

    // MARK: Values of days and places

    /// A day's date, and the first and the end time of the range on that day.
    private var date: String { skeleton.days == 1 ? "?1" : "day.column1" }
    private var from: String { skeleton.days == 1 ? "?2" : "day.column2" }
    private var until: String { skeleton.days == 1 ? "?3" : "day.column3" }

    /// The first parameter of the stops or routes. It follows the parameters of the days and the two dwell times.
    static func firstPlace(days: Int) -> Int { days * 3 + 3 }
    private var firstPlace: Int { Self.firstPlace(days: skeleton.days) }
    /// Arrivals are looked up by the departure times of the index. So the shortest dwell is added to the range's first
    /// time, the longest to its end.
    private var shortestDwell: String { "?\(skeleton.days * 3 + 1)" }
    private var longestDwell: String { "?\(skeleton.days * 3 + 2)" }

    private var drive: String { skeleton.drive.count == 1 ? "?\(firstPlace)" : "place.column1" }
    private var firstFilter: Int { firstPlace + skeleton.drive.count }

    /// The stops or routes, and the days, as tables if there are more than one.
    private var values: [String] {
        var tables: [String] = []
        if skeleton.drive.count > 1 {
            let rows = (0..<skeleton.drive.count).map { "(?\(firstPlace + $0))" }
            tables.append("(VALUES \(rows.joined(separator: ", "))) AS place")
        }
        if skeleton.days > 1 {
            let rows = (0..<skeleton.days).map { "(?\($0 * 3 + 1), ?\($0 * 3 + 2), ?\($0 * 3 + 3))" }
            tables.append("(VALUES \(rows.joined(separator: ", "))) AS day")
        }
        return tables
    }

    // MARK: Tables and conditions

    /// The tables, in the order in which SQLite should go through them.
    private var tables: String {
        let day = joinsServices ? ["service AS v", "service_day AS d"] : []
        let row = needsRow ? ["stop_time AS t0"] : []
        let stop = joinsStop ? ["stop AS s"] : []
        let tables =
            switch (skeleton.drive, skeleton.isByFrequency) {
            case (.stops, false):
                ["stop_time AS c INDEXED BY \(StoreSchema.departureIndexName)", "trip AS t1"] + day + row
            case (.stops, true): ["frequency_call AS c", "trip AS t1"] + day + ["frequency AS f"] + row
            // For a route, the days come before the calls, so that calls of trips on other days are not read.
            case (.routes, false): ["trip AS t1"] + day + ["stop_time AS c"]
            case (.routes, true):
                ["trip AS t1"] + day + ["frequency AS f", "stop_time AS t0", "frequency_call AS c"]
            }
        return (values + tables + stop).joined(separator: " CROSS JOIN ")
            + (joinsLine ? " LEFT JOIN route AS r ON r.id = t1.route" : "")
    }

    private var joinsServices: Bool { skeleton.services == .joined }
    private var joinsLine: Bool { skeleton.joined != .nothing }
    private var joinsStop: Bool { skeleton.joined == .lineAndStop }

    private var conditions: [String] {
        var parts: [String] = []
        switch skeleton.drive {
        case .stops: parts += ["c.stop = \(drive)"] + times + ["t1.id = c.trip"]
        case .routes where skeleton.isByFrequency:
            parts += [
                "t1.route = \(drive)", "t0.trip = t1.id", "c.stop = t0.stop", "c.trip = t0.trip",
                "c.stop_sequence = t0.stop_sequence",
            ]
        case .routes: parts += ["t1.route = \(drive)", "c.trip = t1.id", "c.stop IS NOT NULL"] + times
        }
        parts += routes
        if skeleton.hasDirection {
            parts.append("t1.direction_id = ?\(firstFilter + skeleton.routeFilter.parameterCount)")
        }
        if skeleton.services == .known { parts.append("service_runs(t1.service, \(date))") }
        if joinsServices { parts += ["v.id = t1.service", "d.date = \(date)", "d.day_set = v.day_set"] }
        if needsRow, !(skeleton.isByFrequency && isByRoute) {
            parts += ["t0.trip = c.trip", "t0.stop_sequence = c.stop_sequence"]
        }
        if joinsStop { parts.append("s.id = c.stop") }
        if skeleton.event == .arrivals, !skeleton.isByFrequency {
            parts += ["\(call).arrival_time >= \(from)", "\(call).arrival_time < \(until)"]
        }
        return parts + callConditions
    }

    private var routes: [String] {
        switch skeleton.routeFilter {
        case .parameters(0): []
        case .parameters(let count):
            ["t1.route IN (\((0..<count).map { "?\(firstFilter + $0)" }.joined(separator: ", ")))"]
        case .list: ["t1.route IN (SELECT value FROM json_each(?\(firstFilter)))"]
        }
    }

    private var isByRoute: Bool { if case .routes = skeleton.drive { true } else { false } }

    /// The range of the index. For arrivals, it is widened by the shortest and longest dwell times.
    private var times: [String] {
        if skeleton.isByFrequency { return [] }
        guard skeleton.event == .arrivals else {
            return ["c.departure_time >= \(from)", "c.departure_time < \(until)"]
        }
        return ["c.departure_time >= \(from) + \(shortestDwell)", "c.departure_time < \(until) + \(longestDwell)"]
    }

    /// The conditions that a call must meet to count as a departure or arrival.
    private var callConditions: [String] {
        let isDeparture = skeleton.event == .departures
        var parts: [String] = []
        if skeleton.columns.contains(isDeparture ? .pickupType : .dropOffType) {
            parts.append("\(call).\(isDeparture ? "pickup_type" : "drop_off_type") IS NOT 1")
        }
        // Subqueries should run only for calls whose trip runs. SQLite runs them after the last table they refer to, so
        // they refer to the table that comes last.
        let last = needsRow ? "t0" : "c"
        let afterDay =
            switch skeleton.services {
            case _ where needsRow: ""
            case .byReader: ""
            case .joined: " AND d.date > 0"
            case .known: " AND t1.service >= 0"
            }
        if skeleton.isByFrequency {
            // Matches if any start (start_time + k × headway_secs < end_time) may be in the range.
            parts += [
                "f.trip = c.trip", "f.start_time < f.end_time", "f.headway_secs > 0",
                "f.start_time + \(time) < \(until)", "f.end_time + \(time) > \(from)",
            ]
        } else {
            parts += skeleton.columns.intersection(.onDemand).names.map { "\(call).\($0) IS NULL" }
            if skeleton.hasFrequencies {
                parts.append(
                    "NOT EXISTS (SELECT 1 FROM frequency_call AS o WHERE o.stop = c.stop AND o.trip = \(last).trip "
                        + "AND o.stop_sequence = \(last).stop_sequence\(afterDay))")
            }
        }
        let other = isDeparture ? ">" : "<"
        parts.append(
            "EXISTS (SELECT 1 FROM stop_time AS n WHERE n.trip = \(last).trip "
                + "AND n.stop_sequence \(other) \(last).stop_sequence\(afterDay))")
        return parts
    }
}
