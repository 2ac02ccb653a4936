import SQLite
import SystemFiles

/// The rows that one fetch has prefetched, for the objects that refer to them.
///
/// The objects of to-one relationships are not kept, because they would keep each other alive forever. An object that
/// is made again finds its row here, so no statement runs for it, however many rows were read meanwhile.
final class PrefetchedRows {
    // Unchecked: every access ends within the table's own functions, which call no other code.
    @exclusivity(unchecked) var rows = ObjectTable<PackedRow>()
    /// The to-many relationships of prefetched objects, by position.
    @exclusivity(unchecked) var related = ObjectTable<[Int: ReadRelationship]>()
}

/// A read of one relationship, for some objects of one store.
private struct RelationshipRead {
    let store: Int
    /// The statement to run; nil when all rows are known.
    let select: SelectStatement?
    /// Returns the objects that the relationship leads to, given the objects of the statement.
    let result: ([StoreObject]) -> [StoreObject]
}

extension StoreContext {
    /// Reads the relationships that a request names, with one statement for each step of each path.
    func prefetch<Entity>(_ request: FetchRequest<Entity>, for objects: [StoreObject]) throws {
        guard request.prefetches else { return }
        let prefetched = PrefetchedRows()
        for path in try prefetchedPaths(request, of: objects.first?.objectID.entity) {
            try prefetch(path, for: objects, into: prefetched)
        }
    }

    /// Does the same as `prefetch`, but runs the statements on the stores' threads.
    func prefetchInBackground<Entity>(
        _ request: FetchRequest<Entity>, for objects: [StoreObject], isolation: isolated (any Actor)?
    ) async throws {
        guard request.prefetches else { return }
        let prefetched = PrefetchedRows()
        for path in try prefetchedPaths(request, of: objects.first?.objectID.entity) {
            var level = objects
            for (depth, name) in path.enumerated() {
                let reads = try reads(of: name, for: level, knowing: prefetched)
                let statements = reads.compactMap { read in read.select.map { (stores[read.store], $0.sql) } }
                var rows = try await TransitStore.rowsInBackground(statements)[...]
                statistics.statements += rows.count
                let owners = level
                level = reads.flatMap { read in
                    guard let select = read.select, let rows = rows.popFirst() else { return read.result([]) }
                    return read.result(take(rows, of: select.entity, store: read.store, areFaults: false))
                }
                keep(level, of: owners, depth: depth, in: prefetched)
            }
        }
    }

    /// Reads relationships of many objects along a path of names, with one statement for each step.
    private func prefetch(_ path: [String], for objects: [StoreObject], into prefetched: PrefetchedRows) throws {
        var level = objects
        for (depth, name) in path.enumerated() {
            level = try prefetch(name, for: level, depth: depth, into: prefetched)
        }
    }

    /// The relationship paths that a request prefetches, as names.
    private func prefetchedPaths<Entity>(
        _ request: FetchRequest<Entity>, of entity: EntityDescription?
    ) throws -> [[String]] {
        guard let entity else { return [] }
        let paths = try request.relationshipKeyPathsForPrefetching.map { keyPath in
            guard let path = PathRecorder.path(of: keyPath as PartialKeyPath<Entity>, entity: entity), !path.isCount
            else {
                throw StoreError.untranslatable(KeyPathName.of(keyPath), "it is not a relationship of \(entity.name)")
            }
            return Array(path.names)
        }
        return request.relationshipNamesForPrefetching.map(\.pathComponents) + paths
    }

    /// Throws if a path to prefetch has a name that is not a relationship, even if the request finds no objects.
    func checkPrefetching<Entity>(_ request: FetchRequest<Entity>, store: Int?) throws {
        guard request.prefetches, let store else { return }
        let model = try stores[store].model(for: request.entityName)
        let start = try request.entity(in: model)
        for path in try prefetchedPaths(request, of: start) {
            var entity: EntityDescription? = start
            for name in path {
                guard let owner = entity else { break }
                guard let table = owner.relatedTable(name) else {
                    throw StoreError.unknownRelationship(name, of: owner)
                }
                entity = model.entity(named: table)
            }
        }
    }

