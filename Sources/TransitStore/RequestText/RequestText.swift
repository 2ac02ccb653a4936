/// A request written as text, for command lines, template files and query strings.
///
///     var text = RequestText(entity: "StopTime")
///     text.predicate = "stop.name BEGINSWITH[cd] $NAME AND departureTime >= '8:00'"
///     text.sort = "departureTime, stop.name[cd] DESC"
///     text.properties = "departureTime, trip.route.shortName AS line"
///     let request: FetchRequest<StopTime> = try text.request(in: store, ["NAME": "u gorli"])
///
/// The texts use the language of `Condition(format:)`, with the same keywords and values.
public struct RequestText: Sendable, Hashable {
    /// The parts of a request, under the names that they have in files and on command lines.
    public enum Part: String, Sendable, CaseIterable {
        case entity
        case predicate = "where"
        case sort, limit, offset, properties, distinct
        case groupBy = "group-by"
        case having, prefetch
    }

    /// The entity's or table's name.
    public var entity: String
    /// The condition for rows; blank for all rows.
    public var predicate = ""
    /// Expressions separated by commas. Each may be followed by `[cd]`, `LOCALE de`, `ASC`, `DESC`, `NULLS FIRST`,
    /// `NULLS LAST`, in this order. A name that `properties` or `groupBy` gives with AS stands for that column, as in
    /// SQL: alone it takes precedence over a property of that name (write `#name` for the property); inside a longer
    /// expression, the property does.
    public var sort = ""
    /// The most rows wanted; 0 for all.
    public var limit = 0
    /// How many rows to skip at the beginning.
    public var offset = 0
    /// Expressions separated by commas, each with an optional `AS name`. `@count`, `@min.departureTime` and other
    /// aggregates apply to the rows of a group. Blank for all columns.
    public var properties = ""
    /// Whether equal rows are returned once.
    public var isDistinct = false
    /// Expressions separated by commas. A name that `properties` gives with AS stands for that column, unless a
    /// property has that name, as in SQLite.
    public var groupBy = ""
    /// The condition for groups, which may contain aggregates; blank for all groups.
    public var having = ""
    /// Paths of relationships to prefetch, separated by commas: `stopTimes.trip, level`. No effect on dictionaries.
    public var prefetch = ""
    /// The names that messages use for parts, such as `--where` or `departures.ini:12: where`; by default the part's
    /// own name.
    public var labels: [Part: String] = [:]
    /// Whether the rows' keys are wanted instead of properties.
    package var isForKeys = false
    /// Names that the texts may use in addition to those of properties.
    package var computed: [ReadProperty] = []

    /// All rows of an entity or table, such as `Stop` or `fare_attribute`.
    public init(entity: String) { self.entity = entity }

    /// Reads the request and replaces the texts' variables by values. A variable without a value stays unbound.
    ///
    ///     var text = RequestText(entity: "Station")
    ///     text.predicate = "name BEGINSWITH[cd] $NAME"
    ///     let request: FetchRequest<Stop> = try text.request(in: store, ["NAME": "moh"])
    ///
    /// Throws `StoreError` that names the part: `syntax`, `unknownProperty`, `untranslatable` or `unsuitableValue` with
    /// the place in its text; `ambiguousName` for two properties of one name; `unknownEntity`. If the schema cannot be
    /// read: `corrupt`, `readFailed` or `timedOut`.
    public func request<Entity>(
        in store: TransitStore, _ variables: [String: Any] = [:]
    ) throws(StoreError) -> FetchRequest<Entity> {
        try StoreError.only {
            try read(model: store.model(for: entity), variables).request
        }
    }

    /// Reads the request and the meaning of its columns. Throws the same errors as `request(in:_:)`.
    package func read<Entity>(in store: TransitStore, _ variables: [String: Any] = [:]) throws -> ReadRequest<Entity> {
        try read(model: store.model(for: entity), variables)
    }

