/// `a AND b`, `a OR b`; without parts, AND is 1 and OR is 0.
struct Junction: LoweredNode {
    let isConjunction: Bool
    let parts: [any LoweredNode]
    var form = LoweredForm.compound

    func write(to sql: inout SQLFragment) {
        guard !parts.isEmpty else { return sql.append(isConjunction ? "1" : "0") }
        // SQLite allows expression trees of 1,000 levels, and without parentheses each part of a junction adds a level.
        let groups = stride(from: 0, to: parts.count, by: Self.mostInARow).map {
            parts[$0..<min($0 + Self.mostInARow, parts.count)]
        }
        for (position, group) in groups.enumerated() {
            if position > 0 { sql.append(separator) }
            if groups.count > 1 { sql.append("(") }
            for (position, part) in group.enumerated() {
                if position > 0 { sql.append(separator) }
                part.writePart(to: &sql)
            }
            if groups.count > 1 { sql.append(")") }
        }
    }

    private static let mostInARow = 200
    private var separator: String { isConjunction ? " AND " : " OR " }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        var isUnanswered = false
        for part in parts {
            let value = try part.value(&rows)
            if value.isNull {
                isUnanswered = true
            } else if value.isTrue != isConjunction {
                return QueryValue(!isConjunction)
            }
        }
        return isUnanswered ? .null : QueryValue(isConjunction)
    }

    var mayBeNull: Bool { parts.contains(where: \.mayBeNull) }

    var falseWithout: Set<String> {
        guard let first = parts.first?.falseWithout else { return [] }
        return parts.dropFirst().reduce(first) {
            isConjunction ? $0.union($1.falseWithout) : $0.intersection($1.falseWithout)
        }
    }
}

/// A condition that is never NULL: `(…) IS TRUE`, `(…) IS NOT TRUE`, and `NOT (…)` if the inner condition is never
/// NULL.
struct Truth: LoweredNode {
    let inner: any LoweredNode
    var isNegated = false

    func write(to sql: inout SQLFragment) {
        guard isNegated else {
            sql.append("((")
            inner.write(to: &sql)
            return sql.append(") IS TRUE)")
        }
        if !inner.mayBeNull { sql.append("NOT ") }
        inner.write(to: &sql, inParentheses: inner.mayBeNull || !(inner is Subquery))
        if inner.mayBeNull { sql.append(" IS NOT TRUE") }
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        QueryValue(try inner.holds(&rows) != isNegated)
    }

    var falseWithout: Set<String> { isNegated ? [] : inner.falseWithout }
}

extension Lowering {
    /// The conjunction or disjunction of conditions; a single condition is returned as it is.
    mutating func junction(_ parts: [QueryExpression], isConjunction: Bool) throws -> any LoweredNode {
        let lowered = try (isConjunction ? tests(parts) : parts).map { try condition($0) }
        return lowered.count == 1 ? lowered[0] : Junction(isConjunction: isConjunction, parts: lowered)
    }

    /// The parts of a conjunction that need a test: not those that name the store that the statement runs on.
    func tests(_ parts: [QueryExpression]) -> [QueryExpression] {
        if isInMemory { return parts }
        return parts.filter { if case .inStore(let number) = $0 { !traits.store.has(number) } else { true } }
    }
}
