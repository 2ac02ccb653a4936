import FoundationEssentials

/// Comparing rows with objects and ids that a predicate has captured: `$0.stop == market`, `$0.stop.objectID == id`.
///
/// A row equals an id only in the id's own store. An id of another store, or of the same file opened before, matches no
/// row, as it equals no object of the context.
///
/// Foundation lets a predicate capture values only, so `#Predicate` replaces objects by their ids.
extension PredicateExpressions {
    @_disfavoredOverload
    public static func build_Equal<Row: StandardPredicateExpression, Object: StoreEntity>(
        lhs: Row, rhs: Value<Object>
    ) -> some StandardPredicateExpression<Bool> where Row.Output == Object {
        build_Equal(lhs: build_KeyPath(root: lhs, keyPath: \Object.objectID), rhs: build_Arg(rhs.value.objectID))
    }

    @_disfavoredOverload
    public static func build_Equal<Row: StandardPredicateExpression, Object: StoreEntity>(
        lhs: Row, rhs: Value<Object?>
    ) -> some StandardPredicateExpression<Bool> where Row.Output == Object? {
        let id = build_flatMap(lhs) { build_KeyPath(root: $0, keyPath: \Object.objectID) }
        return build_Equal(lhs: id, rhs: build_Arg(rhs.value?.objectID))
    }

    @_disfavoredOverload
    public static func build_NotEqual<Row: StandardPredicateExpression, Object: StoreEntity>(
        lhs: Row, rhs: Value<Object>
    ) -> some StandardPredicateExpression<Bool> where Row.Output == Object {
        build_NotEqual(lhs: build_KeyPath(root: lhs, keyPath: \Object.objectID), rhs: build_Arg(rhs.value.objectID))
    }

    @_disfavoredOverload
    public static func build_NotEqual<Row: StandardPredicateExpression, Object: StoreEntity>(
        lhs: Row, rhs: Value<Object?>
    ) -> some StandardPredicateExpression<Bool> where Row.Output == Object? {
        let id = build_flatMap(lhs) { build_KeyPath(root: $0, keyPath: \Object.objectID) }
        return build_NotEqual(lhs: id, rhs: build_Arg(rhs.value?.objectID))
    }

    /// `markets.contains($0.stop)`
    @_disfavoredOverload
    public static func build_contains<Row: StandardPredicateExpression, Object: StoreEntity>(
        _ objects: Value<[Object]>, _ row: Row
    ) -> some StandardPredicateExpression<Bool> where Row.Output == Object {
        build_contains(
            build_Arg(objects.value.map(\.objectID)), build_KeyPath(root: row, keyPath: \Object.objectID))
    }
}

extension PredicateExpression {
    /// Tests whether the row of one node has the id that the other node has captured; nil if the other node has not
    /// captured an id.
    func sameRow<Row: PredicateExpression, Captured: PredicateExpression>(
        _ row: Row, _ captured: Captured, _ state: inout TranslationState
    ) throws -> QueryExpression? {
        guard let id = (captured as? any CapturedID)?.capturedID else { return nil }
        return try row.query(&state).isRow(id, of: (row as? any RowIDExpression)?.entity)
    }

    /// Tests whether the row of a node has one of several captured ids; nil if no ids were captured.
    func anyRow<Row: PredicateExpression, Captured: PredicateExpression>(
        of captured: Captured, _ row: Row, _ state: inout TranslationState
    ) throws -> QueryExpression? {
        guard let captured = (captured as? any CapturedID)?.capturedIDs else { return nil }
        let subject = try row.query(&state)
        let entity = (row as? any RowIDExpression)?.entity
        let ids = captured.compactMap(\.self)
        let rows = ids.filter { entity == nil || $0.entity === entity }.compactMap(\.row)
        let isRow =
            ids.allSatisfy { $0.row != nil }
            ? subject.isAny(of: rows) : subject.isAny(of: ids, entity)
        guard ids.count < captured.count else { return isRow }
        return .disjunction([isRow, .comparison(.equal, subject, .value(.null))])
    }
}

