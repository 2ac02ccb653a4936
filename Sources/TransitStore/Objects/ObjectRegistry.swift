// Unsafe code: objects are kept as unmanaged references, because weak references would cost an allocation per object.
// Each object removes its reference when it is freed. An array of objects is returned as an array of their class
// without a copy, because casting them one by one took a thousand instructions per object.

/// The objects that a context has given out and that are still alive: one per row.
final class ObjectRegistry {
    // Unchecked: the table's functions call only `make`, which allocates an object, and a comparison of addresses.
    // Neither uses the table or frees an object. The runtime checks took a sixth of the instructions of making an
    // object from the row cache.
    @exclusivity(unchecked) private var objects = ObjectTable<Unmanaged<StoreObject>>()

    private let check: ThreadCheck

    init(_ check: ThreadCheck) { self.check = check }

    /// The living object of a row.
    func object(_ id: ObjectID) -> StoreObject? { check.alone { objects[id]?.takeUnretainedValue() } }

    /// The living object of a row, or the one that `make` returns. Searches once. `make` must not use the registry.
    func object(_ id: ObjectID, orMake make: () -> StoreObject) -> (object: StoreObject, isNew: Bool) {
        check.alone {
            var made: StoreObject?
            let reference = objects.value(of: id) {
                let object = make()
                made = object
                return .passUnretained(object)
            }
            if let made { return (made, true) }
            return (reference.takeUnretainedValue(), false)
        }
    }

    func insert(_ object: StoreObject) { check.alone { objects[object.objectID] = .passUnretained(object) } }

    /// Takes out an object that is being freed. Does nothing if another object has been registered under its id. A
    /// placeholder, for example, is never registered.
    func remove(_ object: StoreObject) {
        // Compares addresses, because each conversion of an object to an unmanaged one counts a reference.
        let own = UInt(bitPattern: ObjectIdentifier(object))
        check.alone { objects.remove(object.objectID) { UInt(bitPattern: $0.toOpaque()) == own } }
    }

    /// All living objects.
    var all: [StoreObject] { check.alone { objects.all.map { $0.takeUnretainedValue() } } }
    var count: Int { objects.count }
}

extension [StoreObject] {
    /// The same objects as objects of a class. The caller has checked that each is of the class or a subclass.
    ///
    /// The layout of an array of references does not depend on their class.
    func asObjects<Entity: StoreObject>(of type: Entity.Type) -> [Entity] {
        assert(allSatisfy { $0 is Entity })
        return unsafeBitCast(self, to: [Entity].self)
    }
}
