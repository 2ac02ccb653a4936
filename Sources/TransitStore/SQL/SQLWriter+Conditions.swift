extension SQLWriter {
    /// Writes an expression as a condition: what is NULL counts as false, as nothing stands around it but AND and OR.
    mutating func writeCondition(_ expression: QueryExpression, to sql: inout SQLFragment) throws {
        switch expression {
        case .value(let value): sql.append(value.isTrue ? "1" : "0")
        case .all(let parts): try writeJoined(parts, " AND ", empty: "1", to: &sql)
        case .any(let parts): try writeJoined(parts, " OR ", empty: "0", to: &sql)
        case .not(let inner): try writeNegation(inner, to: &sql)
        case .comparison(let op, let left, let right): try writeComparison(op, left, right, to: &sql)
        case .text(let op, let options, let left, let right): try writeText(op, options, left, right, to: &sql)
        case .membership(let element, let values): try writeMembership(element, values, to: &sql)
        case .listed: try writeValue(expression, to: &sql)
        case .related(let rows): try writeRelated(rows, to: &sql)
        case .box(let variable, let path, let box): try writeBox(variable, path, box, to: &sql)
        case .searchTerm(let variable, let path, let prefix): try writeSearchTerm(variable, path, prefix, to: &sql)
        default: try writeValue(expression, to: &sql)
        }
    }

    private mutating func writeJoined(
        _ parts: [QueryExpression], _ separator: String, empty: String, to sql: inout SQLFragment
    ) throws {
        guard !parts.isEmpty else { return sql.append(empty) }
        if parts.count == 1 { return try writeCondition(parts[0], to: &sql) }
        for (position, part) in parts.enumerated() {
            if position > 0 { sql.append(separator) }
            try writeOperand(part, to: &sql)
        }
    }

    /// A condition inside a bigger one: in parentheses where precedence asks for them.
    mutating func writeOperand(_ expression: QueryExpression, to sql: inout SQLFragment) throws {
        guard expression.isCompound else { return try writeCondition(expression, to: &sql) }
        sql.append("(")
        try writeCondition(expression, to: &sql)
        sql.append(")")
    }

    private mutating func writeNegation(_ inner: QueryExpression, to sql: inout SQLFragment) throws {
        if try mayBeNull(inner) {
            sql.append("(")
            try writeCondition(inner, to: &sql)
            sql.append(") IS NOT TRUE")
        } else if case .related(let rows) = inner, rows.yields == .exists {
            sql.append("NOT ")
            try writeCondition(inner, to: &sql)
        } else {
            sql.append("NOT (")
            try writeCondition(inner, to: &sql)
            sql.append(")")
        }
    }

    private mutating func writeMembership(
        _ element: QueryExpression, _ values: [QueryValue], to sql: inout SQLFragment
    ) throws {
        let present = values.filter { !$0.isNull }
        let absent = try absentValue(of: element)
        // A missing name reads as "", a missing number as 0: if that is listed, NULL must be found as well.
        let needsAbsent = absent.map(values.contains) ?? false
        let needsNull = present.count < values.count
        if needsNull { sql.append("(") }
        if needsAbsent { try writeValue(element, to: &sql) } else { try writeBare(element, to: &sql) }
        sql.append(" IN (")
        sql.append(present, separator: ", ") { $0.bind($1) }
        sql.append(")")
        if needsNull {
            sql.append(" OR ")
            try writeBare(element, to: &sql)
            sql.append(" IS NULL)")
        }
    }

    /// Whether an expression's SQL may yield NULL; rather once too often.
    mutating func mayBeNull(_ expression: QueryExpression) throws -> Bool {
        switch expression {
        case .value(let value): return value.isNull
        case .object, .not, .searchTerm: return false
        case .parameter, .listed: return true
        case .property(let variable, let path): return try resolve(variable, path).mayBeNull
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right), .text(_, _, let left, let right):
            return try mayBeNull(left) || mayBeNull(right)
        case .membership(let element, _): return try mayBeNull(element)
        case .all(let parts), .any(let parts):
            for part in parts where try mayBeNull(part) { return true }
            return false
        case .negative(let inner), .folded(let inner), .length(let inner): return try mayBeNull(inner)
        case .conditional(_, let yes, let no): return try mayBeNull(yes) || mayBeNull(no)
        case .coalesce(_, let otherwise): return try mayBeNull(otherwise)
        case .related(let rows): if case .aggregate = rows.yields { return true } else { return false }
        case .aggregate(let function, _): return function != .count
        case .distance, .box: return true
        }
    }
}

extension QueryValue {
    /// As SQLite sees truth: a number that is not 0.
    var isTrue: Bool { (double ?? 0) != 0 }
}

extension QueryExpression {
    /// Whether AND, OR or NOT around it need parentheses.
    fileprivate var isCompound: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.count > 1 || parts.first?.isCompound ?? false
        case .box: true
        default: false
        }
    }

    /// Whether the expression is a condition, whose SQL yields 1, 0 or NULL.
    var isCondition: Bool {
        switch self {
        case .comparison, .text, .membership, .listed, .all, .any, .not, .box, .searchTerm: true
        case .related(let rows): rows.yields == .exists
        default: false
        }
    }
}
