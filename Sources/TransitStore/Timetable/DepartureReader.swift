import FoundationEssentials
import GTFSSchema
import SQLite

/// Reads the departures of one request from one store, one stretch of time after the other.
final class DepartureReader {
    let request: DepartureRequest
    let timetable: Timetable
    let changes: ChangedTimetable?
    let source: TransitStore
    let places: DeparturePlaces
    let known: LinesAndStops
    private let session: StoreSession
    /// By date, what is known of the services of unchanged trips, used when unsaved changes apply.
    var running: [Int64: RunningServicesOfRequest] = [:]
    private(set) var repeats = Repeats()
    // Unchecked: only `start(of:in:)` uses it, and that is never called recursively.
    @exclusivity(unchecked) private var starts: [(date: Int64, zone: TimetableZone, start: Int64)] = []

    /// With `mayLackStops`, ids (stop_id) that the store does not have are noted in `places`; otherwise they throw
    /// `unknownRow`.
    init(
        _ request: DepartureRequest, _ source: TransitStore, _ session: StoreSession,
        changes: ChangedTimetable? = nil, mayLackStops: Bool = false, run: @escaping LinesAndStops.StatementRunner
    ) throws {
        self.request = request
        self.session = session
        self.source = source
        self.changes = changes
        var timetable = try source.timetable(session)
        if let changes { timetable.add(changes) }
        self.timetable = timetable
        known = LinesAndStops(timetable, session, changes: changes, run: run)
        places = try DeparturePlaces(request, source, session, known, mayLackStops: mayLackStops)
    }

    /// A range of instants that contains every departure and arrival; nil if nothing ever runs.
    var bounds: Range<Int64>? {
        guard let dates = timetable.dates, let latest = timetable.latestTime else { return nil }
        guard let date = request.serviceDate else {
            // Leaves room at both ends for time zones.
            return (dates.lowerBound - 2) * 86_400 + timetable.earliestTime..<(dates.upperBound + 3) * 86_400 + latest
        }
        guard let number = date.dayNumber, dates.contains(number) else { return nil }
        let starts = timetable.zones.map { $0.startOfDay(number: number) }
        guard let first = starts.min(), let last = starts.max() else { return nil }
        return first + timetable.earliestTime..<last + latest + 1
    }

    /// The departures whose instants are in a stretch, in order.
    ///
    /// Repeated departures (frequencies.txt) that cannot be among the first `most` are left out.
    func departures(in window: Range<Int64>, most: Int) throws -> [Departure] {
        repeats = Repeats(most: most)
        var found: [Departure] = []
        try read(window, isByFrequency: false, into: &found)
        if try places.takeInPlacesBelow(found.first?.stopFacts) {
            found = []
            try read(window, isByFrequency: false, into: &found)
        }
        if timetable.hasFrequencies { try read(window, isByFrequency: true, into: &found) }
        if let changes { try add(changes, window, to: &found) }
        return Self.sorted(found)
    }

    /// Sorts departures. It moves numbers instead of departures, because departures are ten times their size.
    private static func sorted(_ found: [Departure]) -> [Departure] {
        // Departures of one stop and day are already in order.
        guard (1..<max(found.count, 1)).contains(where: { !found[$0 - 1].isOrderedBefore(found[$0]) }) else {
            return found
        }
        var keys = found.indices.map { (instant: found[$0].instant.unixSeconds, place: $0) }
        keys.sort { one, other in
            one.instant != other.instant
                ? one.instant < other.instant : found[one.place].isOrderedBefore(found[other.place])
        }
        return keys.map { found[$0.place] }
    }

    /// Counts the departures that frequencies make in the current stretch.
    struct Repeats {
        /// The most departures wanted from the stretch.
        var most = Int.max
        /// How many of the found departures come from frequencies.
        var count = 0

        /// The most repeated departures in memory: 350 MB. Twelve rows can make a million departures a day, and a small
        /// feed has thousands of rows.
        static let greatestCount = 2_000_000

