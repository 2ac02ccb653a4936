import RequestGrammar

extension QueryExpression: CustomStringConvertible {
    /// The expression in the language of textual predicates. Reading the text gives the same expression.
    ///
    /// ```text
    /// name BEGINSWITH[cd] 'u gorli' AND SUBQUERY(stopTimes, $x1, $x1.departureTime >= 28800).@count != 0
    /// ```
    package var description: String { ExpressionWords(avoiding: self).text(self) }
}

/// Writes expressions as texts.
private struct ExpressionWords {
    /// The name of the rows of subqueries without their number: `x` of `$x1`.
    private let rowName: String

    /// Chooses a name that no open variable of the expression begins with.
    init(avoiding expression: QueryExpression) {
        var open: [String] = []
        expression.forEachPart { part in
            if case .parameter(let name) = part { open.append(name) }
            if case .listed(_, _, let name, _) = part { open.append(name) }
        }
        var name = "x"
        while open.contains(where: { $0.hasPrefix(name) }) { name += "x" }
        rowName = name
    }

    func text(_ expression: QueryExpression) -> String {
        switch expression {
        case .value(let value): value.inWords
        case .parameter(let name): "$\(name)"
        case .object(let variable): variable == .root ? "SELF" : name(variable)
        case .property(let variable, let path): self.path(variable, path)
        case .comparison(let op, let left, let right):
            "\(operand(left)) \(op == .notEqual ? "!=" : op.rawValue) \(operand(right))"
        case .text(.beginsWith, _, let left, .value(.text(""))): "\(operand(left)) LIKE '*'"
        case .text(let op, let options, let left, let right):
            "\(operand(left)) \(op.rawValue)\(options.brackets) \(operand(right))"
        case .membership(let element, let values):
            "\(operand(element)) IN {\(values.map(\.inWords).joined(separator: ", "))}"
        case .listed(let element, let test, let name, let options):
            "\(operand(element)) \(test.rawValue)\(options.brackets) $\(name)"
        case .all(let parts): conjunction(parts)
        case .inStore: "TRUEPREDICATE"
        case .any(let parts): parts.isEmpty ? "FALSEPREDICATE" : parts.map(conjunct).joined(separator: " OR ")
        case .not(let part): "NOT (\(text(part)))"
        case .arithmetic(let op, let left, let right): "\(operand(left)) \(op.rawValue) \(operand(right))"
        case .negative(let part): "-\(operand(part))"
        case .conditional(.inStore, let row, _): text(row)
        case .conditional(let test, let yes, let no): "TERNARY(\(text(test)), \(operand(yes)), \(operand(no)))"
        case .coalesce(let value, let otherwise): "coalesce(\(operand(value)), \(operand(otherwise)))"
        case .folded(let part): "folded(\(operand(part)))"
        case .length(.property(let variable, let path)): self.path(variable, path + ["length"])
        case .length(let part): "length(\(operand(part)))"
        case .related(let rows): related(rows)
        case .aggregate(let function, let part): aggregate(function, part, .root)
        case .distance(let variable, let path, let place):
            "distance(\(row(variable, path))\(place.latitude), \(place.longitude))"
        case .box(let variable, let path, let box):
            "inBox(\(row(variable, path))\(edges(box).map { QueryValue.double($0).inWords }.joined(separator: ", ")))"
        case .searchTerm(let variable, let path, let prefix):
            "hasWords(\(row(variable, path))\(QueryValue.text(prefix).inWords))"
        }
    }

    /// The text of an operand of a comparison or sum. A condition is 1 or 0 there.
    private func operand(_ expression: QueryExpression) -> String {
        switch expression {
        case .arithmetic, .negative: "(\(text(expression)))"
        default: expression.isCondition ? "TERNARY(\(text(expression)), TRUE, FALSE)" : text(expression)
        }
    }

    /// The store of an id is left out: words name rows by their numbers alone.
    private func conjunction(_ parts: [QueryExpression]) -> String {
        let parts = parts.filter { if case .inStore = $0 { false } else { true } }
        return parts.isEmpty ? "TRUEPREDICATE" : parts.map(conjunct).joined(separator: " AND ")
    }