    /// The text as a request for objects, or for dictionaries when it names properties or groups.
    func read<Entity>(model: StoreModel, _ variables: [String: Any]) throws -> ReadRequest<Entity> {
        var request = FetchRequest<Entity>(entity: entity)
        var reading = try reading(request, model, variables)
        request.predicate = Condition(try reading.read(predicate, called: label(.predicate)) { try $0.predicate() })
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        request.relationshipNamesForPrefetching = try reading.read(prefetch, called: label(.prefetch)) {
            try $0.relationshipPaths()
        }
        request.returnsDistinctResults = isDistinct
        var columns = try reading.read(properties, called: label(.properties)) { try $0.properties(groups: true) }
        let values = columns.filter { !$0.expression.hasAggregate }
        let grouping = try reading.read(groupBy, called: label(.groupBy)) {
            $0.nameColumns(values)
            return try $0.properties(groups: false)
        }
        request.propertiesToGroupBy = grouping.map { .expression($0.expression, as: $0.name) }
        if columns.isEmpty, !grouping.isEmpty {
            columns = grouping + [.groupCount]
            try FetchedNames.refuseEqual(columns.map(\.name), called: label(.groupBy) + ": ")
        }
        request.havingPredicate = Condition(
            try reading.read(having, called: label(.having)) { try $0.groupPredicate(columns: columns + grouping) })
        let terms = try reading.read(sort, called: label(.sort)) {
            try $0.sorts(groups: !groupBy.isEmpty, columns: columns + grouping)
        }
        request.sortDescriptors = terms.map { Sort(term: .success($0)) }
        if columns.isEmpty { columns = reading.entity.allProperties(onlyKey: isForKeys) }
        request.propertiesToFetch = columns.map { .expression($0.expression, as: $0.name) }
        if !properties.isEmpty || !grouping.isEmpty || isForKeys { request.resultType = .dictionaries }
        return ReadRequest(request: request, columns: columns, variableNames: reading.variableNames)
    }

    private func reading<Entity>(
        _ request: FetchRequest<Entity>, _ model: StoreModel, _ variables: [String: Any]
    ) throws -> FormatReading {
        do {
            return try FormatReading(
                entity: request.entity(in: model), model: model, variables: variables, computed: computed)
        } catch let error as StoreError where error.code == .unknownEntity {
            throw StoreError(error.code, "\(label(.entity)): \(error.message)")
        }
    }

    private func label(_ part: Part) -> String { labels[part] ?? part.rawValue }
}

extension RequestText {
    /// Whether both have the same parts and labels. Texts are compared by their bytes, as in a store.
    public static func == (one: RequestText, other: RequestText) -> Bool { one.compared == other.compared }

    private var compared: [AnyHashable] {
        let texts = [entity, predicate, sort, properties, groupBy, having, prefetch].map { ExactText($0) }
        return [texts, limit, offset, isDistinct, labels.mapValues { ExactText($0) }, isForKeys, computed]
    }
}

/// A request that has been read, and the meaning of its columns.
package struct ReadRequest<Entity: StoreObject> {
    package var request: FetchRequest<Entity>
    package var columns: [ReadProperty]
    /// The names of the texts' variables.
    package var variableNames: Set<String>
}

/// A property to fetch: an expression, its name, and the kind of its values.
package struct ReadProperty: Sendable, Hashable {
    package var name: String
    package var expression: QueryExpression
    package var kind: ValueKind

    package init(name: String, expression: QueryExpression, kind: ValueKind) {
        (self.name, self.expression, self.kind) = (name, expression, kind)
    }

    static let groupCount = ReadProperty(name: "count", expression: .aggregate(.count, nil), kind: .number)
}

extension EntityDescription {
    /// All columns, or only those of the key, under the names of their properties.
    fileprivate func allProperties(onlyKey: Bool) -> [ReadProperty] {
        (onlyKey ? keyColumns : Array(columns.indices)).map { index in
            let name = columns[index].property
            return ReadProperty(name: name, expression: .property(.root, [name]), kind: kind(ofColumn: index))
        }
    }
}
