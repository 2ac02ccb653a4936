/// A row of a table that has no class of its own; columns and relationships are read by name.
///
///     let request = FetchRequest<StoredRow>(entity: "fare_attribute")
///     for fare in try context.fetch(request) {
///         print(fare["price"], try fare.object(of: "agency")?.value(of: "name") ?? .null)
///         for rule in try fare.objects(of: "fareRules") { print(rule.value(of: "originID") ?? .null) }
///     }
///
/// A name stands for the column that is spelled like it, byte for byte, otherwise for the column with that Swift name.
/// If a feed has columns `note` and `note_`, `row["note"]` reads the column `note`.
///
/// Relationships follow the references of the specification. A to-one relationship has the name of its column. The rows
/// of fare_rules.txt that refer to a row are its `fareRules`, also `fare_rules`. If a file refers to a table more than
/// once, the names tell the references apart: `fareLegJoinRulesFrom` and `fareLegJoinRulesTo`. If a feed has a column
/// of its own called `fare_rules`, `row["fare_rules"]` reads that column. Where a name may stand for a relationship, as
/// in `objects(of:)` and in conditions in words, it stands for the relationship.
public final class StoredRow: StoreObject {
    /// The value of a column; NULL when the table has no such column.
    public subscript(name: String) -> QueryValue { value(of: name) ?? .null }
}

/// Relationships by name, for every object: also those that its class has no property for.
extension StoreObject {
    /// The object that a reference names; nil when it names none.
    ///
    ///     try stopTime.object(of: "pickupBookingRule")?.value(of: "phoneNumber")
    ///
    /// Runs no statement. Throws `StoreError.unknownProperty` for an unknown name, with the names of the to-one
    /// relationships.
    public final func object(of relationship: String) throws(StoreError) -> StoreObject? {
        try StoreError.only {
            switch objectID.entity.property(named: relationship) {
            case .toOne(let index): return origin.object(of: self, reference: index, type: StoreObject.self)
            case .toMany: throw wrongKind(relationship, "leads to many objects; ask for objects(of:)")
            case .attribute, nil: throw StoreError.unknownRelationship(relationship, of: objectID.entity)
            }
        }
    }

    /// The many objects that refer to this one; read when they are used, as `Related` says.
    ///
    ///     for rule in try route.objects(of: "fareRules") { print(rule.value(of: "originID") ?? .null) }
    ///
    /// Throws `StoreError.unknownProperty` for an unknown name, with the names of the to-many relationships.
    public final func objects(of relationship: String) throws(StoreError) -> Related<StoreObject> {
        try StoreError.only {
            switch objectID.entity.property(named: relationship) {
            case .toMany(let position): return toMany(position)
            case .toOne: throw wrongKind(relationship, "leads to one object; ask for object(of:)")
            case .attribute, nil: throw StoreError.unknownRelationship(relationship, of: objectID.entity)
            }
        }
    }

    private func wrongKind(_ relationship: String, _ reason: String) -> StoreError {
        StoreError(.unknownProperty, "\(relationship) of \(objectID.entity.name) \(reason)")
    }
}
