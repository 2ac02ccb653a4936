// Unsafe code: an array of objects is handed out as one of their class without a copy. Casting one by one took a
// thousand instructions an object.

extension [StoreObject] {
    /// The same objects; the caller has made sure that each is of the class, or of one derived from it.
    ///
    /// An array of references is laid out alike whatever their class.
    func asObjects<Entity: StoreObject>(of type: Entity.Type) -> [Entity] {
        assert(allSatisfy { $0 is Entity })
        return unsafeBitCast(self, to: [Entity].self)
    }
}
