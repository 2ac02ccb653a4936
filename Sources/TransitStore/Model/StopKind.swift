/// The sub-entities of stop, told apart by location_type (GTFS reference, stops.txt).
///
///     let stations = FetchRequest<Stop>(kind: .station)      // WHERE t0.location_type = 1
public enum StopKind: Int, Sendable, Hashable, Codable, CaseIterable {
    /// A stop or platform: location_type 0 or empty.
    case platform = 0
    case station = 1
    case entrance = 2
    case genericNode = 3
    case boardingArea = 4

    /// The sub-entity's name, such as `Station`.
    public var entityName: String {
        switch self {
        case .platform: "Platform"
        case .station: "Station"
        case .entrance: "Entrance"
        case .genericNode: "GenericNode"
        case .boardingArea: "BoardingArea"
        }
    }

    init?(entityName: String) {
        guard let kind = Self.allCases.first(where: { $0.entityName == entityName }) else { return nil }
        self = kind
    }
}

extension StopKind: QueryValueConvertible {
    public var queryValue: QueryValue { .integer(Int64(rawValue)) }
}

extension Stop {
    /// Which sub-entity the stop is of; nil for a location_type that GTFS does not know.
    public var kind: StopKind? { StopKind(rawValue: locationType) }
}

extension FetchRequest where Entity == Stop {
    /// A request for the stops of one sub-entity.
    public init(kind: StopKind, where predicate: Condition<Stop> = .all) {
        self.init(entity: kind.entityName, where: predicate)
    }
}
