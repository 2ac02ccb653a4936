import FoundationEssentials

/// A question to a store: which rows of an entity, in which order and form.
///
///     let request = FetchRequest<Stop>(
///         where: #Predicate { $0.name.starts(with: "U ") }, sortedBy: .ascending(\.name), limit: 20)
///     print(request)      // SELECT t0.id, … FROM stop AS t0 WHERE t0.name >= 'U ' AND t0.name < 'U!' ORDER BY …
///
/// A request is a value: you may keep, change and compare it, and use it in many tasks at once. If two are equal, every
/// method gives the same for both.
public struct FetchRequest<Entity: StoreObject>: Sendable {
    /// What a request yields: objects (`fetch`), their ids (`fetchIDs`), rows of values (`fetchRows`) or the number of
    /// rows (`fetchCount`).
    public enum ResultType: Sendable, Hashable {
        case objects, objectIDs, dictionaries, count
    }

    /// The entity's or table's name.
    public let entityName: String

    /// Which rows; `.all` when not set.
    public var predicate: Condition<Entity>
    /// The order of the rows: by the first descriptor, then by the next. If there are none, SQLite's own order, which
    /// depends on the index that SQLite uses and may differ from store to store.
    public var sortDescriptors: [Sort<Entity>] {
        get { selected.terms.map { Sort(term: $0) } }
        set { selected.terms = newValue.map { $0.term } }
    }
    /// The most rows wanted; 0 for all.
    ///
    /// Without a sort descriptor, SQLite's own order decides which rows a limit and an offset take. `fetch`,
    /// `fetchIDs`, `fetchBatches`, `fetchRows` and their counterparts in the background take the same rows. If a
    /// request has groups or distinct rows, the limit and the offset count these. Sort by a property that no two rows
    /// share, such as `id`, if other requests and stores must match too.
    public var fetchLimit = 0
    /// The number of rows to skip, in the order of the request: see ``fetchLimit``.
    public var fetchOffset = 0
    /// How many rows `context.fetchBatches(_:)` loads at a time; 0 for its default of 50. `fetch` ignores it: a Swift
    /// array holds all objects at once, while Core Data's array loads them on access.
    public var fetchBatchSize = 0
    /// The stores of the context to read; nil for all. A fetch throws `unknownStore` for a store that the context does
    /// not have.
    public var affectedStores: [TransitStore]?
    /// Relationships to prefetch, with one statement each.
    ///
    ///     request.relationshipKeyPathsForPrefetching = [\.stopTimes, \.parentStation]
    ///
    /// A fetch throws `unknownProperty` for a property that is not a relationship, and `untranslatable` for a key path
    /// that is not a property, such as `\.stopTimes.count`, before anything is read.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<Entity> & Sendable] = []
    /// Relationships to prefetch by name, for any entity: `["stopTimes.trip", "fareRules"]`. A fetch throws
    /// `unknownProperty` for a name that is not a relationship, before anything is read.
    public var relationshipNamesForPrefetching: [String] = []
    /// What `context.execute(_:)` yields.
    public var resultType = ResultType.objects
    /// The columns of dictionary results; all attributes when empty.
    public var propertiesToFetch: [FetchedProperty<Entity>] {
        get { selected.columns.map { FetchedProperty($0) } }
        set { selected.columns = newValue.map { $0.column } }
    }
    /// Whether `fetchRows` and `fetchCount` take equal rows of properties once. Objects and ids are always distinct.
    public var returnsDistinctResults = false
    /// The properties by which dictionary results are grouped.
    public var propertiesToGroupBy: [FetchedProperty<Entity>] {
        get { selected.grouping.map { FetchedProperty($0) } }
        set { selected.grouping = newValue.map { $0.column } }
    }
    /// Which groups are returned.
    ///
    ///     request.propertiesToGroupBy = [.attribute(\.parentStation)]
    ///     request.havingPredicate = .count() > 4
    public var havingPredicate: Condition<Entity> {
        get { Condition(selected.having) }
        set { selected.having = newValue.translation }
    }
    /// Whether values are read together with the keys. If false, a fault reads its row with a statement when a property
    /// is read. Background fetches always read values, so that no statement is left to the context's thread.
    public var includesPropertyValues = true
    /// Whether objects stay faults until a property is read. Then they take the row that the fetch has read. A
    /// statement runs only if `includesPropertyValues` is false, or if that row is older than the store's
    /// `stalenessInterval`.
    public var returnsObjectsAsFaults = true
    /// Whether objects that the context already has take the values of this fetch.
    public var shouldRefreshRefetchedObjects = false
    /// Whether rows of sub-entities are returned. The sub-entities of stop are the kinds that location_type names.
    public var includesSubentities = true
    /// Whether the context's unsaved inserts, updates and deletes are included.
    public var includesPendingChanges = true

