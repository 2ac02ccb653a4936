import SQLite

/// Statements over one store, whose rows become objects.
extension StoreContext {
    /// Fetches from one store.
    func fetchObjects<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> [StoreObject] {
        let hasValues = request.includesPropertyValues
        let form: RequestSkeleton.Form = hasValues ? .objects : .keys
        let (select, prepared) = try session(store).select(request, form, traits: traits(of: store)) {
            try self.select(request, hasValues ? .all : .keys, store: store)
        }
        if let prepared, hasValues, prepared.expectsKnownRows, !request.shouldRefreshRefetchedObjects,
            let known = try knownObjects(request, select, prepared, store: store)
        {
            return known
        }
        return try objects(
            select, store: store, prepared: prepared, hasValues: hasValues,
            areFaults: request.returnsObjectsAsFaults, refresh: request.shouldRefreshRefetchedObjects)
    }

    /// The objects of a statement's rows. Objects that have values keep them; faults are filled or hold their row for
    /// later.
    func objects(
        _ select: SelectStatement, store: Int, prepared: PreparedStatement? = nil, hasValues: Bool = true,
        areFaults: Bool = false, refresh: Bool = false, isCached: Bool = true
    ) throws -> [StoreObject] {
        let entity = select.entity
        let positions = hasValues ? entity.keyColumns : entity.keyPositions
        let columns = entity.columns.count
        var objects: [StoreObject] = []
        var cached: [(ObjectID, PackedRow)] = []
        let isUnchanged = changes.isEmpty
        let (cache, number) = (stores[store].rowCache, stores[store].number)
        let keepsRows = stores[store].rowsNeverGoStale
        let isCached = isCached && cache.keepsRows
        let session = try session(store)
        var readRows = 0
        try run(select.sql, store: store, prepared: prepared) { statement in
            while try statement.step() {
                let id = statement.objectID(entity, positions, store: number)
                let object = livingOrNewObject(id)
                if hasValues, refresh || object.isFault, isUnchanged || !object.hasChanges {
                    // A row that was read before is not read again, because the file never changes.
                    let read = object.heldRow ?? (isCached ? session.recentRow(of: id) : nil)
                    let row = read ?? statement.packedRow(columns: columns, empty: select.emptyColumns)
                    if read == nil { readRows += 1 }
                    if isCached, read == nil {
                        cached.append((id, row))
                        session.keep(row, of: id)
                    }
                    object.take(row, isFault: areFaults && object.isFault, keepsRow: keepsRows)
                    if refresh { object.relatedRows = nil }
                }
                objects.append(object)
            }
            return objects.count
        }
        cache.insert(cached)
        prepared?.countFetch(rows: objects.count, read: readRows)
        return objects
    }

    /// The objects of a request, reading only its keys, if all of their rows are in memory; nil if one is not.
    private func knownObjects<Entity>(
        _ request: FetchRequest<Entity>, _ select: SelectStatement, _ prepared: PreparedSkeleton, store: Int
    ) throws -> [StoreObject]? {
        guard case .text(let text, let statement) = try keys(request, select, prepared, store: store) else {
            return nil
        }
        let keepsRows = stores[store].rowsNeverGoStale
        let (session, number) = (try session(store), stores[store].number)
        let positions = select.entity.keyPositions
        var objects: [StoreObject] = []
        var areKnown = true
        try run(SQLFragment(text, bindings: select.sql.bindings), store: store, prepared: statement) { statement in
            while try statement.step() {
                let id = statement.objectID(select.entity, positions, store: number)
                let object = livingOrNewObject(id)
                if object.isFault, changes.isEmpty || !object.hasChanges {
                    guard let row = object.heldRow ?? session.recentRow(of: id) else {
                        areKnown = false
                        break
                    }
                    object.take(
                        row, isFault: request.returnsObjectsAsFaults && object.isFault, keepsRow: keepsRows)
                }
                objects.append(object)
            }
            return objects.count + (areKnown ? 0 : 1)
        }
        prepared.countFetch(rows: objects.count, read: areKnown ? 0 : 1)
        return areKnown ? objects : nil
    }

    /// The statement that reads only the keys of a request's rows, in the same order.
    private func keys<Entity>(
        _ request: FetchRequest<Entity>, _ select: SelectStatement, _ prepared: PreparedSkeleton, store: Int
    ) throws -> PreparedSkeleton.Keys {
        if let keys = prepared.keys { return keys }
        let words = try selectStopsWithWords(request, store: store)
        let keys = try words ?? self.select(request, .keysOfAny, store: store)
        let isAlike =
            try keys.sql.bindings == select.sql.bindings
            && (words != nil || session(store).haveOneOrder(keys.sql, select.sql))
        prepared.setKeys(isAlike ? keys.sql : nil)
        return prepared.keys ?? .unlike
    }

    /// The object of an id: the living one, or a new one. A new one is a fault unless changes have values for it.
    ///
    /// Not inlined: the loops above would count a reference to the entity for each row, and threads would wait for each
    /// other's changes of that count.
    @inline(never)
    func livingOrNewObject(_ id: ObjectID) -> StoreObject {
        let (object, isNew) = registry.object(id) { id.entity.objectType.init(objectID: id, origin: self) }
        if isNew, !changes.isEmpty, let row = changes.row(of: id) { object.row = row }
        return object
    }
}

extension StoreObject {
    /// Takes the row that another connection has read. An object that has values keeps them unless `refresh` is set; an
    /// object with unsaved changes always keeps them.
    final func take(_ row: PackedRow, areFaults: Bool, refresh: Bool, keepsRow: Bool) {
        guard refresh || isFault, !hasChanges else { return }
        take(row, isFault: areFaults && isFault, keepsRow: keepsRow)
        if refresh { relatedRows = nil }
    }

    /// Takes the row that a fetch has read. A fault holds it until it is filled or freed, unless rows may go stale.
    final func take(_ row: PackedRow, isFault: Bool, keepsRow: Bool) {
        if !isFault {
            self.row = row
            heldRow = nil
        } else if keepsRow {
            heldRow = row
        }
    }
}
