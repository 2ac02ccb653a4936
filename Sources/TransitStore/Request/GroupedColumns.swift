/// Checks a request with groups: it may fetch only grouped columns and aggregates.
///
/// For any other column, SQLite returns the value of an arbitrary row of the group
/// (<https://sqlite.org/lang_select.html#bareagg>). Stores, query plans and SQLite versions may choose different rows.
struct GroupedColumns {
    private let entity: EntityDescription
    private let model: StoreModel
    private let grouping: Set<QueryExpression>

    /// Throws `StoreError.ungrouped` for columns, aggregates or conditions that do not fit the groups, naming the
    /// property, and `ambiguousName` for two properties with the same name.
    static func check<Entity>(_ request: FetchRequest<Entity>, _ entity: EntityDescription, _ model: StoreModel) throws
    {
        try FetchedNames.refuseEqual(request.selected.columns.map(\.name))
        let grouping = try request.selected.grouping.map { try $0.expression.get() }
        let having = try request.selected.having.get()
        let fetched = try request.selected.columns.map { try $0.expression.get() }
        let terms = try request.selected.terms.map { try $0.get().expression }
        if grouping.contains(where: \.hasAggregate) {
            throw StoreError(
                .ungrouped,
                "propertiesToGroupBy has an aggregate, which is known only after grouping; group by plain properties")
        }
        if let twice = (fetched + terms + [having]).first(where: \.hasNestedAggregate) {
            throw StoreError(.ungrouped, "\(twice) nests aggregates; a group has only one value of the inner one")
        }
        if grouping.isEmpty, !(fetched + terms + [having]).contains(where: \.hasAggregate) {
            guard having == .always else {
                throw StoreError(
                    .ungrouped,
                    "havingPredicate is about groups, and the request has none: name what to group by, or make it the predicate"
                )
            }
            return
        }
        let columns = GroupedColumns(entity, model, grouping)
        let all = fetched.isEmpty ? entity.columns.map { .property(.root, [$0.property]) } : fetched
        let fetchedPart = "the properties to fetch" + (fetched.isEmpty ? " (all, as the request names none)" : "")
        try columns.check(all, of: fetchedPart)
        try columns.check([having], of: "the condition on groups")
        try columns.check(terms, of: "the order")
    }

    private init(_ entity: EntityDescription, _ model: StoreModel, _ grouping: [QueryExpression]) {
        self.entity = entity
        self.model = model
        self.grouping = Set(grouping.map { $0.mapped { Self.spelled($0, entity, model) } })
    }

    private func check(_ expressions: [QueryExpression], of part: String) throws {
        for expression in expressions {
            guard let name = ungrouped(expression.mapped(spelled)) else { continue }
            throw StoreError(
                .ungrouped,
                "\(name) in \(part) is neither grouped nor aggregated: rows of a group differ in it. Group by it as well, "
                    + "or ask for its min or max")
        }
    }

    /// The first property that differs within a group; nil when there is none.
    private func ungrouped(_ expression: QueryExpression) -> String? {
        if grouping.contains(expression) { return nil }
        switch expression {
        case .value, .parameter, .aggregate: return nil
        case .object(let variable): return variable == .root ? ungrouped(property: keyPath) : nil
        case .property(let variable, let path): return variable == .root ? ungrouped(property: path) : nil
        case .distance(let variable, let path, _), .box(let variable, let path, _):
            guard variable == .root else { return nil }
            return ungrouped(property: path + ["latitude"]) ?? ungrouped(property: path + ["longitude"])
        case .searchTerm(let variable, let path, _):
            return variable == .root ? ungrouped(property: path + ["id"]) : nil
        case .text(_, .folded, let subject, let pattern) where grouping.contains(.folded(subject)):
            return ungrouped(pattern)
        case .related(let rows): return ungrouped(rows)
        default: return expression.ownParts.lazy.compactMap(ungrouped).first
        }
    }

    private func ungrouped(_ rows: RelatedRows) -> String? {
        // `stopTimes.@count > 0` was simplified to EXISTS, so it is compared with a grouped count here.
        var counted = rows
        counted.yields = .count
        if rows.yields == .exists, grouping.contains(.related(counted)) { return nil }
        if rows.owner == .root, let name = ungrouped(property: rows.path.dropLast() + ["id"]) { return name }
        if case .aggregate(_, let part) = rows.yields, let name = ungrouped(part) { return name }
        return ungrouped(rows.condition)
    }

    private func ungrouped(property path: PropertyPath) -> String? {
        grouping.contains(spelled(.property(.root, path))) ? nil : path.joined(separator: ".")
    }

    private var keyPath: PropertyPath { Self.keyPath(entity) }

    private static func keyPath(_ entity: EntityDescription) -> PropertyPath {
        [entity.columns[entity.keyColumns.first ?? 0].property]
    }

    /// Normalizes a property of the row itself: `departure_time` to `departureTime`, `stop.id` to `stop`.
    private func spelled(_ expression: QueryExpression) -> QueryExpression {
        Self.spelled(expression, entity, model)
    }

    private static func spelled(
        _ expression: QueryExpression, _ entity: EntityDescription, _ model: StoreModel
    ) -> QueryExpression {
        switch expression {
        case .object(.root): return .property(.root, keyPath(entity))
        case .property(.root, let path):
            var names = PropertyPath()
            var owner: EntityDescription? = entity
            for name in path {
                if !names.isEmpty, name == "id" { break }
                guard let index = owner?.columnIndex(name), let column = owner?.columns[index] else {
                    return expression
                }
                names.append(column.property)
                owner = column.target.flatMap(model.entity(named:))
            }
            return .property(.root, names)
        default: return expression
        }
    }
}

extension QueryExpression {
    /// The parts that concern the group's own rows; none for an expression over related rows.
    fileprivate var ownParts: [QueryExpression] { if case .related = self { [] } else { children } }

    /// Whether an aggregate contains another.
    fileprivate var hasNestedAggregate: Bool {
        if case .aggregate(_, let inner) = self { return inner?.hasAggregate ?? false }
        return ownParts.contains(where: \.hasNestedAggregate)
    }

    /// Whether the expression contains an aggregate over the group's rows.
    var hasAggregate: Bool {
        if case .aggregate = self { return true }
        return ownParts.contains(where: \.hasAggregate)
    }
}

/// The names of a dictionary result, which must be unique.
enum FetchedNames {
    /// Throws `StoreError.ambiguousName` naming the first two properties with equal names.
    static func refuseEqual(_ names: [String], called subject: String = "") throws {
        var positions: [ExactText: Int] = [:]
        for (position, name) in names.enumerated() {
            guard let other = positions.updateValue(position, forKey: ExactText(name)) else { continue }
            throw StoreError(
                .ambiguousName,
                "\(subject)the properties \(other + 1) and \(position + 1) to fetch are both called \(name); give one "
                    + "another name")
        }
    }
}
