import SQLite

extension StoreContext: ObjectSource {
    var context: StoreContext? { self }

    func values(of object: StoreObject, for column: Int) -> PackedRow {
        do { return try check.alone { try requiredRow(of: object) } } catch {
            note(error)
            return .empty
        }
    }

    /// Notes the error that makes a property or relationship read as missing.
    func note(_ error: any Error) {
        let error = StoreError(any: error)
        lastError = error
        // Rows that no store of the context has really are missing: that is no failure.
        if error.code != .unknownRow, error.code != .unknownStore { failedRead = failedRead ?? error }
    }

    /// Runs work that reads objects in memory to decide what a request finds. Throws the error if the system or SQLite
    /// failed to read one of them: it would read as missing, and the result would be wrong.
    func evaluating<Value>(_ work: () throws -> Value) throws -> Value {
        let earlier = failedRead
        failedRead = nil
        defer { failedRead = earlier }
        let value = try work()
        if let failedRead { throw failedRead }
        return value
    }

    /// Runs a function that reads properties. Throws the error that made one of them read as missing; errors of earlier
    /// reads do not count.
    func readingProperties<Value>(_ read: () throws -> Value) throws(StoreError) -> Value {
        let earlier = lastError
        lastError = nil
        defer { lastError = lastError ?? earlier }
        let value = try StoreError.only(read)
        if let error = lastError { throw error }
        return value
    }

    /// Fills a fault.
    ///
    ///     try context.fill(stop)
    ///     print(stop.name)        // runs no statement
    ///
    /// Costs a lookup in the row cache, or one statement by key. Throws the `StoreError` that would make its properties
    /// read as missing: `unknownRow` if the store has no such row, `unknownStore` if the context does not read the
    /// object's store, `corrupt`, `readFailed` or `timedOut` if the statement fails.
    public func fill(_ object: StoreObject) throws(StoreError) {
        try StoreError.only { _ = try requiredRow(of: object) }
    }

    /// The object's values. Throws `StoreError.unknownRow` if its id names a row that the store does not have. Inserted
    /// objects and the placeholder for a missing reference have no row in the store, so their values may be empty.
    private func requiredRow(of object: StoreObject) throws -> PackedRow {
        if try hasRow(object), let row = object.row { return row }
        guard object.objectID.isTemporary else { throw StoreError.unknownRow(object.objectID) }
        return .empty
    }

    /// Fills an object if it is a fault; false if it has no row.
    private func hasRow(_ object: StoreObject) throws -> Bool {
        if object.row != nil { return true }
        guard !object.objectID.isTemporary, object.objectID.namesRow else { return false }
        object.row = try row(ofFault: object)
        return object.row != nil
    }

    /// The row of a fault: the one that its fetch has read, the cached one, or one that is read now.
    private func row(ofFault object: StoreObject) throws -> PackedRow? {
        statistics.faultsFilled += 1
        if let row = object.heldRow {
            statistics.faultsFilledFromCache += 1
            object.heldRow = nil
            return row
        }
        // In a context without stores, a row that names no store does not exist.
        if object.objectID.store == 0, stores.isEmpty { return nil }
        let store = try storePosition(of: object.objectID)
        if let row = cachedRow(of: object.objectID, store: store) {
            statistics.faultsFilledFromCache += 1
            return row
        }
        let row = try storedRow(of: object.objectID, store: store)
        if let row { stores[store].rowCache.insert([(object.objectID, row)]) }
        return row
    }

    /// The row that a store has for an id; runs a statement.
    func storedRow(of id: ObjectID, store: Int) throws -> PackedRow? {
        let known = try session(store).keyStatements.statement(id.entity) { stores[store].select(id) }
        let select = known.select(id.keyValues)
        var row: PackedRow?
        try run(select.sql, store: store, prepared: known.prepared) { statement in
            guard try statement.step() else { return 0 }
            row = statement.packedRow(columns: id.entity.columns.count, empty: select.emptyColumns)
            return 1
        }
        return row
    }

    private func cachedRow(of id: ObjectID, store: Int) -> PackedRow? {
        store == 0 ? firstRowCache.row(of: id) : stores[store].rowCache.row(of: id)
    }

    /// The entity of a table in one of the context's stores; nil if the store has no such table or cannot be read.
    func entity(named table: String, store: Int32) -> EntityDescription? {
        if let entity = StoreModel.typed.entity(named: table) { return entity }
        guard let position = storePosition(store) else { return nil }
        do { return try stores[position].model.entity(named: table) } catch {
            note(error)
            return nil
        }
    }

    func object(of object: StoreObject, reference column: Int, type: StoreObject.Type) -> StoreObject? {
        guard let id = referencedID(of: object, column), !changes.haveRemoved(id) else { return nil }
        return self.object(with: id, prefetchedWith: object)
    }

