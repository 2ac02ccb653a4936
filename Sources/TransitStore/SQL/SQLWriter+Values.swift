extension SQLWriter {
    /// Writes an expression as a value that reads as its Swift property does.
    mutating func writeValue(_ expression: QueryExpression, to sql: inout SQLFragment) throws {
        switch expression {
        case .value(let value): sql.bind(value)
        case .parameter(let name), .listed(_, let name, _):
            throw StoreError(.missingVariable, "The request has no value for its variable $\(name)")
        case .object(let variable): append(try resolve(variable, []), to: &sql)
        case .property(let variable, let path): try writeProperty(try resolve(variable, path), to: &sql)
        case .arithmetic(let op, let left, let right):
            try writeOperandValue(left, to: &sql)
            sql.append(" \(op.rawValue) ")
            try writeOperandValue(right, to: &sql)
        case .negative(let inner):
            sql.append("-")
            try writeOperandValue(inner, to: &sql)
        case .conditional(let test, let yes, let no):
            sql.append("CASE WHEN ")
            try writeCondition(test, to: &sql)
            sql.append(" THEN ")
            try writeOperandValue(yes, to: &sql)
            sql.append(" ELSE ")
            try writeOperandValue(no, to: &sql)
            sql.append(" END")
        case .coalesce(let value, let otherwise):
            sql.append("COALESCE(")
            // Of `parentStation?.locationType ?? 9` only the station may be missing: its type reads as 0 then.
            if try isOptionalWithAbsentValue(value) {
                try writeValue(value, to: &sql)
            } else {
                try writeBare(value, to: &sql)
            }
            sql.append(", ")
            try writeOperandValue(otherwise, to: &sql)
            sql.append(")")
        case .folded(let inner): try writeFolded(inner, isBare: false, to: &sql)
        case .length(let inner):
            sql.append("length(")
            try writeOperandValue(inner, to: &sql)
            sql.append(")")
        case .related(let rows): try writeRelated(rows, to: &sql)
        case .aggregate(let function, let inner):
            if case .nowhere(let reason) = aggregatesStand {
                throw StoreError(.ungrouped, "\(expression) stands alone: \(reason)")
            }
            aggregatesStand = .nowhere("an aggregate cannot be aggregated")
            defer { aggregatesStand = .everywhere }
            try writeAggregate(function, inner, to: &sql)
        case .distance(let variable, let path, let from): try writeDistance(variable, path, from, to: &sql)
        default: try writeOperandValue(expression, to: &sql)
        }
    }

    private func writeProperty(_ column: ResolvedColumn, to sql: inout SQLFragment) throws {
        guard column.mayBeNull, let absent = column.absentValue else { return append(column, to: &sql) }
        if let reference = column.optionalReference {
            sql.append("CASE WHEN ")
            sql.append(reference)
            sql.append(" IS NOT NULL THEN ")
        }
        sql.append("COALESCE(")
        append(column, to: &sql)
        sql.append(absent == .text("") ? ", '')" : ", 0)")
        if column.optionalReference != nil { sql.append(" END") }
    }

    private mutating func isOptionalWithAbsentValue(_ expression: QueryExpression) throws -> Bool {
        if case .folded(let inner) = expression { return try isOptionalWithAbsentValue(inner) }
        guard case .property(let variable, let path) = expression else { return false }
        let column = try resolve(variable, path)
        return column.absentValue != nil && column.optionalReference != nil
    }

    mutating func writeAggregate(
        _ function: AggregateFunction, _ inner: QueryExpression?, to sql: inout SQLFragment
    ) throws {
        sql.append("\(function.rawValue)(")
        if let inner { try writeBare(inner, to: &sql) } else { sql.append("*") }
        sql.append(")")
    }
}
