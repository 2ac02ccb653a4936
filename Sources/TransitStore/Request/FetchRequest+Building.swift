import FoundationEssentials

/// Requests as expressions: each function returns a narrower or fuller request and leaves the first as it is.
///
///     let stations = FetchRequest<Stop>(where: #Predicate { $0.locationType == 1 })
///     let names = stations.filter(.name(hasWords: "bahn")).sorted(by: .ascending(\.name)).limit(20)
///     for station in try context.fetch(names) { print(station.name) }
///
/// Each costs a copy of the request. To set things one by one, use the properties with Core Data's names:
/// `request.fetchLimit = 20`.
extension FetchRequest {
    /// The rows that meet a `#Predicate` as well as what the request asks already.
    public func filter(_ predicate: Predicate<Entity>) -> FetchRequest { filter(Condition(predicate)) }

    /// The rows that meet a condition as well as what the request asks already.
    ///
    ///     let near = request.filter(.within(meters: 800, of: goerlitzerBahnhof))
    ///     request.predicate = .all        // every row again
    public func filter(_ condition: Condition<Entity>) -> FetchRequest {
        changed { $0.predicate = predicate && condition }
    }

    /// Replaces the request's order: by the first, then by the next.
    ///
    ///     let byName = request.sorted(by: .ascending(\.name), .descending(\.id))
    public func sorted(by order: Sort<Entity>...) -> FetchRequest { changed { $0.sortDescriptors = order } }

    /// At most so many rows, 0 for all, without the first `offset`.
    public func limit(_ limit: Int, offset: Int = 0) -> FetchRequest {
        changed { ($0.fetchLimit, $0.fetchOffset) = (limit, offset) }
    }

    /// With relationships read along, one statement each, beside those that are read along already.
    ///
    ///     let stops = try context.fetch(request.prefetching(\.stopTimes, \.parentStation))
    public func prefetching(_ relationships: any (PartialKeyPath<Entity> & Sendable)...) -> FetchRequest {
        changed { $0.relationshipKeyPathsForPrefetching += relationships }
    }

    /// With these columns of rows (`fetchRows`), instead of all attributes.
    ///
    ///     let names = request.selecting(.attribute(\.name), .attribute(\.parentStation?.name, as: "station"))
    public func selecting(_ properties: FetchedProperty<Entity>...) -> FetchRequest {
        changed { $0.propertiesToFetch = properties }
    }

    /// One row for each group of equal values, if the group meets a condition. The selected columns are about groups
    /// then.
    ///
    ///     let busyLines = FetchRequest<Trip>().selecting(.attribute(\.route.shortName), .count())
    ///         .groups(by: .attribute(\.route.shortName), having: .count() > 100)
    public func groups(by properties: FetchedProperty<Entity>..., having condition: Condition<Entity> = .all)
        -> FetchRequest
    {
        changed { ($0.propertiesToGroupBy, $0.havingPredicate) = (properties, condition) }
    }

    private func changed(_ change: (inout FetchRequest) -> Void) -> FetchRequest {
        var request = self
        change(&request)
        return request
    }
}
