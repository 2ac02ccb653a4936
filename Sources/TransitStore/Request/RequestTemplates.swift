/// Requests stored by name, with variables that are given when they are used.
///
///     var templates = RequestTemplates()
///     templates["departures after"] = FetchRequest<StopTime>(
///         where: Condition(.comparison(.greaterOrEqual, .property(.root, ["departureTime"]), .parameter("TIME"))))
///     let request: FetchRequest<StopTime> = try templates.request("departures after", ["TIME": 28_800])
///
/// A value, Sendable: make it once and hand it around.
public struct RequestTemplates: Sendable {
    private var requests: [String: any Sendable] = [:]

    public init() {}

    /// The names under which requests are stored, sorted.
    public var names: [String] { requests.keys.sorted() }

    /// The request stored under a name as it is, its variables open; nil for no such name or another entity.
    public subscript<Entity>(name: String) -> FetchRequest<Entity>? {
        get { requests[name] as? FetchRequest<Entity> }
        set { requests[name] = newValue }
    }

    /// The request stored under a name, with values for its variables.
    ///
    /// Throws `StoreError`: unknownTemplate, or missingVariable naming what has no value.
    public func request<Entity>(
        _ name: String, _ values: [String: QueryValue] = [:]
    ) throws -> FetchRequest<Entity> {
        guard let request: FetchRequest<Entity> = self[name] else {
            let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
            throw StoreError(.unknownTemplate, "There is no template \(name) for \(Entity.self); \(known)")
        }
        return try request.substituting(values)
    }
}

extension FetchRequest {
    /// The request with the variables of its predicates replaced by values. Throws `StoreError.missingVariable`.
    public func substituting(_ values: [String: QueryValue]) throws -> FetchRequest {
        var request = self
        request.predicate = Condition(try predicate.query().substituting(values))
        request.havingPredicate = Condition(try havingPredicate.query().substituting(values))
        return request
    }
}
