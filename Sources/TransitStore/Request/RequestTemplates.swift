import SearchText

/// Requests stored by name, with variables that get their values at use.
///
///     var templates = RequestTemplates()
///     templates["departures after"] = FetchRequest<StopTime>(
///         where: try Condition(format: "departureTime >= $TIME AND trip.route.shortName IN $LINES"))
///     let request: FetchRequest<StopTime> = try templates.request(
///         "departures after", ["TIME": "8:00", "LINES": ["U1", "U8"]])
///
/// The templates are a Sendable value: make them once and hand them around.
public struct RequestTemplates: Sendable {
    private var requests: [String: any Sendable] = [:]
    /// The models with which templates were read, for tables without a class.
    private var models: [String: StoreModel] = [:]

    /// No templates.
    public init() {}

    /// The names under which requests are stored, sorted.
    public var names: [String] { requests.keys.sorted() }

    /// The request stored under a name, with its variables unbound; nil if there is none or it is for another entity.
    ///
    ///     var templates = RequestTemplates()
    ///     templates["stations"] = FetchRequest<Stop>(kind: .station)
    ///     let stations: FetchRequest<Stop>? = templates["stations"]
    public subscript<Entity>(name: String) -> FetchRequest<Entity>? {
        get { requests[name] as? FetchRequest<Entity> }
        set {
            requests[name] = newValue
            models[name] = nil
        }
    }

    mutating func set<Entity>(_ request: FetchRequest<Entity>, _ name: String, _ model: StoreModel) {
        requests[name] = request
        models[name] = model
    }

    /// The request stored under a name, with its variables replaced by values. A value is a number, text, time, date,
    /// object, id or nil; after IN it may be a list or set of these.
    ///
    ///     let templates = try RequestTemplates(contentsOf: "departures.ini")
    ///     let request: FetchRequest<StopTime> = try templates.request("departures after", ["TIME": "8:00"])
    ///
    /// A text becomes a time, a date or a number if it is compared with one: "8:00" compared with a time becomes
    /// 28,800. Costs some microseconds. Throws `StoreError`: `unknownTemplate`, also for a template of another entity;
    /// `missingVariable`, `unknownVariable` or `unsuitableValue`, naming template, variable and value.
    public func request<Entity>(_ name: String, _ values: [String: Any] = [:]) throws(StoreError) -> FetchRequest<
        Entity
    > {
        try StoreError.only {
            guard let request: FetchRequest<Entity> = self[name] else {
                throw unknown(name, Entity.self)
            }
            return try request.substituting(values, subject: "The template \(name)", model: models[name] ?? .declared)
        }
    }

    private func unknown(_ name: String, _ wanted: StoreObject.Type) -> StoreError {
        if let other = requests[name] as? any NamedRequest {
            return StoreError(.unknownTemplate, "The template \(name) is for \(other.typeName), not \(wanted)")
        }
        return .unknownTemplate(name, among: names)
    }
}

extension FetchRequest {
    /// The request with its variables replaced by values, as `RequestTemplates.request` does it.
    ///
    ///     let atPlatform = FetchRequest<Stop>(where: try Condition(format: "platformCode = $CODE"))
    ///     let stops = try context.fetch(atPlatform.substituting(["CODE": "1"]))
    ///
    /// Throws `StoreError`: `missingVariable`, `unknownVariable` or `unsuitableValue`, naming variable and value; for a
    /// part that SQL cannot express, the error that a fetch would throw.
    public func substituting(_ values: [String: Any]) throws(StoreError) -> FetchRequest {
        try StoreError.only {
            try substituting(values, subject: "The request", model: .declared)
        }
    }

    func substituting(_ values: [String: Any], subject: String, model: StoreModel) throws -> FetchRequest {
        var binding = try ParameterBinding(
            values, subject: subject, entity: try? entity(in: model), model: model)
        var request = self
        request.predicate = Condition(try binding.bind(predicate.query()))
        request.havingPredicate = Condition(try binding.bind(havingPredicate.query()))
        request.sortDescriptors = try sortDescriptors.map { sort in
            var term = try sort.term.get()
            term.expression = try binding.bind(term.expression)
            return Sort(term: .success(term))
        }
        request.propertiesToFetch = try propertiesToFetch.map { try $0.binding(&binding) }
        request.propertiesToGroupBy = try propertiesToGroupBy.map { try $0.binding(&binding) }
        try binding.finish()
        return request
    }
}

extension FetchedProperty {
    fileprivate func binding(_ binding: inout ParameterBinding) throws -> FetchedProperty {
        .expression(try binding.bind(expression.get()), as: name)
    }
}

/// A request for any entity.
private protocol NamedRequest { var typeName: String { get } }
extension FetchRequest: NamedRequest { fileprivate var typeName: String { "\(Entity.self)" } }
