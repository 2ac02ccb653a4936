import SQLite

/// Accessors with which typed properties read their columns. The functions of ColumnDescription that declare columns
/// have the same names, with two exceptions: `toOne` reads a `reference`, and `enumeration` an `integer`.
extension StoreObject {
    @inline(__always)
    final func values(for column: Int) -> PackedRow { row ?? origin.values(of: self, for: column) }

    /// The key, which even a fault knows. Objects of `PathRecorder` have no key, so they ask their origin.
    final func key(_ column: Int) -> Int {
        if case .row(let row) = objectID.key, row >= 0 { return Int(row) }
        return Int(values(for: column).integer(column) ?? ObjectID.missingRow)
    }

    final func text(_ column: Int) -> String { values(for: column).text(column) ?? "" }
    final func optionalText(_ column: Int) -> String? { values(for: column).text(column) }
    final func integer(_ column: Int) -> Int { Int(values(for: column).integer(column) ?? 0) }
    final func optionalInteger(_ column: Int) -> Int? { values(for: column).integer(column).map { Int($0) } }
    final func flag(_ column: Int) -> Bool { integer(column) == 1 }
    final func number(_ column: Int) -> Double { values(for: column).double(column) ?? 0 }
    final func optionalNumber(_ column: Int) -> Double? { values(for: column).double(column) }
    final func degrees(_ column: Int) -> Double? { values(for: column).double(column) }
    final func time(_ column: Int) -> ServiceTime? {
        values(for: column).integer(column).map { ServiceTime(seconds: Int($0)) }
    }
    final func date(_ column: Int) -> ServiceDate? { values(for: column).integer(column).map { ServiceDate(Int($0)) } }
    final func enumeration<Kind: GTFSEnumeration>(_ column: Int) -> Kind { Kind(rawValue: integer(column)) }
    final func optionalEnumeration<Kind: GTFSEnumeration>(_ column: Int) -> Kind? {
        values(for: column).integer(column).map { Kind(rawValue: Int($0)) }
    }

    final func optionalToOne<Target: StoreObject>(_ column: Int) -> Target? {
        origin.object(of: self, reference: column, type: Target.self) as? Target
    }

    /// The object of a required reference. If the reference is missing nevertheless, this is a placeholder: all its
    /// properties read as missing, and no row has its id.
    final func toOne<Target: StoreObject>(_ column: Int) -> Target {
        if let target: Target = optionalToOne(column) { return target }
        let table = objectID.entity.columns[column].target ?? ""
        let entity = StoreModel.typed.entity(named: table) ?? objectID.entity
        return Target(objectID: ObjectID(entity, row: ObjectID.missingRow), origin: origin)
    }

    final func toMany<Target: StoreObject>(_ position: Int) -> Related<Target> {
        origin.willUse(self, toMany: position)
        return Related(owner: self, position: position)
    }
}

extension StoreObject {
    /// The value of a property or column by name; nil when the entity has no such column.
    ///
    ///     stop.value(of: "name")      // .text("Hauptbahnhof")
    ///
    /// A class has the columns of the specification; `feedColumns()` reads those that only this feed has.
    public final func value(of name: String) -> QueryValue? {
        objectID.entity.columnIndex(name).map { value(ofColumn: $0) }
    }
}

extension QueryValue {
    init(_ value: SQLiteValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .text(let value): self = .text(value)
        }
    }

    /// The value as SQLite stores it, which turns NaN into NULL (<https://sqlite.org/floatingpoint.html>).
    var sqliteValue: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): value.isNaN ? .null : .double(value)
        case .text(let value): .text(value)
        }
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
