import SQLite

extension StoreContext {
    public func objects(of object: StoreObject, toMany position: Int) -> [StoreObject] {
        if let known = object.relatedRows?[position] { return known }
        do {
            let objects = try fetchRelated(of: object, toMany: position)
            object.relatedRows = (object.relatedRows ?? [:]).merging([position: objects]) { _, new in new }
            return objects
        } catch {
            lastError = error as? StoreError
            return []
        }
    }

    public func count(of object: StoreObject, toMany position: Int) -> Int {
        if let known = object.relatedRows?[position] { return known.count }
        do { return try countRelated(of: object, toMany: position) } catch {
            lastError = error as? StoreError
            return 0
        }
    }

    private func fetchRelated(of object: StoreObject, toMany position: Int) throws -> [StoreObject] {
        guard let (target, inverse, owner) = relationship(of: object, position) else { return [] }
        var sql = target.selectColumns
        sql.append(" WHERE t0.")
        sql.append(identifier: inverse)
        sql.append(" = ")
        sql.bind(.integer(owner))
        sql.append(target.orderOfMany(object.objectID.entity.toMany[position]))
        return try objects(SelectStatement(sql: sql, entity: target), store: Int(object.objectID.store))
    }

    private func countRelated(of object: StoreObject, toMany position: Int) throws -> Int {
        guard let (target, inverse, owner) = relationship(of: object, position) else { return 0 }
        var sql = SQLFragment("SELECT count(*) FROM ")
        sql.append(identifier: target.table)
        sql.append(" AS t0 WHERE t0.")
        sql.append(identifier: inverse)
        sql.append(" = ")
        sql.bind(.integer(owner))
        return Int(try rows(sql, store: Int(object.objectID.store)).first?.integer(0) ?? 0)
    }

    private func relationship(
        of object: StoreObject, _ position: Int
    ) -> (target: EntityDescription, inverse: String, owner: Int64)? {
        let relationship = object.objectID.entity.toMany[position]
        guard let target = StoreModel.typed.entity(named: relationship.table),
            case .row(let owner) = object.objectID.key, owner >= 0
        else { return nil }
        return (target, relationship.inverse, owner)
    }
}

extension EntityDescription {
    /// ` ORDER BY …` of the many: their own order, then their key, so that the same rows come in the same order always.
    func orderOfMany(_ relationship: ToManyDescription, first: [String] = []) -> SQLFragment {
        var names = first
        if let own = relationship.orderedBy { names.append(own) }
        for column in keyColumns where !names.contains(columns[column].name) {
            if columns[column].name != relationship.inverse { names.append(columns[column].name) }
        }
        var sql = SQLFragment(names.isEmpty ? "" : " ORDER BY ")
        sql.append(names, separator: ", ") { sql, name in
            sql.append("t0.")
            sql.append(identifier: name)
        }
        return sql
    }
}
