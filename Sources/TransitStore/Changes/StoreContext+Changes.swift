import SQLite

/// Unsaved changes: an overlay on stores that never change, such as realtime updates.
extension StoreContext {
    /// A new object that is in no store; fetches see it unless their request says otherwise.
    ///
    ///     let extra = context.insert(StopTime.self)
    ///     try extra.setValue(28_800, for: "departureTime")
    public func insert<Entity: StoreEntity>(_ type: Entity.Type) -> Entity {
        let number = PendingChanges.takeTemporaryNumber()
        let key: ObjectID.Key = if case .pair = Entity.entity.key { .pair(number, 0) } else { .row(number) }
        // Its references lead into the first store, until one is set to a row of another store.
        let id = ObjectID(Entity.entity, key, store: firstNumber)
        let object = Entity(objectID: id, origin: self)
        object.row = PackedRow(Array(repeating: .null, count: Entity.entity.columns.count))
        if case .row(let column) = Entity.entity.key { object.replace(column, with: .integer(number)) }
        registry.insert(object)
        changes.insert(object)
        return object
    }

    /// Takes an object's row out of this context's fetches.
    ///
    ///     context.delete(stop)
    ///     stopTime.stop.name      // "": the reference leads to nothing now, as after Core Data's nullify rule
    ///
    /// Rows that refer to the object stay. Their relationship reads as missing, in objects and in fetches, and to-many
    /// relationships leave the object out. The object itself keeps its values. `rollback()` undoes all of this.
    ///
    /// An object of another context stands for its row, without that context's changes. Does nothing for a row of a
    /// store that the context does not read, and for an object that another context has inserted.
    public func delete(_ object: StoreObject) {
        let id = object.objectID
        guard id.isTemporary ? object.context === self : storePosition(id.store) != nil else { return }
        // The values of another context's object may differ from those that this context reads.
        let object = object.context === self ? object : self.object(with: id)
        changes.keepStoredRow(of: object)
        changes.delete(object)
    }

    /// Whether anything was inserted, updated or deleted.
    public var hasChanges: Bool { !changes.isEmpty }

    /// The objects that were inserted and not deleted again.
    public var insertedObjects: Set<StoreObject> { Set(changes.inserted.values) }
    /// The objects that had a property set, even to its old value.
    public var updatedObjects: Set<StoreObject> { Set(changes.updated.values) }
    /// The objects whose rows were taken out of fetches.
    public var deletedObjects: Set<StoreObject> { Set(changes.deleted.values) }

    /// Forgets all changes: updated and deleted objects take their rows' values again.
    ///
    ///     try stopTime.set(\.departureTime, to: ServiceTime(hours: 9))
    ///     context.rollback()
    ///     print(context.hasChanges)       // false
    public func rollback() {
        for object in changes.updated.values { object.row = nil }
        for object in changes.deleted.values { object.row = nil }
        changes.removeAll()
    }

    /// Throws `StoreError.readOnly` if there is anything to save: stores are written by import-gtfs alone.
    ///
    ///     context.delete(stop)
    ///     do { try context.save() } catch { print(error.code) }       // readOnly
    public func save() throws(StoreError) {
        try StoreError.only {
            guard hasChanges else { return }
            let reason = stores.first.map { "\($0.path) is read-only" } ?? "The context has no store to save to"
            throw StoreError(
                .readOnly,
                "\(reason): \(changes.inserted.count) inserted, \(changes.updated.count) updated and "
                    + "\(changes.deleted.count) deleted objects stay in memory")
        }
    }
}

extension StoreObject {
    /// Whether the object was inserted in its context and is in no store.
    public final var isInserted: Bool { context?.changes.inserted.contains(objectID) ?? false }
    /// Whether a property of the object was set, even to its old value.
    public final var isUpdated: Bool { context?.changes.updated.contains(objectID) ?? false }
    /// Whether the object was deleted from its context.
    public final var isDeleted: Bool { context?.changes.haveRemoved(objectID) ?? false }

    /// Whether the object has values that are not in its store.
    final var hasChanges: Bool {
        guard let changes = context?.changes, !changes.isEmpty else { return false }
        return changes.updated.contains(objectID) || changes.inserted.contains(objectID)
    }
}
