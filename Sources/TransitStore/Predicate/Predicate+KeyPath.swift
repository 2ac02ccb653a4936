// Unsafe code: threads share a dictionary of key paths. The dictionary and the key paths are immutable.

import FoundationEssentials

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        let start: QueryExpression
        do {
            start = try root.query(&state)
        } catch {
            // The cast takes as long as the rest of the translation, so it is tried only after a failure.
            guard let property = (root as? any CapturedVariable)?.property(readBy: keyPath, state) else { throw error }
            return property
        }
        return try translated(from: start, &state)
    }

    private func translated(from root: QueryExpression, _ state: inout TranslationState) throws -> QueryExpression {
        if let entity = Root.Output.self as? any StoreEntity.Type { return try property(of: entity, root) }
        if Root.Output.self is StoreObject.Type, Output.self == ObjectID.self { return root }
        if let collection = Root.Output.self as? any QueryCollection.Type {
            return try aggregate(of: collection, root)
        }
        if keyPath == \String.folded { return root.foldedText }
        if keyPath == \String.isEmpty { return .comparison(.equal, root, .value("")) }
        if keyPath == \Double.isNaN { return .comparison(.equal, root, .value(.double(.nan))) }
        if keyPath == \ServiceTime.seconds || keyPath == \ServiceDate.number { return root }
        if let kind = Root.Output.self as? any GTFSEnumeration.Type, let query = kind.query(keyPath, of: root) {
            return query
        }
        throw StoreError.untranslatable(KeyPathName.of(keyPath), "a store has no column for it")
    }

    private func property<Entity: StoreEntity>(of type: Entity.Type, _ root: QueryExpression) throws -> QueryExpression
    {
        guard let keyPath = (keyPath as AnyKeyPath) as? PartialKeyPath<Entity>,
            let recorded = PathRecorder.path(of: keyPath, entity: Entity.entity), !recorded.isCount
        else {
            throw StoreError.untranslatable(KeyPathName.of(keyPath), "it is not one column of \(Entity.entity.name)")
        }
        if recorded.names.isEmpty { return root }
        guard let property = root.following(recorded.names) else {
            throw StoreError.untranslatable(KeyPathName.of(keyPath), "it does not start from a row of a store")
        }
        return recorded.isFolded ? property.foldedText : property
    }

    /// `$0.stopTimes.count`, `$0.stopTimes.filter { … }.isEmpty`
    private func aggregate(of type: any QueryCollection.Type, _ root: QueryExpression) throws -> QueryExpression {
        guard var rows = root.relatedRows else {
            throw StoreError.untranslatable(KeyPathName.of(keyPath), "it does not start from a relationship")
        }
        if keyPath == type.countPath {
            rows.yields = .count
            return .related(rows)
        }
        if keyPath == type.isEmptyPath {
            rows.yields = .exists
            return .not(.related(rows))
        }
        throw StoreError.untranslatable(KeyPathName.of(keyPath), "of related rows only count and isEmpty are known")
    }
}

/// A variable of the predicate that the type checker took for a value.
///
/// In `$0.description == text`, it chooses the description of the predicate's variable, which is a `String` like
/// `text`. The row's own description is a `String?`. Nobody wants the variable's description, so the row's is meant.
private protocol CapturedVariable {
    /// The row's property of the same name; nil if the key path reads anything else.
    func property(readBy keyPath: AnyKeyPath, _ state: TranslationState) -> QueryExpression?
}

extension PredicateExpressions.Value: CapturedVariable {
    fileprivate func property(readBy keyPath: AnyKeyPath, _ state: TranslationState) -> QueryExpression? {
        (value as? any CapturedVariable)?.property(readBy: keyPath, state)
    }
}

extension PredicateExpressions.Variable: CapturedVariable {
    fileprivate func property(readBy keyPath: AnyKeyPath, _ state: TranslationState) -> QueryExpression? {
        guard keyPath == \PredicateExpressions.Variable<Output>.description,
            (Output.self as? any StoreEntity.Type)?.entity.columnIndex("description") != nil
        else { return nil }
        return state.meaning(of: key)?.following(["description"])
    }
}

extension QueryExpression {
    /// The property that names lead to from this row; nil if this is not a row.
    fileprivate func following(_ names: PropertyPath) -> QueryExpression? {
        switch self {
        case .object(let variable): .property(variable, names)
        case .property(let variable, let path): .property(variable, path + names)
        default: nil
        }
    }

    /// The rows of a to-many relationship, filtered or not; nil for any other expression.
    var relatedRows: RelatedRows? {
        switch self {
        case .related(let rows): rows
        case .property(let variable, let path):
            RelatedRows(of: variable, path: path, variable: QueryVariable(-1 - variable.number), yields: .exists)
        default: nil
        }
    }
}

/// The name of a key path in messages.
///
/// The runtime has no names for computed properties. Messages describe them by their type and the columns they read.
enum KeyPathName {
    static func of(_ keyPath: AnyKeyPath) -> String {
        if let name = known[keyPath] { return "key path \(name)" }
        let root = shortName(type(of: keyPath).rootType)
        let value = shortName(type(of: keyPath).valueType)
        let columns = (type(of: keyPath).rootType as? any StoreEntity.Type)?.columns(readBy: keyPath) ?? []
        let reads = columns.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return "key path \\\(root).<computed \(value)>"
            + (reads.isEmpty ? "" : " that reads \(reads.joined(separator: ", "))")
    }

    /// Properties of the standard library that people are likely to try in predicates.
    nonisolated(unsafe) private static let known: [AnyKeyPath: String] = [
        // nonisolated(unsafe): key paths are immutable, and so is the dictionary.
        \String.count: "\\String.count", \String.first: "\\String.first", \String.last: "\\String.last",
        \String.utf8: "\\String.utf8", \String.unicodeScalars: "\\String.unicodeScalars",
        \String.description: "\\String.description", \Double.magnitude: "\\Double.magnitude",
        \Int.magnitude: "\\Int.magnitude", \Int.description: "\\Int.description",
    ]

    /// `Optional<Coordinate>` as `Coordinate?`.
    private static func shortName(_ type: Any.Type) -> String {
        let name = String(describing: type)
        return name.hasPrefix("Optional<") ? name.dropFirst("Optional<".count).dropLast() + "?" : name
    }
}

extension StoreEntity {
    fileprivate static func columns(readBy keyPath: AnyKeyPath) -> [String] {
        (keyPath as? PartialKeyPath<Self>).map { PathRecorder.reads($0, entity: entity) } ?? []
    }
}
