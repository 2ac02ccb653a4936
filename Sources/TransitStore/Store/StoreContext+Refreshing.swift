extension StoreContext {
    /// Makes an object forget its values, so that they are read from the store when they are next asked for.
    ///
    /// With `mergeChanges`, values that were set in memory are set again on top of the store's.
    public func refresh(_ object: StoreObject, mergeChanges: Bool) {
        let changed = mergeChanges && changes.updated.contains(object.objectID) ? object.row : nil
        if let store = storePosition(object.objectID.store) { stores[store].rowCache.remove(object.objectID) }
        guard !changes.inserted.contains(object.objectID) else { return }
        object.forgetValues()
        object.row = changed
        if changed == nil { changes.updated[object.objectID] = nil }
    }

    /// Makes every object of the context a fault and empties the row cache; unsaved changes stay.
    public func refreshAll() {
        for store in stores { store.rowCache.removeAll() }
        for object in registry.all where !object.hasChanges { object.forgetValues() }
    }
}
