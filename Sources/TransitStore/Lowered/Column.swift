import SQLite

/// A column of a row; NULL where the feed leaves it empty, and where the row is not there.
struct Column: LoweredNode {
    let row: SelectRow
    let index: Int
    /// The column of which this one holds the text without case and diacritics: a changed object has that one only.
    var original: Int?
    /// Whether it is read of an object. There a reference of the key is empty too once its row is deleted.
    var isInMemory = false

    var description: ColumnDescription { row.entity.columns[index] }

    func write(to sql: inout SQLFragment) {
        row.markRead()
        sql.append("\(row.alias).\(description.sqlName)")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        guard let owner = try rows.object(row) else { return .null }
        let (own, index) = (owner.objectID.entity, try index(in: owner))
        if case .row(let row) = owner.objectID.key, own.key == .row(index) { return .integer(row) }
        guard let original, own === row.entity, owner.hasChanges else { return owner.value(ofColumn: index) }
        return owner.value(ofColumn: original).text.map { .text($0.folded) } ?? .null
    }

    /// Rows of several stores may have more columns, at other places.
    fileprivate func index(in object: StoreObject) throws -> Int {
        let own = object.objectID.entity
        guard let index = own === row.entity ? index : own.columnIndex(description.name) else {
            throw StoreError.unknownProperty(description.property, of: own, path: row.path + [description.property])
        }
        return index
    }

    var mayBeNull: Bool {
        description.absence != .never || row.reference != nil || isInMemory && description.target != nil
    }
    var nullWithout: Set<String> { row.reference == nil ? [] : [row.alias] }
}

extension EvaluatedRows {
    /// The object of a row; nil when a reference on the way is empty, or to what was deleted.
    func object(_ row: SelectRow) throws -> StoreObject? {
        guard let reference = row.reference else { return rows[row.variable] }
        guard let owner = try object(reference.row) else { return nil }
        return owner.origin.object(of: owner, reference: try reference.index(in: owner), type: StoreObject.self)
    }
}
