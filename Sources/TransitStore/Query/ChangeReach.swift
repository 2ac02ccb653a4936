/// Finds the rows whose result for a condition may change because other objects were changed in memory: a path of the
/// condition leads from the row to a changed object, or the row now has other related rows.
///
///     // Stop 7 was updated; condition: stop.name = 'Hauptbahnhof'
///     SELECT … FROM stop_time AS t0 LEFT JOIN stop AS t1 … WHERE t0.stop IN (7) OR t1.name = ?
///
/// Finding too many rows does no harm: each row is tested again in memory.
struct ChangeReach {
    /// The changed rows of a table.
    struct Table {
        /// The values of the first column of the keys of rows that were updated or deleted.
        var keys: Set<QueryValue> = []
        /// Those keys whose rows were deleted. References to them are empty now.
        var deleted: Set<QueryValue> = []
        /// By the column of a reference, the rows to which changed and inserted objects refer now, and to which changed
        /// and deleted ones refer in the store.
        var references: [String: Set<QueryValue>] = [:]
        /// Those keys whose rows in the store are not known, so that `references` may lack what they refer to there.
        var unknown: Set<QueryValue> = []
    }

    let model: StoreModel
    let tables: [ExactText: Table]

    /// A condition for the rows whose result for `condition` may change; `never` if there are none.
    func rows(_ condition: QueryExpression, of entity: EntityDescription) -> QueryExpression {
        .any(reached(condition, [.root: entity]))
    }

    private typealias Entities = [QueryVariable: EntityDescription]

    private func reached(_ expression: QueryExpression, _ entities: Entities) -> [QueryExpression] {
        switch expression {
        case .property(let variable, let path):
            steps(variable, path.dropLast(), entities) + emptied(variable, path, entities)
        case .distance(let variable, let path, _), .box(let variable, let path, _):
            steps(variable, path[...], entities)
        case .searchTerm(let variable, let path, _):
            reached(
                RelatedRows(
                    of: variable, path: path + ["searchTerms"], variable: QueryVariable(-1 - variable.number),
                    yields: .exists), entities)
        case .related(let rows): reached(rows, entities)
        default: expression.children.flatMap { reached($0, entities) }
        }
    }

    /// The references of a path that lead to tables with changes: `stop IN (7)`, `trip.route IN (2, 3)`.
    private func steps(
        _ variable: QueryVariable, _ path: ArraySlice<String>, _ entities: Entities
    ) -> [QueryExpression] {
        var entity = entities[variable]
        var found: [QueryExpression] = []
        for end in path.indices {
            guard let table = entity?.relatedTable(path[end]) else { break }
            if let keys = tables[ExactText(table)]?.keys, !keys.isEmpty {
                found.append(.membership(.property(variable, PropertyPath(path[...end])), keys.queryValues))
            }
            entity = model.entity(named: table)
        }
        return found
    }

    /// A reference that the condition uses as a value, if it leads to a deleted row: `stop IN (7)`.
    private func emptied(
        _ variable: QueryVariable, _ path: PropertyPath, _ entities: Entities
    ) -> [QueryExpression] {
        guard let last = path.last, let row = entities[variable]?.followed(path.dropLast(), in: model),
            let table = row.entity.relatedTable(last), let deleted = tables[ExactText(table)]?.deleted, !deleted.isEmpty
        else { return [] }
        return [.membership(.property(variable, path), deleted.queryValues)]
    }

    /// Conditions for the owners of related rows if these rows were changed, are newly related, or lead to changed
    /// objects. Owners of changed rows are listed: to find them by the keys of the rows, SQLite would look at all rows
    /// of each owner.
    private func reached(_ rows: RelatedRows, _ entities: Entities) -> [QueryExpression] {
        let path = rows.path.dropLast()
        var found = steps(rows.owner, path, entities)
        let owner = entities[rows.owner]?.followed(path, in: model)?.entity
        guard let owner, let last = rows.path.last, case .toMany(let position) = owner.property(named: last) else {
            return found
        }
        let relationship = owner.toMany(at: position)
        guard let target = model.entity(named: relationship.table) else { return found }
        var inner = entities
        inner[rows.variable] = target
        var changed = reached(rows.condition, inner)
        if case .aggregate(_, let part) = rows.yields { changed += reached(part, inner) }
        let table = tables[ExactText(relationship.table)]
        if let unknown = table?.unknown, !unknown.isEmpty, let first = target.keyColumns.first {
            changed.append(
                .membership(.property(rows.variable, [target.columns[first].property]), unknown.queryValues))
        }
        if !changed.isEmpty {
            var related = rows
            (related.condition, related.yields) = (.any(changed), .exists)
            found.append(.related(related))
        }
        if let owners = table?.references[relationship.inverse], !owners.isEmpty {
            found.append(.membership(.property(rows.owner, path + ["id"]), owners.queryValues))
        }
        return found
    }
}