    /// The text of an operand of AND or OR.
    private func conjunct(_ expression: QueryExpression) -> String {
        switch expression {
        case .all(let parts) where parts.count > 1: "(\(text(expression)))"
        case .any(let parts) where parts.count > 1: "(\(text(expression)))"
        default: text(expression)
        }
    }

    private func related(_ rows: RelatedRows) -> String {
        let all = path(rows.owner, rows.path)
        let narrowed =
            rows.condition == .always ? all : "SUBQUERY(\(all), \(name(rows.variable)), \(text(rows.condition)))"
        return "\(narrowed).\(yield(of: rows))"
    }

    private func yield(of rows: RelatedRows) -> String {
        switch rows.yields {
        case .exists: "@count != 0"
        case .count: "@count"
        case .aggregate(let function, let part): aggregate(function, part, rows.variable)
        }
    }

    /// `@count`, `@min.departureTime`, `@max.stopTimes.@count`
    private func aggregate(_ function: AggregateFunction, _ part: QueryExpression?, _ row: QueryVariable) -> String {
        guard let part else { return "@\(function.rawValue)" }
        guard let path = path(part, from: row) else { return "@\(function.rawValue)(\(text(part)))" }
        return "@\(function.rawValue).\(path)"
    }

    /// What may follow `@max.`: names from the row on, then perhaps `length` or another aggregate; otherwise nil.
    private func path(_ part: QueryExpression, from row: QueryVariable) -> String? {
        switch part {
        case .property(row, let path): names(path)
        case .length(.property(row, let path)): "\(names(path)).length"
        case .related(let rows) where rows.owner == row && rows.condition == .always && rows.yields != .exists:
            "\(names(rows.path)).\(yield(of: rows))"
        default: nil
        }
    }

    private func names(_ path: PropertyPath) -> String { path.map(Self.propertyName).joined(separator: ".") }

    private func edges(_ box: BoundingBox) -> [Double] {
        [box.minLatitude, box.minLongitude, box.maxLatitude, box.maxLongitude]
    }

    // MARK: Names

    private func name(_ variable: QueryVariable) -> String { "$\(rowName)\(variable.number.magnitude)" }

    private func path(_ variable: QueryVariable, _ path: PropertyPath) -> String {
        let names = path.map(Self.propertyName)
        guard variable == .root else { return ([name(variable)] + names).joined(separator: ".") }
        // Only the first name of a path could be taken for a keyword.
        let isKeyword = path.first.map { Keyword.reserved.contains($0.uppercased()) } ?? false
        return (isKeyword ? "#" : "") + names.joined(separator: ".")
    }

    /// A row as the first argument of a function; empty for the fetched row.
    private func row(_ variable: QueryVariable, _ path: PropertyPath) -> String {
        variable == .root && path.isEmpty ? "" : self.path(variable, path) + ", "
    }

    private static func propertyName(_ name: String) -> String {
        SyntaxScanner.isWord(name) ? name : "#" + QueryValue.text(name).inWords
    }
}

extension QueryValue {
    /// The value as textual predicates write it: `NIL`, `42`, `'it\'s'`.
    fileprivate var inWords: String {
        switch self {
        case .null: "NIL"
        case .integer(let number): String(number)
        case .double(let number) where number.isNaN: "NAN"
        case .double(let number) where number.isInfinite: number < 0 ? "-INFINITY" : "INFINITY"
        case .double(let number): String(number)
        case .text(let text): text.quoted(by: "'")
        }
    }
}

extension String {
    /// The text in quotes, as JSON and textual predicates write it. The quote and the backslash get a backslash before
    /// them, and control characters are escaped.
    func quoted(by quote: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([quote])
        for scalar in unicodeScalars {
            switch scalar {
            case quote, "\\": quoted += ["\\", scalar]
            case "\n": quoted += ["\\", "n"]
            case "\r": quoted += ["\\", "r"]
            case "\t": quoted += ["\\", "t"]
            case _ where scalar.value < 32:
                quoted += "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))".unicodeScalars
            default: quoted.append(scalar)
            }
        }
        quoted.append(quote)
        return String(quoted)
    }
}

extension TextOptions {
    fileprivate var brackets: String {
        isEmpty ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}
