extension FetchRequest {
    /// The entity that the request is for. Throws `StoreError.unknownEntity`.
    func entity(in model: StoreModel) throws -> EntityDescription {
        guard let entity = model.entity(named: StopKind(entityName: entityName) == nil ? entityName : "stop") else {
            let hint = model.hint(forEntity: entityName).map { "; " + $0 } ?? ""
            throw StoreError(.unknownEntity, "The store has no entity \(entityName)\(hint)")
        }
        guard entity.objectType == Entity.self || Entity.self == StoreObject.self || Entity.self == StoredRow.self
        else {
            throw StoreError(.unknownEntity, "Rows of \(entityName) are \(entity.name)s, not \(Entity.self)s")
        }
        return entity
    }

    /// The statement for the request's result type.
    func select(model: StoreModel, indexes: StoreIndexes) throws -> SelectStatement {
        switch resultType {
        case .objects:
            return try selectObjects(model: model, indexes: indexes, keysOnly: !includesPropertyValues)
        case .objectIDs: return try selectObjects(model: model, indexes: indexes, keysOnly: true)
        case .dictionaries: return try selectDictionaries(model: model, indexes: indexes)
        case .count: return try selectCount(model: model, indexes: indexes)
        }
    }

    /// All columns in the order of the entity, or those of the key.
    func selectObjects(model: StoreModel, indexes: StoreIndexes, keysOnly: Bool) throws -> SelectStatement {
        let entity = try entity(in: model)
        var writer = SQLWriter(model: model, indexes: indexes)
        let scope = writer.openScope(entity, for: .root)
        var parts = try commonParts(entity)
        guard !keysOnly else {
            parts.columns = writer.columnList(scope, entity.keyColumns)
            return SelectStatement(sql: try writer.writeSelect(parts, from: scope), entity: entity)
        }
        let columns = indexes.emptyColumns.columns(of: entity)
        parts.columns = SQLFragment(columns.list)
        return SelectStatement(
            sql: try writer.writeSelect(parts, from: scope), entity: entity, emptyColumns: columns.empty)
    }

    /// The properties to fetch, under their names.
    func selectDictionaries(model: StoreModel, indexes: StoreIndexes) throws -> SelectStatement {
        let entity = try entity(in: model)
        try GroupedColumns.check(self, entity, model)
        var writer = SQLWriter(model: model, indexes: indexes)
        let scope = writer.openScope(entity, for: .root)
        var parts = try commonParts(entity)
        parts.isTable = true
        parts.grouping = try propertiesToGroupBy.map { try $0.expression.get() }
        parts.having = try havingPredicate.query()
        parts.isDistinct = returnsDistinctResults
        guard !propertiesToFetch.isEmpty else {
            parts.columns = writer.columnList(scope, entity.columns.indices)
            return SelectStatement(
                sql: try writer.writeSelect(parts, from: scope), entity: entity, names: entity.columns.map(\.property))
        }
        try FetchedNames.refuseEqual(propertiesToFetch.map(\.name))
        for (position, property) in propertiesToFetch.enumerated() {
            if position > 0 { parts.columns.append(", ") }
            try writer.writeBare(try property.expression.get(), to: &parts.columns)
        }
        return SelectStatement(
            sql: try writer.writeSelect(parts, from: scope), entity: entity, names: propertiesToFetch.map(\.name))
    }

    /// `SELECT count(*) FROM … WHERE …`; a limit, an offset, groups and distinct rows are counted as they are fetched.
    func selectCount(model: StoreModel, indexes: StoreIndexes) throws -> SelectStatement {
        var inner = self
        inner.sortDescriptors = []
        guard fetchLimit == 0, fetchOffset == 0, propertiesToGroupBy.isEmpty, !returnsDistinctResults else {
            let isTable = !propertiesToGroupBy.isEmpty || !propertiesToFetch.isEmpty
            if propertiesToFetch.isEmpty { inner.propertiesToFetch = propertiesToGroupBy }
            let rows =
                try isTable
                ? inner.selectDictionaries(model: model, indexes: indexes)
                : inner.selectObjects(model: model, indexes: indexes, keysOnly: true)
            var sql = SQLFragment("SELECT count(*) FROM (")
            sql.append(rows.sql)
            sql.append(")")
            return SelectStatement(sql: sql, entity: rows.entity)
        }
        let entity = try entity(in: model)
        var writer = SQLWriter(model: model, indexes: indexes)
        let scope = writer.openScope(entity, for: .root)
        var parts = try inner.commonParts(entity)
        parts.columns = SQLFragment("count(*)")
        return SelectStatement(sql: try writer.writeSelect(parts, from: scope), entity: entity)
    }

    private func commonParts(_ entity: EntityDescription) throws -> SelectParts {
        var parts = SelectParts()
        parts.condition = .conjunction([try subentityCondition(entity), try predicate.query()]).orderedByCost
        parts.order = try sortDescriptors.map { try $0.term.get() }
        parts.limit = max(fetchLimit, 0)
        parts.offset = max(fetchOffset, 0)
        return parts
    }

    /// Rows of the request's own sub-entity; without sub-entities, rows of none.
    func subentityCondition(_ entity: EntityDescription) throws -> QueryExpression {
        guard entity.table == "stop" else { return .always }
        let kind: QueryExpression = .property(.root, ["locationType"])
        if let own = StopKind(entityName: entityName) { return .comparison(.equal, kind, .value(own.queryValue)) }
        return includesSubentities ? .always : .not(.membership(kind, StopKind.allCases.map(\.queryValue)))
    }
}
