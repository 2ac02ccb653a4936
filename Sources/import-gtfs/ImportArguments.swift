import GTFSImport
import Console

/// What the arguments of `import-gtfs` ask for.
struct ImportArguments: Sendable {
    enum Request: Sendable {
        case help
        case version
        case run(ImportArguments)
        case rollBack(ImportArguments)
        case index(folder: String)
        case list(path: String)
    }

    var options: ImportOptions
    var printsJSON = false
    var isQuiet = false
    var showsProgress = false
    var logsJSON = false
    /// Where the report page goes.
    var pagePath: String?
    var metricsPath: String?
    /// A command for the shell.
    var afterCommand: String?

    static let table = OptionTable(
        [
            OptionDefinition("--json", "print one JSON object about the import when it is done, also when it failed"),
            OptionDefinition("--quiet", "say nothing unless something went wrong"),
            OptionDefinition("--progress", "report progress even when standard error is not a terminal"),
            OptionDefinition(
                "--force", "import even when the store already holds this feed, and replace a file that is not a store"),
            OptionDefinition(
                "--keep", value: "N",
                "keep N earlier stores as OUT.1 (the youngest) to OUT.N (0); those beyond OUT.N stay"),
            OptionDefinition(
                "--batch-size", value: "ROWS", "rows in one transaction (\(ImportOptions.standard.batchRows))"),
            OptionDefinition(
                "--memory", value: "SIZE", "stop with 74 once more memory than SIZE is used, such as 300M or 2G"),
            OptionDefinition(
                "--notices-per-code", value: "N",
                "store N notices of each code; all are counted (\(ImportOptions.standard.noticesKeptPerCode))"),
        ] + filters + policy + limits + telling + [
            OptionDefinition(
                "--rollback", "with OUT alone: make OUT.1 the store again, and the present one the last of OUT.N"),
            OptionDefinition("--help", letter: "-h", "print this text"),
            OptionDefinition("--version", "print the versions of the program and its libraries"),
        ])

    /// Reads the arguments that follow the program's name; throws `UsageError`.
    static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        let parsed = try table.parse(arguments)
        if parsed.values["--help"] != nil { return .help }
        if parsed.values["--version"] != nil { return .version }
        if parsed.values["--index"] != nil { return .index(folder: try lone("--index", parsed)) }
        if parsed.values["--list"] != nil { return .list(path: try lone("--list", parsed)) }
        if parsed.values["--rollback"] != nil { return .rollBack(try ImportArguments(rollingBack: parsed)) }
        return .run(try ImportArguments(parsed))
    }

    /// The value of an option that excludes all other options and operands.
    private static func lone(_ option: String, _ parsed: OptionTable.Arguments) throws(UsageError) -> String {
        if let other = parsed.values.keys.filter({ $0 != option }).min() ?? parsed.operands.first {
            throw UsageError("\(option) does not go with \(other)")
        }
        guard let value = parsed.values[option], !value.isEmpty else { throw UsageError("\(option) is empty") }
        return value
    }

    private init(rollingBack parsed: OptionTable.Arguments) throws(UsageError) {
        let others = parsed.values.keys.filter { !["--rollback", "--json", "--quiet"].contains($0) }
        if let other = others.min() { throw UsageError("--rollback does not go with \(other)") }
        guard let store = parsed.operands.first, !store.isEmpty else {
            throw UsageError("OUT is missing: which store to roll back")
        }
        try Self.refuseOutput(store)
        guard parsed.operands.count == 1 else {
            throw UsageError("--rollback takes the store alone, but was also given \"\(parsed.operands[1])\"")
        }
        options = ImportOptions(feed: "", store: store)
        readOutput(parsed)
    }

    private mutating func readOutput(_ parsed: OptionTable.Arguments) {
        printsJSON = parsed.values["--json"] != nil
        isQuiet = parsed.values["--quiet"] != nil
        showsProgress = parsed.values["--progress"] != nil
        logsJSON = parsed.values["--log-json"] != nil
    }

    private init(_ parsed: OptionTable.Arguments) throws(UsageError) {
        let (feed, store) = try Self.operands(parsed.operands)
        options = ImportOptions(feed: feed, store: store)
        options.force = parsed.values["--force"] != nil
        options.previousStoresKept = try parsed.number("--keep", atLeast: 0) ?? options.previousStoresKept
        options.batchRows = try parsed.number("--batch-size", atLeast: 1) ?? options.batchRows
        options.noticesKeptPerCode = try parsed.number("--notices-per-code", atLeast: 0) ?? options.noticesKeptPerCode
        // The program alone takes 16M. A smaller number usually lacks its letter, as 300 for 300M.
        options.maximumMemoryBytes = try parsed.size("--memory", atLeast: 16 << 20).map(Int.init)
        try options.readLimits(parsed)
        options.policy = try PublicationPolicy(parsed)
        options.filter = try FeedFilter(parsed)
        readOutput(parsed)
        try readReports(parsed)
    }

    private static func operands(_ operands: [String]) throws(UsageError) -> (feed: String, store: String) {
        switch operands.count {
        case 0: throw UsageError("FEED and OUT are missing")
        case 1: throw UsageError("OUT is missing: where to write the store made from \(operands[0])")
        case 2: break
        default: throw UsageError("one argument too many: \"\(operands[2])\"")
        }
        if operands[0].isEmpty { throw UsageError("FEED is empty") }
        if operands[1].isEmpty { throw UsageError("OUT is empty") }
        try refuseOutput(operands[1])
        return (operands[0], operands[1])
    }

    /// Throws for `-`, which stands for standard input as FEED and so could be meant as standard output.
    private static func refuseOutput(_ path: String) throws(UsageError) {
        guard path == "-" else { return }
        throw UsageError(
            "OUT must be the path of a file: a store cannot be written to standard output (./- is a file named -)")
    }

    /// Whether the caller expects JSON, even if the arguments are wrong.
    static func wantsJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }
}

