import SQLite

extension StoreContext {
    /// Reads the relationships that a request names, with one statement for each step of each path.
    func prefetch<Entity>(_ request: FetchRequest<Entity>, for objects: [StoreObject]) throws {
        guard let entity = objects.first?.objectID.entity else { return }
        for path in request.relationshipNamesForPrefetching { try prefetch(path.pathComponents, for: objects) }
        for keyPath in request.relationshipKeyPathsForPrefetching {
            guard let path = PathRecorder.path(of: keyPath as PartialKeyPath<Entity>, entity: entity), !path.isCount
            else {
                throw StoreError.untranslatable(KeyPathName.of(keyPath), "it is not a relationship of \(entity.name)")
            }
            var level = objects
            for name in path.names { level = try prefetch(name, for: level) }
        }
    }

    /// Reads relationships of many objects along a path of names, with one statement for each step.
    ///
    /// Throws `StoreError` for a name that is no relationship.
    package func prefetch(_ path: [String], for objects: [StoreObject]) throws {
        var level = objects
        for name in path {
            if let entity = level.first?.objectID.entity, entity.relatedTable(name) == nil {
                throw StoreError.unknownRelationship(name, of: entity)
            }
            level = try prefetch(name, for: level)
        }
    }

    /// Refuses names to prefetch that are no relationships, whether or not there are objects to read them for.
    func checkPrefetching<Entity>(_ request: FetchRequest<Entity>, store: Int?) throws {
        guard !request.relationshipNamesForPrefetching.isEmpty, let store else { return }
        let model = try stores[store].model(for: request.entityName)
        let start = try request.entity(in: model)
        for path in request.relationshipNamesForPrefetching {
            var entity: EntityDescription? = start
            for name in path.pathComponents {
                guard let owner = entity else { break }
                guard let table = owner.relatedTable(name) else {
                    throw StoreError.unknownRelationship(name, of: owner)
                }
                entity = model.entity(named: table)
            }
        }
    }

    /// Reads the rows to which paths of expressions over objects lead, with one statement for each step of a path instead
    /// of one for each object.
    func prefetchPaths(of expressions: [QueryExpression], for objects: [StoreObject]) throws {
        guard objects.count > 1 else { return }
        var paths: Set<[String]> = []
        for expression in expressions {
            _ = expression.mapped { part in
                // The id of what a reference names is the reference itself.
                if case .property(.root, let path) = part { paths.insert(path.dropLast(path.last == "id" ? 2 : 1)) }
                return part
            }
        }
        var levels: [[String]: [StoreObject]] = [[]: objects]
        for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            for (length, name) in path.enumerated() where levels[Array(path[...length])] == nil {
                guard let level = levels[Array(path[..<length])], let entity = level.first?.objectID.entity,
                    case .toOne = entity.property(named: name)
                else { break }
                levels[Array(path[...length])] = try prefetch(name, for: level)
            }
        }
    }

    /// Reads one relationship of many objects; returns what it leads to.
    func prefetch(_ name: String, for objects: [StoreObject]) throws -> [StoreObject] {
        guard let entity = objects.first?.objectID.entity else { return [] }
        var result: [StoreObject] = []
        // Each store has its own rows; nearly always there is one.
        let byStore = try Dictionary(grouping: objects, by: { try storePosition(of: $0.objectID) })
        for (store, objects) in byStore.sorted(by: { $0.key < $1.key }) {
            switch entity.property(named: name) {
            case .toOne(let column): result += try prefetchToOne(column, of: entity, for: objects, store: store)
            case .toMany(let position): result += try prefetchToMany(position, of: entity, for: objects, store: store)
            default: throw StoreError.untranslatable(name, "only relationships can be prefetched")
            }
        }
        return result
    }

    private func prefetchToOne(
        _ column: Int, of entity: EntityDescription, for objects: [StoreObject], store: Int
    ) throws -> [StoreObject] {
        let number = stores[store].number
        guard let table = entity.columns[column].target, let target = self.entity(named: table, store: number) else {
            return []
        }
        let keys = Set(objects.compactMap { $0.values(for: column).integer(column) })
        let unread = keys.filter { registry.object(ObjectID(target, .row($0), store: number))?.isFault ?? true }
        guard !unread.isEmpty else {
            return keys.map { object(with: ObjectID(target, .row($0), store: number)) }
        }
        var select = stores[store].selectAll(target)
        select.sql.append(" WHERE t0.id IN (SELECT value FROM json_each(")
        select.sql.bind(.text(Self.jsonList(unread)))
        select.sql.append("))")
        // The objects may go at once; their rows are in the row cache, from which they come back without a statement.
        let read = try self.objects(select, store: store)
        let known = keys.subtracting(unread).map { object(with: ObjectID(target, .row($0), store: number)) }
        return read + known
    }

    private func prefetchToMany(
        _ position: Int, of entity: EntityDescription, for objects: [StoreObject], store: Int
    ) throws -> [StoreObject] {
        let relationship = entity.toMany(at: position)
        guard let target = self.entity(named: relationship.table, store: stores[store].number),
            let inverse = target.columnIndex(relationship.inverse)
        else { return [] }
        var select = stores[store].selectAll(target)
        select.sql.append(" WHERE t0.")
        select.sql.append(identifier: relationship.inverse)
        select.sql.append(" IN (SELECT value FROM json_each(")
        select.sql.bind(.text(Self.jsonList(Set(objects.compactMap(\.objectID.keyValues.first?.integer)))))
        select.sql.append("))")
        select.sql.append(target.sqlOrderOfMany(relationship, first: [relationship.inverse]))
        let read = try self.objects(select, store: store)
        let byOwner = Dictionary(grouping: read) { $0.values(for: inverse).integer(inverse) ?? -1 }
        for object in objects {
            let owner = object.objectID.keyValues.first?.integer ?? -1
            object.keep(byOwner[owner] ?? [], toMany: position)
        }
        return read
    }

    /// One parameter however many keys, so that one prepared statement serves all.
    static func jsonList(_ keys: Set<Int64>) -> String {
        "[" + keys.sorted().map(String.init).joined(separator: ",") + "]"
    }
}

extension String {
    /// The names of a path: `stopTimes.trip`.
    fileprivate var pathComponents: [String] {
        split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
