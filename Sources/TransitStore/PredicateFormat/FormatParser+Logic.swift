import SearchText

/// `AND`, `OR`, `NOT`.
extension FormatParser {
    mutating func disjunction() throws -> FormatOperand {
        let first = try conjunction()
        var parts: [QueryExpression] = []
        while accept(keyword: "OR") || accept(symbol: "||") {
            if parts.isEmpty { parts.append(try condition(first)) }
            parts.append(try condition(conjunction()))
        }
        return parts.isEmpty ? first : FormatOperand(.condition(.disjunction(parts)), at: range(from: first))
    }

    private mutating func conjunction() throws -> FormatOperand {
        let first = try negation()
        var parts: [QueryExpression] = []
        while accept(keyword: "AND") || accept(symbol: "&&") {
            if parts.isEmpty { parts.append(try condition(first)) }
            parts.append(try condition(negation()))
        }
        return parts.isEmpty ? first : FormatOperand(.condition(.conjunction(parts)), at: range(from: first))
    }

    private mutating func negation() throws -> FormatOperand {
        let start = current.range
        guard accept(keyword: "NOT") || accept(symbol: "!") else { return try comparison() }
        let inner = try nested { try $0.condition($0.negation()) }
        return FormatOperand(.condition(.not(inner)), at: range(from: start))
    }

    /// The operand as a condition. Throws `FormatProblem` for a value, at what follows it.
    func condition(_ operand: FormatOperand) throws -> QueryExpression {
        if case .condition(let condition) = operand.content { return condition }
        let next = tokens.first { $0.range.lowerBound >= operand.range.upperBound } ?? current
        throw FormatProblem(Self.expectedOperator(insteadOf: next), at: next.range)
    }

    private static func expectedOperator(insteadOf token: FormatToken) -> String {
        let known = ["=", "!=", "<", "<=", ">", ">="] + FormatKeyword.operators
        let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
        let nearest = token.keyword.flatMap { Spelling.nearest(to: $0, among: FormatKeyword.operators) }
        return "expected an operator: \(list)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
}
