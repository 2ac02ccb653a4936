// Unsafe code: objects are kept as unmanaged references, which each object takes out when it goes, as a weak reference
// would cost an allocation per object; and an array of objects is handed out as one of their class without a copy, as
// casting one by one took a thousand instructions an object.

/// The objects that a context has given out and that are still alive: one per row.
final class ObjectRegistry {
    // Unchecked: no access lasts beyond a call of the table's own functions, which call nobody; the checks at run time
    // took a sixth of the instructions of making an object from the row cache.
    @exclusivity(unchecked) private var objects = ObjectTable<Unmanaged<StoreObject>>()

    private let check: ThreadCheck

    init(_ check: ThreadCheck) { self.check = check }

    /// The living object of a row.
    func object(_ id: ObjectID) -> StoreObject? { check.alone { objects[id]?.takeUnretainedValue() } }

    func insert(_ object: StoreObject) { check.alone { objects[object.objectID] = .passUnretained(object) } }

    /// Called as the object goes; a placeholder of the same id may never have been in here.
    func remove(_ object: StoreObject) {
        check.alone {
            objects.remove(object.objectID) { $0.toOpaque() == Unmanaged.passUnretained(object).toOpaque() }
        }
    }

    /// All living objects.
    var all: [StoreObject] { check.alone { objects.all.map { $0.takeUnretainedValue() } } }
    var count: Int { objects.count }
}

extension [StoreObject] {
    /// The same objects; the caller has made sure that each is of the class, or of one derived from it.
    ///
    /// An array of references is laid out alike whatever their class.
    func asObjects<Entity: StoreObject>(of type: Entity.Type) -> [Entity] {
        assert(allSatisfy { $0 is Entity })
        return unsafeBitCast(self, to: [Entity].self)
    }
}
