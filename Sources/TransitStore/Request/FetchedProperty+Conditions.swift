/// Conditions on groups: what is fetched of a group, compared with a value.
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
            return Condition(.comparison(op, try expression.get(), .value(value.queryValue)))
        } catch { return Condition(refused: error) }
    }
}
