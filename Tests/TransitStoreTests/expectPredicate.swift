import FoundationEssentials
import Testing
import TransitStore

/// Pins what a predicate becomes and finds: the SQL after WHERE with values in place, and the rows' ids; and that
/// evaluating the predicate in memory on every row finds the same.
func expect<Entity: StoreEntity>(
    _ predicate: Predicate<Entity>, becomes sql: String, finds ids: [String], in context: StoreContext,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let request = FetchRequest<Entity>(where: predicate)
    let text = request.description
    let condition = text.components(separatedBy: " WHERE ", limit: 2)
    #expect(condition == sql, sourceLocation: sourceLocation)
    let found = try context.fetch(request).map(\.objectID.description)
    #expect(found.sorted() == ids.sorted(), sourceLocation: sourceLocation)
    let inMemory = try context.fetch(FetchRequest<Entity>()).filter { try predicate.evaluate($0) }
    #expect(inMemory.map(\.objectID.description).sorted() == ids.sorted(), sourceLocation: sourceLocation)
    #expect(context.lastError == nil, sourceLocation: sourceLocation)
}

extension String {
    /// What stands behind the first separator.
    fileprivate func components(separatedBy separator: String, limit: Int) -> String {
        guard let range = firstRange(of: separator) else { return self }
        return String(self[range.upperBound...])
    }
}