        /// Whether so few are wanted that the others can be dropped while reading.
        var isOfFew: Bool { most <= Self.greatestCount / 4 }
        var isFull: Bool { count > (isOfFew ? max(4 * most, 100_000) : Self.greatestCount) }
    }

    /// Call before `count` departures are made from one row. Drops departures that are not among the first, or throws
    /// `tooComplex` if there are too many.
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

    /// The most days for one statement; more days need several statements.
    static let mostDays = 32

    private func read(_ window: Range<Int64>, isByFrequency: Bool, into found: inout [Departure]) throws {
        guard let dates = timetable.dates, let latest = timetable.latestTime, !places.keys.isEmpty else { return }
        let times = (isByFrequency ? timetable.earliestTime : 0)...max(latest, 0)
        var days = ServiceWindow(
            window, zones: timetable.zones, times: times, dates: dates, hasOneRangePerDate: isByFrequency
        ).days
        if let only = request.serviceDate { days.removeAll { $0.number != only.dayNumber } }
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
        let skeleton = skeleton(days, stops, isByFrequency: isByFrequency)
        let values = values(for: skeleton, days, stops)
        let (text, prepared) = session.departureStatements.statement(skeleton)
        let before = found.count
        try known.run(SQLFragment(text, bindings: values), prepared) { statement in
            var rows = 0
            while try statement.step() {
                rows += 1
                try append(statement, of: skeleton, window, to: &found)
            }
            return rows
        }
        if skeleton.services == .joined { try learnServices(on: days, found: max(0, found.count - before)) }
    }

    /// Counts are rounded up, so that few different statements are prepared.
    private func skeleton(
        _ days: ArraySlice<ServiceWindow.Day>, _ stops: ArraySlice<Int64>, isByFrequency: Bool
    ) -> DepartureSkeleton {
        let count = stops.count.roundedUpToPowerOfTwo
        return DepartureSkeleton(
            event: request.event, drive: places.isAnywhere ? .routes(count) : .stops(count),
            days: days.count.roundedUpToPowerOfTwo, isByFrequency: isByFrequency,
            hasFrequencies: timetable.hasFrequencies, routeFilter: places.routeFilter,
            hasDirection: request.directionID != nil, columns: timetable.columns, services: serviceTest(on: days),
            joined: places.comesWithRows ? .lineAndStop : known.joinsLines ? .line : .nothing)
    }

    /// The values of a statement. Unused parameters are NULL, which equals no row.
    private func values(
        for skeleton: DepartureSkeleton, _ days: ArraySlice<ServiceWindow.Day>, _ stops: ArraySlice<Int64>
    ) -> [QueryValue] {
        var values: [QueryValue] = []
        values.reserveCapacity(skeleton.days * 3 + 2 + skeleton.drive.count + places.filters.count + 1)
        for day in days { values += [.integer(day.date), .integer(day.from), .integer(day.until)] }
        for _ in days.count * 3..<skeleton.days * 3 { values.append(.null) }
        values += [.integer(timetable.dwell.lowerBound), .integer(timetable.dwell.upperBound)]
        for stop in stops { values.append(.integer(stop)) }
        for _ in stops.count..<skeleton.drive.count { values.append(.null) }
        values += places.filters
        if let direction = request.directionID { values.append(.integer(Int64(direction.rawValue))) }
        return values
    }

    private func serviceTest(on days: ArraySlice<ServiceWindow.Day>) -> DepartureSkeleton.ServiceTest {
        if changes?.changesServices == true { return .byReader }
        let areKnown =
            days.count <= KnownServiceDates.most
            && days.allSatisfy { session.serviceDates.knows($0.date, source.runningServices) }
        return areKnown ? .known : .joined
    }

