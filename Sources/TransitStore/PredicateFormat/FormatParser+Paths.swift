/// A row along a path: where the next name belongs.
struct FormatRow {
    var variable: QueryVariable
    var entity: EntityDescription
    /// To-one relationships from the variable to the row.
    var path: [String] = []
    var passed: [RelatedRows] = []
    /// Where the path begins in the text.
    var start: Range<Int>

    static func root(of entity: EntityDescription, at start: Range<Int>) -> FormatRow {
        FormatRow(variable: .root, entity: entity, start: start)
    }
}

extension FormatParser {
    /// A row as it is (`SELF`, `$x`), or a path that goes on from it.
    mutating func path(afterRow row: FormatRow) throws -> FormatOperand {
        if accept(symbol: ".") { return try path(in: row) }
        let operand = FormatOperand(.rows(row.entity, row.variable), at: range(from: row.start), passed: row.passed)
        _ = try operand.value()
        return operand
    }

    /// A path whose next name is the current token.
    mutating func path(in start: FormatRow) throws -> FormatOperand {
        var row = start
        while true {
            let token = current
            guard let name = token.propertyName else { throw FormatProblem(expectedName(in: row), at: token.range) }
            take()
            switch row.entity.property(named: name) {
            case .attribute(let index): return try attribute(index, of: row)
            case .toMany(let position): return try related(position, of: row)
            case .toOne(let index):
                guard let target = row.entity.columns[index].target.flatMap(model.entity(named:)) else {
                    return try attribute(index, of: row)
                }
                row.path.append(row.entity.columns[index].property)
                guard accept(symbol: ".") else { return reference(to: target, row) }
                row.entity = target
            case nil: throw unknownProperty(name, of: row.entity, at: token.range)
            }
        }
    }

    private func reference(to target: EntityDescription, _ row: FormatRow) -> FormatOperand {
        FormatOperand(
            .value(.property(row.variable, row.path), .reference(target.table)), at: range(from: row.start),
            passed: row.passed)
    }

    private mutating func attribute(_ index: Int, of row: FormatRow) throws -> FormatOperand {
        let column = row.entity.columns[index]
        var kind = row.entity.kind(ofColumn: index)
        var expression: QueryExpression = .property(row.variable, row.path + [column.property])
        if accept(symbol: ".") {
            guard kind == .text, current.propertyName == "length" else {
                let hint = kind == .text ? "; of a text, only its length can be asked" : ""
                throw FormatProblem("\(column.property) is no relationship\(hint)", at: current.range)
            }
            take()
            (expression, kind) = (.length(expression), .number)
        }
        return FormatOperand(.value(expression, kind), at: range(from: row.start), passed: row.passed)
    }

    private mutating func related(_ position: Int, of row: FormatRow) throws -> FormatOperand {
        let relationship = row.entity.toMany(at: position)
        guard let target = model.entity(named: relationship.table) else {
            let reason = "the store has no table \(relationship.table)"
            throw FormatProblem(reason, at: range(from: row.start), code: .unknownEntity)
        }
        let rows = RelatedRows(
            of: row.variable, path: row.path + [relationship.name], variable: newVariable(), yields: .exists)
        return try path(after: rows, of: target, called: relationship.name, row)
    }

    /// What may follow many rows: `.@count` and its kin, or under ANY and its kin a path that goes on.
    mutating func path(
        after rows: RelatedRows, of target: EntityDescription, called name: String, _ row: FormatRow
    ) throws -> FormatOperand {
        let isFollowed = accept(symbol: ".")
        if isFollowed, case .aggregate = current.kind {
            let (expression, kind) = try aggregate(over: rows, target)
            return FormatOperand(.value(expression, kind), at: range(from: row.start), passed: row.passed)
        }
        guard isQuantified else {
            let reason =
                "\(name) stands for many rows: put ANY, ALL or NONE before the comparison, or ask for "
                + "\(name).@count or a SUBQUERY"
            throw FormatProblem(reason, at: range(from: row.start))
        }
        let next = FormatRow(
            variable: rows.variable, entity: target, passed: row.passed + [rows], start: row.start)
        if isFollowed { return try path(in: next) }
        return FormatOperand(.rows(target, rows.variable), at: range(from: row.start), passed: next.passed)
    }

    // MARK: Problems

    private func expectedName(in row: FormatRow) -> String {
        if case .aggregate = current.kind {
            return "an aggregate follows a to-many relationship, as in stopTimes.@count"
        }
        return "expected a property of \(row.entity.name)"
    }

    private func unknownProperty(_ name: String, of entity: EntityDescription, at range: Range<Int>) -> FormatProblem {
        if current.isSymbol("(") {
            let known = FormatFunction.allCases.map { $0.rawValue + "(…)" }.joined(separator: ", ")
            return FormatProblem(
                "there is no function \(name); \(known), SUBQUERY(…) and TERNARY(…) are all there are", at: range)
        }
        let further = entity == self.entity ? computed.keys.sorted() : []
        let hint = entity.hint(forProperty: name, further: further)
        return FormatProblem("\(entity.name) has no property \(name); \(hint)", at: range, code: .unknownProperty)
    }
}

extension FormatToken {
    /// A name in a path; after a point, keywords are names as well.
    var propertyName: String? {
        switch kind {
        case .word(let word), .name(let word): word
        default: nil
        }
    }
}
