import SQLite

/// Reading the rows of a statement.
extension Statement {
    /// Appends the statement's rows, or the first `columns` cells of each; returns their number.
    func appendRows(to rows: inout [PackedRow], columns: Int? = nil) throws -> Int {
        while try step() { rows.append(packedRow(columns: columns)) }
        return rows.count
    }

    /// Appends the ids of the statement's rows, which are the entity's keys; returns their number.
    func appendIDs(of entity: EntityDescription, store: Int32, to ids: inout [ObjectID]) throws -> Int {
        let positions = entity.keyPositions
        while try step() { ids.append(objectID(entity, positions, store: store)) }
        return ids.count
    }

    /// The id of the row that the statement stands on, from the columns at `positions`.
    func objectID(_ entity: EntityDescription, _ positions: [Int], store: Int32) -> ObjectID {
        switch entity.key {
        case .row: ObjectID(entity, .row(integer(positions[0])), store: store)
        case .pair: ObjectID(entity, .pair(integer(positions[0]), integer(positions[1])), store: store)
        case .values: ObjectID(entity, .values(positions.map { QueryValue(value($0)) }), store: store)
        }
    }
}

extension PackedRow {
    /// The id of a row that has all columns of an entity.
    func objectID(_ entity: EntityDescription, store: Int32) -> ObjectID {
        switch entity.key {
        case .row(let column): ObjectID(entity, .row(integer(column) ?? -1), store: store)
        case .pair(let first, let second):
            ObjectID(entity, .pair(integer(first) ?? -1, integer(second) ?? -1), store: store)
        case .values(let columns): ObjectID(entity, .values(columns.map { QueryValue(value($0)) }), store: store)
        }
    }
}
