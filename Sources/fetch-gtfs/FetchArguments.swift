import Console
import SystemFiles
import TransitStore

/// What the arguments of `fetch-gtfs` ask for.
struct FetchArguments {
    enum Request {
        case help
        case version
        case run(FetchArguments)
    }

    enum Command {
        case info
        /// Whether every byte is as it was published.
        case check
        /// `info --entities`: all entities, or the one named.
        case entities(String?)
        /// An entity; nil when a template names it.
        case fetch(String?)
        case near(Coordinate)
        case search(String)
        /// Departures or arrivals at the stops with these IDs.
        case departures([String])
        /// `near --departures`.
        case departuresNear(Coordinate)
        /// `trips STOP --on DATE`.
        case trips(String, ServiceDate)
    }

    enum Format: String, CaseIterable { case table, csv, json, jsonl }

    var store: String
    var command: Command
    var format = Format.table
    /// The options as they were given.
    var options: OptionTable.Arguments

    /// The seconds of `--timeout`; nil if it is not given.
    var timeLimit: Double? {
        get throws {
            guard let text = options.values["--timeout"] else { return nil }
            guard let seconds = Double(text), seconds.isFinite, seconds > 0 else {
                throw UsageError("--timeout takes a number of seconds above 0, not \"\(text)\"")
            }
            return seconds
        }
    }

    var guardsFormulas: Bool { options.values["--spreadsheet"] != nil }
    var showsSQL: Bool { options.values["--sql-debug"] != nil }
    var explains: Bool { options.values["--explain"] != nil }
    var counts: Bool { options.values["--count"] != nil }

    static let commonOptions = OptionTable([
        OptionDefinition("--format", value: "FORMAT", "table (the default), csv, json or jsonl: an object a line"),
        OptionDefinition("--sql-debug", "log every statement with its values and times to standard error"),
        OptionDefinition(
            "--spreadsheet", "with csv: an apostrophe before texts that a spreadsheet would run as a formula"),
        OptionDefinition(
            "--timeout", value: "SECONDS",
            "end the program after that long, with exit code 75; without it a request may take any time"),
        OptionDefinition("--help", letter: "-h", "print this text"),
        OptionDefinition("--version", "print the versions of the program and its libraries"),
    ])

    static let infoOptions = OptionTable([
        OptionDefinition(
            "--entities", "list all entities, or only the one named next, with their properties, types and fields")
    ])

    static let checkOptions = OptionTable([
        OptionDefinition("--quick", "compare only the checksums, without SQLite's own check")
    ])

    static let requestOptions = OptionTable([
        OptionDefinition("--where", value: "CONDITION", "only rows that meet the condition"),
        OptionDefinition(
            "--sort", value: "LIST",
            "expressions or names given by AS; each may end in [cd], LOCALE de, DESC or NULLS LAST"),
        OptionDefinition("--limit", value: "N", "at most N rows, 0 for all"),
        OptionDefinition("--offset", value: "N", "leave out the first N rows"),
        OptionDefinition(
            "--properties", value: "LIST",
            "expressions, each with AS NAME if you like; all properties if not given (a table hides empty ones)"),
        OptionDefinition("--distinct", "leave out rows that equal an earlier one"),
        OptionDefinition("--count", "print how many rows there are, after --offset and --limit"),
        OptionDefinition("--explain", "print the statement and SQLite's plan instead of running it"),
    ])

    static let fetchOptions = OptionTable([
        OptionDefinition(
            "--group-by", value: "LIST", "one row for each group; @count, @min.NAME, … are about its rows"),
        OptionDefinition("--having", value: "CONDITION", "only groups that meet the condition"),
        OptionDefinition("--ids", "print the rows' keys"),
        OptionDefinition(
            "--prefetch", value: "PATHS", "with json and jsonl: objects, with the objects of these relationships inside"
        ),
        OptionDefinition("--templates", value: "FILE", "read requests stored by name from a file"),
        OptionDefinition("--template", value: "NAME", "run the request of that name; other options add to it"),
        OptionDefinition("--set", value: "NAME=VALUE", "the value of $NAME: a text, {a, b} or NIL; may be repeated"),
    ])

    static let nearOptions = OptionTable([
        OptionDefinition(
            "--meters", value: "N", "the greatest distance (500; none if --limit is given without --departures)"),
        OptionDefinition(
            "--departures", "what leaves from these stops, with the options of departures: --limit counts departures"),
    ])

