import SQLite

/// A column of a row that a path leads to; NULL where the feed leaves it empty, and where the row is not there.
struct Column: LoweredNode {
    let variable: QueryVariable
    /// To-one relationships from the variable to the row.
    let path: [String]
    let alias: String
    let entity: EntityDescription
    let index: Int
    /// The row has been joined, and may not be there.
    let isJoined: Bool
    /// The column of which this one holds the text without case and diacritics: a changed object has that one only.
    var original: Int?

    var description: ColumnDescription { entity.columns[index] }

    func write(to sql: inout SQLFragment) {
        sql.append(alias)
        sql.append(".")
        sql.append(description.sqlName)
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        guard let owner = try rows.row(variable, path) else { return .null }
        let own = owner.objectID.entity
        // Rows of several stores may have more columns, at other places.
        guard let index = own === entity ? index : own.columnIndex(description.name) else {
            throw StoreError.unknownProperty(description.property, of: own, path: path + [description.property])
        }
        if case .row(let row) = owner.objectID.key, own.key == .row(index) { return .integer(row) }
        guard let original, own === entity, owner.hasChanges else { return owner.value(ofColumn: index) }
        return owner.value(ofColumn: original).text.map { .text($0.folded) } ?? .null
    }

    var mayBeNull: Bool { description.absence != .never || isJoined }
    var nullWithout: Set<String> { isJoined ? [alias] : [] }
}

extension EvaluatedRows {
    /// The row at the end of a path; nil when a reference on the way is empty, or to what was deleted.
    func row(_ variable: QueryVariable, _ path: [String]) throws -> StoreObject? {
        guard !rows.isEmpty else { return nil }
        guard var object = rows[variable] else {
            throw StoreError.untranslatable("variable \(variable.number)", "it stands for no row here")
        }
        for name in path {
            guard let index = object.objectID.entity.columnIndex(name) else {
                throw StoreError.unknownProperty(name, of: object.objectID.entity, path: path)
            }
            guard let next = object.origin.object(of: object, reference: index, type: StoreObject.self) else {
                return nil
            }
            object = next
        }
        return object
    }
}
