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
        while let op = current.arithmeticOperator, op == .multiply || op == .divide {
            take()
            left = try arithmetic(op, left, signed())
        }
        return left
    }

    private mutating func signed() throws -> FormatOperand {
        let start = current.range
        guard accept(symbol: "-") else { return try value() }
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

    // MARK: One value

    private mutating func value() throws -> FormatOperand {
        let token = current
        switch token.kind {
        case .symbol("("): return try parenthesized()
        case .symbol("{"): return try list()
        case .text(let text): return constant(.text(text), .text)
        case .integer(let number): return constant(.integer(number), .number)
        case .double(let number): return constant(.double(number), .number)
        case .argument(let argument):
            take()
            return operand(argument, nil, at: token.range)
        case .variable(let name): return try variable(name)
        case .aggregate: return try groupAggregate()
        case .name: return try path(in: .root(of: entity, at: token.range))
        case .word(let word):
            guard FormatKeyword.reserved.contains(word.uppercased()) else {
                return try path(in: .root(of: entity, at: token.range))
            }
            return try keyword(word.uppercased())
        case .symbol, .placeholder, .end:
            throw FormatProblem("expected a value: a property, a number, a text in quotes, $NAME or (", at: token.range)
        }
    }

    private mutating func constant(_ value: QueryValue, _ kind: ValueKind) -> FormatOperand {
        FormatOperand(.value(.value(value), kind), at: take().range)
    }

    private mutating func parenthesized() throws -> FormatOperand {
        let start = take().range
        var inner = try nested { try $0.disjunction() }
        try expect(symbol: ")", "to close the ( at character \(start.lowerBound + 1)")
        inner.range = range(from: start)
        return inner
    }

    private mutating func list() throws -> FormatOperand {
        let start = take().range
        var elements: [FormatOperand] = []
        if !current.isSymbol("}") {
            repeat { elements.append(try nested { try $0.sum() }) } while accept(symbol: ",")
        }
        try expect(symbol: "}", "to end the list, or a comma")
        if let element = elements.first(where: { !$0.passed.isEmpty }) {
            throw FormatProblem("a list holds single values", at: element.range)
        }
        for element in elements { _ = try element.value() }
        return FormatOperand(.list(elements), at: range(from: start))
    }

    private func operand(_ argument: FormatArgument, _ variable: String?, at range: Range<Int>) -> FormatOperand {
        func operand(_ content: FormatOperand.Content) -> FormatOperand {
            var operand = FormatOperand(content, at: range)
            operand.variable = variable
            return operand
        }
        switch argument {
        case .value(let value, let kind): return operand(.value(.value(value), kind))
        case .list(let values, let kind):
            return operand(.list(values.map { operand(.value(.value($0), $0.isNull ? .unknown : kind)) }))
        }
    }

    private mutating func keyword(_ word: String) throws -> FormatOperand {
        switch word {
        case "TRUE", "YES": return constant(.integer(1), .number)
        case "FALSE", "NO": return constant(.integer(0), .number)
        case "NIL", "NULL": return constant(.null, .unknown)
        case "TRUEPREDICATE": return FormatOperand(.condition(.always), at: take().range)
        case "FALSEPREDICATE": return FormatOperand(.condition(.never), at: take().range)
        case "SELF": return try path(afterRow: .root(of: entity, at: take().range))
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try ternary()
        default:
            let hint =
                FormatKeyword.quantifiers.contains(word)
                ? "" : "; a property of this name is written #\(word.lowercased())"
            throw FormatProblem("\(word) cannot stand here\(hint)", at: current.range)
        }
    }

    /// `$x` of a subquery, or a template's variable.
    private mutating func variable(_ name: String) throws -> FormatOperand {
        let range = take().range
        if let subquery = subqueries.last(where: { $0.name == name }) {
            var row = subquery.row
            row.start = range
            return try path(afterRow: row)
        }
        guard !current.isSymbol(".") else {
            throw FormatProblem("$\(name) stands for a value, not for a row of a SUBQUERY", at: range)
        }
        variableNames.insert(name)
        if let argument = variables[name] { return operand(argument, name, at: range) }
        var result = FormatOperand(.value(.parameter(name), .unknown), at: range)
        result.variable = name
        return result
    }

    /// `TERNARY(condition, value, other)`
    private mutating func ternary() throws -> FormatOperand {
        let start = take().range
        try expect(symbol: "(", "after TERNARY")
        return try nested { parser in
            let test = try parser.condition(parser.disjunction())
            try parser.expect(symbol: ",", "after the condition")
            let yes = try parser.sum()
            try parser.expect(symbol: ",", "after the first value")
            let no = try parser.sum()
            try parser.expect(symbol: ")", "to end TERNARY")
            let kind = try yes.value().kind
            let expression: QueryExpression = .conditional(
                test, try yes.value().expression, try no.value(comparableWith: kind))
            return FormatOperand(
                .value(expression, kind == .unknown ? try no.value().kind : kind), at: parser.range(from: start),
                passed: yes.passed + no.passed, depth: max(yes.depth, no.depth) + 1)
        }
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
