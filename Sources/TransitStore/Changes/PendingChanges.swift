import SQLite
import Synchronization

/// The changes of a context, as an overlay on its stores, which are read-only.
final class PendingChanges {
    /// Objects that are in no store.
    var inserted = ChangedObjects() { didSet { changed() } }
    /// Objects of the stores that had a property set, even to its old value.
    var updated = ChangedObjects() { didSet { changed() } }
    /// Objects whose rows do not take part in fetches.
    var deleted = ChangedObjects() { didSet { changed() } }
    /// A stored property, because it is read for every object that is made.
    @exclusivity(unchecked) private(set) var isEmpty = true
    /// Counts up with each change.
    private(set) var version = 0
    /// The store's rows of changed and deleted objects, if they were in memory before the change.
    private(set) var storedRows: [ObjectID: PackedRow] = [:]
    /// For an inserted object, the store that its references lead into; missing while none leads into a store.
    var homes: [ObjectID: Int32] = [:] { didSet { changed() } }
    /// Facts derived from the changes. Setting `inserted`, `updated`, `deleted` or `homes` forgets them. `insert`,
    /// `update`, `move`, `delete` and `revert` take them out meanwhile and keep them up to date.
    var known = Known()

    private func changed() {
        isEmpty = inserted.isEmpty && updated.isEmpty && deleted.isEmpty
        version &+= 1
        known = Known()
    }

    /// Keeps the row of a store's object before it is changed.
    func keepStoredRow(of object: StoreObject) {
        let id = object.objectID
        guard storedRows[id] == nil, !updated.contains(id), !id.isTemporary else { return }
        storedRows[id] = object.knownRow
    }

    /// Sets the context that makes the changed objects. Call it before any change.
    func belong(to context: StoreContext) {
        inserted.context = context
        updated.context = context
        deleted.context = context
    }

    /// Numbers the inserted objects of all contexts, because ids may be used in other contexts. Counts down from -2; -1
    /// is `ObjectID.missingRow`.
    private static let nextTemporaryNumber = Atomic<Int64>(-2)

    static func takeTemporaryNumber() -> Int64 {
        nextTemporaryNumber.wrappingSubtract(1, ordering: .relaxed).oldValue
    }

    /// Whether an object is gone: a deleted one of a store, or an inserted one that was deleted or rolled back.
    func haveRemoved(_ id: ObjectID) -> Bool {
        deleted.contains(id) || id.isTemporary && id.key != .row(ObjectID.missingRow) && !inserted.contains(id)
    }

    /// The store that an object's references lead into: its own, or the one that an inserted object was given.
    func home(of id: ObjectID) -> Int32 { id.isTemporary ? homes[id] ?? id.store : id.store }

    /// The store that an inserted object was given; nil if none of its references leads into a store.
    func givenStore(of id: ObjectID) -> Int32? { homes[id] }

    /// Whether an object counts as one of a store's. An inserted object counts everywhere until it is given a store.
    func mayBelong(_ id: ObjectID, to store: Int32) -> Bool {
        id.isTemporary ? homes[id].map { $0 == store } ?? true : id.store == store
    }

    /// Whether an object differs from its row in the store.
    func haveChanged(_ id: ObjectID) -> Bool { !isEmpty && (updated.contains(id) || deleted.contains(id)) }

    /// Whether the row was deleted, or one of these columns differs from the store. Searches ask only for the columns
    /// on which they depend: a stop keeps its words if only its wheelchair boarding was changed.
    func haveChanged(_ id: ObjectID, in columns: [Int]) -> Bool {
        guard haveChanged(id) else { return false }
        guard !deleted.contains(id), let before = storedRows[id], let now = row(of: id) else { return true }
        return columns.contains { QueryValue(before.value($0)) != QueryValue(now.value($0)) }
    }

    /// Whether an object was inserted or updated, and not deleted.
    func isPresent(_ id: ObjectID) -> Bool { inserted.contains(id) || updated.contains(id) }

    /// The values of a changed object in memory.
    func row(of id: ObjectID) -> PackedRow? { updated.row(of: id) ?? inserted.row(of: id) ?? deleted.row(of: id) }

    /// The objects that were inserted, updated or deleted; each is only one of these.
    var ids: [ObjectID] { Array(inserted.keys) + updated.keys + deleted.keys }

    /// How many objects were inserted, updated or deleted.
    var count: Int { inserted.count + updated.count + deleted.count }

    /// Forgets everything.
    func removeAll() {
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        storedRows = [:]
        homes = [:]
    }

    /// Changes as values, for a context of another thread.
    struct Snapshot: Sendable {
        fileprivate var inserted: [ObjectID: PackedRow?] = [:]
        fileprivate var updated: [ObjectID: PackedRow?] = [:]
        fileprivate var deleted: [ObjectID: PackedRow?] = [:]
        fileprivate var storedRows: [ObjectID: PackedRow] = [:]
        fileprivate var homes: [ObjectID: Int32] = [:]

        /// No changes.
        static let empty = Snapshot()
    }

    /// The changes as they are now. Copies nothing until one of the two contexts makes further changes.
    var snapshot: Snapshot {
        Snapshot(
            inserted: inserted.rows, updated: updated.rows, deleted: deleted.rows, storedRows: storedRows, homes: homes)
    }

    /// Takes over the changes of another context of the same stores.
    func take(_ snapshot: Snapshot) {
        (inserted.rows, updated.rows, deleted.rows) = (snapshot.inserted, snapshot.updated, snapshot.deleted)
        (storedRows, homes) = (snapshot.storedRows, snapshot.homes)
    }
}

/// Changed objects by their ids. Holds their values, not the objects: objects hold their context, so a context that
/// held objects would never be freed. An object that nobody holds is made again from these values when it is asked for.
struct ChangedObjects {
    fileprivate var rows: [ObjectID: PackedRow?] = [:]
    /// The context that the changes are part of, which makes the objects.
    unowned var context: StoreContext?

    var isEmpty: Bool { rows.isEmpty }
    var count: Int { rows.count }
    var keys: some Collection<ObjectID> { rows.keys }
    var values: [StoreObject] { rows.keys.compactMap { context?.object(with: $0) } }

    subscript(id: ObjectID) -> StoreObject? {
        get { contains(id) ? context?.object(with: id) : nil }
        set { rows[id] = newValue.map { $0.row } }
    }

    func contains(_ id: ObjectID) -> Bool { rows.index(forKey: id) != nil }

    /// The values in memory; nil for an object that was deleted before it was filled, and for an id that is not here.
    func row(of id: ObjectID) -> PackedRow? { rows[id] ?? nil }

    mutating func removeAll() { rows = [:] }

    /// Removes an object; returns whether it was there.
    mutating func remove(_ id: ObjectID) -> Bool { rows.removeValue(forKey: id) != nil }
}
