import FoundationEssentials
import SQLite

/// Reads the departures of one request from one store, stretch of time by stretch of time.
final class DepartureReader {
    let request: DepartureRequest
    let timetable: Timetable
    let changes: ChangedTimetable?
    let source: TransitStore
    let places: DeparturePlaces
    let known: LinesAndStops
    private let session: StoreSession
    /// Services by date, where some were changed in memory.
    var running: [Int64: Set<Int64>] = [:]
    private(set) var repeats = Repeats()
    private var starts: [(date: Int64, zone: TimetableZone, start: Int64)] = []

    init(
        _ request: DepartureRequest, _ source: TransitStore, _ session: StoreSession,
        changes: ChangedTimetable? = nil, run: @escaping LinesAndStops.StatementRunner
    ) throws {
        self.request = request
        self.session = session
        self.source = source
        self.changes = changes
        var timetable = try source.timetable(session)
        if let changes { timetable.add(changes) }
        self.timetable = timetable
        known = LinesAndStops(timetable, session, changes: changes, run: run)
        places = try DeparturePlaces(request, source, session, known)
    }

    /// The stretch of time outside of which nothing runs; nil where nothing ever does.
    var bounds: Range<Int64>? {
        guard let dates = timetable.dates, let latest = timetable.latestTime else { return nil }
        // With a day to spare at both ends, for the zones.
        return (dates.lowerBound - 2) * 86_400 + timetable.earliestTime..<(dates.upperBound + 3) * 86_400 + latest
    }

    /// The departures whose instants are in a stretch, in order.
    ///
    /// Of trips that frequencies repeat, those that cannot be among the first `most` are left out.
    func departures(in window: Range<Int64>, most: Int) throws -> [Departure] {
        repeats = Repeats(most: most)
        var found: [Departure] = []
        try read(window, isByFrequency: false, into: &found)
        if timetable.hasFrequencies { try read(window, isByFrequency: true, into: &found) }
        if let changes { try add(changes, window, to: &found) }
        return Self.sorted(found)
    }

    /// In order. Numbers are moved about, not departures, which are ten times their size.
    private static func sorted(_ found: [Departure]) -> [Departure] {
        guard found.count > 1 else { return found }
        var keys = found.indices.map { (instant: found[$0].instant.unixSeconds, place: $0) }
        keys.sort { one, other in
            one.instant != other.instant
                ? one.instant < other.instant : found[one.place].isOrderedBefore(found[other.place])
        }
        return keys.map { found[$0.place] }
    }

    /// What frequencies have made of rows in the stretch that is being read.
    struct Repeats {
        /// The most departures that are wanted of the stretch.
        var most = Int.max
        /// How many of those that were found were made so.
        var count = 0

        /// 350 MB. Twelve rows can make a million departures of a day, and a small feed has thousands of rows.
        static let greatestCount = 2_000_000

        /// Whether the first of them can be told from few.
        var isOfFew: Bool { most <= Self.greatestCount / 4 }
        var isFull: Bool { count > (isOfFew ? max(4 * most, 100_000) : Self.greatestCount) }
    }

    /// Called before so many departures are made of one row.
    func makeRoom(for count: Int, in found: inout [Departure]) throws {
        repeats.count += count
        guard repeats.isFull else { return }
        guard repeats.isOfFew else {
            throw StoreError(
                .tooComplex,
                "frequencies.txt repeats trips more than \(Repeats.greatestCount) times in that time; ask for fewer "
                    + "stops, less time, or the first few departures")
        }
        found = Array(Self.sorted(found).prefix(repeats.most))
        repeats.count = found.count + count
    }

    // MARK: Rows

    /// More days than these go into one statement after the other.
    private static let mostDays = 32

    private func read(_ window: Range<Int64>, isByFrequency: Bool, into found: inout [Departure]) throws {
        guard let dates = timetable.dates, let latest = timetable.latestTime, !places.keys.isEmpty else { return }
        let times = (isByFrequency ? timetable.earliestTime : 0)...max(latest, 0)
        var days = ServiceWindow(
            window, zones: timetable.zones, times: times, dates: dates, hasOneRangePerDate: isByFrequency
        ).days
        if let only = request.serviceDate?.dayNumber { days.removeAll { $0.number != only } }
        for day in stride(from: 0, to: days.count, by: Self.mostDays) {
            let days = days[day..<min(day + Self.mostDays, days.count)]
            for place in stride(from: 0, to: places.keys.count, by: DeparturePlaces.mostInStatement) {
                let part = places.keys[place..<min(place + DeparturePlaces.mostInStatement, places.keys.count)]
                try read(days, part, window, isByFrequency: isByFrequency, into: &found)
            }
        }
    }