    /// The order, the columns and the groups.
    var selected = SelectedColumns()

    /// A request for the rows of a table by its name or entity name.
    ///
    ///     let fares = FetchRequest<StoredRow>(entity: "fare_attribute")
    ///
    /// A fetch throws `unknownEntity` if the store has no such table, or if its rows are not of the type `Entity`.
    public init(entity name: String, where predicate: Condition<Entity> = .all) {
        entityName = name
        self.predicate = predicate
    }
}

/// The order, the columns and the groups of a request, in types that are not generic over its entity.
///
/// A generic function has to ask the runtime for each generic type. That takes 330 instructions each; a whole fetch of
/// a few stops takes 20,000.
struct SelectedColumns: Sendable, Hashable {
    var terms: [Result<SortTerm, StoreError>] = []
    var columns: [FetchedColumn] = []
    var grouping: [FetchedColumn] = []
    var having = Result<QueryExpression, StoreError>.success(.always)

    /// Throws `StoreError.ungrouped` for a request with groups: groups are not objects and have no ids.
    func requireRows() throws {
        guard try !grouping.isEmpty || having.get() != .always else { return }
        throw StoreError(.ungrouped, "Groups are not objects and have no ids: fetch them with fetchRows(_:)")
    }
}

extension FetchRequest where Entity: StoreEntity {
    /// A request for the rows of `Entity` that meet a condition; for all when none is given.
    ///
    ///     let stations = FetchRequest<Stop>(where: .name(hasWords: "bahn"), sortedBy: .ascending(\.name), limit: 20)
    public init(where predicate: Condition<Entity> = .all, sortedBy order: Sort<Entity>..., limit: Int = 0) {
        self.init(entity: Entity.entity.name, where: predicate)
        fetchLimit = limit
        // For a generic element, isEmpty is looked up at run time; count is not.
        if order.count > 0 { sortDescriptors = order }
    }

    /// A request for the rows of `Entity` that meet a `#Predicate`.
    ///
    ///     let stations = FetchRequest<Stop>(where: #Predicate { $0.locationType == 1 }, limit: 20)
    public init(where predicate: Predicate<Entity>, sortedBy order: Sort<Entity>..., limit: Int = 0) {
        self.init(where: Condition(predicate))
        fetchLimit = limit
        if order.count > 0 { sortDescriptors = order }
    }
}

extension FetchRequest: Hashable {
    public static func == (one: FetchRequest, other: FetchRequest) -> Bool {
        guard one.settings == other.settings else { return false }
        if one.asked == other.asked { return true }
        guard one.namedStores == other.namedStores else { return false }
        // Two requests may express the same thing differently: then their SQL is equal.
        return [ResultType.objects, .dictionaries].allSatisfy { type in
            guard let one = try? one.select(for: type, model: .declared, traits: .none),
                let other = try? other.select(for: type, model: .declared, traits: .none)
            else { return false }
            return one.sql == other.sql && one.names.elementsEqual(other.names) { $0.hasSameBytes(as: $1) }
        }
    }

