import Console
import TransitStore

/// Whole objects as JSON, with those of prefetched relationships nested: one statement for each relationship and batch.
struct NestedObjects {
    /// A relationship and those that go on from it.
    private final class Branch {
        var branches: [(name: String, branch: Branch)] = []

        func branch(_ name: String) -> Branch {
            if let known = branches.first(where: { $0.name == name }) { return known.branch }
            branches.append((name, Branch()))
            return branches[branches.count - 1].branch
        }
    }

    private let paths: [[String]]
    private let root = Branch()
    private let isArray: Bool

    /// Objects in memory at a time.
    private static let batchSize = 500

    init(paths: String, format: FetchArguments.Format) {
        self.paths = paths.split(separator: ",").map { path in
            path.filter { $0 != " " }.split(separator: ".").map(String.init)
        }
        isArray = format == .json
        for path in self.paths { _ = path.reduce(root) { $0.branch($1) } }
    }

    func write(_ request: FetchRequest<StoreObject>, _ context: StoreContext, _ output: BufferedOutput) throws {
        var request = request
        (request.resultType, request.fetchBatchSize) = (.objects, Self.batchSize)
        let batches = try context.batches(request)
        var rows = JSONOutput([], output, isArray: isArray)
        for start in stride(from: 0, to: batches.count, by: Self.batchSize) {
            let objects = try (start..<min(start + Self.batchSize, batches.count)).map { try batches.object(at: $0) }
            for path in paths { try context.prefetch(path, for: objects) }
            for object in objects { try rows.write(object: json(object, root)) }
            if let error = context.lastError { throw error }
        }
        try rows.end()
    }

    private func json(_ object: StoreObject, _ branch: Branch) -> String {
        let entity = object.entityDescription
        var members = entity.columns.enumerated().map { index, column in
            let output = OutputColumn(name: column.property, kind: entity.kind(ofColumn: index))
            return member(column.property, output.json(object.value(ofColumn: index)))
        }
        for (name, branch) in branch.branches {
            switch object.relatedObjects(named: name) {
            case .one(let related):
                // Replaces the key by the object.
                let position = entity.columns.firstIndex { $0.property == name || $0.name == name }
                if let position { members[position] = member(name, related.map { json($0, branch) } ?? "null") }
            case .many(let related):
                members.append(member(name, "[" + related.map { json($0, branch) }.joined(separator: ",") + "]"))
            case nil: break
            }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func member(_ name: String, _ value: String) -> String {
        OutputColumn(name: "", kind: .text).json(.text(name)) + ":" + value
    }
}
