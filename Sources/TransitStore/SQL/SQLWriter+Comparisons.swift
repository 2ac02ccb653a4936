extension SQLWriter {
    /// Writes a comparison so that it holds in SQL exactly when it holds in Swift, and so that an index on the column
    /// serves it wherever that is possible.
    mutating func writeComparison(
        _ op: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression, to sql: inout SQLFragment
    ) throws {
        // Columns to the left, values to the right: `? <= t0.longitude` becomes `t0.longitude >= ?`.
        if case .value = left {
            if case .value = right {} else { return try writeComparison(op.flipped, right, left, to: &sql) }
        }
        if op == .lessOrEqual, case .distance(let variable, let path, let from) = left, case .value(let value) = right,
            value.double != nil
        {
            return try writeWithin(variable, path, from, value, to: &sql)
        }
        if case .value(let value) = right { return try writeComparison(op, left, value: value, to: &sql) }
        try writeOperandValue(left, to: &sql)
        let bothMayBeNull = try mayBeNull(left) && mayBeNull(right)
        switch op {
        case .equal: sql.append(bothMayBeNull ? " IS " : " = ")
        case .notEqual: sql.append(try mayBeNull(left) || mayBeNull(right) ? " IS NOT " : " <> ")
        default: sql.append(" \(op.rawValue) ")
        }
        try writeOperandValue(right, to: &sql)
    }

    private mutating func writeComparison(
        _ op: ComparisonOperator, _ left: QueryExpression, value: QueryValue, to sql: inout SQLFragment
    ) throws {
        if value.isNull {
            guard op == .equal || op == .notEqual else { return sql.append("0") }
            try writeBare(left, to: &sql)
            return sql.append(op == .equal ? " IS NULL" : " IS NOT NULL")
        }
        let holdsForAbsent = try absentValue(of: left).map { op.holds(value: $0.compare(value)) } ?? false
        if op == .notEqual {
            // NULL IS NOT 'x' holds, as a missing name is another than "x".
            if holdsForAbsent || absentIsNil(left) {
                try writeBare(left, to: &sql)
                sql.append(try mayBeNull(left) ? " IS NOT " : " <> ")
            } else {
                try writeOperandValue(left, to: &sql)
                sql.append(try valueMayBeNull(left) ? " IS NOT " : " <> ")
            }
        } else {
            if holdsForAbsent { try writeOperandValue(left, to: &sql) } else { try writeBare(left, to: &sql) }
            sql.append(" \(op.rawValue) ")
        }
        sql.bind(value)
    }

    /// Whether a value may be NULL after what is missing has been read as its property reads.
    mutating func valueMayBeNull(_ expression: QueryExpression) throws -> Bool {
        switch expression {
        case .property(let variable, let path): try resolve(variable, path).valueMayBeNull
        case .folded(let inner): try valueMayBeNull(inner)
        default: try mayBeNull(expression)
        }
    }

    private mutating func absentIsNil(_ expression: QueryExpression) -> Bool {
        guard case .property(let variable, let path) = expression, let column = try? resolve(variable, path) else {
            return false
        }
        return column.absentValue == nil
    }

    /// What the property reads as when its column is NULL, if that is a value.
    mutating func absentValue(of expression: QueryExpression) throws -> QueryValue? {
        switch expression {
        case .property(let variable, let path):
            let column = try resolve(variable, path)
            return column.mayBeNull ? column.absentValue : nil
        case .folded(let inner): return try absentValue(of: inner)
        default: return nil
        }
    }

    /// A value as an operand: conditions in parentheses and never NULL, arithmetic in parentheses.
    mutating func writeOperandValue(_ expression: QueryExpression, to sql: inout SQLFragment) throws {
        if expression.isCondition {
            sql.append("((")
            try writeCondition(expression, to: &sql)
            return sql.append(") IS TRUE)")
        }
        switch expression {
        case .arithmetic, .negative:
            sql.append("(")
            try writeValue(expression, to: &sql)
            sql.append(")")
        default: try writeValue(expression, to: &sql)
        }
    }

    /// A column as it is, NULL where the feed leaves it empty; all else as a value.
    mutating func writeBare(_ expression: QueryExpression, to sql: inout SQLFragment) throws {
        switch expression {
        case .property(let variable, let path): append(try resolve(variable, path), to: &sql)
        case .folded(let inner): try writeFolded(inner, isBare: true, to: &sql)
        default: try writeOperandValue(expression, to: &sql)
        }
    }
}

extension ComparisonOperator {
    /// The operator when its sides change places.
    var flipped: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// Whether it holds for two values that compare so (negative, 0, positive).
    func holds(value order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
