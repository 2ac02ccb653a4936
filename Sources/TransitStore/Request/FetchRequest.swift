import FoundationEssentials

/// A question to a store: which rows of an entity, in which order and form.
///
///     var request = FetchRequest<Stop>(where: #Predicate { $0.name.starts(with: "U ") })
///     request.sortDescriptors = [.ascending(\.name)]
///     request.fetchLimit = 20
///     print(request)      // SELECT t0.id, … FROM stop AS t0 WHERE t0.name >= 'U ' AND t0.name < 'U!' ORDER BY …
///
/// A value: it may be kept, changed, compared, and used by many tasks at once. Two are equal when the SQL and the
/// values that they stand for are equal.
public struct FetchRequest<Entity: StoreObject>: Sendable {
    /// What a request yields.
    public enum ResultType: Sendable, Hashable {
        case objects, objectIDs, dictionaries, count
    }

    /// The entity's or table's name.
    public let entityName: String

    /// Which rows; `.all` when not set.
    public var predicate: Condition<Entity>
    /// The order of the rows; by the first, then by the next. SQLite's own order when empty.
    public var sortDescriptors: [Sort<Entity>] = []
    /// The most rows wanted; 0 for all.
    public var fetchLimit = 0
    /// The number of rows to skip.
    public var fetchOffset = 0
    /// How many rows `context.batches(_:)` loads at a time; 0 for its default of 50. `fetch` returns an array of Swift, which
    /// has all its objects at once, and does not look at it; Core Data's is one that loads them when they are touched.
    public var fetchBatchSize = 0
    /// The stores to be asked, of those that the context has; nil for all. One that it does not have is
    /// refused.
    public var affectedStores: [TransitStore]?
    /// Relationships that are read along, with one statement each.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<Entity> & Sendable] = []
    /// The same by name, for any entity: `["stopTimes.trip", "fareRules"]`. A name that is no relationship is refused
    /// before anything is read.
    public var relationshipNamesForPrefetching: [String] = []
    /// What `context.execute(_:)` yields.
    public var resultType = ResultType.objects
    /// The columns of dictionary results; all attributes when empty.
    public var propertiesToFetch: [FetchedProperty<Entity>] = []
    /// Whether equal dictionary results, or objects, are returned once.
    public var returnsDistinctResults = false
    /// By what dictionary results are grouped.
    public var propertiesToGroupBy: [FetchedProperty<Entity>] = []
    /// Which groups are returned.
    public var havingPredicate: Condition<Entity> = .all
    /// Whether the rows' values are read along with their keys. Without, a fault reads its row when it is fired.
    public var includesPropertyValues = true
    /// Whether objects are filled only when a property is read, from the row cache.
    public var returnsObjectsAsFaults = true
    /// Whether objects that the context already has take the values of this fetch.
    public var shouldRefreshRefetchedObjects = false
    /// Whether rows of sub-entities are returned: of stop, the kinds that location_type names.
    public var includesSubentities = true
    /// Whether the context's unsaved inserts, updates and deletes take part.
    public var includesPendingChanges = true

    /// A request for the rows of a table by its name or entity name.
    public init(entity name: String, where predicate: Condition<Entity> = .all) {
        entityName = name
        self.predicate = predicate
    }
}

extension FetchRequest where Entity: StoreEntity {
    /// A request for the rows of `Entity` that meet a condition; for all when none is given.
    public init(where predicate: Condition<Entity> = .all) {
        self.init(entity: Entity.entity.name, where: predicate)
    }

    /// A request for the rows of `Entity` that meet a `#Predicate`.
    public init(where predicate: Predicate<Entity>) { self.init(where: Condition(predicate)) }
}

extension FetchRequest: Hashable {
    public static func == (one: FetchRequest, other: FetchRequest) -> Bool {
        guard one.resultType == other.resultType else { return false }
        let (sql, otherSQL) = (try? one.sql(), try? other.sql())
        guard sql == nil, otherSQL == nil else { return sql == otherSQL }
        return one.parts == other.parts
    }

    public func hash(into hasher: inout Hasher) {
        if let sql = try? sql() { hasher.combine(sql) } else { hasher.combine(parts) }
    }

    /// What tells requests apart whose SQL only an open store can tell: those for tables that not every store has, and
    /// those that are refused.
    private var parts: [AnyHashable] {
        [
            entityName, predicate, sortDescriptors, fetchLimit, fetchOffset, propertiesToFetch, returnsDistinctResults,
            propertiesToGroupBy, havingPredicate, includesPropertyValues, includesSubentities,
        ]
    }
}

extension FetchRequest: CustomStringConvertible {
    /// The SQL with every value in its place, or why there is none.
    public var description: String {
        do { return try sql().description } catch { return "\(error)" }
    }

    /// The statement that the request stands for. Throws `StoreError` for a request that is refused.
    public func sql() throws -> SQLFragment { try select(model: .declared, indexes: .none).sql }
}
