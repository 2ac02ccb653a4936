import CivilTime
import ReportPage
import SQLite

/// Reads what the report page shows of a timetable, from a store that is finished or nearly finished.
///
///     let portrait = try FeedPortrait(connection).read()
///
/// Reads every stop time once, which takes half as long as the import. Runs only if a page was requested.
struct FeedPortrait {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func read() throws(SQLiteError) -> PageContent.Portrait {
        var portrait = PageContent.Portrait()
        portrait.publishers = try publishers()
        try readStops(&portrait)
        let runs = try TripDays(connection)
        portrait.trips = runs.tripsByDay
        portrait.departures = try departures(runs)
        portrait.routeKinds = try routeKinds()
        return portrait
    }

    private func publishers() throws(SQLiteError) -> [String] {
        let rows = try connection.prepare("SELECT name FROM agency WHERE name IS NOT NULL ORDER BY id LIMIT 1000")
        var names: [String] = []
        while try rows.step() { names.append(rows.text(0) ?? "") }
        return names
    }

    /// Skips entrances, generic nodes and boarding areas: they belong to a stop that is shown.
    private func readStops(_ portrait: inout PageContent.Portrait) throws(SQLiteError) {
        let rows = try connection.prepare("SELECT latitude, longitude FROM stop WHERE ifnull(location_type, 0) < 2")
        while try rows.step() {
            if rows.isNull(0) || rows.isNull(1) {
                portrait.stopsWithoutPlace += 1
            } else {
                portrait.stops.append((rows.double(0), rows.double(1)))
            }
        }
    }

    private func routeKinds() throws(SQLiteError) -> [PageContent.RouteKind] {
        let rows = try connection.prepare(
            "SELECT route_type, count(*), sum(trips) FROM (SELECT route.id, route.route_type, count(trip.id) AS trips FROM route "
                + "LEFT JOIN trip ON trip.route = route.id GROUP BY route.id) GROUP BY route_type ORDER BY 3 DESC, 1")
        var types: [PageContent.RouteKind] = []
        while try rows.step() {
            types.append(
                .init(
                    number: rows.isNull(0) ? nil : Int(rows.integer(0)), routes: Int(rows.integer(1)),
                    trips: Int(rows.integer(2))))
        }
        return types
    }

    // MARK: Departures

    /// How many hours of a service day are counted separately; later departures count in the last one.
    static let mostHours = 48

    private func departures(_ runs: TripDays) throws(SQLiteError) -> [Int] {
        var hours = [Int](repeating: 0, count: Self.mostHours)
        let repeats = try repeatedTrips()
        let flexible = CallColumns.flexibleColumns.map { "\($0) IS NULL" }.joined(separator: " AND ")
        let rows = try connection.prepare(
            "SELECT trip, departure_time, pickup_type IS NOT 1 AND stop IS NOT NULL, \(flexible) FROM stop_time "
                + "ORDER BY trip, stop_sequence")
        var (trip, base): (Int64, Int?) = (0, nil)
        var waiting: Int?
        while try rows.step() {
            // Nobody departs from the last call of a trip, so a call is counted only when the trip's next call is read.
            if rows.integer(0) == trip {
                if let time = waiting { count(time, since: base, of: repeats[trip], runs.days(of: trip), &hours) }
            } else {
                (trip, base) = (rows.integer(0), nil)
            }
            waiting = nil
            guard !rows.isNull(1), rows.integer(3) == 1 else { continue }
            let time = Int(rows.integer(1))
            base = base ?? time
            if rows.integer(2) == 1 { waiting = time }
        }
        return hours
    }

    /// Counts a departure on each of `days` days; for a trip with frequencies, the departure of each repetition.
    private func count(_ time: Int, since base: Int?, of periods: [HeadwayPeriod]?, _ days: Int, _ hours: inout [Int]) {
        guard let periods else { return Self.add(1, on: days, to: &hours[Self.hour(of: time)]) }
        let offset = Int64(time - (base ?? time))
        for period in periods {
            // Most periods reach only a few of the hours.
            for hour in Self.hour(of: Int(period.start + offset))...Self.hour(of: Int(period.last + offset)) {
                Self.add(Self.departures(by: period, in: hour, after: offset), on: days, to: &hours[hour])
            }
        }
    }

