import Console
import SystemFiles
import TransitStore

/// `fetch`, `near` and `search`: makes a request from the options and writes its rows to standard output.
struct FetchCommand {
    let store: TransitStore
    let arguments: FetchArguments

    private var options: [String: String] { arguments.options.values }

    func fetch(_ entity: String?, _ output: BufferedOutput) throws {
        let variables = try self.variables()
        let text = try entity.map(request) ?? templateRequest()
        var read: ReadRequest<StoreObject> = try text.read(in: store, variables)
        if entity == nil, let condition = options["--where"] {
            var narrower = RequestText(entity: text.entity)
            try add(["--where": condition], to: &narrower)
            let further: ReadRequest<StoreObject> = try narrower.read(in: store, variables)
            read.request.predicate = read.request.predicate && further.request.predicate
            read.variableNames.formUnion(further.variableNames)
        }
        let subject = entity == nil ? "The template \(options["--template"] ?? "")" : "The request"
        try StoreError.checkVariables(read.variableNames, given: Set(variables.keys), of: subject)
        if isNested(read.request) {
            let writing = NestedObjects(
                paths: read.request.relationshipNamesForPrefetching, format: arguments.format)
            return try writing.write(read.request, store.makeContext(), output)
        }
        try run(read, output)
    }

    private func request(_ entity: String) throws -> RequestText {
        var text = RequestText(entity: entity)
        text.isForKeys = options["--ids"] != nil
        try add(options, to: &text)
        return text
    }

    /// The template's request with the options of the command line, except `--where`: `fetch` joins its condition with
    /// the template's.
    private func templateRequest() throws -> RequestText {
        let name = options["--template"] ?? ""
        var text = try TemplateFile(contentsOf: options["--templates"] ?? "").request(named: name)
        text.isForKeys = options["--ids"] != nil
        try add(options.filter { $0.key != "--where" }, to: &text)
        for option in ["--ids", "--prefetch"] where options[option] != nil {
            for (part, value) in [("properties", text.properties), ("group-by", text.groupBy)] where !value.isEmpty {
                throw UsageError("\(option) excludes the \(part) of the template \(name)")
            }
        }
        return text
    }

    /// Whether objects are written with their related objects, as `--prefetch` or the template asks.
    private func isNested(_ request: FetchRequest<StoreObject>) -> Bool {
        guard !request.relationshipNamesForPrefetching.isEmpty, !arguments.counts, !arguments.explains else {
            return false
        }
        let isJSON = arguments.format == .json || arguments.format == .jsonl
        return isJSON && (options["--prefetch"] != nil || request.resultType == .objects)
    }

    /// Stops around a place, with their distance.
    func near(_ place: Coordinate, _ output: BufferedOutput) throws {
        let distance = ReadProperty(name: "distance", expression: .distance(.root, [], place), kind: .number)
        var read = try stops(computed: [distance])
        read.request.predicate = try areNear(place, read.request)
        if options["--sort"] == nil { read.request.sortDescriptors = [.distance(from: place), .ascending(\.id)] }
        if read.columns.contains(where: { $0.name == distance.name && $0.expression != distance.expression }) {
            throw UsageError("--properties calls another column distance; give it another name with AS")
        }
        // The column is where `--properties` names it, otherwise last.
        if !read.columns.contains(where: { $0.expression == distance.expression }) {
            read.columns.append(distance)
            read.request.propertiesToFetch.append(.expression(distance.expression, as: distance.name))
        }
        let stop = options["--where"] == nil ? "no stop" : "no such stop"
        let place = isOfNearest ? "" : " within \(FetchArguments.whole(try arguments.meters)) m"
        try run(read, output, nothing: "\(stop)\(place)\n")
    }

    /// Whether only the limit bounds the search: the nearest stops, however far they are. A limit of 0 means all stops.
    private var isOfNearest: Bool {
        options["--limit"] != nil && ["--meters", "--sort", "--distinct"].allSatisfy { options[$0] == nil }
    }