    static let departureOptions = OptionTable([
        OptionDefinition(
            "--from", value: "TIME",
            "2026-10-25T02:30+01:00; local time if without an offset, midnight if a date alone (now)"
        ),
        OptionDefinition("--within", value: "TIME", "how long from then on: seconds, or 20m, 2h, 3d (1h)"),
        OptionDefinition("--arrivals", "arrivals instead of departures"),
        OptionDefinition("--route", value: "R", "only this line, by its route_id or route_short_name"),
        OptionDefinition("--limit", value: "N", "at most N, 0 for all (0)"),
    ])

    static let tripsOptions = OptionTable([
        OptionDefinition("--on", value: "DATE", "the service day, YYYY-MM-DD or YYYYMMDD; must be given")
    ])

    /// The greatest distance of stops from the place of `near`, in metres.
    var meters: Double {
        get throws {
            guard let text = options.values["--meters"] else { return 500 }
            guard let number = Double(text), number.isFinite, number >= 0 else {
                throw UsageError("--meters takes a number of at least 0, not \"\(text)\"")
            }
            return number
        }
    }

    /// Metres for people, without a fraction: 500.5 as "500". A number too large for an `Int` stays as it is: "1e+30".
    static func whole(_ meters: Double) -> String {
        Int(exactly: meters.rounded(.down)).map { "\($0)" } ?? "\(meters)"
    }

    /// Reads the arguments that follow the program's name; throws `UsageError`.
    static func parse(_ arguments: [String]) throws -> Request {
        let all = [
            commonOptions, infoOptions, checkOptions, requestOptions, fetchOptions, nearOptions, departureOptions,
            tripsOptions,
        ].flatMap(\.options)
        let parsed = try OptionTable(all).parse(arguments)
        if parsed.values["--help"] != nil { return .help }
        if parsed.values["--version"] != nil { return .version }
        try refuseRepetition(parsed)
        return .run(try FetchArguments(parsed))
    }

    /// Throws for a repeated option, because only one of its values would count and the others would be silently lost.
    private static func refuseRepetition(_ parsed: OptionTable.Arguments) throws {
        let repeated = parsed.allValues.filter { $0.key != "--set" && $0.value.count > 1 }
        guard let (option, values) = repeated.min(by: { $0.key < $1.key }) else { return }
        let hint =
            switch option {
            case "--where", "--having": "; join conditions with AND"
            case "--sort", "--properties", "--group-by", "--prefetch": "; a list has commas between"
            default: ""
            }
        let given = Set(values) == [""] ? "" : ": " + values.map { "\"\($0)\"" }.joined(separator: ", ")
        throw UsageError("\(option) can be given once\(given)\(hint)")
    }

    private init(_ parsed: OptionTable.Arguments) throws {
        guard let store = parsed.operands.first else { throw UsageError("STORE and a command are missing") }
        guard parsed.operands.count > 1 else {
            throw UsageError("the command is missing: \(Self.commands(before: "or"))")
        }
        if store.isEmpty { throw UsageError("STORE is empty") }
        options = parsed
        // Only the store and `--templates` are paths; all other arguments are text.
        for (name, value) in parsed.values where name != "--templates" { options.values[name] = value.repairedText }
        options.allValues = parsed.allValues.mapValues { $0.map(\.repairedText) }
        self.store = store
        let operands = parsed.operands.dropFirst(2).map(\.repairedText)
        command = try Self.command(parsed.operands[1], operands, given: parsed.values)
        if let name = parsed.values["--format"] {
            guard let format = Format(rawValue: name) else {
                throw UsageError("--format is table, csv, json or jsonl, not \"\(name)\"")
            }
            self.format = format
        }
        try refuseOptionsOfOthers(parsed.operands[1])
        try refuseContradictions()
    }

    /// All commands in words, with `word` before the last one.
    private static func commands(before word: String) -> String {
        "info, check, departures, trips, fetch, near \(word) search"
    }

    private static func command(
        _ name: String, _ operands: [String], given: [String: String]
    ) throws -> Command {
        switch name {
        case "info":
            if given["--entities"] != nil { return try one(operands, atMost: 1, .entities(operands.first)) }
            return try one(operands, atMost: 0, .info)
        case "check": return try one(operands, atMost: 0, .check)
        case "fetch": return try fetch(operands, hasTemplate: given["--template"] != nil)
        case "near": return try near(operands, isForDepartures: given["--departures"] != nil)
        case "departures":
            guard !operands.isEmpty else { throw UsageError("departures needs the stop_id of a stop or station") }
            return .departures(operands)
        case "trips": return try trips(operands, on: given["--on"])
        case "search":
            guard !operands.isEmpty else { throw UsageError("search needs a text") }
            return .search(operands.joined(separator: " "))
        default:
            throw UsageError("there is no command \"\(name)\"; the commands are \(commands(before: "and"))")
        }
    }

