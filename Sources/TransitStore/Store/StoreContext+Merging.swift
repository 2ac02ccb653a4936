extension StoreContext {
    func hasChanges<Entity>(for request: FetchRequest<Entity>) -> Bool { false }
    func fetchMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [StoreObject] { [] }
    func countMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> Int { 0 }
    func dictionariesMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [ResultRow] { [] }
}
extension StoreObject {
    var hasChanges: Bool { false }
}
