import SQLite

/// What unsaved changes do to one request.
struct RequestChanges: Sendable {
    /// Changed and inserted objects of the request's entity that may meet its condition now.
    let candidates: [ObjectID]
    /// An upper bound for the changed or deleted rows that the condition finds in each store.
    let mostTaken: Int
    /// Rows whose result may change because other objects were changed; `never` if there are none.
    let reached: QueryExpression
    /// The part of the condition that the changes do not affect: reached rows must still meet it in the store.
    let unchanged: QueryExpression

    var isEmpty: Bool { candidates.isEmpty && mostTaken == 0 && reached == .never }
    /// Whether the condition, or the one for reached rows, is so deep that SQLite may not take it together with others.
    /// Then all rows that meet `unchanged` are tested in memory.
    let testsAllRows: Bool
}

extension PendingChanges {
    /// What the changes do to the rows that meet a condition, sorted by `terms`.
    ///
    /// If the condition asks for a column's value (`stop = 7`), only changed objects with that value are looked at. So
    /// 5,000 changed stop times cost nothing when a request asks for another stop. `required` does the same for
    /// conditions that name the stop by its id in the feed.
    func changes(
        of condition: QueryExpression, _ terms: [QueryExpression], _ entity: EntityDescription, _ model: StoreModel,
        _ required: [RequiredRows]
    ) -> RequestChanges {
        let reach = ChangeReach(model: model, tables: tables)
        let reached = required.reduce(reach.rows(.any([condition] + terms), of: entity)) { reached, rows in
            rows.restricting(reached, of: entity)
        }
        var unchanged = condition.conjuncts.filter { reach.rows($0, of: entity) == .never }
        unchanged += required.map { $0.condition(entity) }
        let isTooDeep = max(condition.parserDepth, reached.parserDepth) > Self.mostParserDepth
        let (candidates, taken) = candidates(of: condition, entity, required)
        return RequestChanges(
            candidates: candidates.sorted { $0.isOrderedBefore($1) }, mostTaken: taken, reached: reached,
            unchanged: .conjunction(unchanged), testsAllRows: isTooDeep)
    }

    /// Whether the changes may alter which rows meet a condition, or their order. Makes no lists, unlike `changes`.
    func mayChange(
        _ condition: QueryExpression, _ terms: [QueryExpression], _ entity: EntityDescription, _ model: StoreModel
    ) -> Bool {
        if reaches(.any([condition] + terms), entity, model) { return true }
        guard concern(entity.table) else { return false }
        return condition.requiredIntegers(of: entity).allSatisfy { column, values in
            let changed = changedValues(of: entity, column)
            return changed.taken(values) > 0 || !changed.candidates(values).isEmpty
        }
    }

    /// Whether changes of other objects may alter the values that an expression has for rows of an entity.
    func reaches(_ expression: QueryExpression, _ entity: EntityDescription, _ model: StoreModel) -> Bool {
        ChangeReach(model: model, tables: tables).rows(expression, of: entity) != .never
    }

    /// A condition for the rows of an entity for which changes of other objects may alter the values of an expression;
    /// nil if it would be too deep for a statement.
    func reached(
        by expression: QueryExpression, _ entity: EntityDescription, _ model: StoreModel
    ) -> QueryExpression? {
        let reached = ChangeReach(model: model, tables: tables).rows(expression, of: entity)
        return reached.parserDepth > Self.mostParserDepth ? nil : reached
    }

    /// The stack of SQLite's parser has 100 entries. A deeper condition leaves too few for the rest of a merging
    /// statement.
    private static let mostParserDepth = 80

    /// Changed objects that may meet a condition now, and an upper bound for the rows of changed objects that it finds.
    private func candidates(
        of condition: QueryExpression, _ entity: EntityDescription, _ required: [RequiredRows]
    ) -> (candidates: [ObjectID], taken: Int) {
        guard concern(entity.table) else { return ([], 0) }
        let values = condition.requiredIntegers(of: entity).map { ($0.column, now: $0.values, before: $0.values) }
        let rows = required.map { ($0.column, now: Array($0.now), before: Array($0.before)) }
        var fewest: (candidates: [ObjectID], taken: Int)?
        for (column, now, before) in values + rows {
            let changed = changedValues(of: entity, column)
            let (candidates, taken) = (changed.candidates(now), changed.taken(before))
            if let fewest, fewest.candidates.count + fewest.taken <= candidates.count + taken { continue }
            fewest = (candidates, taken)
        }
        return fewest ?? named(by: condition, entity) ?? within(condition, entity) ?? all(ofTable: entity.table)
    }

