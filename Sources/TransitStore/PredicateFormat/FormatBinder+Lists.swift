import ICU
import RequestGrammar

extension FormatBinder {
    /// `name[cd] DESC, departureTime NULLS LAST`, over a result with these columns.
    ///
    /// Names have the same meaning as in SQL's ORDER BY (<https://sqlite.org/lang_select.html#orderby>). If a name is
    /// the whole sort key, a column takes precedence over a property; inside a longer key, the property does.
    mutating func sorts(groups: Bool, columns: [ReadProperty]) throws -> [SortTerm] {
        allowsGroups = groups
        nameColumns(columns)
        var terms: [SortTerm] = []
        for key in try parse({ parser throws(SyntaxProblem) in try parser.sortKeys() }) {
            let name = columnName(key.value)
            let column = name.flatMap { name in columns.first { $0.name.hasSameBytes(as: name) } }
            let (expression, kind) = try column.map { ($0.expression, $0.kind) } ?? operand(key.value).value()
            var term = SortTerm(expression: expression)
            if let folding = key.folding {
                guard kind == .text else { throw FormatProblem("a sort takes [cd], for texts", at: folding) }
                term.expression = .folded(expression)
            }
            if let (name, range) = key.locale { term.collation = try collation(name, at: range) }
            term.isAscending = key.isAscending
            term.nulls = key.areMissingFirst.map { $0 ? .first : .last } ?? term.nulls
            terms.append(term)
        }
        return terms
    }

    /// The name that is the whole expression, if it may be that of a column.
    private func columnName(_ syntax: Syntax) -> String? {
        syntax.loneName.flatMap { isMarkedProperty($0) ? nil : $0.text }
    }

    /// Lets the names of a result's columns stand for their values, except names that a property has.
    mutating func nameColumns(_ columns: [ReadProperty]) {
        for column in columns where entity.property(named: column.name) == nil {
            computed[column.name] = computed[column.name] ?? column
        }
    }

    private func collation(_ written: String, at range: Range<Int>) throws -> String {
        let name = LocaleCollation.tag(of: written)
        guard LocaleCollation.collator(of: name) != nil else {
            throw FormatProblem(
                "there is no locale \(name); one is written as a language tag: de, sv, 'de-AT'", at: range)
        }
        return name
    }

    /// `departureTime, trip.route.shortName AS line, @count`
    mutating func properties(groups: Bool) throws -> [ReadProperty] {
        allowsGroups = groups
        // The text of the column with each name. A result has only one value for each name.
        var known: [ExactText: String] = [:]
        var properties: [ReadProperty] = []
        for column in try parse({ parser throws(SyntaxProblem) in try parser.columns() }) {
            let (expression, kind) = try operand(column.value).value()
            // A column keeps its name: with `id AS a, id AS b`, the groups of `a, b` are not both called id.
            let given = columnName(column.value).flatMap { computed[$0]?.name }
            let name = column.name ?? given ?? expression.defaultName ?? column.text
            if let other = known.updateValue(column.text, forKey: ExactText(name)) {
                throw FormatProblem(
                    "\(other) and \(column.text) would both be called \(name); give one another name with AS",
                    at: column.range, code: .ambiguousName)
            }
            properties.append(ReadProperty(name: name, expression: expression, kind: kind))
        }
        return properties
    }

    /// `stopTimes.trip, level`: relationships to prefetch.
    mutating func relationshipPaths() throws -> [String] {
        try parse { parser throws(SyntaxProblem) in try parser.names() }.map { names in
            var entity: EntityDescription? = self.entity
            for name in names {
                guard let owner = entity else {
                    throw FormatProblem("expected a relationship of \(self.entity.name)", at: name.range)
                }
                guard let table = owner.relatedTable(name.text) else {
                    throw FormatProblem(owner.noRelationship(name.text), at: name.range, code: .unknownProperty)
                }
                entity = model.entity(named: table)
            }
            return names.map(\.text).joined(separator: ".")
        }
    }
}

extension Syntax {
    /// The name that the whole expression consists of; nil for any other expression.
    fileprivate var loneName: Path.Name? {
        guard case .path(let path) = content, case .row(isWritten: false) = path.start, path.aggregate == nil,
            path.names.count == 1
        else { return nil }
        return path.names[0]
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
