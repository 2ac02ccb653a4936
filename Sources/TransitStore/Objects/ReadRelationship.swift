/// A to-many relationship that has been read, as its owner keeps it.
struct ReadRelationship {
    /// The related objects without unsaved changes.
    let stored: ReadObjects
    /// The related objects with unsaved changes. A class, because few contexts have changes: it takes only 8 bytes of
    /// each relationship.
    fileprivate(set) var changed: WithChanges?

    /// The relationship without unsaved changes, as ids: these keep no objects alive.
    var asInStore: ReadRelationship { ReadRelationship(stored: stored.asIDs) }

    /// The related objects at one version of the unsaved changes.
    final class WithChanges {
        let version: Int
        let objects: ReadObjects

        fileprivate init(version: Int, objects: ReadObjects) { (self.version, self.objects) = (version, objects) }
    }
}

/// The objects of a to-many relationship.
enum ReadObjects {
    case objects([StoreObject])
    /// For rows that refer to rows of their own table; `parent_station` is the only such reference. A stop that is its
    /// own parent would otherwise keep itself and its context alive forever. The objects are made again from the
    /// owner's prefetched rows, or the row cache.
    case ids([ObjectID])

    init(_ objects: [StoreObject], of owner: StoreObject) {
        let entity = owner.objectID.entity
        let isOwn = objects.contains { $0.objectID.entity === entity }
        self = isOwn ? .ids(objects.map(\.objectID)) : .objects(objects)
    }

    /// The same as ids, which keep no objects alive.
    var asIDs: ReadObjects {
        if case .objects(let objects) = self { .ids(objects.map(\.objectID)) } else { self }
    }

    var count: Int {
        switch self {
        case .objects(let objects): objects.count
        case .ids(let ids): ids.count
        }
    }

    func objects(of owner: StoreObject, in context: StoreContext) -> [StoreObject] {
        switch self {
        case .objects(let objects): objects
        case .ids(let ids): ids.map { context.object(with: $0, prefetchedWith: owner) }
        }
    }
}

extension StoreObject {
    /// Keeps the objects that a to-many relationship has in the store.
    final func keep(_ objects: [StoreObject], toMany position: Int) {
        keep(ReadRelationship(stored: ReadObjects(objects, of: self)), toMany: position)
    }

    /// Keeps the objects that a to-many relationship has with unsaved changes, until the next change.
    final func keep(_ objects: [StoreObject], toMany position: Int, changes version: Int) {
        guard var relationship = relatedRows?[position] else { return }
        relationship.changed = .init(version: version, objects: ReadObjects(objects, of: self))
        keep(relationship, toMany: position)
    }

    private func keep(_ relationship: ReadRelationship, toMany position: Int) {
        // Taken out of the property first, so that the dictionary is not copied.
        var all = relatedRows ?? [:]
        relatedRows = nil
        all[position] = relationship
        relatedRows = all
    }
}

/// The owners whose relationships were read last while rows are tested in memory. Often nothing else holds them. Then a
/// test of a stop's calls would make the stop and read its calls again for each call.
final class RecentOwners {
    private static let mostOwners = 64
    private static let mostRelated = 100_000
    private var owners: [(owner: StoreObject, related: Int)] = []
    private var related = 0

    /// Keeps an owner. Lets the oldest ones go if there are more than 64, or if they have more than 100,000 related
    /// objects together.
    func keep(_ owner: StoreObject, related count: Int) {
        guard !owners.contains(where: { $0.owner === owner }) else { return }
        owners.append((owner, count))
        related += count
        while owners.count > 1, owners.count > Self.mostOwners || related > Self.mostRelated {
            related -= owners.removeFirst().related
        }
    }
}
