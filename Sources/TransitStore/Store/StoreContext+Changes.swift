import SQLite

/// Unsaved changes: an overlay on stores that never change, such as realtime updates.
extension StoreContext {
    /// A new object that is in no store; fetches see it unless their request says otherwise.
    ///
    ///     let extra = context.insert(StopTime.self)
    ///     try extra.setValue(28_800, for: "departureTime")
    public func insert<Entity: StoreEntity>(_ type: Entity.Type) -> Entity {
        let number = changes.nextTemporaryID
        changes.nextTemporaryID -= 1
        let key: ObjectID.Key =
            switch Entity.entity.key {
            case .row: .row(number)
            case .pair: .pair(number, 0)
            case .values: .values([])
            }
        let object = Entity(objectID: ObjectID(Entity.entity, key), origin: self)
        object.row = PackedRow(Array(repeating: .null, count: Entity.entity.columns.count))
        if case .row(let column) = Entity.entity.key { object.replace(column, with: .integer(number)) }
        registry.insert(object)
        changes.inserted[object.objectID] = object
        return object
    }

    /// Takes an object's row out of this context's fetches.
    public func delete(_ object: StoreObject) {
        let id = object.objectID
        changes.updated[id] = nil
        if changes.inserted.removeValue(forKey: id) == nil { changes.deleted[id] = object }
    }

    /// Whether anything was inserted, updated or deleted.
    public var hasChanges: Bool { !changes.isEmpty }

    /// Forgets all changes: updated objects take their rows' values again.
    public func rollback() {
        for object in changes.updated.values { object.row = nil }
        changes.inserted = [:]
        changes.updated = [:]
        changes.deleted = [:]
    }

    /// Throws `StoreError.readOnly` if there is anything to save: stores are written by import-gtfs alone.
    public func save() throws {
        guard hasChanges else { return }
        let path = stores.first?.path ?? ""
        throw StoreError(
            .readOnly,
            "\(path) is read-only: \(changes.inserted.count) inserted, \(changes.updated.count) updated and "
                + "\(changes.deleted.count) deleted objects stay in memory")
    }
}

extension StoreObject {
    /// Whether the object has values that are not in its store.
    final var hasChanges: Bool {
        guard let changes = context?.changes, !changes.isEmpty else { return false }
        return changes.updated[objectID] != nil || changes.inserted[objectID] != nil
    }
}
