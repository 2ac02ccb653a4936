import SQLite
import SearchText

extension RequestText {
    /// Reads the request and the meaning of its columns. Throws the same errors as `request(in:_:)`.
    package func read<Entity>(in store: TransitStore, _ variables: [String: Any] = [:]) throws -> ReadRequest<Entity> {
        try read(model: store.model(for: entity), variables)
    }
}

extension EntityDescription {
    /// The message for a name that is not a relationship. It suggests the nearest relationship, or else lists all of
    /// them.
    func noRelationship(_ name: String) -> String {
        let names = relationshipNames
        let hint =
            reference(ofField: name).map { "\(name) is called \($0) here" }
            ?? NearestName.find(name, among: names).map { "did you mean \($0)?" }
        let known = names.isEmpty ? "it has no relationships" : "it has \(names.joined(separator: ", "))"
        return "\(self.name) has no relationship \(name); \(hint ?? known)"
    }
}

extension StoreObject {
    /// The objects of a relationship.
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

    /// The value of a column by position; NULL for a reference to an object that was deleted in memory.
    package func value(ofColumn index: Int) -> QueryValue {
        let value = QueryValue(values(for: index).value(index))
        guard let row = value.integer, let context, row < 0 || !context.changes.deleted.isEmpty,
            let id = context.referencedID(of: self, index), context.changes.haveRemoved(id)
        else { return value }
        return .null
    }
}
