import SQLite
import SearchText

extension RequestText {
    /// The request together with what its columns stand for. Throws as `request(in:_:)`.
    package func read<Entity>(in store: TransitStore, _ variables: [String: Any] = [:]) throws -> ReadRequest<Entity> {
        try read(model: store.model(for: entity), variables)
    }
}

extension StoreContext {
    /// Reads relationships of many objects along a path of names, with one statement for each step.
    ///
    /// Throws `StoreError` for a name that is no relationship.
    package func prefetch(_ path: [String], for objects: [StoreObject]) throws {
        var level = objects
        for name in path {
            if let entity = level.first?.objectID.entity, !entity.isRelationship(name) {
                let hint = Spelling.nearest(to: name, among: entity.relationshipNames).map { "did you mean \($0)?" }
                let known = "it has \(entity.relationshipNames.joined(separator: ", "))"
                throw StoreError(
                    .unknownProperty, "\(entity.name) has no relationship \(name); \(hint ?? known)")
            }
            level = try prefetch(name, for: level)
        }
    }
}

extension EntityDescription {
    /// The relationships' names, to-one first.
    package var relationshipNames: [String] {
        columns.filter { $0.target.flatMap(StoreModel.typed.entity(named:)) != nil }.map(\.property)
            + toMany.map(\.name)
    }

    fileprivate func isRelationship(_ name: String) -> Bool {
        switch property(named: name) {
        case .toOne(let index): columns[index].target.flatMap(StoreModel.typed.entity(named:)) != nil
        case .toMany: true
        default: false
        }
    }
}

extension StoreObject {
    /// What a relationship leads to.
    package enum RelatedObjects {
        case one(StoreObject?)
        case many([StoreObject])
    }

    /// The objects of a relationship by name; nil for any other name.
    package func relatedObjects(named name: String) -> RelatedObjects? {
        switch objectID.entity.property(named: name) {
        case .toOne(let index): .one(origin.object(of: self, reference: index, type: StoreObject.self))
        case .toMany(let position): .many(origin.objects(of: self, toMany: position))
        default: nil
        }
    }

    /// The value of a column by position.
    package func value(ofColumn index: Int) -> QueryValue { QueryValue(values(for: index).value(index)) }
}
