/// `+ - * / %` and signs.
extension FormatParser {
    /// A sum, or what its parts are when there is nothing to add.
    mutating func sum() throws -> FormatOperand {
        var left = try product()
        while let op = current.arithmeticOperator, op == .add || op == .subtract {
            take()
            left = try arithmetic(op, left, product())
        }
        return left
    }

    private mutating func product() throws -> FormatOperand {
        var left = try signed()
        while let op = current.arithmeticOperator, op != .add, op != .subtract {
            take()
            left = try arithmetic(op, left, signed())
        }
        return left
    }

    private mutating func signed() throws -> FormatOperand {
        let start = current.range
        guard accept(symbol: "-") else { return try value() }
        // The least whole number has no positive twin, so that its digits are read as a fraction.
        if case .double = current.kind, let least = Int64("-" + text(current.range)) {
            return FormatOperand(.value(.value(.integer(least)), .number), at: range(from: take().range))
        }
        var inner = try nested { try $0.signed() }
        inner.content = .value(try inner.value(comparableWith: .number).negated, .number)
        inner.range = range(from: start)
        return inner
    }

    private func arithmetic(
        _ op: ArithmeticOperator, _ left: FormatOperand, _ right: FormatOperand
    ) throws -> FormatOperand {
        let range = left.range.lowerBound..<right.range.upperBound
        let (leftKind, rightKind) = (try left.value().kind, try right.value().kind)
        for (operand, kind) in [(left, leftKind), (right, rightKind)] where kind == .date {
            throw FormatProblem("dates cannot be calculated with", at: operand.range)
        }
        // '00:10:00' is a time where it is added to one; all else is a number.
        let leftValue = try left.value(comparableWith: rightKind == .time ? .time : .number)
        let rightValue = try right.value(comparableWith: leftKind == .time ? .time : .number)
        guard left.passed.isEmpty || right.passed.isEmpty else {
            throw FormatProblem("only one side can name properties of many rows", at: range)
        }
        let depth = max(left.depth, right.depth) + 1
        guard depth <= Self.mostNesting else {
            throw FormatProblem("more than \(Self.mostNesting) operators in a row", at: range)
        }
        let isTime = (op == .add || op == .subtract) && (leftKind == .time || rightKind == .time)
        return FormatOperand(
            .value(.arithmetic(op, leftValue, rightValue), isTime ? .time : .number), at: range,
            passed: left.passed + right.passed, depth: depth)
    }
}

extension QueryExpression {
    /// With the other sign; a constant is negated at once.
    var negated: QueryExpression {
        switch self {
        case .value(.integer(let number)) where number != .min: .value(.integer(-number))
        case .value(.double(let number)): .value(.double(-number))
        default: .negative(self)
        }
    }
}

extension FormatToken {
    fileprivate var arithmeticOperator: ArithmeticOperator? {
        if case .symbol(let symbol) = kind { ArithmeticOperator(rawValue: symbol) } else { nil }
    }
}