    /// Reads the rows that paths in expressions lead to, with one statement for each step of a path instead of one for
    /// each object.
    func prefetchPaths(of expressions: [QueryExpression], for objects: [StoreObject]) throws {
        guard objects.count > 1 else { return }
        var paths: Set<[String]> = []
        for expression in expressions {
            expression.forEachPart { part in
                // For a path such as `stop.id` no row is read: the reference holds the id.
                if case .property(.root, let path) = part { paths.insert(path.dropLast(path.last == "id" ? 2 : 1)) }
            }
        }
        let prefetched = PrefetchedRows()
        var levels: [[String]: [StoreObject]] = [[]: objects]
        for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            for (length, name) in path.enumerated() where levels[Array(path[...length])] == nil {
                guard let level = levels[Array(path[..<length])], let entity = level.first?.objectID.entity,
                    case .toOne = entity.property(named: name)
                else { break }
                levels[Array(path[...length])] = try prefetch(name, for: level, depth: length, into: prefetched)
            }
        }
    }

    /// Reads one relationship of many objects; returns the objects that it leads to.
    private func prefetch(
        _ name: String, for objects: [StoreObject], depth: Int, into prefetched: PrefetchedRows
    ) throws -> [StoreObject] {
        let result = try reads(of: name, for: objects, knowing: prefetched).flatMap { read in
            read.result(try read.select.map { try self.objects($0, store: read.store) } ?? [])
        }
        keep(result, of: objects, depth: depth, in: prefetched)
        return result
    }

    private func keep(
        _ result: [StoreObject], of owners: [StoreObject], depth: Int, in prefetched: PrefetchedRows
    ) {
        // Keeps only rows as the store has them, because `rollback()` does not clear them. A deleted object may have
        // values that were set.
        for object in result where !object.hasChanges && !changes.haveChanged(object.objectID) {
            prefetched.rows[object.objectID] = object.knownRow
        }
        for owner in owners {
            owner.prefetchedRows = prefetched
            // The fetch's own objects keep their relationships. Objects further along may be freed and made again.
            if depth > 0, let related = owner.relatedRows {
                prefetched.related[owner.objectID] = related.mapValues(\.asInStore)
            }
        }
    }

    /// What must be read for one relationship of many objects, store by store.
    private func reads(
        of name: String, for objects: [StoreObject], knowing prefetched: PrefetchedRows
    ) throws -> [RelationshipRead] {
        guard let entity = objects.first?.objectID.entity else { return [] }
        // Each store has its own rows; nearly always there is one.
        let byStore = try Dictionary(grouping: objects, by: { try storePosition(of: $0.objectID) })
        return try byStore.sorted(by: { $0.key < $1.key }).compactMap { store, objects in
            switch entity.property(named: name) {
            case .toOne(let column): readToOne(column, of: entity, for: objects, store: store, knowing: prefetched)
            case .toMany(let position): readToMany(position, of: entity, for: objects, store: store)
            default: throw StoreError.unknownRelationship(name, of: entity)
            }
        }
    }

    private func readToOne(
        _ column: Int, of entity: EntityDescription, for objects: [StoreObject], store: Int,
        knowing prefetched: PrefetchedRows
    ) -> RelationshipRead? {
        let number = stores[store].number
        guard let table = entity.columns[column].target, let target = self.entity(named: table, store: number) else {
            return nil
        }
        var known: [StoreObject] = []
        var unread: Set<Int64> = []
        for key in Set(objects.compactMap({ ($0.knownRow ?? $0.values(for: column)).integer(column) })) {
            let id = self.id(target, key, referredToFrom: number)
            if let object = registry.object(id), object.knownRow != nil {
                known.append(object)
            } else if let row = prefetched.rows[id] {
                let object = object(with: id)
                object.heldRow = row
                known.append(object)
            } else if key >= 0 {
                unread.insert(key)
            }
        }
        guard !unread.isEmpty else { return RelationshipRead(store: store, select: nil) { _ in known } }
        return RelationshipRead(store: store, select: rows(of: target, "id", isOneOf: unread, store: store)) {
            $0 + known
        }
    }

    private func readToMany(
        _ position: Int, of entity: EntityDescription, for objects: [StoreObject], store: Int
    ) -> RelationshipRead? {
        let relationship = entity.toMany(at: position)
        guard let target = self.entity(named: relationship.table, store: stores[store].number),
            let inverse = target.columnIndex(relationship.inverse)
        else { return nil }
        let owners = Set(objects.compactMap(\.objectID.keyValues.first?.integer))
        var select = rows(of: target, relationship.inverse, isOneOf: owners, store: store)
        select.sql.append(target.sqlOrderOfMany(relationship, first: [relationship.inverse]))
        return RelationshipRead(store: store, select: select) { [self] read in
            // Groups by the stored value, as the statement does: unsaved changes are applied later and may be undone.
            let byOwner = Dictionary(grouping: read) { object in
                (changes.storedRows[object.objectID] ?? object.values(for: inverse)).integer(inverse) ?? -1
            }
            for object in objects {
                let owner = object.objectID.keyValues.first?.integer ?? -1
                object.keep(byOwner[owner] ?? [], toMany: position)
            }
            return read
        }
    }

    private func rows(
        of entity: EntityDescription, _ column: String, isOneOf keys: Set<Int64>, store: Int
    ) -> SelectStatement {
        var select = stores[store].selectAll(entity)
        select.sql.append(" WHERE t0.")
        select.sql.append(identifier: column)
        // One parameter for all keys, so that one prepared statement serves any number of them.
        select.sql.append(" IN (SELECT value FROM json_each(")
        select.sql.bind(.text(JSONValues.list(keys.sorted())))
        select.sql.append("))")
        return select
    }
}

extension String {
    /// The names of a path: `stopTimes.trip`.
    var pathComponents: [String] { parts(at: ".") }
}

extension FetchRequest {
    /// Whether the request prefetches any relationship. Inlined, and with `count` instead of `isEmpty`, so that the
    /// runtime does not have to look up a type.
    @inline(__always) fileprivate var prefetches: Bool {
        relationshipKeyPathsForPrefetching.count > 0 || !relationshipNamesForPrefetching.isEmpty
    }
}
