import FoundationEssentials

/// Builds requests as expressions: each function returns a changed copy and leaves the original request as it is.
///
///     let stations = FetchRequest<Stop>(where: #Predicate { $0.locationType == 1 })
///     let names = stations.filter(.name(hasWords: "bahn")).sorted(by: .ascending(\.name)).limit(20)
///     for station in try context.fetch(names) { print(station.name) }
///
/// Each costs a copy of the request. Functions that take any number of terms also take them as one array. To set things
/// one by one, use the properties with Core Data's names: `request.fetchLimit = 20`.
extension FetchRequest {
    /// Adds a `#Predicate` to the request's condition.
    public func filter(_ predicate: Predicate<Entity>) -> FetchRequest { filter(Condition(predicate)) }

    /// Adds a condition to the request's own condition.
    ///
    ///     let near = request.filter(.within(meters: 800, of: goerlitzerBahnhof))
    ///     request.predicate = .all        // every row again
    ///
    /// Each goes through the request's conditions so far. To add hundreds, join them first: `filter(.all(of: many))`.
    public func filter(_ condition: Condition<Entity>) -> FetchRequest {
        changed { $0.predicate = predicate && condition }
    }

    /// Replaces the request's order: sorts by the first, then by the next.
    ///
    ///     let byName = request.sorted(by: .ascending(\.name), .descending(\.id))
    public func sorted(by order: Sort<Entity>...) -> FetchRequest { sorted(by: order) }

    /// Replaces the request's order by an array, which may be put together while the program runs.
    ///
    ///     var order: [Sort<Stop>] = [.ascending(\.name)]
    ///     order.append(.descending(\.id))
    ///     let sorted = request.sorted(by: order)
    public func sorted(by order: [Sort<Entity>]) -> FetchRequest { changed { $0.sortDescriptors = order } }

    /// Skips the first `offset` rows and returns at most `limit` rows; a limit of 0 means all.
    public func limit(_ limit: Int, offset: Int = 0) -> FetchRequest {
        changed { ($0.fetchLimit, $0.fetchOffset) = (limit, offset) }
    }

    /// Adds relationships to prefetch, with one statement each.
    ///
    ///     let stops = try context.fetch(request.prefetching(\.stopTimes, \.parentStation))
    public func prefetching(_ relationships: any (PartialKeyPath<Entity> & Sendable)...) -> FetchRequest {
        prefetching(relationships)
    }

    /// Adds an array of relationships to prefetch.
    public func prefetching(_ relationships: [any PartialKeyPath<Entity> & Sendable]) -> FetchRequest {
        changed { $0.relationshipKeyPathsForPrefetching += relationships }
    }

    /// Fetches these columns (`fetchRows`) instead of all attributes.
    ///
    ///     let names = request.selecting(.attribute(\.name), .attribute(\.parentStation?.name, as: "station"))
    public func selecting(_ properties: FetchedProperty<Entity>...) -> FetchRequest { selecting(properties) }

    /// Fetches an array of columns instead of all attributes.
    public func selecting(_ properties: [FetchedProperty<Entity>]) -> FetchRequest {
        changed { $0.propertiesToFetch = properties }
    }

    /// Returns one row for each group of equal values that meets a condition. The selected columns then describe
    /// groups.
    ///
    ///     let busyLines = FetchRequest<Trip>().selecting(.attribute(\.route.shortName), .count())
    ///         .groups(by: .attribute(\.route.shortName), having: .count() > 100)
    public func groups(by properties: FetchedProperty<Entity>..., having condition: Condition<Entity> = .all)
        -> FetchRequest
    {
        groups(by: properties, having: condition)
    }

    /// Returns one row for each group of equal values of an array of properties.
    public func groups(by properties: [FetchedProperty<Entity>], having condition: Condition<Entity> = .all)
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
