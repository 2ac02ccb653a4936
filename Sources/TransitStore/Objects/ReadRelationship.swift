/// A to-many relationship that has been read, as its owner keeps it.
enum ReadRelationship {
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

    /// The same as ids, which hold no objects.
    var asIDs: ReadRelationship {
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
    /// Keeps the objects of a to-many relationship.
    final func keep(_ objects: [StoreObject], toMany position: Int) {
        // Taken out of the property first, so that the dictionary is not copied.
        var all = relatedRows ?? [:]
        relatedRows = nil
        all[position] = ReadRelationship(objects, of: self)
        relatedRows = all
    }
}
