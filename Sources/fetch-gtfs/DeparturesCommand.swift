import Console
import TransitStore

/// `departures STOP…`, `near LAT,LON --departures` and `trips STOP --on DATE`: departures or arrivals.
struct DeparturesCommand {
    let store: TransitStore
    let arguments: FetchArguments

    private var options: [String: String] { arguments.options.values }

    func departures(at stops: [String], _ output: BufferedOutput) throws {
        try run(at: .stops(stops), output)
    }

    func near(_ place: Coordinate, _ output: BufferedOutput) throws {
        try run(at: .near(place, meters: try arguments.meters), output)
    }

    func trips(at stop: String, on date: ServiceDate, _ output: BufferedOutput) throws {
        var request = DepartureRequest(.stops([stop]), on: date)
        try add(to: &request)
        try run(request, nil, output)
    }

    private func run(at place: DepartureRequest.Place, _ output: BufferedOutput) throws {
        let from = try instant { try store.timeZone(at: place) }
        try run(try request(place, from: from), from, output)
    }

    // MARK: Options

    private func request(_ place: DepartureRequest.Place, from: Instant) throws -> DepartureRequest {
        var request = DepartureRequest(place, from: from, within: .seconds(try duration()))
        try add(to: &request)
        return request
    }

    private func add(to request: inout DepartureRequest) throws {
        if options["--arrivals"] != nil { request.event = .arrivals }
        if let route = options["--route"] { request.routes = try store.routes(named: route) }
        request.limit = try arguments.options.number("--limit", atLeast: 0) ?? 0
    }

    /// Reads `--from`: an instant if it has an offset, otherwise local time at the stops.
    private func instant(_ zone: () throws -> TimetableZone?) throws -> Instant {
        guard let text = options["--from"] else { return .now }
        if let instant = Instant(text) { return instant }
        guard let reading = ClockReading(text) else {
            throw UsageError(
                "--from takes a time such as 2026-10-25T02:30 or 2026-10-25T02:30+01:00, not \"\(text)\"")
        }
        guard let zone = try zone() else {
            let example = Instant(text + "Z") == nil ? text + "T00:00Z" : text + "Z"
            throw UsageError(
                "the clocks at these stops show different times: --from needs an offset, such as \(example)")
        }
        return reading.instant(in: zone)
    }

    private static let usualSeconds: Int64 = 3_600
    private static let mostDays: Int64 = 36_600
    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// Reads `--within`: seconds, or a number with s, m, h or d.
    private func duration() throws -> Int64 {
        guard let text = options["--within"] else { return Self.usualSeconds }
        let unit = text.last.flatMap { Self.units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            throw UsageError("--within takes seconds, or a number with s, m, h or d, such as 20m, not \"\(text)\"")
        }
        guard let number = Int64(digits), number <= Self.mostDays * 86_400 / (unit ?? 1) else {
            throw UsageError("--within takes \(Self.mostDays)d (100 years) at most, not \"\(text)\"")
        }
        return number * (unit ?? 1)
    }

    // MARK: Output

    /// Writes each departure as it is read. A table waits for all of them, because each column is as wide as its widest
    /// cell.
    private func run(
        _ request: DepartureRequest, _ from: Instant?, _ output: BufferedOutput
    ) throws {
        let context = store.makeContext()
        if arguments.format == .table {
            let table = DepartureTable(isFor: request.event, from: from, output)
            let departures = try context.departures(request)
            return departures.isEmpty ? try output.write(nothing(request)) : try table.write(departures)
        }
        var rows = arguments.rows(Self.columns, output)
        for departure in context.departures(lazily: request) { try rows.write(Self.values(departure)) }
        if let error = context.lastError { throw error }
        try rows.end()
    }

    /// The text to print instead of an empty table. It says why the table is empty, if that is known.
    private func nothing(_ request: DepartureRequest) throws -> String {
        if case .near(let place, let meters) = request.place,
            try store.makeContext().fetchCount(FetchRequest<Stop>(where: .within(meters: meters, of: place))) == 0
        {
            return "no stop within \(FetchArguments.whole(meters)) m\n"
        }
        let verb = request.event == .departures ? "leaves" : "arrives"
        guard let dates = try store.serviceDates else { return "nothing \(verb): no service runs on any day\n" }
        guard try !isWithin(dates, request) else { return "nothing \(verb) then\n" }
        return
            "nothing \(verb) then: services run from \(Self.dashed(dates.lowerBound)) to \(Self.dashed(dates.upperBound))\n"
    }

    /// Whether the requested time overlaps the days on which services run.
    private func isWithin(_ dates: ClosedRange<ServiceDate>, _ request: DepartureRequest) throws -> Bool {
        if let date = request.serviceDate { return dates.contains(date) }
        let zone = try store.timeZone(at: request.place) ?? .utc
        let (first, last) = (
            ServiceDate(request.from, in: zone), ServiceDate(request.from + request.duration, in: zone)
        )
        return first <= dates.upperBound && dates.lowerBound <= last
    }

    /// YYYY-MM-DD, as dates are written in the table.
    private static func dashed(_ date: ServiceDate) -> String {
        let digits = date.description
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    private static let columns: [OutputColumn] = [
        OutputColumn(name: "instant", kind: .text), OutputColumn(name: "local", kind: .text),
        OutputColumn(name: "service_date", kind: .text), OutputColumn(name: "service_time", kind: .text),
        OutputColumn(name: "trip_id", kind: .text), OutputColumn(name: "stop_sequence", kind: .number),
        OutputColumn(name: "stop_id", kind: .text), OutputColumn(name: "route_id", kind: .text),
        OutputColumn(name: "route_short_name", kind: .text), OutputColumn(name: "headsign", kind: .text),
        OutputColumn(name: "platform_code", kind: .text), OutputColumn(name: "pickup_type", kind: .number),
        OutputColumn(name: "interpolated", kind: .number, isFlag: true), OutputColumn(name: "frequency", kind: .text),
        // New columns come last, because programs may read these by position.
        OutputColumn(name: "stop_name", kind: .text), OutputColumn(name: "route_long_name", kind: .text),
        OutputColumn(name: "drop_off_type", kind: .number),
    ]

    private static func values(_ departure: Departure) -> [QueryValue] {
        func text(_ text: String?) -> QueryValue { text.map(QueryValue.text) ?? .null }
        return [
            .text(departure.instant.description), .text(departure.localTime),
            .text(departure.serviceDate.description), .text(departure.serviceTime.description),
            .text(departure.tripID), .integer(Int64(departure.stopSequence)), .text(departure.stopID),
            text(departure.routeID), text(departure.routeShortName), text(departure.headsign),
            text(departure.platformCode), .integer(Int64(departure.pickupType.rawValue)),
            .integer(departure.isInterpolated ? 1 : 0), text(departure.repetition?.rawValue),
            text(departure.stopName), text(departure.routeLongName), .integer(Int64(departure.dropOffType.rawValue)),
        ]
    }
}
