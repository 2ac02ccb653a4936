/// The sub-entities of stop, told apart by location_type (GTFS reference, stops.txt).
///
///     let stations = FetchRequest<Stop>(kind: .station)      // WHERE t0.location_type = 1
extension LocationType {
    /// The sub-entity's name, such as `Station`; nil for a number that GTFS does not know.
    public var entityName: String? { isKnown ? description.prefix(1).uppercased() + description.dropFirst() : nil }

    init?(entityName: String) {
        guard let kind = Self.knownValues.first(where: { $0.entityName == entityName }) else { return nil }
        self = kind
    }
}

extension FetchRequest where Entity == Stop {
    /// A request for the stops of one sub-entity.
    public init(kind: LocationType, where predicate: Condition<Stop> = .all) {
        guard let name = kind.entityName else {
            let isOfKind: QueryExpression = .comparison(
                .equal, .property(.root, ["locationType"]), .value(kind.queryValue))
            self.init(where: Condition(isOfKind) && predicate)
            return
        }
        self.init(entity: name, where: predicate)
    }
}
