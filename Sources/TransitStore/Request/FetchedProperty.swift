/// A column of a dictionary result: an attribute, the key of a to-one relationship, or a computed expression.
///
///     request.resultType = .dictionaries
///     request.propertiesToFetch = [.attribute(\.stop.name), .count(as: "departures"), .min(\.departureTime)]
///     request.propertiesToGroupBy = [.attribute(\.stop.name)]
public struct FetchedProperty<Entity: StoreObject>: Sendable, Hashable {
    /// The name in the result, such as `name` or `stop.name`.
    public let name: String
    let expression: Result<QueryExpression, StoreError>

    /// Any expression under a name.
    public static func expression(_ expression: QueryExpression, as name: String) -> FetchedProperty {
        FetchedProperty(name: name, expression: .success(expression))
    }

    /// An attribute, or a to-one relationship, whose key is fetched then.
    public static func attribute<Value>(_ keyPath: KeyPath<Entity, Value>) -> FetchedProperty {
        make(keyPath, as: nil) { $0 }
    }

    /// The number of rows of the group.
    public static func count(as name: String = "count") -> FetchedProperty {
        .expression(.aggregate(.count, nil), as: name)
    }
    /// The smallest value of the group.
    public static func min<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.min, keyPath, name)
    }
    /// The greatest value of the group.
    public static func max<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.max, keyPath, name)
    }
    /// The sum over the group.
    public static func sum<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.sum, keyPath, name)
    }
    /// The mean of the values that are there.
    public static func average<Value>(_ keyPath: KeyPath<Entity, Value>, as name: String? = nil) -> FetchedProperty {
        aggregate(.average, keyPath, name)
    }

    private static func aggregate(
        _ function: AggregateFunction, _ keyPath: PartialKeyPath<Entity>, _ name: String?
    ) -> FetchedProperty {
        let property = make(keyPath, as: name) { .aggregate(function, $0) }
        return name == nil
            ? FetchedProperty(name: "\(function)(\(property.name))", expression: property.expression) : property
    }

    private static func make(
        _ keyPath: PartialKeyPath<Entity>, as name: String?, _ transform: (QueryExpression) -> QueryExpression
    ) -> FetchedProperty {
        do {
            let property = try QueryExpression.property(of: keyPath)
            guard case .property(_, let path) = property else {
                return FetchedProperty(name: name ?? "folded", expression: .success(transform(property)))
            }
            return FetchedProperty(
                name: name ?? path.joined(separator: "."), expression: .success(transform(property)))
        } catch {
            let error = error as? StoreError ?? StoreError(.failed, "\(error)")
            return FetchedProperty(name: name ?? "\(keyPath)", expression: .failure(error))
        }
    }
}