extension QueryExpression {
    /// Tests whether this row has one of several ids. Rows with the same first part of their key, such as the calls of
    /// a trip, make one test: SQLite took 18 s for 8,000 tests.
    fileprivate func isAny(of ids: [ObjectID], _ entity: EntityDescription?) -> QueryExpression {
        guard case .object(let variable) = self, let own = entity ?? ids.first?.entity, own.keyColumns.count == 2,
            ids.allSatisfy({ $0.entity === own && $0.keyValues.count == 2 })
        else { return .any(ids.map { isRow($0, of: entity) }) }
        let columns = own.keyColumns.map { QueryExpression.property(variable, [own.columns[$0].property]) }
        let groups = Dictionary(grouping: ids) {
            FirstPart(store: $0.storeInPredicates, value: $0.keyValues[0])
        }
        return .any(
            groups.values.sorted { $0[0].isOrderedBefore($1[0]) }.map { ids in
                QueryExpression.conjunction([
                    .comparison(.equal, columns[0], .value(ids[0].keyValues[0])),
                    .membership(columns[1], ids.map { $0.keyValues[1] }),
                ]).inStore(ids[0].storeInPredicates)
            })
    }

    private struct FirstPart: Hashable {
        let store: Int32?
        let value: QueryValue
    }

    /// Tests whether this row, or the row that this reference leads to, has an id.
    fileprivate func isRow(_ id: ObjectID, of entity: EntityDescription?) -> QueryExpression {
        if let entity, entity !== id.entity { return .never }
        // An id made by hand may lack a part of the key. No row has such an id.
        guard id.keyValues.count == id.entity.keyColumns.count else { return .never }
        switch (id.key, self) {
        case (.row(let row), _):
            return QueryExpression.comparison(.equal, self, .value(.integer(row))).inStore(id.storeInPredicates)
        case (_, .object(let variable)):
            let columns = id.entity.keyColumns.map {
                QueryExpression.property(variable, [id.entity.columns[$0].property])
            }
            let parts = zip(columns, id.keyValues).map { QueryExpression.comparison(.equal, $0, .value($1)) }
            return .conjunction(parts).inStore(id.storeInPredicates)
        default: return .never
        }
    }
}

/// An id, or a list or set of ids, that a predicate has captured.
private protocol CapturedID {
    var capturedID: ObjectID? { get }
    /// A nil in the list stands for a missing reference.
    var capturedIDs: [ObjectID?]? { get }
}

extension PredicateExpressions.Value: CapturedID {
    fileprivate var capturedID: ObjectID? { value as? ObjectID }
    fileprivate var capturedIDs: [ObjectID?]? {
        if let ids = value as? Set<ObjectID> { return ids.sorted { $0.isOrderedBefore($1) } }
        return value as? [ObjectID?]
    }
}

/// A node whose value is the id of a row, and the entity of that row.
private protocol RowIDExpression { var entity: EntityDescription? { get } }

extension PredicateExpressions.KeyPath: RowIDExpression {
    fileprivate var entity: EntityDescription? {
        guard let root = (Root.Output.self as? any StoreEntity.Type)?.entity else { return nil }
        let names = (Root.Output.self as? any StoreEntity.Type)?.names(readBy: keyPath) ?? []
        return root.followed(names)?.entity
    }
}

extension PredicateExpressions.OptionalFlatMap: RowIDExpression {
    fileprivate var entity: EntityDescription? { (transform as? any RowIDExpression)?.entity }
}

extension StoreEntity {
    /// The references on the way to an object's id.
    fileprivate static func names(readBy keyPath: AnyKeyPath) -> PropertyPath {
        (keyPath as? PartialKeyPath<Self>).flatMap { PathRecorder.path(of: $0, entity: entity) }?.names ?? []
    }
}
