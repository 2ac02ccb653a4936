import SQLite

/// A column of a row; NULL if the feed leaves it empty or the row is missing.
struct Column: LoweredNode {
    let row: SelectRow
    let index: Int
    /// The column of the text itself, if this column holds it without case and diacritics. For a changed object, that
    /// text is folded again.
    var original: Int?
    /// Whether it is read from an object. There, even a reference in the key is empty once its row is deleted, and a
    /// new object has no `stop_sequence` yet.
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

    /// Rows of other stores may have more columns, so this one may have another position.
    fileprivate func index(in object: StoreObject) throws -> Int {
        let own = object.objectID.entity
        guard let index = own === row.entity ? index : own.columnIndex(description.name) else {
            throw StoreError.unknownProperty(description.property, of: own, path: row.path + [description.property])
        }
        return index
    }

    var mayBeNull: Bool {
        description.absence != .never || row.reference != nil || isInMemory && row.entity.key != .row(index)
    }
    var nullWithout: Set<String> { row.reference == nil ? [] : [row.alias] }
}

extension EvaluatedRows {
    /// The object of a row; nil if a reference on the way is empty or leads to a deleted object.
    func object(_ row: SelectRow) throws -> StoreObject? {
        guard let reference = row.reference else { return rows[row.variable] }
        guard let owner = try object(reference.row) else { return nil }
        return owner.origin.object(of: owner, reference: try reference.index(in: owner), type: StoreObject.self)
    }
}