    /// The changed objects in a box that the condition has.
    private func within(
        _ condition: QueryExpression, _ entity: EntityDescription
    ) -> (candidates: [ObjectID], taken: Int)? {
        for case .box(.root, [], let box) in condition.conjuncts {
            let places = places(of: entity.table)
            return (places.ids(in: box), places.taken.count)
        }
        return nil
    }

    /// The changed objects of a table by their places.
    func places(of table: String) -> ChangedPlaces {
        // Taken out, so that an update copies nothing.
        var places = known.places.removeValue(forKey: ExactText(table)) ?? ChangedPlaces(ids(ofTable: table), in: self)
        places.update(in: self)
        known.places[ExactText(table)] = places
        return places
    }

    /// The changed stops by the words, ids and codes by which searches find them.
    func stopNames(in context: StoreContext) -> ChangedNames {
        var names = known.names.take() ?? ChangedNames(ids(ofTable: Stop.entity.table), in: context)
        names.update(in: context)
        known.names = names
        return names
    }

    private func ids(ofTable table: String) -> [ObjectID] {
        ids.filter { $0.entity.table.hasSameBytes(as: table) }
    }

    /// The changed objects that have an id of the feed for which the condition asks (`tripID = '17'`).
    private func named(
        by condition: QueryExpression, _ entity: EntityDescription
    ) -> (candidates: [ObjectID], taken: Int)? {
        for case (let path, let texts)? in condition.conjuncts.map(\.requiredTexts) where path.count == 1 {
            guard let column = entity.columnIndex(path[0]), entity.isFeedID(column) else { continue }
            let named = changedValues(of: entity, column).named
            let candidates = texts.reduce(into: Set<ObjectID>()) { $0.formUnion(named[ExactText($1)] ?? []) }
            // An id finds few rows, so a bound that is too high costs nothing.
            return (Array(candidates), updated.count + deleted.count)
        }
        return nil
    }

    private func all(ofTable table: String) -> (candidates: [ObjectID], taken: Int) {
        let updated = updated.keys.filter { $0.entity.table.hasSameBytes(as: table) }
        let taken = updated.count + deleted.keys.count { $0.entity.table.hasSameBytes(as: table) }
        return (updated + inserted.keys.filter { $0.entity.table.hasSameBytes(as: table) }, taken)
    }
}

extension QueryExpression {
    /// The row's own columns that must have one of a few integers for the condition to hold.
    fileprivate func requiredIntegers(of entity: EntityDescription) -> [(column: Int, values: [Int64])] {
        switch self {
        case .all(let parts): return parts.flatMap { $0.requiredIntegers(of: entity) }
        case .comparison(.equal, let path, .value(let value)), .comparison(.equal, .value(let value), let path):
            guard let column = path.ownColumn(of: entity), let value = value.wholeNumber else { return [] }
            return [(column, [value])]
        case .membership(let path, let values):
            let numbers = values.compactMap(\.wholeNumber)
            guard let column = path.ownColumn(of: entity), numbers.count == values.count else { return [] }
            return [(column, Array(Set(numbers)))]
        default: return []
        }
    }

    /// The column of the reference or id that a property of the row itself reads: `stop`, `stop.id`, `id`. Other
    /// columns do not count, because an empty one reads as 0.
    func ownColumn(of entity: EntityDescription) -> Int? {
        guard case .property(.root, let path) = self, let first = path.first, let column = entity.columnIndex(first),
            entity.columns[column].target != nil || entity.key == .row(column)
        else { return nil }
        let isReference = path.count == 2 && path[1] == "id" && entity.columns[column].target != nil
        return path.count == 1 || isReference ? column : nil
    }
}

extension QueryValue {
    /// The number, if an integer column can be equal to it.
    fileprivate var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .null, .text: nil
        }
    }
}
