/// Where the batches of a collection come from.
protocol BatchSource: AnyObject {
    var entity: EntityDescription { get }
    var batchSize: Int { get }
    var count: Int { get }
    func objectID(at index: Int, _ context: StoreContext) throws -> ObjectID
    func batch(_ number: Int, _ context: StoreContext) throws -> [StoreObject]
}

/// Objects that are in memory already: of a context with unsaved changes.
final class FetchedBatches: BatchSource {
    let entity: EntityDescription
    let batchSize: Int
    private let objects: [StoreObject]

    init(_ entity: EntityDescription, _ batchSize: Int, _ objects: [StoreObject]) {
        self.entity = entity
        self.batchSize = batchSize
        self.objects = objects
    }

    var count: Int { objects.count }

    func objectID(at index: Int, _ context: StoreContext) -> ObjectID { objects[index].objectID }

    func batch(_ number: Int, _ context: StoreContext) -> [StoreObject] {
        Array(objects[number * batchSize..<min((number + 1) * batchSize, count)])
    }
}
