import SQLite

extension StoreContext {
    func objects(of object: StoreObject, toMany position: Int) -> [StoreObject] {
        do {
            let stored = try storedObjects(of: object, toMany: position)
            recentOwners?.keep(object, related: stored.count)
            return changes.isEmpty ? stored : try changedObjects(stored, of: object, toMany: position)
        } catch {
            note(error)
            return []
        }
    }

    /// Runs `body`, which tests or sorts objects in memory, as `evaluating` does, within the time limit of the stores.
    /// Meanwhile keeps the owners of the relationships that it reads.
    func keepingOwners<Result>(_ body: () throws -> Result) throws -> Result {
        guard recentOwners == nil else { return try evaluating(body) }
        recentOwners = RecentOwners()
        timeLimit = stores.compactMap(\.configuration.timeLimit).min().map(FetchTimeLimit.init)
        timeLimit?.begin()
        // The context must not hold objects for longer, because objects hold their context.
        defer { (recentOwners, timeLimit) = (nil, nil) }
        return try evaluating(body)
    }

    /// The related objects in the store; their owner keeps them.
    private func storedObjects(of object: StoreObject, toMany position: Int) throws -> [StoreObject] {
        if let known = object.relatedRows?[position] { return known.stored.objects(of: object, in: self) }
        let objects = try fetchRelated(of: object, toMany: position)
        object.keep(objects, toMany: position)
        return objects
    }

    /// The related objects with unsaved changes; their owner keeps them until the next change. A condition over the
    /// calls of a stop asks for the same objects at each call.
    private func changedObjects(
        _ stored: [StoreObject], of object: StoreObject, toMany position: Int
    ) throws -> [StoreObject] {
        if let known = object.relatedRows?[position]?.changed, known.version == changes.version {
            return known.objects.objects(of: object, in: self)
        }
        let objects = try withChanges(stored, of: object, toMany: position)
        object.keep(objects, toMany: position, changes: changes.version)
        return objects
    }

    /// Applies unsaved changes to the related objects: leaves out those that were deleted or now refer to others, adds
    /// those that now refer to this one, and sorts them. Of equal ones, inserted objects come last, in the order of
    /// their insertion.
    private func withChanges(
        _ stored: [StoreObject], of object: StoreObject, toMany position: Int
    ) throws -> [StoreObject] {
        let relationship = object.objectID.entity.toMany(at: position)
        guard let target = entity(named: relationship.table, store: object.objectID.store),
            let inverse = target.columnIndex(relationship.inverse),
            let owner = object.objectID.keyValues.first?.integer, changes.concern(target.table)
        else { return stored }
        let changed = changes.changedValues(of: target, inverse)
        guard changed.mayConcern(owner) else { return stored }
        var known = Set<ObjectID>()
        let others = (changed.now[owner] ?? []).map { self.object(with: $0) }
        let related = (stored + others).filter { other in
            // Rows of any store may refer to an inserted object.
            other.objectID.entity == target && (owner < 0 || changes.home(of: other.objectID) == object.objectID.store)
                && !changes.deleted.contains(other.objectID) && known.insert(other.objectID).inserted
                && other.values(for: inverse).integer(inverse) == owner
        }
        let names = target.orderOfMany(relationship)
        let order = try SortOrder(names.map { SortTerm(expression: .property(.root, [$0])) })
        let keyed = related.map { other in (keys: names.map { Self.sortKey(of: other, $0) }, object: other) }
        return order.sorted(keyed) { $0.keys }.map(\.object)
    }

    /// The ids of inserted objects count down: by them, the newest would come first.
    private static func sortKey(of object: StoreObject, _ name: String) -> QueryValue {
        let value = object.value(of: name) ?? .null
        guard name == "id", object.objectID.isTemporary, let id = value.integer else { return value }
        return .integer((1 << 62) &- id)
    }

    func count(of object: StoreObject, toMany position: Int) -> Int {
        let table = object.objectID.entity.toMany(at: position).table
        if changes.concern(table) { return objects(of: object, toMany: position).count }
        if let known = object.relatedRows?[position] { return known.stored.count }
        do { return try countRelated(of: object, toMany: position) } catch {
            note(error)
            return 0
        }
    }

    private func fetchRelated(of object: StoreObject, toMany position: Int) throws -> [StoreObject] {
        guard let (target, inverse, owner) = relationship(of: object, position) else { return [] }
        let store = try storePosition(of: object.objectID)
        let known = try session(store).keyStatements.statement(object.objectID.entity, toMany: position) {
            var select = stores[store].selectAll(target)
            select.sql.append(" WHERE t0.")
            select.sql.append(identifier: inverse)
            select.sql.append(" = ")
            select.sql.bind(.integer(owner))
            select.sql.append(target.sqlOrderOfMany(object.objectID.entity.toMany(at: position)))
            return select
        }
        return try objects(known.select([.integer(owner)]), store: store, prepared: known.prepared)
    }

    private func countRelated(of object: StoreObject, toMany position: Int) throws -> Int {
        guard let (target, inverse, owner) = relationship(of: object, position) else { return 0 }
        var sql = SQLFragment("SELECT count(*) FROM ")
        sql.append(identifier: target.table)
        sql.append(" AS t0 WHERE t0.")
        sql.append(identifier: inverse)
        sql.append(" = ")
        sql.bind(.integer(owner))
        return Int(try rows(sql, store: storePosition(of: object.objectID)).first?.integer(0) ?? 0)
    }

    private func relationship(
        of object: StoreObject, _ position: Int
    ) -> (target: EntityDescription, inverse: String, owner: Int64)? {
        let relationship = object.objectID.entity.toMany(at: position)
        guard let target = entity(named: relationship.table, store: object.objectID.store),
            case .row(let owner) = object.objectID.key, owner >= 0
        else { return nil }
        return (target, relationship.inverse, owner)
    }
}

extension EntityDescription {
    /// The columns that order a to-many relationship: its own order, then the key. So the same rows always come in the
    /// same order.
    func orderOfMany(_ relationship: ToManyDescription, first: [String] = []) -> [String] {
        var names = first
        if let own = relationship.orderedBy { names.append(own) }
        for column in keyColumns where !names.contains(columns[column].name) {
            if columns[column].name != relationship.inverse { names.append(columns[column].name) }
        }
        return names
    }

    /// ` ORDER BY …` of a to-many relationship.
    func sqlOrderOfMany(_ relationship: ToManyDescription, first: [String] = []) -> SQLFragment {
        let names = orderOfMany(relationship, first: first)
        var sql = SQLFragment(names.isEmpty ? "" : " ORDER BY ")
        sql.append(names, separator: ", ") { sql, name in
            sql.append("t0.")
            sql.append(identifier: name)
        }
        return sql
    }
}
