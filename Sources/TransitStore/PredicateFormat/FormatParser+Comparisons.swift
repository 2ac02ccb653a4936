import ICU

extension FormatParser {
    /// A comparison, or a value where no operator follows.
    mutating func comparison() throws -> FormatOperand {
        let start = current.range
        let quantifier = current.keyword.flatMap { FormatKeyword.quantifiers.contains($0) ? $0 : nil }
        if quantifier != nil { take() }
        let left = try sum(isQuantified: quantifier != nil || isQuantified)
        guard let op = FormatOperator(current) else {
            if quantifier != nil { _ = try condition(FormatOperand(.list([]), at: left.range)) }
            return left
        }
        let token = take()
        let options = try textOptions()
        let right = try sum(isQuantified: op == .in)
        guard right.passed.isEmpty || op == .in else {
            throw FormatProblem("\(token.keyword ?? "the comparison") needs one value on its right", at: right.range)
        }
        let written = FormatComparison(op: op, options: options, left: left, right: right, operatorRange: token.range)
        let condition = try quantified(quantifier, left, at: start, try written.condition())
        return FormatOperand(.condition(condition), at: range(from: start))
    }

    private mutating func sum(isQuantified: Bool) throws -> FormatOperand {
        let outer = self.isQuantified
        defer { self.isQuantified = outer }
        self.isQuantified = isQuantified
        return try sum()
    }

    /// `[c]`, `[d]`, `[cd]`
    private mutating func textOptions() throws -> TextOptions {
        guard accept(symbol: "[") else { return [] }
        let token = take()
        let options: TextOptions
        switch token.keyword {
        case "C": options = .caseInsensitive
        case "D": options = .diacriticInsensitive
        case "CD", "DC": options = .folded
        default: throw FormatProblem("expected [c], [d] or [cd]", at: token.range)
        }
        try expect(symbol: "]", "after the options")
        return options
    }

    /// Whether any, all or none of the rows that the left side has passed meet a condition.
    private func quantified(
        _ quantifier: String?, _ left: FormatOperand, at start: Range<Int>, _ condition: QueryExpression
    ) throws -> QueryExpression {
        guard let quantifier else {
            guard left.passed.isEmpty else {
                throw FormatProblem("put ANY, ALL or NONE directly before the comparison", at: left.range)
            }
            return condition
        }
        guard !left.passed.isEmpty else {
            throw FormatProblem(
                "\(quantifier) asks about the rows of a to-many relationship; there is none", at: left.range)
        }
        switch quantifier {
        case "ALL": return .not(left.passed.any(.not(condition)))
        case "NONE": return .not(left.passed.any(condition))
        default: return left.passed.any(condition)
        }
    }
}

extension [RelatedRows] {
    /// Whether any of the rows meets a condition.
    func any(_ condition: QueryExpression) -> QueryExpression {
        reversed().reduce(condition) { inner, rows in
            var rows = rows
            rows.condition = .conjunction([rows.condition, inner])
            rows.yields = .exists
            return .related(rows)
        }
    }
}

/// What stands between the sides of a comparison.
enum FormatOperator: Hashable {
    case comparison(ComparisonOperator)
    case text(TextOperator)
    case `in`
    case between

    init?(_ token: FormatToken) {
        switch token.kind {
        case .symbol(let symbol):
            guard let op = ComparisonOperator(format: symbol) else { return nil }
            self = .comparison(op)
        case .word(let word):
            switch word.uppercased() {
            case "IN": self = .in
            case "BETWEEN": self = .between
            case let word:
                guard let op = TextOperator(rawValue: word), op != .equals else { return nil }
                self = .text(op)
            }
        default: return nil
        }
    }
}

extension ComparisonOperator {
    fileprivate init?(format symbol: String) {
        switch symbol {
        case "=", "==": self = .equal
        case "!=", "<>": self = .notEqual
        case "<": self = .less
        case "<=", "=<": self = .lessOrEqual
        case ">": self = .greater
        case ">=", "=>": self = .greaterOrEqual
        default: return nil
        }
    }
}
