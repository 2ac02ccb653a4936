// How the parts of requests and their results print: for people, in messages and debuggers.

extension Condition: CustomStringConvertible {
    /// The condition in the language of textual predicates, or why it is refused: `name = 'Zoo' AND locationType = 1`
    public var description: String {
        do { return try query().description } catch { return "refused: \(error)" }
    }
}

extension FetchedProperty: CustomStringConvertible {
    /// `stop.name`, `@count AS departures`
    public var description: String {
        switch expression {
        case .success(let expression): "\(expression)" == name ? name : "\(expression) AS \(name)"
        case .failure(let error): "refused: \(error)"
        }
    }
}

extension Sort: CustomStringConvertible {
    /// `name LOCALE de DESC NULLS LAST`
    public var description: String {
        switch term {
        case .success(let term): term.description
        case .failure(let error): "refused: \(error)"
        }
    }
}

extension SortTerm: CustomStringConvertible {
    var description: String {
        var text = "\(expression)"
        if case .folded(let inner) = expression { text = "\(inner)[cd]" }
        if let collation { text += " LOCALE \(collation)" }
        if !isAscending { text += " DESC" }
        switch nulls {
        case .first: return text + " NULLS FIRST"
        case .last: return text + " NULLS LAST"
        case .standard: return text
        }
    }
}

extension ResultRow: CustomStringConvertible {
    /// `[name: "Zoo", count: 3, platformCode: nil]`
    public var description: String {
        "[" + names.indices.map { "\(names[$0]): \(self[$0].swiftLiteral)" }.joined(separator: ", ") + "]"
    }
}

extension Related: CustomStringConvertible {
    /// `stopTimes of stop/7 (3 objects)`; counts nothing and reads nothing.
    public var description: String {
        let name = owner.objectID.entity.toMany(at: position).name
        let objects = owner.relatedRows?[position].map { "\($0.stored.count) object\($0.stored.count == 1 ? "" : "s")" }
        return "\(name) of \(owner.objectID) (\(objects ?? "not read"))"
    }
}

extension BatchedResults: CustomStringConvertible {
    /// `3000000 of StopTime in batches of 50`
    public var description: String { "\(source.count) of \(source.entity.name) in batches of \(source.batchSize)" }
}

extension FetchedResults: CustomStringConvertible {
    /// `24 of Trip in batches of 50, in 5 sections`
    public var description: String { "\(objects), in \(sections.count) section\(sections.count == 1 ? "" : "s")" }
}

extension QueryValue {
    /// The value as Swift would spell it: `nil`, `42`, `"Zoo"`.
    var swiftLiteral: String {
        switch self {
        case .null: "nil"
        case .text(let text): text.debugDescription
        case .integer, .double: description
        }
    }
}
