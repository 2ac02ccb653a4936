/// Parses paths, subqueries, and aggregates such as `@count`.
extension SyntaxParser {
    /// A path from the fetched row whose first name is the current token.
    mutating func path() throws(SyntaxProblem) -> Syntax {
        let start = current.range
        var path = Syntax.Path(start: .row(isWritten: false), startRange: start)
        try goOn(&path)
        return try node(.path(path), at: range(from: start))
    }

    /// A row itself (`SELF`, `$x`), or a path that starts at it. The row's token is already taken.
    mutating func path(from row: Syntax.Path.Start, at start: Range<Int>) throws(SyntaxProblem) -> Syntax {
        var path = Syntax.Path(start: row, startRange: start)
        if accept(symbol: ".") { try goOn(&path) }
        return try node(.path(path), at: range(from: start))
    }

    /// A path in parentheses with names after it: `(parentStation).name`. Returns anything else unchanged.
    mutating func path(goingOn inner: Syntax) throws(SyntaxProblem) -> Syntax {
        guard case .path(var path) = inner.content, path.aggregate == nil else { return inner }
        take()
        try goOn(&path)
        return try node(.path(path), at: range(from: inner.range))
    }

    /// Adds names, joined by points, and at the end perhaps an aggregate.
    private mutating func goOn(_ path: inout Syntax.Path) throws(SyntaxProblem) {
        repeat {
            let token = current
            if case .aggregate = token.kind {
                path.aggregate = try aggregate(after: path.names.map(\.text))
                return
            }
            // After a point, keywords are names too.
            guard let name = Syntax.Path.Name(token) else {
                throw SyntaxProblem("expected a property's name", at: token.range)
            }
            take()
            path.names.append(name)
        } while accept(symbol: ".")
        guard current.isSymbol("("), let last = path.names.last else { return }
        let known = Syntax.Function.allCases.map { $0.rawValue + "(…)" }.joined(separator: ", ")
        throw SyntaxProblem(
            "there is no function \(last.text); \(known), SUBQUERY(…) and TERNARY(…) are all there are", at: last.range)
    }

    /// `@count`, `@min.departureTime`; `names` lead to the rows.
    mutating func aggregate(after names: [String] = []) throws(SyntaxProblem) -> Syntax.Aggregate {
        let token = take()
        guard case .aggregate(let word) = token.kind, let function = Syntax.Aggregate.Function(word: word) else {
            throw SyntaxProblem("expected @count, @min, @max, @avg or @sum", at: token.range)
        }
        guard function != .count || current.isSymbol(".") else {
            return Syntax.Aggregate(function: function, word: word, range: token.range, path: nil)
        }
        let (rows, property) =
            names.count > 1 ? (names.dropLast(), names[names.count - 1]) : (names[...], "departureTime")
        let example = (rows + ["@\(word)", property]).joined(separator: ".")
        try expect(symbol: ".", "and a property after @\(word), as in \(example)")
        let argument = try nested { parser throws(SyntaxProblem) in try parser.path() }
        return Syntax.Aggregate(
            function: function, word: word, range: token.range, path: Syntax.Aggregate.Box(argument))
    }

    /// `SUBQUERY(stopTimes, $x, $x.departureTime > 28800)`
    mutating func subquery() throws(SyntaxProblem) -> Syntax {
        let start = take().range
        try expect(symbol: "(", "after SUBQUERY")
        let collection = try nested { parser throws(SyntaxProblem) in try parser.calculation() }
        try expect(symbol: ",", "after the relationship")
        guard case .variable(let name) = current.kind else {
            throw SyntaxProblem("expected a variable for the related rows, such as $x", at: current.range)
        }
        let variable = take().range
        try expect(symbol: ",", "after the variable")
        let condition = try nested { parser throws(SyntaxProblem) in try parser.condition(parser.disjunction()) }
        try expect(symbol: ")", "to end SUBQUERY")
        let subquery = Syntax.Subquery(
            collection: collection, variable: name, variableRange: variable, condition: condition)
        return try path(from: .subquery(subquery), at: start)
    }
}

extension Syntax.Aggregate.Function {
    fileprivate init?(word: String) {
        switch word.lowercased() {
        case "average": self = .average
        case let word: self.init(rawValue: word)
        }
    }
}
