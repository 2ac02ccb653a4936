import SearchText

/// `AND`, `OR`, `NOT`, comparisons.
extension SyntaxParser {
    mutating func disjunction() throws(SyntaxProblem) -> Syntax {
        let first = try conjunction()
        var parts: [Syntax] = []
        while accept(keyword: "OR") || accept(symbol: "||") {
            if parts.isEmpty { parts.append(try condition(first)) }
            parts.append(try condition(conjunction()))
        }
        return parts.isEmpty ? first : try node(.any(parts), at: range(from: first.range))
    }

    private mutating func conjunction() throws(SyntaxProblem) -> Syntax {
        let first = try negation()
        var parts: [Syntax] = []
        while accept(keyword: "AND") || accept(symbol: "&&") {
            if parts.isEmpty { parts.append(try condition(first)) }
            parts.append(try condition(negation()))
        }
        return parts.isEmpty ? first : try node(.all(parts), at: range(from: first.range))
    }

    private mutating func negation() throws(SyntaxProblem) -> Syntax {
        let start = current.range
        guard accept(keyword: "NOT") || accept(symbol: "!") else { return try comparison() }
        let inner = try nested { parser throws(SyntaxProblem) in try parser.condition(parser.negation()) }
        return try node(.not(inner), at: range(from: start))
    }

    /// Returns `syntax` if it is a condition. Throws for a value; the error points at the token after it.
    func condition(_ syntax: Syntax) throws(SyntaxProblem) -> Syntax {
        if syntax.isCondition { return syntax }
        let next = tokens.first { $0.range.lowerBound >= syntax.range.upperBound } ?? current
        if case .path(let path) = syntax.content, case .subquery = path.start, path.aggregate == nil {
            throw SyntaxProblem(
                "SUBQUERY stands for many rows: ask for their number, as in SUBQUERY(…).@count > 0", at: next.range)
        }
        if next.isSymbol("[") { throw problem(atBracket: next) }
        if next.isKeyword("NOT") {
            throw SyntaxProblem("NOT stands before the comparison, as in NOT (id IN {1, 2})", at: next.range)
        }
        throw SyntaxProblem(Self.expectedOperator(insteadOf: next), at: next.range)
    }

    /// The error for a `[` after a value.
    func problem(atBracket bracket: SyntaxToken) -> SyntaxProblem {
        let next = tokens.first { $0.range.lowerBound >= bracket.range.upperBound }?.keyword
        if next.flatMap(Syntax.Options.init(letters:)) != nil {
            return SyntaxProblem("options stand after the operator, as in =[cd]", at: bracket.range)
        }
        if next == "SIZE" { return SyntaxProblem("the number of rows is asked for by .@count", at: bracket.range) }
        return SyntaxProblem(
            "[…] cannot pick one of many rows: put ANY, ALL or NONE before the comparison, or use SUBQUERY(…).@count or "
                + "an aggregate such as @min.NAME", at: bracket.range)
    }

    private static func expectedOperator(insteadOf token: SyntaxToken) -> String {
        let known = ["=", "!=", "<", "<=", ">", ">="] + Keyword.operators
        let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
        let nearest = token.keyword.flatMap { NearestName.find($0, among: Keyword.operators) }
        return "expected an operator: \(list)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }

    /// A comparison, or a value if no operator follows.
    private mutating func comparison() throws(SyntaxProblem) -> Syntax {
        let start = current.range
        let quantifier = current.keyword.flatMap { Syntax.Quantifier(rawValue: $0) }
        if quantifier != nil { take() }
        let left = try calculation()
        guard let op = Syntax.Operator(current) else {
            guard quantifier != nil else { return left }
            _ = try condition(left)
            throw SyntaxProblem("put ANY, ALL or NONE directly before the comparison", at: left.range)
        }
        let token = take()
        let options = try textOptions()
        let right = try calculation()
        // Refused here, because the AND of `BETWEEN 1 AND 3` would begin the next condition and give a misleading
        // error.
        if op == .between, !right.mayBeList {
            throw SyntaxProblem("BETWEEN needs a list of two values: {lower, upper}", at: right.range)
        }
        let comparison = Syntax.Comparison(
            op: op, options: options, left: left, right: right, quantifier: quantifier, operatorRange: token.range,
            operatorWord: token.keyword)
        return try node(.comparison(comparison), at: range(from: start))
    }

    /// `[c]`, `[d]`, `[cd]`, `[n]`
    private mutating func textOptions() throws(SyntaxProblem) -> Syntax.Options {
        guard accept(symbol: "[") else { return [] }
        let token = take()
        guard let options = token.keyword.flatMap(Syntax.Options.init(letters:)) else {
            throw SyntaxProblem("expected [c], [d], [cd] or [n]", at: token.range)
        }
        try expect(symbol: "]", "after the options")
        return options
    }
}

extension Syntax.Options {
    /// The options that letters in brackets stand for, in capitals; nil for other letters.
    ///
    /// As in NSPredicate, `n` overrides the others. `l` asks for the rules of the user's locale. It counts only beside
    /// both others: `[cdl]` is how Foundation prints `localizedStandardContains`.
    fileprivate init?(letters: String) {
        let known: [Character: Self] = ["C": .caseInsensitive, "D": .diacriticInsensitive, "N": [], "L": []]
        let parts = letters.compactMap { known[$0] }
        let options = Self(parts)
        guard !letters.isEmpty, parts.count == letters.count,
            !letters.contains("L") || options == [.caseInsensitive, .diacriticInsensitive]
        else { return nil }
        self = letters.contains("N") ? [] : options
    }
}

extension Syntax.Operator {
    /// Nil for a token that is not an operator.
    fileprivate init?(_ token: SyntaxToken) {
        switch token.kind {
        case .symbol(let symbol): self.init(symbol: symbol)
        case .word(let word): self.init(word: word.inCapitals)
        default: return nil
        }
    }

    private init?(symbol: String) {
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

    private init?(word: String) {
        switch word {
        case "IN": self = .in
        case "BETWEEN": self = .between
        case "BEGINSWITH": self = .beginsWith
        case "CONTAINS": self = .contains
        case "ENDSWITH": self = .endsWith
        case "LIKE": self = .like
        case "MATCHES": self = .matches
        default: return nil
        }
    }
}