    private static func fetch(_ operands: [String], hasTemplate: Bool) throws -> Command {
        if hasTemplate {
            guard operands.isEmpty else {
                throw UsageError("the template names the entity: \"\(operands[0])\" is one too many")
            }
            return .fetch(nil)
        }
        guard let entity = operands.first else {
            throw UsageError("fetch needs an entity, such as Stop, or --template")
        }
        return try one(operands, atMost: 1, .fetch(entity))
    }

    private static func near(_ operands: [String], isForDepartures: Bool) throws -> Command {
        guard let text = operands.first else {
            throw UsageError("near needs LATITUDE,LONGITUDE, such as 52.499,13.418")
        }
        let place = try place(text)
        return try one(operands, atMost: 1, isForDepartures ? .departuresNear(place) : .near(place))
    }

    private static func trips(_ operands: [String], on text: String?) throws -> Command {
        guard let stop = operands.first else { throw UsageError("trips needs the stop_id of a stop or station") }
        guard let text else { throw UsageError("trips needs --on DATE, such as 2026-10-25") }
        guard let date = ServiceDate(text) else {
            throw UsageError("--on takes a date such as 2026-10-25, not \"\(text)\"")
        }
        return try one(operands, atMost: 1, .trips(stop, date))
    }

    /// The command itself; throws if there are more operands than it takes.
    private static func one(_ operands: [String], atMost count: Int, _ command: Command) throws -> Command {
        guard operands.count <= count else { throw UsageError("one argument too many: \"\(operands[count])\"") }
        return command
    }

    private static func place(_ text: String) throws -> Coordinate {
        let parts = text.parts(at: ",").map(\.trimmingBlanks)
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
            abs(latitude) <= 90, abs(longitude) <= 180
        else {
            throw UsageError(
                "expected LATITUDE,LONGITUDE (-90 to 90, -180 to 180), such as 52.499,13.418, not \"\(text)\"")
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func refuseOptionsOfOthers(_ name: String) throws {
        var known = Self.commonOptions.options
        switch command {
        case .info, .entities: known += Self.infoOptions.options
        case .check: known += Self.checkOptions.options
        case .fetch: known += Self.requestOptions.options + Self.fetchOptions.options
        case .near: known += Self.requestOptions.options + Self.nearOptions.options
        case .search: known += Self.requestOptions.options
        case .departures: known += Self.departureOptions.options
        case .departuresNear: known += Self.departureOptions.options + Self.nearOptions.options
        case .trips:
            let ofWindow: Set = ["--from", "--within"]
            known += Self.departureOptions.options.filter { !ofWindow.contains($0.name) } + Self.tripsOptions.options
        }
        let names = Set(known.map(\.name))
        guard let other = options.values.keys.sorted().first(where: { !names.contains($0) }) else { return }
        let isOfDepartures = Self.departureOptions.options.contains { $0.name == other }
        switch command {
        case .near where isOfDepartures: throw UsageError("near has no option \(other) without --departures")
        case .departuresNear: throw UsageError("near --departures has no option \(other)")
        default: throw UsageError("\(name) has no option \(other)")
        }
    }

    private func refuseContradictions() throws {
        let given = options.values
        for (one, other) in [
            ("--count", "--ids"), ("--count", "--prefetch"), ("--ids", "--properties"), ("--ids", "--group-by"),
            ("--prefetch", "--properties"), ("--prefetch", "--group-by"), ("--prefetch", "--ids"),
        ]
        where given[one] != nil && given[other] != nil {
            throw UsageError("\(one) and \(other) exclude each other")
        }
        for (one, other) in [("--having", "--group-by"), ("--template", "--templates"), ("--templates", "--template")]
        where given[one] != nil && given[other] == nil && !(one == "--having" && given["--template"] != nil) {
            throw UsageError("\(one) needs \(other)")
        }
        if given["--spreadsheet"] != nil, format != .csv { throw UsageError("--spreadsheet needs --format csv") }
        if given["--prefetch"] != nil, format != .json, format != .jsonl {
            throw UsageError("--prefetch needs --format json or jsonl")
        }
    }
}
