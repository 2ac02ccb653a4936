import Console
import SystemFiles
import TransitStore

/// Writes whole objects as JSON, with the objects of prefetched relationships nested. Each batch takes one statement
/// per relationship.
struct NestedObjects {
    /// A relationship and the relationships that follow it in the paths.
    private final class Branch {
        var branches: [(name: String, branch: Branch)] = []

        func branch(_ name: String) -> Branch {
            if let known = branches.first(where: { $0.name == name }) { return known.branch }
            branches.append((name, Branch()))
            return branches[branches.count - 1].branch
        }
    }

    private let root = Branch()
    private let isArray: Bool

    /// The number of objects that are in memory at a time.
    private static let batchSize = 500

    init(paths: [String], format: FetchArguments.Format) {
        isArray = format == .json
        for path in paths { _ = path.parts(at: ".").reduce(root) { $0.branch($1) } }
    }

    func write(_ request: FetchRequest<StoreObject>, _ context: StoreContext, _ output: BufferedOutput) throws {
        var request = request
        (request.resultType, request.fetchBatchSize) = (.objects, Self.batchSize)
        let batches = try context.fetchBatches(request)
        var rows = JSONOutput([], output, isArray: isArray)
        for start in stride(from: 0, to: batches.count, by: Self.batchSize) {
            let objects = try (start..<min(start + Self.batchSize, batches.count)).map { try batches.object(at: $0) }
            for object in objects { try rows.write { append(object, root, to: $0) } }
            if let error = context.lastError { throw error }
        }
        try rows.end()
    }

    private func append(_ object: StoreObject, _ branch: Branch, to output: BufferedOutput) {
        appendColumns(of: object, branch, to: output)
        for (name, branch) in branch.branches {
            guard case .many(let related) = object.relatedObjects(named: name) else { continue }
            output.append("," + JSONText.quoted(name) + ":[")
            for (index, object) in related.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                append(object, branch, to: output)
            }
            output.append(UInt8(ascii: "]"))
        }
        output.append(UInt8(ascii: "}"))
    }

    private func appendColumns(of object: StoreObject, _ branch: Branch, to output: BufferedOutput) {
        let entity = object.entityDescription
        for (index, column) in entity.columns.enumerated() {
            let nested = branch.branches.first { $0.name == column.property || $0.name == column.name }
            let related = nested.flatMap { object.relatedObjects(named: $0.name) }
            // A feed's own column may have the name of a relationship that is written below. The column is left out
            // then, because a key of an object must occur only once.
            if let nested, nested.name == column.property, case .many = related { continue }
            output.append((index == 0 ? "{" : ",") + JSONText.quoted(column.property) + ":")
            if let nested, case .one(let related) = related {
                // The object replaces its key.
                if let related { append(related, nested.branch, to: output) } else { output.append("null") }
            } else {
                OutputColumn(name: column.property, kind: entity.kind(ofColumn: index))
                    .appendJSON(object.value(ofColumn: index), to: output)
            }
        }
    }
}