    /// The object of an id that another object refers to. A fault takes its row from the prefetched rows.
    func object(with id: ObjectID, prefetchedWith owner: StoreObject) -> StoreObject {
        let object = object(with: id)
        guard let prefetched = owner.prefetchedRows, object.prefetchedRows == nil else { return object }
        object.prefetchedRows = prefetched
        if object.isFault, object.heldRow == nil { object.heldRow = prefetched.rows[object.objectID] }
        if object.relatedRows == nil { object.relatedRows = prefetched.related[object.objectID] }
        return object
    }

    /// The id that a reference holds.
    func referencedID(of object: StoreObject, _ column: Int) -> ObjectID? {
        guard let row = object.values(for: column).integer(column) else { return nil }
        return id(row, referredToFrom: object.objectID, column)
    }

    /// The id of the row with this number that a reference of an object leads to; nil if the column is no reference.
    func id(_ row: Int64, referredToFrom owner: ObjectID, _ column: Int) -> ObjectID? {
        let home = changes.home(of: owner)
        guard let table = owner.entity.columns[column].target, let entity = entity(named: table, store: home)
        else { return nil }
        return id(entity, row, referredToFrom: home)
    }

    /// The object of an id: the one that the context has, or a new fault. Runs no statement.
    ///
    ///     let same = otherContext.object(with: stop.objectID)
    ///
    /// If the row is not in the store, or the context does not read that store, the object's properties read as
    /// missing, and `lastError` tells why. Relationships to many objects are empty then. `existingObject(with:)` checks
    /// first.
    public func object(with id: ObjectID) -> StoreObject {
        livingOrNewObject(id.store == 0 ? named(id) : id)
    }

    /// The object of an id of a known type, like `object(with:)`; nil if the id belongs to another entity.
    ///
    ///     let ids = try context.fetchIDs(FetchRequest<Stop>(where: .name(hasWords: "bahn")))
    ///     let stops = ids.compactMap { context.object(Stop.self, with: $0) }
    public func object<Entity: StoreEntity>(_ type: Entity.Type, with id: ObjectID) -> Entity? {
        object(with: id) as? Entity
    }

    /// The object of an id, filled; nil when the store has no such row.
    ///
    ///     let known = try otherContext.existingObject(with: stop.objectID)
    ///
    /// Throws `StoreError`: `unknownStore` for the id of a row in a store that the context does not read; `corrupt`,
    /// `readFailed` or `timedOut` if the statement fails.
    public func existingObject(with id: ObjectID) throws(StoreError) -> StoreObject? {
        try StoreError.only {
            let object = object(with: id)
            return try hasRow(object) ? object : nil
        }
    }

    /// The object with this `id`, the number of its row in the store; nil if there is none.
    ///
    ///     try context.object(Stop.self, id: 17)?.name
    ///
    /// In a context of several stores, the row is one of the first store. Always nil for `StopTime`, `ShapePoint` and
    /// `SearchTerm`, which have no `id`: fetch them by a condition. Throws `StoreError`: `corrupt`, `readFailed` or
    /// `timedOut` if the statement fails.
    public func object<Entity: StoreEntity>(_ type: Entity.Type, id: Int) throws(StoreError) -> Entity? {
        try existingObject(with: ObjectID(Entity.entity, row: Int64(id), store: firstNumber)) as? Entity
    }

    /// The object of an id, if the context already holds it.
    public func registeredObject(for id: ObjectID) -> StoreObject? { registry.object(named(id)) }

    /// The objects of the context that are alive, in no order.
    public var registeredObjects: [StoreObject] { registry.all }

    func forget(_ object: StoreObject) { registry.remove(object) }

    func willUse(_ object: StoreObject, toMany position: Int) {}
}

extension TransitStore {
    /// `SELECT … FROM stop AS t0 WHERE t0.id = ?`
    func select(_ id: ObjectID) -> SelectStatement {
        var select = selectAll(id.entity)
        select.sql.append(" WHERE ")
        select.sql.append(zip(id.entity.keyColumns, id.keyValues), separator: " AND ") { sql, part in
            sql.append("t0.")
            sql.append(identifier: id.entity.columns[part.0].name)
            sql.append(" = ")
            sql.bind(part.1)
        }
        return select
    }
}

extension StoreContext {
    /// Makes an object forget its values. They are read from the store when they are next asked for.
    ///
    ///     context.refresh(stop, mergeChanges: false)
    ///
    /// With `mergeChanges`, the object keeps the values that were set in memory. Without it, they are lost.
    ///
    /// Does nothing for an object of another context.
    public func refresh(_ object: StoreObject, mergeChanges: Bool) {
        guard object.context === self else { return }
        let changed = mergeChanges && changes.updated.contains(object.objectID) ? object.row : nil
        if let store = storePosition(object.objectID.store) { stores[store].rowCache.remove(object.objectID) }
        guard !changes.inserted.contains(object.objectID) else { return }
        object.forgetValues()
        object.row = changed
        if changed == nil { changes.revert(object.objectID) }
    }

    /// Makes every object of the context a fault and empties the row cache; unsaved changes stay.
    public func refreshAll() {
        for store in stores { store.rowCache.removeAll() }
        for object in registry.all where !object.hasChanges { object.forgetValues() }
    }
}
