extension FormatParser {
    /// A single value, a list, or what stands in parentheses.
    mutating func value() throws -> FormatOperand {
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
            if following.isSymbol("("), let function = FormatFunction(written: word) { return try call(function) }
            if let property = computed[word] {
                return FormatOperand(.value(property.expression, property.kind), at: take().range)
            }
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
        case "INFINITY": return constant(.double(.infinity), .number)
        case "NAN": return constant(.double(.nan), .number)
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
