extension ArithmeticOperator {
    /// The result as SQLite computes it: whole numbers stay whole, an overflow gives a double, and a division by zero
    /// gives NULL (<https://sqlite.org/lang_expr.html>). A remainder is of whole numbers: its operands lose their
    /// fractions, and a number beyond 64 bits counts as the greatest or the least integer. The same holds for bits.
    func apply(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        if case .integer(let left) = left, case .integer(let right) = right { return apply(left, right) }
        if isOfIntegers, let left = left.cutToInteger, let right = right.cutToInteger {
            let result = apply(left, right)
            return self == .remainder ? result.double.map { .double($0) } ?? .null : result
        }
        guard let left = left.double, let right = right.double else { return .null }
        switch self {
        case .add: return .double(left + right)
        case .subtract: return .double(left - right)
        case .multiply: return .double(left * right)
        case .divide: return right == 0 ? .null : .double(left / right)
        case .remainder, .bitAnd, .bitOr, .shiftLeft, .shiftRight: return .null
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
            // The remainder of a division by -1 is 0, also where the quotient overflows.
            return right == 0 ? .null : .integer(right == -1 ? 0 : left % right)
        // Swift shifts like SQLite: the other way for a negative number, and everything away from 64 bits on.
        case .bitAnd: return .integer(left & right)
        case .bitOr: return .integer(left | right)
        case .shiftLeft: return .integer(left << right)
        case .shiftRight: return .integer(left >> right)
        }
        return result.overflow ? apply(.double(Double(left)), .double(Double(right))) : .integer(result.partialValue)
    }
}

extension QueryValue {
    /// What SQLite takes a number for where it needs an integer.
    fileprivate var cutToInteger: Int64? {
        switch self {
        case .integer(let number): number
        case .double(let number) where abs(number) < 0x1p63: Int64(number)
        case .double(let number): number > 0 ? .max : .min
        case .null, .text: nil
        }
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

extension TextOperator {
    /// Whether a text matches a pattern, code point by code point. The SQL functions and in-memory evaluation both use
    /// this.
    ///
    /// Throws for an invalid regular expression, and for a pattern that takes too long. SQLite cannot stop a function,
    /// so each call is bounded.
    func holds(_ subject: String, _ pattern: String) throws -> Bool {
        switch self {
        case .beginsWith: subject.hasBytePrefix(pattern)
        case .endsWith: subject.hasByteSuffix(pattern)
        case .contains: subject.containsBytes(of: pattern)
        case .equals: subject.hasSameBytes(as: pattern)
        case .like: try Wildcards.holds(subject, pattern)
        case .matches: try KnownPatterns.matches(subject, pattern)
        }
    }
}