/// The options for reports, metrics, logs and lists, which are written beside the store.
extension ImportArguments {
    static let telling: [OptionDefinition] = [
        OptionDefinition("--log-json", "write messages to standard error as JSON lines"),
        OptionDefinition("--report", value: "FILE", "write a page (HTML) about the import, also when it failed"),
        OptionDefinition(
            "--metrics", value: "FILE", "write metrics in Prometheus' text format, also when the import failed"),
        OptionDefinition(
            "--after", value: "COMMAND",
            "run COMMAND by sh when the store is current, with IMPORT_GTFS_STORE and IMPORT_GTFS_STATUS set; its "
                + "failure is a warning"),
        OptionDefinition(
            "--list", value: "FILE",
            "alone: print the feeds of a Mobility Database CSV or DMFR file for pipelines/nightly"),
        OptionDefinition("--index", value: "FOLDER", "alone: list the report pages of FOLDER in its index.html"),
    ]

    mutating func readReports(_ parsed: OptionTable.Arguments) throws(UsageError) {
        pagePath = try Self.path("--report", parsed)
        metricsPath = try Self.path("--metrics", parsed)
        afterCommand = try Self.path("--after", parsed)
        options.gathersDetails = pagePath != nil
        for (option, path) in [("--report", pagePath), ("--metrics", metricsPath)] {
            guard let path, let file = try? StoreTarget(resolving: path),
                let store = try? StoreTarget(resolving: options.store), store.uses(file)
            else { continue }
            throw UsageError("\(option) takes another file than \(path), which belongs to the store")
        }
        if let pagePath, let metricsPath, let page = try? StoreTarget(resolving: pagePath),
            page.path == (try? StoreTarget(resolving: metricsPath))?.path
        {
            throw UsageError("--report and --metrics take two files, not both \(metricsPath)")
        }
    }

    /// The option's value, which must not be empty. For `--after` it is a command, otherwise a path.
    private static func path(_ option: String, _ parsed: OptionTable.Arguments) throws(UsageError) -> String? {
        guard let value = parsed.values[option] else { return nil }
        guard !value.isEmpty else { throw UsageError("\(option) is empty") }
        guard value != "-" || option == "--after" else {
            throw UsageError("\(option) takes the path of a file, not standard output (./- is a file named -)")
        }
        return value
    }
}

extension ImportOptions {
    static let standard = ImportOptions(feed: "", store: "")
}
