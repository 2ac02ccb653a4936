import GTFSSchema
import SQLite

/// The values in a feed's own columns, which GTFS does not define.
extension StoreObject {
    /// The values of the feed's own columns in the object's row, by their names in the file. They are texts as in the
    /// file. If the table already has a column of that name, the name gets a number: `name_2`.
    ///
    ///     let neighbourhood = try stop.feedColumns()["neighbourhood"]
    ///
    /// Leaves out empty cells. Of columns whose names Swift takes for equal, such as é in one code point and in two, it
    /// has the first that is not empty; `fetchRows(sql:)` reads the others. Runs one statement for each object, by its
    /// key. Throws `StoreError`: `unknownStore` for an object of a store that the context does not read; `corrupt`,
    /// `readFailed` or `timedOut` if the statement fails.
    public final func feedColumns() throws(StoreError) -> [String: String] {
        try StoreError.only {
            guard let context, !objectID.isTemporary else { return [:] }
            let position = try context.storePosition(of: objectID)
            let entity = objectID.entity
            let own = try context.stores[position].columns(ofTable: entity.table).filter { !entity.declares($0) }
            guard !own.isEmpty else { return [:] }
            let keys = entity.keyColumns.map { "\(entity.columns[$0].sqlName) = ?" }.joined(separator: " AND ")
            let names = own.map(StoreSchema.quoted).joined(separator: ", ")
            let sql = SQLFragment(
                "SELECT \(names) FROM \(entity.sqlTable) WHERE \(keys)", bindings: objectID.keyValues)
            let row = try context.rows(sql, store: position).first
            return own.indices.reduce(into: [:]) { values, column in
                if values[own[column]] == nil { values[own[column]] = row?.text(column) }
            }
        }
    }
}

extension EntityDescription {
    /// Whether GTFS or the entity's class defines the column. An object without a class has all columns of its table,
    /// so the specification decides.
    fileprivate func declares(_ column: String) -> Bool {
        guard let fields = Specification.gtfs.file(ofTable: table)?.fields, StoreModel.typed.entity(named: table) == nil
        else { return columns.contains { $0.name.hasSameBytes(as: column) } }
        return column == "id" || fields.contains { $0.column.hasSameBytes(as: column) }
    }
}
