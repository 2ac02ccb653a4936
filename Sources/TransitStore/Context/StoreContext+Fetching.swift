import SQLite

extension StoreContext {
    /// The objects that a request finds, in its order.
    ///
    ///     let stops = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.name == "Hauptbahnhof" }))
    ///
    /// Runs one statement, and one for each relationship to prefetch. If the last fetches of this form had all their
    /// rows in memory, it reads only keys, and runs one more statement if a row is missing.
    ///
    /// Throws `StoreError`. For an invalid request: `unknownEntity`, `unknownProperty`, `untranslatable`, `ungrouped`,
    /// `missingVariable`, `unsuitableValue` (also for an unknown locale), `unknownStore` or `tooComplex`. If the
    /// store cannot be read: `corrupt`, `readFailed` or `timedOut`. For a sum beyond 64 bits: `overflow`.
    public func fetch<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> [Entity] {
        try StoreError.only {
            try check.alone { try fetchAlone(request) }
        }
    }

    private func fetchAlone<Entity>(_ request: FetchRequest<Entity>) throws -> [Entity] {
        try request.selected.requireRows()
        let affected = try affectedStores(request)
        try checkPrefetching(request, store: affected.first)
        let objects: [StoreObject]
        if let store = try onlyStore(of: affected, request) {
            objects = try fetchObjects(request, store: store)
        } else {
            objects = try fetchMerged(request, stores: affected)
        }
        try prefetch(request, for: objects)
        return try typed(objects)
    }

    /// The objects as the type that was asked for. A request by name may count rows of any type, but cannot make
    /// objects of another type from them.
    func typed<Entity: StoreObject>(_ objects: [StoreObject]) throws -> [Entity] {
        if let other = objects.first(where: { type(of: $0) != Entity.self && !($0 is Entity) }) {
            throw StoreError(
                .unknownEntity, "Rows of \(other.objectID.entity.name) are \(type(of: other))s, not \(Entity.self)s")
        }
        return objects.asObjects(of: Entity.self)
    }

    /// The first object that a request finds; nil if there is none.
    ///
    ///     let zoo = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.name == "Zoo" }))
    ///
    /// Throws `StoreError` as `fetch(_:)` does.
    public func fetchFirst<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> Entity? {
        try StoreError.only {
            var request = request
            request.fetchLimit = 1
            return try fetch(request).first
        }
    }

    /// How many rows a request finds, within its limit and offset. Reads no rows' values.
    ///
    ///     let stations = try context.fetchCount(FetchRequest<Stop>(where: #Predicate { $0.parentStation == nil }))
    ///
    /// Throws `StoreError` as `fetch(_:)` does, or as `fetchRows(_:)` for a request with properties or groups.
    public func fetchCount<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> Int {
        try StoreError.only {
            let affected = try affectedStores(request)
            guard let store = try onlyStore(of: affected, request, isTable: request.countsTableRows) else {
                return try countMerged(request, stores: affected)
            }
            return try countRows(request, store: store)
        }
    }

    /// Counts in one store.
    func countRows<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> Int {
        let (select, prepared) = try session(store).select(request, .count, traits: traits(of: store)) {
            try selectCount(request, store: store)
        }
        var count: Int64 = 0
        try run(select.sql, store: store, prepared: prepared) { statement in
            if try statement.step() { count = statement.integer(0) }
            return 1
        }
        return Int(count)
    }

    /// The ids of the rows that a request finds, in its order.
    ///
    ///     let ids = try context.fetchIDs(FetchRequest<Stop>().sorted(by: .ascending(\.name)))
    ///     let stops = ids.compactMap { otherContext.object(Stop.self, with: $0) }
    ///
    /// Throws `StoreError`: `ungrouped` for a request with groups, otherwise as `fetch(_:)` does.
    public func fetchIDs<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> [ObjectID] {
        try StoreError.only {
            try request.selected.requireRows()
            let affected = try affectedStores(request)
            guard let store = try onlyStore(of: affected, request) else {
                return try fetchMerged(request, stores: affected).map(\.objectID)
            }
            let (select, number) = (try select(request, .keys, store: store), stores[store].number)
            var ids: [ObjectID] = []
            try run(select.sql, store: store) { try $0.appendIDs(of: select.entity, store: number, to: &ids) }
            return ids
        }
    }

    /// The rows of a request as values by name: its `propertiesToFetch`, grouped and distinct if it says so.
    ///
    ///     var request = FetchRequest<StopTime>()
    ///     request.propertiesToFetch = [.attribute(\.stop.name), .count(as: "departures")]
    ///     request.propertiesToGroupBy = [.attribute(\.stop.name)]
    ///     for row in try context.fetchRows(request) { print(row["departures"]) }
    ///
    /// Throws `StoreError`: `ungrouped` and `ambiguousName` for columns that do not fit, otherwise as `fetch(_:)` does.
    public func fetchRows<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> [ResultRow] {
        try StoreError.only {
            let affected = try affectedStores(request)
            guard let store = try onlyStore(of: affected, request, isTable: true) else {
                return try dictionariesMerged(request, stores: affected)
            }
            let select = try selectDictionaries(request, store: store)
            let names = ResultRow.Names(select.names)
            return try rows(select.sql, store: store, columns: select.names.count).map {
                ResultRow(shared: names, row: $0)
            }
        }
    }

    /// The results of the type that the request's `resultType` names.
    ///
    ///     request.resultType = .count
    ///     if case .count(let count) = try context.execute(request) { print(count) }
    ///
    /// Throws `StoreError` as the function for this type does: `fetch`, `fetchIDs`, `fetchRows` or `fetchCount`.
    public func execute<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> FetchResult<Entity> {
        try StoreError.only {
            switch request.resultType {
            case .objects: .objects(try fetch(request))
            case .objectIDs: .objectIDs(try fetchIDs(request))
            case .dictionaries: .dictionaries(try fetchRows(request))
            case .count: .count(try fetchCount(request))
            }
        }
    }

    /// Hands each row of `fetchRows(_:)` to `body` as it is read and keeps none: 3 million rows need constant memory.
    ///
    ///     try context.forEachRow(of: request) { row in print(row["name"]) }
    ///
    /// Rows of several stores, or with unsaved changes, are first combined in memory. Throws `StoreError` as
    /// `fetchRows(_:)` does. An error that `body` throws ends the reading and is rethrown. The statement runs until the
    /// last row, so the time that `body` takes counts toward the store's `timeLimit`; `rowsInBackground` reads piece by
    /// piece.
    public func forEachRow<Entity>(
        of request: FetchRequest<Entity>, _ body: (ResultRow) throws -> Void
    ) throws {
        let affected = try affectedStores(request)
        guard let store = try onlyStore(of: affected, request, isTable: true) else {
            return try dictionariesMerged(request, stores: affected).forEach(body)
        }
        let select = try selectDictionaries(request, store: store)
        let names = ResultRow.Names(select.names)
        try run(select.sql, store: store) { statement in
            var count = 0
            while try statement.step() {
                try body(ResultRow(shared: names, row: statement.packedRow(columns: names.list.count)))
                count += 1
            }
            return count
        }
    }
}
