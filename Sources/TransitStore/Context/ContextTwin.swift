import SQLite

/// What a second context over the same stores is made of. A fetch uses such a twin to test and sort rows on another
/// thread, or to ignore the unsaved changes of the first context.
///
/// A context belongs to one isolation, so no other thread may read its objects. The twin makes its own objects of the
/// same rows; what it finds comes back as values.
struct ContextTwin: Sendable {
    private let stores: [TransitStore]
    private let changes: PendingChanges.Snapshot

    fileprivate init(stores: [TransitStore], changes: PendingChanges.Snapshot) {
        (self.stores, self.changes) = (stores, changes)
    }

    /// What was found, and what it took.
    struct Answer<Found> {
        let found: Found
        fileprivate let statistics: StoreContext.Statistics
        fileprivate let lastError: StoreError?
    }

    /// Lets a twin find something.
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

    /// What a twin has found. Its statements and errors count as those of this context.
    func take<Found>(_ answer: ContextTwin.Answer<Found>) -> Found {
        statistics.statements += answer.statistics.statements
        statistics.faultsFilled += answer.statistics.faultsFilled
        statistics.faultsFilledFromCache += answer.statistics.faultsFilledFromCache
        lastError = answer.lastError ?? lastError
        return answer.found
    }

    /// Whether a request is for the stores' rows as they are, while objects of this context have other values.
    func mustIgnoreChanges<Entity>(for request: FetchRequest<Entity>) -> Bool {
        !request.includesPendingChanges && !changes.isEmpty
    }

    /// What a request finds without unsaved changes. Objects of this context may have some, so a twin without changes
    /// tests and sorts the rows.
    func ignoringChanges<Entity, Found>(
        for request: FetchRequest<Entity>, _ find: (StoreContext) throws -> Found
    ) rethrows -> Found {
        take(try twin(for: request).answer(find))
    }

    /// This context's objects of what a twin has found.
    func objects<Entity>(_ found: [FoundObject], _ request: FetchRequest<Entity>) -> [StoreObject] {
        found.map { found in
            let object = object(with: found.id)
            let refresh = request.shouldRefreshRefetchedObjects
            guard let row = found.row, refresh || object.isFault, !object.hasChanges else { return object }
            let keepsRow = storePosition(found.id.store).map { stores[$0].keepsRows }
            object.take(
                row, isFault: request.returnsObjectsAsFaults && object.isFault, keepsRow: keepsRow ?? false)
            if refresh { object.relatedRows = nil }
            return object
        }
    }
}