    /// The condition for stops near the place: within `--meters` metres, or the nearest ones at any distance.
    private func areNear(_ place: Coordinate, _ request: FetchRequest<Stop>) throws -> Condition<Stop> {
        guard isOfNearest else { return .within(meters: try arguments.meters, of: place) && request.predicate }
        let (count, isTooLarge) = request.fetchLimit.addingReportingOverflow(request.fetchOffset)
        let nearest = try store.makeContext().nearestStops(
            to: place, limit: request.fetchLimit == 0 ? 0 : isTooLarge ? .max : count, where: request.predicate)
        return .isOne(of: nearest)
    }

    /// Stops by the words of their names, best matches first.
    func search(_ text: String, _ output: BufferedOutput) throws {
        var read = try stops()
        let found = try store.makeContext().searchStops(text, limit: 0)
        read.request.predicate = .isOne(of: found) && read.request.predicate
        let nothing = found.isEmpty ? "no such stop\n" : "no stop that the text finds meets --where\n"
        guard options["--sort"] == nil, !arguments.counts, !arguments.explains else {
            return try run(read, output, nothing: nothing)
        }
        try RankedRows(ids: found.map(\.id), nothing: nothing).write(read, store.makeContext(), arguments, output)
    }

    private func stops(computed: [ReadProperty] = []) throws -> ReadRequest<Stop> {
        var text = RequestText(entity: "Stop")
        text.computed = computed
        text.properties = "stopID, name, platformCode, latitude, longitude"
        try add(options, to: &text)
        return try text.read(in: store)
    }

    /// - Parameter nothing: The text to print instead of a table without rows.
    private func run<Entity>(
        _ read: ReadRequest<Entity>, _ output: BufferedOutput, nothing: String? = nil
    ) throws {
        var request = read.request
        request.resultType = arguments.counts ? .count : .dictionaries
        let context = store.makeContext()
        if arguments.explains {
            let plan = try context.explain(request).description
            return try output.write(plan.harmlessLines + "\n")
        }
        if arguments.counts { return try output.write("\(context.fetchCount(request))\n") }
        let columns = read.columns.map(OutputColumn.init)
        let isEveryColumn = options["--properties"] == nil && arguments.isPlainFetch
        var rows = arguments.rows(columns, output, leavesOutEmptyColumns: isEveryColumn)
        var isEmpty = true
        try context.forEachRow(of: request) { row in
            isEmpty = false
            try rows.write(columns.indices.map { row[$0] })
        }
        if isEmpty, arguments.format == .table, let nothing { return try output.write(nothing) }
        try rows.end()
    }

    // MARK: Options

    private func add(_ options: [String: String], to text: inout RequestText) throws {
        if let value = options["--where"] { text.predicate = value }
        if let value = options["--sort"] { text.sort = value }
        if let value = options["--properties"] { text.properties = value }
        if let value = options["--group-by"] { text.groupBy = value }
        if let value = options["--having"] { text.having = value }
        if let value = options["--prefetch"] { text.prefetch = value }
        if let value = try arguments.options.number("--limit", atLeast: 0) { text.limit = value }
        if let value = try arguments.options.number("--offset", atLeast: 0) { text.offset = value }
        if options["--distinct"] != nil { text.isDistinct = true }
        for part in RequestText.Part.allCases where options["--" + part.rawValue] != nil {
            text.labels[part] = "--" + part.rawValue
        }
    }

    /// The values of `--set NAME=VALUE`.
    private func variables() throws -> [String: Any] {
        var variables: [String: Any] = [:]
        for text in arguments.options.allValues["--set"] ?? [] {
            let sides = text.parts(at: "=", mostSplits: 1)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw UsageError("--set takes NAME=VALUE, not \"\(text)\"")
            }
            guard variables[sides[0]] == nil else {
                throw UsageError("--set gives \(sides[0]) a value twice; a list is written {a, b}")
            }
            variables[sides[0]] = .some(try VariableText.value(of: sides[1], called: "--set \(sides[0])") as Any)
        }
        return variables
    }
}

extension FetchArguments {
    /// Whether a whole entity is fetched, without a template, groups or `--ids`.
    fileprivate var isPlainFetch: Bool {
        if case .fetch(_?) = command {
            options.values["--group-by"] == nil && options.values["--ids"] == nil
        } else {
            false
        }
    }
}
