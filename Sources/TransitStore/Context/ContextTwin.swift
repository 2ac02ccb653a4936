import SQLite

/// Makes a second context over the same stores: a twin. A fetch uses it to test and sort rows on another thread, or to
/// ignore the unsaved changes of the first context.
///
/// A context belongs to one isolation, so no other thread may read its objects. The twin makes its own objects from the
/// same rows and returns its findings as values.
struct ContextTwin: Sendable {
    private let stores: [TransitStore]
    private let changes: PendingChanges.Snapshot

    fileprivate init(stores: [TransitStore], changes: PendingChanges.Snapshot) {
        (self.stores, self.changes) = (stores, changes)
    }

    /// What a twin found, how many statements and faults it took, and its last error.
    struct Answer<Found> {
        let found: Found
        fileprivate let statistics: StoreContext.Statistics
        fileprivate let lastError: StoreError?
    }

    /// Makes a twin and calls `find` with it.
    func answer<Found>(_ find: (StoreContext) throws -> Found) rethrows -> Answer<Found> {
        let context = StoreContext(stores: stores)
        context.changes.take(changes)
        let found = try find(context)
        return Answer(found: found, statistics: context.statistics, lastError: context.lastError)
    }
}

extension ContextTwin.Answer: Sendable where Found: Sendable {}

/// The id of an object that a twin found. Also its row, if that is in memory and has no unsaved changes.
struct FoundObject: Sendable {
    let id: ObjectID
    fileprivate let row: PackedRow?

    init(_ object: StoreObject) {
        (id, row) = (object.objectID, object.hasChanges ? nil : object.knownRow)
    }
}

extension StoreContext {
    /// A twin with the unsaved changes that a request asks for.
    func twin<Entity>(for request: FetchRequest<Entity>) -> ContextTwin {
        ContextTwin(stores: stores, changes: request.includesPendingChanges ? changes.snapshot : .empty)
    }

    /// Returns what a twin has found. Its statements and errors count as those of this context.
    func take<Found>(_ answer: ContextTwin.Answer<Found>) -> Found {
        statistics.statements += answer.statistics.statements
        statistics.faultsFilled += answer.statistics.faultsFilled
        statistics.faultsFilledFromCache += answer.statistics.faultsFilledFromCache
        lastError = answer.lastError ?? lastError
        return answer.found
    }

    /// Whether a request excludes unsaved changes and this context has some.
    func mustIgnoreChanges<Entity>(for request: FetchRequest<Entity>) -> Bool {
        !request.includesPendingChanges && !changes.isEmpty
    }

    /// What a request finds without unsaved changes. Objects of this context may have such changes, so a twin without
    /// changes tests and sorts the rows.
    func ignoringChanges<Entity, Found>(
        for request: FetchRequest<Entity>, _ find: (StoreContext) throws -> Found
    ) rethrows -> Found {
        take(try twin(for: request).answer(find))
    }

    /// This context's objects of what a twin has found.
    func objects<Entity>(_ found: [FoundObject], _ request: FetchRequest<Entity>) -> [StoreObject] {
        found.map { found in
            let object = object(with: found.id)
            guard let row = found.row else { return object }
            let keepsRow = storePosition(found.id.store).map { stores[$0].rowsNeverGoStale }
            object.take(
                row, areFaults: request.returnsObjectsAsFaults, refresh: request.shouldRefreshRefetchedObjects,
                keepsRow: keepsRow ?? false)
            return object
        }
    }
}
