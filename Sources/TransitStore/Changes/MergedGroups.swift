import SQLite

/// Groups, and distinct rows, with unsaved changes or over several stores, made without reading every row.
///
/// Each store groups the rows that no change affects; the few others are grouped in memory. Groups with equal values
/// then become one: counts and sums are added, and the smaller of two minima stays. With one changed stop time among 3
/// million, a grouping took ten times as long while all rows were read as objects.
struct MergedGroups<Entity: StoreObject>: Sendable {
    /// The request for the groups of one store, or of the objects in memory: `shared`, then `aggregates`.
    let parts: FetchRequest<Entity>
    private let table: MergedTable
    /// Expressions whose value is the same in all rows of a group. The first `groupingCount` of them make the groups.
    private let shared: [QueryExpression]
    private let groupingCount: Int
    /// Aggregates of parts, and the functions that make those of the whole from them.
    private let aggregates: [QueryExpression]
    private let functions: [AggregateFunction]
    private let averages: [Average]

    /// nil if the results cannot be put together from parts: each row is a result of its own, an expression combines
    /// aggregates with other values, or the order of distinct rows depends on values that they leave out.
    init?(_ request: FetchRequest<Entity>, _ table: MergedTable) {
        guard !table.keepsRowsApart, !request.selected.columns.isEmpty else { return nil }
        let grouping = table.isGrouped ? table.grouping : table.columns
        let asked = table.columns + table.terms.map(\.expression)
        let plain = asked.filter { !$0.hasAggregate }
        let ofAggregates = asked.filter(\.hasAggregate) + (table.having == .always ? [] : [table.having])
        guard ofAggregates.allSatisfy(\.hasOnlyAggregates), table.isGrouped || plain.allSatisfy(grouping.contains)
        else { return nil }
        let whole = ofAggregates.flatMap(\.simplified.ownAggregates)
        averages = whole.compactMap(Average.init)
        let parts = (whole + averages.flatMap { [$0.sum, $0.count] }).eachOnce.compactMap { aggregate in
            aggregate.functionOfParts.map { (aggregate, $0) }
        }
        (aggregates, functions) = (parts.map(\.0), parts.map(\.1))
        shared = grouping + plain.eachOnce.filter { !grouping.contains($0) }
        groupingCount = grouping.count
        self.table = table
        self.parts = request.parts(shared + aggregates, by: table.grouping, isDistinct: !table.isGrouped)
    }

    /// The request's results from the groups of all parts; nil if a sum is not exact, because then it depends on the
    /// order of the rows.
    func results(_ parts: [MergedTable.Result]) throws -> [PackedRow]? {
        var positions: [ComparedValues: Int] = [:]
        var groups: [MergedTable.Result] = []
        for part in parts {
            guard zip(functions, part.values[shared.count...]).allSatisfy({ $0 != .sum || $1.isExactSum }) else {
                return nil
            }
            let key = ComparedValues(
                Array(part.values[..<groupingCount]), naming: table.isGrouped ? table.rowGrouping : table.rowColumns,
                store: part.store)
            if let position = positions[key] {
                try merge(part, into: &groups[position])
            } else {
                positions[key] = groups.count
                groups.append(part)
            }
        }
        return try table.results(of: groups.map { (known($0.values), $0.store) })
    }

    private func merge(_ part: MergedTable.Result, into group: inout MergedTable.Result) throws {
        for (function, index) in zip(functions, shared.count...) {
            group.values[index] = try function.apply(
                [group.values[index], part.values[index]].filter { !$0.isNull })
        }
    }

    /// The values of a group by the expressions that have them.
    private func known(_ values: [QueryValue]) -> [QueryExpression: QueryValue] {
        var known = Dictionary(zip(shared + aggregates, values)) { first, _ in first }
        for average in averages { known[average.expression] = average.value(known) }
        return known
    }
}

/// An average, which is made of the sum and the count of all parts.
private struct Average: Sendable {
    let expression: QueryExpression
    let sum: QueryExpression
    let count: QueryExpression

    /// nil for another aggregate.
    init?(_ expression: QueryExpression) {
        guard case .aggregate(.average, let part) = expression else { return nil }
        self.expression = expression
        (sum, count) = (.aggregate(.sum, part), .aggregate(.count, part))
    }

    func value(_ known: [QueryExpression: QueryValue]) -> QueryValue {
        guard let sum = known[sum]?.double, let count = known[count]?.double, count > 0 else { return .null }
        return .double(sum / count)
    }
}

extension FetchRequest {
    /// A request for expressions of groups, or for distinct ones, without order and limit.
    fileprivate func parts(
        _ expressions: [QueryExpression], by grouping: [QueryExpression], isDistinct: Bool
    ) -> FetchRequest {
        var parts = self
        (parts.fetchLimit, parts.fetchOffset, parts.sortDescriptors) = (0, 0, [])
        parts.returnsDistinctResults = isDistinct
        parts.selected.having = .success(.always)
        parts.propertiesToFetch = expressions.enumerated().map { .expression($1, as: "\($0)") }
        parts.propertiesToGroupBy = grouping.enumerated().map { .expression($1, as: "\($0)") }
        return parts
    }
}

extension QueryExpression {
    /// Whether the expression's values come from aggregates of the group and constants alone.
    fileprivate var hasOnlyAggregates: Bool {
        switch self {
        case .aggregate, .value: true
        case .parameter, .object, .property, .distance, .box, .inStore, .searchTerm, .related, .listed: false
        default: children.allSatisfy(\.hasOnlyAggregates)
        }
    }

    /// The aggregates of the group in the expression.
    fileprivate var ownAggregates: [QueryExpression] {
        if case .aggregate = self { [self] } else { children.flatMap(\.ownAggregates) }
    }

    /// The function that makes an aggregate of the whole from those of parts; nil for an average.
    fileprivate var functionOfParts: AggregateFunction? {
        guard case .aggregate(let function, _) = self else { return nil }
        return switch function {
        case .count, .sum: .sum
        case .min, .max: function
        case .average: nil
        }
    }
}

extension [QueryExpression] {
    fileprivate var eachOnce: [QueryExpression] {
        var seen = Set<QueryExpression>()
        return filter { seen.insert($0).inserted }
    }
}

extension QueryValue {
    /// Whether a sum is a whole number that a fraction can hold as well, or NULL.
    fileprivate var isExactSum: Bool {
        switch self {
        case .null: true
        case .integer(let sum): sum.magnitude < 1 << 53
        case .double, .text: false
        }
    }
}