    /// Stops at the greatest number: a feed of half a megabyte can say that 9,000 rows repeat 9,000 calls every second.
    private static func add(_ departures: Int, on days: Int, to count: inout Int) {
        let (product, isTooLarge) = departures.multipliedReportingOverflow(by: days)
        let (sum, isSumTooLarge) = count.addingReportingOverflow(product)
        count = isTooLarge || isSumTooLarge ? .max : sum
    }

    private static func hour(of time: Int) -> Int { min(max(time / 3_600, 0), mostHours - 1) }

    /// How many vehicles leave a call within an hour, `offset` seconds after they leave the trip's first call.
    private static func departures(by period: HeadwayPeriod, in hour: Int, after offset: Int64) -> Int {
        func before(_ hour: Int) -> Int64 { period.starts(before: Int64(hour * 3_600) - offset) }
        let isLast = hour == mostHours - 1
        return Int((isLast ? period.starts : before(hour + 1)) - (hour == 0 ? 0 : before(hour)))
    }

    private func repeatedTrips() throws(SQLiteError) -> [Int64: [HeadwayPeriod]] {
        let rows = try connection.prepare(
            "SELECT trip, start_time, end_time, headway_secs FROM frequency WHERE trip IS NOT NULL "
                + "AND start_time IS NOT NULL AND end_time IS NOT NULL AND headway_secs IS NOT NULL")
        var periods: [Int64: [HeadwayPeriod]] = [:]
        while try rows.step() {
            let (start, end, headway) = (rows.integer(1), rows.integer(2), rows.integer(3))
            guard let period = HeadwayPeriod(start: start, end: end, headway: headway) else { continue }
            periods[rows.integer(0), default: []].append(period)
        }
        return periods
    }
}

/// How many trips with calls run on each day, and on how many days each of them runs. Reads `service_day` once: it may
/// have more rows than `stop_time`.
private struct TripDays {
    /// Days on which trips run, in order.
    private(set) var tripsByDay: [(day: Int, count: Int)] = []
    /// By the trip's id.
    private var days: [Int32] = []

    init(_ connection: Connection) throws(SQLiteError) {
        let setOfTrip = try Self.setOfTrip(connection)
        var tripsOfSet: [Int64: Int] = [:]
        for case let set? in setOfTrip { tripsOfSet[set, default: 0] += 1 }
        var daysOfSet: [Int64: Int32] = [:]
        let rows = try connection.prepare("SELECT date, day_set FROM service_day ORDER BY date")
        while try rows.step() {
            let set = rows.integer(1)
            guard let trips = tripsOfSet[set], let date = CivilDay(number: Int(rows.integer(0))) else { continue }
            daysOfSet[set, default: 0] += 1
            let day = Int(date.daysSince1970)
            if tripsByDay.last?.day != day { tripsByDay.append((day, 0)) }
            tripsByDay[tripsByDay.count - 1].count += trips
        }
        days = setOfTrip.map { set in set.flatMap { daysOfSet[$0] } ?? 0 }
    }

    func days(of trip: Int64) -> Int { days.indices.contains(Int(trip)) ? Int(days[Int(trip)]) : 0 }

    /// By the trip's id, the id of the set of its days; nil if it never runs or has no calls.
    private static func setOfTrip(_ connection: Connection) throws(SQLiteError) -> [Int64?] {
        let trips = try connection.prepare(
            "SELECT trip.id, service.day_set FROM trip JOIN service ON service.id = trip.service WHERE service.day_set IS NOT NULL "
                + "AND \(DaysWithTrips.tripHasCalls)"
        )
        let most = try connection.integer("SELECT max(id) FROM trip") ?? 0
        var setOfTrip = [Int64?](repeating: nil, count: Int(most) + 1)
        while try trips.step() { setOfTrip[Int(trips.integer(0))] = trips.integer(1) }
        return setOfTrip
    }
}
