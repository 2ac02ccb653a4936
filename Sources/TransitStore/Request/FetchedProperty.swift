/// A column of a dictionary result: an attribute, the key of a to-one relationship, or a computed expression.
///
///     var request = FetchRequest<StopTime>()
///     request.resultType = .dictionaries
///     request.propertiesToFetch = [.attribute(\.stop.name), .count(as: "departures"), .min(\.departureTime)]
///     request.propertiesToGroupBy = [.attribute(\.stop.name)]
public struct FetchedProperty<Entity: StoreObject>: Sendable, Hashable {
    let column: FetchedColumn
    /// The name in the result, such as `name` or `stop.name`.
    public var name: String { column.name }
    var expression: Result<QueryExpression, StoreError> { column.expression }

    init(_ column: FetchedColumn) { self.column = column }

    init(name: String, expression: Result<QueryExpression, StoreError>) {
        self.init(FetchedColumn(name: name, expression: expression))
    }

    /// Any expression under a name.
    package static func expression(_ expression: QueryExpression, as name: String) -> FetchedProperty {
        FetchedProperty(name: name, expression: .success(expression))
    }

    /// An attribute, the key of a to-one relationship, or the number of objects of a to-many relationship
    /// (`\.stopTimes.count`). Called `name` or `stop.name` unless `name` says otherwise.
    public static func attribute<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        make(keyPath, as: name)
    }

    // Aggregates are called `count`, `count(headsign)`, `min(departureTime)`, `max(stop.name)`, `sum(…)`, `average(…)`
    // unless `name` says otherwise; `ResultRow.value(of:)` throws for other names.

    /// The number of rows of the group, called `count`.
    public static func count(as name: String = "count") -> FetchedProperty {
        .expression(.aggregate(.count, nil), as: name)
    }
    /// The number of rows of the group with a value, called `count(platformCode)`.
    public static func count<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.count, keyPath, name)
    }
    /// The smallest value of the group, called `min(departureTime)`.
    public static func min<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.min, keyPath, name)
    }
    /// The greatest value of the group, called `max(departureTime)`.
    public static func max<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.max, keyPath, name)
    }
    /// The sum of numbers, or of times in seconds, over the group, called `sum(stopSequence)`. The fetch throws
    /// `untranslatable` for texts and dates, and `overflow` for a sum of whole numbers beyond 64 bits.
    public static func sum<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.sum, keyPath, name)
    }
    /// The mean of the numbers, or of times in seconds, that are not NULL, called `average(stopSequence)`. The fetch
    /// throws `untranslatable` for texts and dates.
    public static func average<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.average, keyPath, name)
    }

    private static func aggregate(
        _ function: AggregateFunction, _ keyPath: PartialKeyPath<Entity>, _ name: String?
    ) -> FetchedProperty {
        let property = make(keyPath, as: nil)
        let ownName = "\(function)(\(property.name))"
        let expression = Result {
            let part = try property.expression.get()
            let kind = part.kind(of: Entity.self)
            guard function.takes(kind) else {
                throw StoreError.untranslatable(ownName, "it takes numbers and times, not \(kind.noun)")
            }
            return QueryExpression.aggregate(function, part)
        }
        return FetchedProperty(name: name ?? ownName, expression: expression.mapError { StoreError(any: $0) })
    }

    private static func make(_ keyPath: PartialKeyPath<Entity>, as name: String?) -> FetchedProperty {
        do {
            let property = try QueryExpression.property(of: keyPath)
            let ownName =
                switch property {
                case .property(_, let path): path.joined(separator: ".")
                case .related(let rows), .conditional(_, .related(let rows), _):
                    rows.path.joined(separator: ".") + ".count"
                default: "folded"
                }
            return FetchedProperty(name: name ?? ownName, expression: .success(property))
        } catch {
            let error = StoreError(any: error)
            return FetchedProperty(name: name ?? "\(keyPath)", expression: .failure(error))
        }
    }
}

/// A fetched property as a request keeps it.
struct FetchedColumn: Sendable, Hashable {
    /// Names are told apart by their bytes, as those of a result are.
    private let exactName: ExactText
    let expression: Result<QueryExpression, StoreError>
    var name: String { exactName.text }

    init(name: String, expression: Result<QueryExpression, StoreError>) {
        (exactName, self.expression) = (ExactText(name), expression)
    }
}

extension FetchedProperty where Entity: StoreEntity {
    /// The geodesic distance from a place in metres, called `distance`; for entities with `latitude` and `longitude`.
    public static func distance(from place: Coordinate, as name: String = "distance") -> FetchedProperty {
        if let refusal = place.refusal { return FetchedProperty(name: name, expression: .failure(refusal)) }
        return .expression(.distance(.root, [], place), as: name)
    }
}

/// Conditions on groups: compare a fetched property of a group with a value.
///
///     var request = FetchRequest<StopTime>()
///     let departures = FetchedProperty<StopTime>.count(as: "departures")
///     request.propertiesToFetch = [.attribute(\.stop.name), departures]
///     request.propertiesToGroupBy = [.attribute(\.stop.name)]
///     request.havingPredicate = departures > 4 && .max(\.departureTime) >= ServiceTime(hours: 22)
///     // HAVING count(*) > ? AND max(t0.departure_time) >= ?
extension FetchedProperty {
    public static func == <Value: QueryValueConvertible>(property: Self, value: Value) -> Condition<Entity> {
        property.compared(.equal, value)
    }
    public static func != <Value: QueryValueConvertible>(property: Self, value: Value) -> Condition<Entity> {
        property.compared(.notEqual, value)
    }
    public static func < <Value: QueryValueConvertible>(property: Self, value: Value) -> Condition<Entity> {
        property.compared(.less, value)
    }
    public static func <= <Value: QueryValueConvertible>(property: Self, value: Value) -> Condition<Entity> {
        property.compared(.lessOrEqual, value)
    }
    public static func > <Value: QueryValueConvertible>(property: Self, value: Value) -> Condition<Entity> {
        property.compared(.greater, value)
    }
    public static func >= <Value: QueryValueConvertible>(property: Self, value: Value) -> Condition<Entity> {
        property.compared(.greaterOrEqual, value)
    }

    private func compared(_ op: ComparisonOperator, _ value: some QueryValueConvertible) -> Condition<Entity> {
        do {
            // A row number is valid only in its own store, so an id becomes a row of its store.
            let row = (value as? ObjectID)?.row
            let (property, value) = (try expression.get(), QueryExpression.value(value.queryValue))
            let (one, other) = (property.kind(of: Entity.self), value.kind(of: Entity.self))
            guard one.isComparable(with: other) else {
                throw StoreError.untranslatable(
                    "\(name) \(op.rawValue) \(value)", "it compares \(one.noun) with \(other.noun)")
            }
            return Condition(.comparison(op, property, row ?? value))
        } catch { return Condition(refused: error) }
    }
}

extension QueryExpression {
    /// What the values of the expression stand for: texts, numbers, times, dates or rows.
    fileprivate func kind<Entity: StoreObject>(of type: Entity.Type) -> ValueKind {
        let entity = (type as? any StoreEntity.Type)?.entity
        return ExpressionKinds(of: self, entity: entity, model: .declared).kind(of: self)
    }
}