    private func read(
        _ days: ArraySlice<ServiceWindow.Day>, _ stops: ArraySlice<Int64>, _ window: Range<Int64>,
        isByFrequency: Bool, into found: inout [Departure]
    ) throws {
        // Few different numbers, so that few statements are prepared; what is left over is NULL, which no row equals.
        let (dayCount, placeCount) = (days.count.roundedUpToPowerOfTwo, stops.count.roundedUpToPowerOfTwo)
        let filters = places.isAnywhere ? [] : places.routes
        let shape = DepartureShape(
            event: request.event, drive: places.isAnywhere ? .routes(placeCount) : .stops(placeCount), days: dayCount,
            isByFrequency: isByFrequency, hasFrequencies: timetable.hasFrequencies, filters: filters.count,
            hasDirection: request.directionID != nil, columns: timetable.columns,
            asksServices: changes?.changesServices ?? false, joinsLines: known.joinsLines)
        var values: [QueryValue] = []
        values.reserveCapacity(dayCount * 3 + 2 + placeCount + filters.count + 1)
        for day in days { values += [.integer(day.date), .integer(day.from), .integer(day.until)] }
        for _ in days.count * 3..<dayCount * 3 { values.append(.null) }
        values += [.integer(timetable.dwell.lowerBound), .integer(timetable.dwell.upperBound)]
        for stop in stops { values.append(.integer(stop)) }
        for _ in stops.count..<placeCount { values.append(.null) }
        for route in filters { values.append(.integer(route)) }
        if let direction = request.directionID { values.append(.integer(Int64(direction))) }
        let (text, prepared) = session.departureStatements.statement(shape)
        try known.run(SQLFragment(text, bindings: values), prepared) { statement in
            var rows = 0
            while try statement.step() {
                rows += 1
                try append(statement, window, isByFrequency: isByFrequency, to: &found)
            }
            return rows
        }
    }

    /// Adds the departures that a row stands for: one, or as many as its frequency repeats it within the stretch.
    private func append(
        _ row: Statement, _ window: Range<Int64>, isByFrequency: Bool, to found: inout [Departure]
    ) throws {
        if let changes, try isLeftOut(row, changes) { return }
        let hasRoute = !row.isNull(DepartureColumn.route)
        let route = try known.route(hasRoute ? row.integer(DepartureColumn.route) : -1, of: row)
        guard let start = start(of: row.integer(DepartureColumn.date), in: route.zone) else { return }
        let time = row.integer(DepartureColumn.time)
        guard isByFrequency else {
            guard window.contains(start.addingClamped(time)),
                let stop = try known.stop(row.integer(DepartureColumn.stop))
            else {
                return
            }
            return found.append(departure(row, start, time, stop, route, texts: row.packedRow(columns: 2)))
        }
        let band = ChangedCall.Band(
            key: -1, first: row.integer(DepartureColumn.startTime), end: row.integer(DepartureColumn.endTime),
            headway: row.integer(DepartureColumn.headway), isExact: false)
        let starts = band.starts(start.addingClamped(time), window, most: repeats.most)
        guard !starts.isEmpty, let stop = try known.stop(row.integer(DepartureColumn.stop)) else { return }
        try makeRoom(for: starts.count, in: &found)
        let texts = row.packedRow(columns: DepartureColumn.textCount)
        for begin in starts { found.append(departure(row, start, begin + time, stop, route, texts: texts)) }
    }

    private func departure(
        _ row: Statement, _ start: Int64, _ time: Int64, _ stop: StopFacts, _ route: RouteFacts, texts: PackedRow
    ) -> Departure {
        let frequency = row.integer(DepartureColumn.frequency)
        let isRepeated = !row.isNull(DepartureColumn.frequency)
        return Departure(
            instant: Instant(unixSeconds: start + time),
            serviceDate: ServiceDate(Int(row.integer(DepartureColumn.date))),
            serviceTime: ServiceTime(seconds: Int(time)), stopSequence: Int(row.integer(DepartureColumn.sequence)),
            pickupType: Int(row.integer(DepartureColumn.pickupType)),
            dropOffType: Int(row.integer(DepartureColumn.dropOffType)),
            directionID: row.isNull(DepartureColumn.direction) ? nil : Int(row.integer(DepartureColumn.direction)),
            isInterpolated: row.integer(DepartureColumn.filledTimes) == 3,
            repetition: isRepeated ? (row.integer(DepartureColumn.exactTimes) == 1 ? .exact : .headway) : nil,
            texts: texts, stopFacts: stop, routeFacts: route, tripKey: row.integer(DepartureColumn.trip),
            frequencyKey: isRepeated ? frequency : -1, store: source.number, changed: nil)
    }

    /// When a service day begins in a zone; few of them are asked for again and again.
    private func start(of date: Int64, in zone: TimetableZone) -> Int64? {
        for known in starts where known.date == date && known.zone === zone { return known.start }
        guard let start = zone.start(of: ServiceDate(Int(date)))?.unixSeconds else { return nil }
        if starts.count >= Self.mostDays { starts = [] }
        starts.append((date, zone, start))
        return start
    }
}

extension Statement {
    func integer(_ column: DepartureColumn) -> Int64 { integer(column.rawValue) }
    func isNull(_ column: DepartureColumn) -> Bool { isNull(column.rawValue) }
}