    /// Hashes the settings and the predicate's values: equal requests share both, even if they are written differently.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(settings)
        hasher.combine(predicate.hashOfValues)
    }

    /// The predicate, the order, the columns and the groups.
    private var asked: [AnyHashable] { [predicate, selected] }

    /// The stores of the ids in the conditions, in their order. They are compared apart from the SQL, which has only
    /// the rows' numbers and not the stores.
    private var namedStores: [NamedStore] {
        [predicate, havingPredicate].flatMap { (try? $0.query().namedStores) ?? [] }
    }

    /// How many objects a batch has.
    var batchSize: Int { fetchBatchSize > 0 ? fetchBatchSize : BatchedResults<Entity>.usualSize }

    /// All other settings that any method uses, normalized.
    private var settings: [AnyHashable] {
        [
            ExactText(StoreModel.typed.entity(named: entityName)?.name ?? entityName), max(fetchLimit, 0),
            max(fetchOffset, 0),
            batchSize, affectedStores.map(Set.init),
            prefetched, resultType, returnsDistinctResults,
            includesPropertyValues, returnsObjectsAsFaults, shouldRefreshRefetchedObjects, includesSubentities,
            includesPendingChanges,
        ]
    }
}

extension FetchRequest {
    /// The relationships to prefetch, each path once, as property names. A path that begins a longer path is left out,
    /// because the longer path reads it too. A key path that is not a relationship is kept as it is.
    private var prefetched: Set<AnyHashable> {
        let entity = StoreModel.typed.entity(named: entityName)
        let byKeyPath = relationshipKeyPathsForPrefetching.map { keyPath in
            entity.flatMap { PathRecorder.path(of: keyPath as PartialKeyPath<Entity>, entity: $0) }.map {
                AnyHashable(Array($0.names))
            } ?? AnyHashable(keyPath as AnyKeyPath)
        }
        let byName = relationshipNamesForPrefetching.map { path in
            AnyHashable(entity?.propertyNames(along: path.pathComponents) ?? path.pathComponents)
        }
        let all = Set(byKeyPath + byName)
        return all.filter { path in
            guard let path = path as? [String] else { return true }
            return !all.contains { ($0 as? [String]).map { $0.count > path.count && $0.starts(with: path) } ?? false }
        }
    }
}

extension FetchRequest: CustomStringConvertible {
    /// The SQL of `sql()` with all values inserted, or the error that it throws.
    public var description: String {
        do { return try sql().description } catch { return "\(error)" }
    }

    /// The statement that a method of a context runs for the request: `fetch` for objects, `fetchIDs`, `fetchRows`,
    /// `fetchCount(_:)`.
    ///
    ///     request.propertiesToFetch = [.attribute(\.name)]
    ///     try request.sql(for: .dictionaries)     // SELECT t0.name FROM stop AS t0
    ///     try request.sql(for: .count)            // SELECT count(*) FROM stop AS t0
    ///
    /// Without a type, `resultType` decides; if that is `.objects` and the request has properties or groups, the
    /// statement is that of `fetchRows`. Throws `StoreError` for an invalid request, as the method does;
    /// `unknownEntity` also for a table that GTFS does not define.
    public func sql(for type: ResultType? = nil) throws(StoreError) -> SQLFragment {
        try StoreError.only {
            try select(for: type ?? meantResultType, model: .declared, traits: .none).sql
        }
    }

    /// The request's `resultType`; dictionaries if that is `.objects` and the request has properties or groups.
    var meantResultType: ResultType {
        guard resultType == .objects else { return resultType }
        return selected.columns.isEmpty && selected.grouping.isEmpty ? .objects : .dictionaries
    }
}

/// What a request yields, by its `resultType`.
public enum FetchResult<Entity: StoreObject> {
    case objects([Entity])
    case objectIDs([ObjectID])
    case dictionaries([ResultRow])
    case count(Int)
}