    /// Reads which services run on days that are often requested.
    private func learnServices(on days: ArraySlice<ServiceWindow.Day>, found count: Int) throws {
        guard days.count <= KnownServiceDates.most else { return }
        for day in days {
            let date = day.date
            guard source.runningServices.services(on: date) == nil,
                source.runningServices.isWorthReading(date, found: count, services: timetable.serviceCount)
            else { continue }
            let sql = SQLFragment(
                "SELECT v.id FROM service_day AS d CROSS JOIN service AS v WHERE d.date = ? AND v.day_set = d.day_set",
                bindings: [.integer(date)])
            let services = try known.rows(sql).compactMap { $0.integer(0) }
            RunningServices(date: date, services: services).map(source.runningServices.keep)
        }
    }

    /// Adds the departures of a row: one, or all repetitions by its frequency within the stretch.
    private func append(
        _ row: Statement, of skeleton: DepartureSkeleton, _ window: Range<Int64>, to found: inout [Departure]
    ) throws {
        if let changes, try isLeftOut(row, changes) { return }
        let facts = try known.facts(of: row, joinsStop: skeleton.joined == .lineAndStop)
        guard let start = start(of: row.integer(DepartureColumn.date), in: facts.route.zone) else { return }
        let time = row.integer(DepartureColumn.time)
        guard skeleton.isByFrequency else {
            guard window.contains(start.addingClamped(time)), let stop = try stop(of: row, facts) else { return }
            return found.append(departure(row, of: skeleton, start, time, stop, facts.route, texts(of: row, facts)))
        }
        let band = ChangedCall.Band(
            key: -1, first: row.integer(DepartureColumn.startTime), end: row.integer(DepartureColumn.endTime),
            headway: row.integer(DepartureColumn.headway), isExact: false)
        let starts = band.starts(start.addingClamped(time), window, most: repeats.most)
        guard !starts.isEmpty, let stop = try stop(of: row, facts) else { return }
        try makeRoom(for: starts.count, in: &found)
        let texts = texts(of: row, facts)
        for begin in starts {
            found.append(departure(row, of: skeleton, start, begin + time, stop, facts.route, texts))
        }
    }

    private func stop(of row: Statement, _ facts: LinesAndStops.RowFacts) throws -> StopFacts? {
        try facts.stop ?? known.stop(row.integer(DepartureColumn.stop))
    }

    private func texts(of row: Statement, _ facts: LinesAndStops.RowFacts) -> PackedRow {
        facts.texts ?? row.packedRow(columns: DepartureColumn.textCount)
    }

    private func departure(
        _ row: Statement, of skeleton: DepartureSkeleton, _ start: Int64, _ time: Int64, _ stop: StopFacts,
        _ route: RouteFacts, _ texts: PackedRow
    ) -> Departure {
        /// 0 for a column without values, which the statement does not read.
        func integer(_ column: DepartureColumn, _ filled: FilledColumns) -> Int64 {
            skeleton.columns.contains(filled) ? row.integer(column) : 0
        }
        let isRepeated = skeleton.isByFrequency
        return Departure(
            instant: Instant(unixSeconds: start + time),
            serviceDate: ServiceDate(Int(row.integer(DepartureColumn.date))),
            serviceTime: ServiceTime(seconds: Int(time)), stopSequence: Int(row.integer(DepartureColumn.sequence)),
            pickupType: .other(Int(integer(.pickupType, .pickupType))),
            dropOffType: .other(Int(integer(.dropOffType, .dropOffType))),
            directionID: row.isNull(DepartureColumn.direction)
                ? nil : .other(Int(row.integer(DepartureColumn.direction))),
            isInterpolated: integer(.filledTimes, .filledTimes) == FilledTimes.both,
            repetition: isRepeated ? (row.integer(DepartureColumn.exactTimes) == 1 ? .exact : .headway) : nil,
            texts: texts, stopFacts: stop, routeFacts: route, tripKey: row.integer(DepartureColumn.trip),
            frequencyKey: isRepeated ? row.integer(DepartureColumn.frequency) : -1, store: source.number, changed: nil)
    }

    /// When a service day begins in a zone. Keeps results, because a few of them are needed again and again.
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
