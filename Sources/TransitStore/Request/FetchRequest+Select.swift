extension FetchRequest {
    /// The entity that the request is for. Throws `StoreError.unknownEntity`.
    func entity(in model: StoreModel) throws -> EntityDescription {
        guard let entity = model.entity(named: LocationType(entityName: entityName) == nil ? entityName : "stop") else {
            let hint = model.hint(forEntity: entityName).map { "; " + $0 } ?? ""
            throw StoreError(.unknownEntity, "The store has no entity \(entityName)\(hint)")
        }
        guard entity.objectType == Entity.self || Entity.self == StoreObject.self || Entity.self == StoredRow.self
        else {
            throw StoreError(.unknownEntity, "Rows of \(entityName) are \(entity.name)s, not \(Entity.self)s")
        }
        return entity
    }

    /// The statement for results of a type.
    func select(for type: ResultType, model: StoreModel, traits: StoreTraits) throws -> SelectStatement {
        switch type {
        case .objects:
            return try selectObjects(includesPropertyValues ? .all : .keys, model: model, traits: traits)
        case .objectIDs: return try selectObjects(.keys, model: model, traits: traits)
        case .dictionaries: return try selectDictionaries(model: model, traits: traits)
        case .count: return try selectCount(model: model, traits: traits)
        }
    }

    /// What is read of each row that an object stands for.
    enum ReadColumns {
        /// All columns, in the order of the entity.
        case all
        /// The keys of exactly the rows that `all` reads.
        case keys
        /// The keys of the same number of rows, for counting only. Without a sort, they may be other rows than `all`
        /// reads.
        case keysOfAny
    }

    func selectObjects(
        _ read: ReadColumns, model: StoreModel, traits: StoreTraits
    ) throws -> SelectStatement {
        let entity = try entity(in: model)
        let columns = traits.emptyColumns.columns(of: entity)
        if read == .all {
            let sql = try lowered(entity, model, traits) { parts, _, _ in parts.columns = SQLFragment(columns.list) }
            return SelectStatement(sql: sql, entity: entity, emptyColumns: columns.empty)
        }
        let sql = try lowered(entity, model, traits) { parts, lowering, scope in
            parts.columns = lowering.columnList(scope, entity.keyColumns)
            // SQLite would read keys alone from another index, in another order.
            if read == .keys, isUnsortedPart { parts.columns.append(", " + columns.list) }
        }
        return SelectStatement(sql: sql, entity: entity)
    }

    /// The statement for the ids that `keys` finds, in the same order, without reading a stop; nil if the request asks
    /// for more than words of stops' names.
    func selectStopsWithWords(model: StoreModel, traits: StoreTraits) throws -> SelectStatement? {
        let entity = try entity(in: model)
        guard entity === Stop.entity else { return nil }
        var lowering = Lowering(model: model, traits: traits)
        let scope = lowering.openScope(entity, for: .root)
        let sql = try lowering.selectStopsWithWords(try commonParts(entity), from: scope)
        return sql.map { SelectStatement(sql: $0, entity: entity) }
    }

    /// The SQL of the condition, the order and the limits, with the columns that `complete` adds.
    private func lowered(
        _ entity: EntityDescription, _ model: StoreModel, _ traits: StoreTraits,
        _ complete: (inout SelectParts, inout Lowering, SelectScope) throws -> Void
    ) throws -> SQLFragment {
        var lowering = Lowering(model: model, traits: traits)
        let scope = lowering.openScope(entity, for: .root)
        var parts = try commonParts(entity)
        try complete(&parts, &lowering, scope)
        return try lowering.select(parts, from: scope)
    }

    /// Whether SQLite's own order decides which rows the request finds: it has a limit or an offset, but no sort.
    var isUnsortedPart: Bool { selected.terms.isEmpty && (fetchLimit > 0 || fetchOffset > 0) }

    /// The statement for columns of the table, given as SQL over the alias `t0`.
    func select(columns: String, model: StoreModel, traits: StoreTraits) throws -> SelectStatement {
        let entity = try entity(in: model)
        let sql = try lowered(entity, model, traits) { parts, _, _ in parts.columns = SQLFragment(columns) }
        return SelectStatement(sql: sql, entity: entity)
    }

    /// The statement for the properties to fetch. With `takesRowsOfObjects`, a request with a limit and no sort finds
    /// the same rows as a fetch of objects.
    func selectDictionaries(
        model: StoreModel, traits: StoreTraits, takesRowsOfObjects: Bool = true
    ) throws -> SelectStatement {
        let entity = try entity(in: model)
        try GroupedColumns.check(self, entity, model)
        let sql = try lowered(entity, model, traits) { parts, lowering, scope in
            parts.isTable = true
            parts.grouping = try selected.grouping.map { try $0.expression.get() }
            parts.having = try selected.having.get()
            parts.isDistinct = returnsDistinctResults
            if takesRowsOfObjects, isUnsortedPart, !returnsDistinctResults, try !isGrouped {
                scope.unsortedPart = try unsortedPart(entity, model, traits)
                (parts.condition, parts.limit, parts.offset) = (.always, 0, 0)
                // If SQLite makes one statement of the two, it still reads whole rows.
                parts.unused = lowering.columnList(scope, entity.columns.indices)
            }
            if selected.columns.isEmpty { parts.columns = lowering.columnList(scope, entity.columns.indices) }
            parts.computed = try selected.columns.map { try $0.expression.get() }
        }
        let names = selected.columns.isEmpty ? entity.columns.map(\.property) : selected.columns.map(\.name)
        return SelectStatement(sql: sql, entity: entity, names: names)
    }

    /// The statement for objects, with names for its columns, to be put into FROM. If SQLite could join related tables
    /// directly, it might begin with one of these and find other rows.
    private func unsortedPart(
        _ entity: EntityDescription, _ model: StoreModel, _ traits: StoreTraits
    ) throws -> SQLFragment {
        try lowered(entity, model, traits) { parts, _, _ in
            parts.columns = SQLFragment(traits.emptyColumns.columns(of: entity).named(of: entity))
        }
    }

    /// `SELECT count(*) FROM … WHERE …`; with a limit, an offset, groups or distinct rows, it counts the rows that a
    /// fetch would return.
    func selectCount(model: StoreModel, traits: StoreTraits) throws -> SelectStatement {
        let entity = try entity(in: model)
        try GroupedColumns.check(self, entity, model)
        var inner = self
        inner.selected.terms = []
        let isGrouped = try self.isGrouped
        if isGrouped { inner.selected.terms = selected.terms }
        guard fetchLimit <= 0, fetchOffset <= 0, !isGrouped, !returnsDistinctResults else {
            let rows =
                try countsTableRows
                ? inner.selectDictionaries(model: model, traits: traits, takesRowsOfObjects: false)
                : inner.selectObjects(.keysOfAny, model: model, traits: traits)
            var sql = SQLFragment("SELECT count(*) FROM (")
            sql.append(rows.sql)
            sql.append(")")
            return SelectStatement(sql: sql, entity: rows.entity)
        }
        let sql = try inner.lowered(entity, model, traits) { parts, _, _ in parts.columns = SQLFragment("count(*)") }
        return SelectStatement(sql: sql, entity: entity)
    }

    /// Whether `fetchCount` counts dictionary results.
    var countsTableRows: Bool {
        get throws {
            if try isGrouped { return true }
            return !selected.columns.isEmpty && (returnsDistinctResults || fetchLimit > 0 || fetchOffset > 0)
        }
    }

    /// Whether rows are grouped: by values, or all into one group if the request has an aggregate but no groups.
    var isGrouped: Bool {
        get throws {
            if !selected.grouping.isEmpty { return true }
            let asked =
                try selected.columns.map { try $0.expression.get() } + [selected.having.get()]
                + selected.terms.map { try $0.get().expression }
            return asked.contains(where: \.hasAggregate)
        }
    }

    private func commonParts(_ entity: EntityDescription) throws -> SelectParts {
        var parts = SelectParts()
        parts.condition = .conjunctionOfSimple([try subentityCondition(entity), try predicate.query()])
        parts.order = try selected.terms.map { try $0.get() }
        parts.limit = max(fetchLimit, 0)
        parts.offset = max(fetchOffset, 0)
        return parts
    }

    /// The condition for the request's own sub-entity. If sub-entities are excluded, the condition for rows that belong
    /// to none of them.
    func subentityCondition(_ entity: EntityDescription) throws -> QueryExpression {
        guard entity.table == "stop" else { return .always }
        let kind: QueryExpression = .property(.root, ["locationType"])
        if let own = LocationType(entityName: entityName) { return .comparison(.equal, kind, .value(own.queryValue)) }
        return includesSubentities ? .always : .not(.membership(kind, LocationType.knownValues.map(\.queryValue)))
    }
}
