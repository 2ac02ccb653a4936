import SQLite

/// The rows to which a reference must lead, because the request's condition names them by their ids in the feed.
///
///     trip.tripID = '17' AND stopSequence = 3         // column trip: the row of trip 17
///
/// Realtime messages name trips and stops by these ids. If each lookup tested all changed objects, a thousand delayed
/// trips would take a million tests.
struct RequiredRows {
    /// The column of the reference.
    let column: Int
    /// The rows that have one of the ids without the unsaved changes.
    let before: Set<Int64>
    /// The rows that have one of the ids with the unsaved changes.
    let now: Set<Int64>

    /// With fewer changes, testing all of them costs less than looking up the ids.
    static let fewestChanges = 32
    /// More ids than this are not looked up.
    static let mostIDs = 500

    /// The condition `reached` without rows that the request cannot find, with or without the changes: their reference
    /// does not lead to a row in `before` or `now`.
    func restricting(_ reached: QueryExpression, of entity: EntityDescription) -> QueryExpression {
        guard case .any(let parts) = reached else { return reached }
        let rows = before.union(now)
        let left = parts.compactMap { part -> QueryExpression? in
            guard case .membership(let path, let values) = part, path.ownColumn(of: entity) == column else {
                return part
            }
            let found = values.filter { $0.integer.map(rows.contains) ?? true }
            return found.isEmpty ? nil : .membership(path, found)
        }
        return .any(left)
    }

    /// The condition that rows meet if their reference leads to one of the rows now.
    func condition(_ entity: EntityDescription) -> QueryExpression {
        .membership(.property(.root, [entity.columns[column].property]), now.sorted().map(QueryValue.integer))
    }
}

extension StoreContext {
    /// The rows that a request's condition names by their ids in the feed; none while there are few changes.
    func requiredRows<Entity>(
        _ request: FetchRequest<Entity>, _ entity: EntityDescription, _ model: StoreModel
    ) throws -> [RequiredRows] {
        guard changes.count >= RequiredRows.fewestChanges else { return [] }
        return try request.predicate.query().conjuncts.compactMap { condition in
            guard let (path, texts) = condition.requiredTexts, path.count == 2,
                let column = entity.columnIndex(path[0]), let table = entity.columns[column].target,
                let target = model.entity(named: table), let id = target.columnIndex(path[1]), target.isFeedID(id)
            else { return nil }
            let isNamed = QueryExpression.membership(
                .property(.root, [target.columns[id].property]), texts.map(QueryValue.text))
            var ids = FetchRequest<StoreObject>(entity: table, where: Condition(isNamed))
            ids.affectedStores = request.affectedStores
            ids.includesPendingChanges = false
            let before = try rows(ids)
            ids.includesPendingChanges = true
            return RequiredRows(
                column: column, before: before, now: changes.concern(target.table) ? try rows(ids) : before)
        }
    }

    private func rows(_ request: FetchRequest<StoreObject>) throws -> Set<Int64> {
        Set(try fetchIDs(request).compactMap { $0.keyValues.first?.integer })
    }
}

extension QueryExpression {
    /// The property that must have one of a few texts, none of them empty, for the condition to hold. A missing
    /// reference reads as an empty text, so it does not meet the condition.
    var requiredTexts: (path: PropertyPath, texts: [String])? {
        let (value, texts): (QueryExpression, [String?]) =
            switch self {
            case .comparison(.equal, let path, .value(let value)), .comparison(.equal, .value(let value), let path):
                (path, [value.text])
            case .membership(let path, let values) where values.count <= RequiredRows.mostIDs:
                (path, values.map(\.text))
            default: (self, [])
            }
        let known = texts.compactMap { $0 }.filter { !$0.isEmpty }
        guard case .property(.root, let path) = value, !known.isEmpty, known.count == texts.count else { return nil }
        return (path, known)
    }
}

extension EntityDescription {
    /// Whether a column holds the ids that the feed gives to this entity: `trip_id` of a trip. They have an index.
    func isFeedID(_ column: Int) -> Bool { columns[column].name.hasSameBytes(as: table + "_id") }
}
