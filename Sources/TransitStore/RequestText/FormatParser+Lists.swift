import ICU

extension FormatParser {
    /// `name[cd] DESC, departureTime NULLS LAST`
    mutating func sorts(groups: Bool) throws -> [SortTerm] {
        allowsGroups = groups
        return try list { parser in
            let (expression, kind) = try parser.sum().value()
            var term = SortTerm(expression: expression)
            if parser.accept(symbol: "[") {
                guard kind == .text, parser.accept(keyword: "CD"), parser.accept(symbol: "]") else {
                    throw FormatProblem("a sort takes [cd], for texts", at: parser.current.range)
                }
                term.expression = .folded(expression)
            }
            if parser.accept(keyword: "LOCALE") { term.collation = try parser.localeName() }
            if !parser.accept(keyword: "ASC"), parser.accept(keyword: "DESC") { term.isAscending = false }
            if parser.accept(keyword: "NULLS") { term.nulls = try parser.nulls() }
            return term
        }
    }

    private mutating func localeName() throws -> String {
        let token = take()
        switch token.kind {
        case .word(let written), .text(let written):
            let name = LocaleCollation.tag(of: written)
            guard NameCollator(locale: name) != nil else {
                throw FormatProblem(
                    "there is no locale \(name); one is written as a language tag: de, sv, 'de-AT'", at: token.range)
            }
            return name
        default: throw FormatProblem("expected a locale, such as de or 'de-AT'", at: token.range)
        }
    }

    private mutating func nulls() throws -> SortTerm.Nulls {
        if accept(keyword: "FIRST") { return .first }
        if accept(keyword: "LAST") { return .last }
        throw FormatProblem("expected FIRST or LAST", at: current.range)
    }

    /// `departureTime, trip.route.shortName AS line, @count`
    mutating func properties(groups: Bool) throws -> [ReadProperty] {
        allowsGroups = groups
        // What was written for each name: a result has room for one value under a name.
        var known: [String: String] = [:]
        return try list { parser in
            let start = parser.current.range
            let (expression, kind) = try parser.sum().value()
            let written = parser.text(parser.range(from: start))
            let name = parser.accept(keyword: "AS") ? try parser.columnName() : expression.defaultName ?? written
            let whole = parser.range(from: start)
            if let other = known.updateValue(written, forKey: name) {
                throw FormatProblem(
                    "\(other) and \(written) would both be called \(name); give one another name with AS", at: whole,
                    code: .ambiguousName)
            }
            return ReadProperty(name: name, expression: expression, kind: kind)
        }
    }

    private mutating func columnName() throws -> String {
        let token = take()
        switch token.kind {
        case .word(let name), .name(let name), .text(let name): return name
        default: throw FormatProblem("expected a name for the column", at: token.range)
        }
    }

    /// `stopTimes.trip, level`: relationships to read along.
    mutating func relationshipPaths() throws -> [String] {
        try list { parser in
            var names: [String] = []
            var entity: EntityDescription? = parser.entity
            repeat {
                let token = parser.take()
                guard let owner = entity, let name = token.propertyName else {
                    throw FormatProblem("expected a relationship of \((entity ?? parser.entity).name)", at: token.range)
                }
                guard let table = owner.relatedTable(name) else {
                    throw FormatProblem(owner.noRelationship(name), at: token.range, code: .unknownProperty)
                }
                names.append(name)
                entity = parser.model.entity(named: table)
            } while parser.accept(symbol: ".")
            return names.joined(separator: ".")
        }
    }

    /// A condition on groups.
    mutating func groupPredicate() throws -> QueryExpression {
        allowsGroups = true
        return try predicate()
    }

    /// Elements with commas between; none for a blank text.
    private mutating func list<Element>(_ element: (inout FormatParser) throws -> Element) throws -> [Element] {
        var elements: [Element] = []
        guard current.kind != .end else { return elements }
        repeat { elements.append(try element(&self)) } while accept(symbol: ",")
        guard current.kind == .end else { throw FormatProblem("expected a comma or the end", at: current.range) }
        return elements
    }
}

extension QueryExpression {
    /// The name that the typed API gives such a property: `stop.name`, `count`, `min(departureTime)`.
    fileprivate var defaultName: String? {
        switch self {
        case .property(.root, let path): path.joined(separator: ".")
        case .aggregate(.count, nil): "count"
        case .aggregate(let function, .property(.root, let path)): "\(function)(\(path.joined(separator: ".")))"
        default: nil
        }
    }
}
