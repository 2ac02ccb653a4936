/// Parses arithmetic (`+ - * / %`, signs, and operators of bits) and the values in it.
extension SyntaxParser {
    /// A calculation, or a single value if no sign follows. As in SQLite, `* / %` bind most tightly, then `+ -`, then
    /// the operators of bits.
    mutating func calculation(_ strength: Syntax.ArithmeticSign.Strength = .bits) throws(SyntaxProblem) -> Syntax {
        var left = try operand(of: strength)
        while let sign = current.arithmeticSign, sign.strength == strength {
            take()
            left = try arithmetic(sign, left, operand(of: strength))
        }
        return left
    }

    /// The operand of signs of this strength: a calculation with stronger signs, or a single value.
    private mutating func operand(of strength: Syntax.ArithmeticSign.Strength) throws(SyntaxProblem) -> Syntax {
        switch strength {
        case .bits: try calculation(.sum)
        case .sum: try calculation(.product)
        case .product: try signed()
        }
    }

    private mutating func signed() throws(SyntaxProblem) -> Syntax {
        let start = current.range
        if accept(symbol: "+") { return try nested { parser throws(SyntaxProblem) in try parser.signed() } }
        if accept(symbol: "~") {
            let inner = try nested { parser throws(SyntaxProblem) in try parser.signed() }
            return try node(.complement(inner), at: range(from: start))
        }
        guard accept(symbol: "-") else { return try value() }
        // The smallest integer has no positive counterpart, so the scanner reads its digits as a double.
        if case .double = current.kind, let least = Int64("-" + text(current.range)) {
            return Syntax(.integer(least), at: range(from: take().range))
        }
        let inner = try nested { parser throws(SyntaxProblem) in try parser.signed() }
        return try node(.negative(inner), at: range(from: start))
    }

    private func arithmetic(
        _ sign: Syntax.ArithmeticSign, _ left: Syntax, _ right: Syntax
    ) throws(SyntaxProblem) -> Syntax {
        try node(.arithmetic(sign, left, right), at: left.range.lowerBound..<right.range.upperBound)
    }

    /// A single value, a list, or an expression in parentheses.
    private mutating func value() throws(SyntaxProblem) -> Syntax {
        let token = current
        switch token.kind {
        case .symbol("("):
            let inner = try parenthesized()
            return current.isSymbol(".") ? try path(goingOn: inner) : inner
        case .symbol("{"): return try list()
        case .text(let text): return Syntax(.text(text), at: take().range)
        case .integer(let number): return Syntax(.integer(number), at: take().range)
        case .double(let number): return Syntax(.double(number), at: take().range)
        case .argument(let place): return Syntax(.argument(place), at: take().range)
        case .variable(let name):
            take()
            return try path(from: .variable(name), at: token.range)
        case .aggregate:
            let aggregate = try aggregate()
            return try node(
                .path(Syntax.Path(start: .group, startRange: token.range, aggregate: aggregate)),
                at: range(from: token.range))
        case .name: return try path()
        case .word(let word):
            if following.isSymbol("("), let function = Syntax.Function(written: word) { return try call(function) }
            guard Keyword.reserved.contains(word.inCapitals) else { return try path() }
            return try keyword(word.inCapitals)
        case .symbol, .placeholder, .end:
            throw SyntaxProblem("expected a value: a property, a number, a text in quotes, $NAME or (", at: token.range)
        }
    }

    private mutating func parenthesized() throws(SyntaxProblem) -> Syntax {
        let start = take().range
        var inner = try nested { parser throws(SyntaxProblem) in try parser.disjunction() }
        if current.isSymbol(",") {
            throw SyntaxProblem("a list stands in braces: {a, b}", at: current.range)
        }
        if current.isSymbol("[") { throw problem(atBracket: current) }
        try expect(symbol: ")", "to close the ( at character \(start.lowerBound + 1)")
        inner.range = range(from: start)
        return inner
    }

    private mutating func list() throws(SyntaxProblem) -> Syntax {
        let start = take().range
        var elements: [Syntax] = []
        if !current.isSymbol("}") {
            repeat {
                elements.append(try nested { parser throws(SyntaxProblem) in try parser.calculation() })
            } while accept(symbol: ",")
        }
        try expect(symbol: "}", "to end the list, or a comma")
        return try node(.list(elements), at: range(from: start))
    }

    private mutating func keyword(_ word: String) throws(SyntaxProblem) -> Syntax {
        switch word {
        case "TRUE", "YES": return Syntax(.integer(1), at: take().range)
        case "FALSE", "NO": return Syntax(.integer(0), at: take().range)
        case "NIL", "NULL": return Syntax(.missing, at: take().range)
        case "INFINITY": return Syntax(.double(.infinity), at: take().range)
        case "NAN": return Syntax(.double(.nan), at: take().range)
        case "TRUEPREDICATE", "FALSEPREDICATE": return Syntax(.always(word == "TRUEPREDICATE"), at: take().range)
        case "SELF": return try path(from: .row(isWritten: true), at: take().range)
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try ternary()
        default:
            let hint =
                Keyword.quantifiers.contains(word)
                ? "" : "; a property of this name is written #\(word.lowercased())"
            throw SyntaxProblem("\(word) cannot stand here\(hint)", at: current.range)
        }
    }

    /// `TERNARY(condition, value, other)`
    private mutating func ternary() throws(SyntaxProblem) -> Syntax {
        let start = take().range
        try expect(symbol: "(", "after TERNARY")
        return try nested { parser throws(SyntaxProblem) in
            let test = try parser.condition(parser.disjunction())
            try parser.expect(symbol: ",", "after the condition")
            let yes = try parser.calculation()
            try parser.expect(symbol: ",", "after the first value")
            let no = try parser.calculation()
            try parser.expect(symbol: ")", "to end TERNARY")
            return try parser.node(.ternary(test, yes, no), at: parser.range(from: start))
        }
    }

    /// A function whose name is the current token.
    private mutating func call(_ function: Syntax.Function) throws(SyntaxProblem) -> Syntax {
        let start = take().range
        take()
        var arguments: [Syntax] = []
        repeat {
            arguments.append(try nested { parser throws(SyntaxProblem) in try parser.calculation() })
        } while accept(symbol: ",")
        try expect(symbol: ")", "to end \(function.rawValue)")
        return try node(.call(function, arguments), at: range(from: start))
    }
}

extension Syntax.ArithmeticSign {
    /// Which signs are applied first: those of products, then those of sums, then those of bits.
    enum Strength {
        case bits, sum, product
    }

    fileprivate var strength: Strength {
        switch self {
        case .bitAnd, .bitOr, .shiftLeft, .shiftRight: .bits
        case .add, .subtract: .sum
        case .multiply, .divide, .remainder: .product
        }
    }
}

extension SyntaxToken {
    fileprivate var arithmeticSign: Syntax.ArithmeticSign? {
        if case .symbol(let symbol) = kind { Syntax.ArithmeticSign(rawValue: symbol) } else { nil }
    }
}
