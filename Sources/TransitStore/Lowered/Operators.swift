extension ArithmeticOperator {
    /// The result as SQLite computes it: whole numbers stay whole, an overflow gives a double, and a division by zero
    /// gives NULL (<https://sqlite.org/lang_expr.html>).
    func apply(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        if case .integer(let left) = left, case .integer(let right) = right { return apply(left, right) }
        guard let left = left.double, let right = right.double else { return .null }
        switch self {
        case .add: return .double(left + right)
        case .subtract: return .double(left - right)
        case .multiply: return .double(left * right)
        case .divide: return right == 0 ? .null : .double(left / right)
        case .remainder:
            guard let left = Int64(exactly: left.rounded(.towardZero)),
                let right = Int64(exactly: right.rounded(.towardZero)), right != 0
            else { return .null }
            return .double(Double(left.remainderReportingOverflow(dividingBy: right).partialValue))
        }
    }

    private func apply(_ left: Int64, _ right: Int64) -> QueryValue {
        let result: (partialValue: Int64, overflow: Bool)
        switch self {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide:
            if right == 0 { return .null }
            result = left.dividedReportingOverflow(by: right)
        case .remainder:
            if right == 0 { return .null }
            result = left.remainderReportingOverflow(dividingBy: right)
        }
        return result.overflow ? apply(.double(Double(left)), .double(Double(right))) : .integer(result.partialValue)
    }
}

extension AggregateFunction {
    /// The result over values, none of which is NULL. Over no values it is NULL; the count is 0. Throws
    /// `StoreError.overflow` where SQLite refuses a sum.
    func apply(_ values: [QueryValue]) throws -> QueryValue {
        switch self {
        case .count: return .integer(Int64(values.count))
        case .min: return values.min { $0.isOrderedBefore($1) } ?? .null
        case .max: return values.max { $0.isOrderedBefore($1) } ?? .null
        case .sum: return try summed(values).sum()
        case .average: return summed(values).average
        }
    }

    private func summed(_ values: [QueryValue]) -> RunningSum { values.reduce(into: RunningSum()) { $0.add($1) } }
}
