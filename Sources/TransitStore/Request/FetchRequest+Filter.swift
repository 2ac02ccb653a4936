import FoundationEssentials

extension FetchRequest {
    /// Narrows the request to rows that meet a `#Predicate` as well as what it asks already.
    ///
    ///     var request = FetchRequest<Stop>()
    ///     request.filter(#Predicate { $0.locationType == 1 })
    ///     request.filter(.name(hasWords: "bahn"))
    ///     request.predicate = .all                                        // every row again
    ///     request.predicate = Condition(#Predicate { $0.level == nil })   // another condition in its place
    ///
    /// `predicate` is a `Condition`, of which a `#Predicate` is one kind.
    public mutating func filter(_ predicate: Predicate<Entity>) { filter(Condition(predicate)) }

    /// Narrows the request to rows that meet a condition as well as what it asks already.
    public mutating func filter(_ condition: Condition<Entity>) { predicate = predicate && condition }
}
