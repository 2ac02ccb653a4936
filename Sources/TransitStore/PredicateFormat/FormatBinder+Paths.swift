import RequestGrammar

/// A row along a path. The next name is one of its properties.
struct FormatRow {
    var variable: QueryVariable
    var entity: EntityDescription
    /// To-one relationships from the variable to the row.
    var path = PropertyPath()
    var passed: [RelatedRows] = []
    /// The whole path in the text.
    var range: Range<Int>
}

/// The rest of a path.
struct FormatSteps {
    var names: ArraySlice<Syntax.Path.Name>
    let aggregate: Syntax.Aggregate?

    init(_ path: Syntax.Path) { (names, aggregate) = (path.names[...], path.aggregate) }

    var areOver: Bool { names.isEmpty && aggregate == nil }
}

extension FormatBinder {
    /// The most to-many relationships of a path. Each takes a part of the thread's stack, as a level of nesting does.
    private static let mostRelationships = 50
    /// The most to-one relationships of a path. SQLite joins 64 tables at most.
    private static let mostReferences = 64

    mutating func operand(_ path: Syntax.Path, at range: Range<Int>) throws -> FormatOperand {
        let steps = FormatSteps(path)
        let root = FormatRow(variable: .root, entity: entity, range: range)
        switch path.start {
        case .row(isWritten: true): return try operand(fromRow: root, steps)
        case .row(isWritten: false):
            return try computedOperand(steps, at: range) ?? operand(in: root, steps)
        case .variable(let name):
            if var row = subqueries.last(where: { $0.name == name })?.row {
                row.range = range
                return try operand(fromRow: row, steps)
            }
            guard steps.areOver else {
                throw FormatProblem("$\(name) stands for a value, not for a row of a SUBQUERY", at: path.startRange)
            }
            return variable(name, at: range)
        case .subquery(let subquery):
            let (rows, target) = try self.rows(of: subquery)
            return try operand(after: rows, of: target, called: "SUBQUERY", at: path.startRange, root, steps)
        case .group: return try groupAggregate(path.aggregate, at: range)
        }
    }

    /// The operand for the name of a computed value; nil for other names.
    private func computedOperand(_ steps: FormatSteps, at range: Range<Int>) throws -> FormatOperand? {
        guard let name = steps.names.first, !isMarkedProperty(name), let property = computed[name.text] else {
            return nil
        }
        if let next = steps.names.dropFirst().first?.range ?? steps.aggregate?.range {
            throw FormatProblem("\(name.text) is not a relationship", at: next)
        }
        return FormatOperand(.value(property.expression, property.kind), at: range)
    }

    /// A row itself (`SELF`, `$x`), or a path that starts from it.
    private mutating func operand(fromRow row: FormatRow, _ steps: FormatSteps) throws -> FormatOperand {
        guard steps.areOver else { return try operand(in: row, steps) }
        let operand = FormatOperand(.rows(row.entity, row.variable), at: row.range, passed: row.passed)
        _ = try operand.value()
        return operand
    }

    /// A path whose next name is a property of the row.
    mutating func operand(in start: FormatRow, _ steps: FormatSteps) throws -> FormatOperand {
        var (row, steps) = (start, steps)
        while let name = steps.names.popFirst() {
            switch row.entity.property(named: name.text) {
            case .attribute(let index): return try attribute(index, of: row, steps)
            case .toMany(let position): return try related(position, name.range, of: row, steps)
            case .toOne(let index):
                guard let target = row.entity.columns[index].target.flatMap(model.entity(named:)) else {
                    return try attribute(index, of: row, steps)
                }
                row.path.append(row.entity.columns[index].property)
                guard row.path.count <= Self.mostReferences else {
                    throw FormatProblem(
                        "the path leads through more than \(Self.mostReferences) to-one relationships", at: name.range)
                }
                guard !steps.areOver else { return reference(to: target, row) }
                row.entity = target
            case nil:
                let isAlone = row.passed.isEmpty && row.path.isEmpty && steps.areOver && row.range == name.range
                throw unknownProperty(name, of: row.entity, isAlone: isAlone && !name.isMarked)
            }
        }
        throw FormatProblem(
            "an aggregate follows a to-many relationship, as in stopTimes.@count",
            at: steps.aggregate?.range ?? row.range)
    }

    private func reference(to target: EntityDescription, _ row: FormatRow) -> FormatOperand {
        FormatOperand(
            .value(.property(row.variable, row.path), .reference(target.table)), at: row.range, passed: row.passed)
    }

    private func attribute(_ index: Int, of row: FormatRow, _ steps: FormatSteps) throws -> FormatOperand {
        let column = row.entity.columns[index]
        let kind = row.entity.kind(ofColumn: index)
        let expression: QueryExpression = .property(row.variable, row.path + [column.property])
        guard let next = steps.names.first?.range ?? steps.aggregate?.range else {
            return FormatOperand(.value(expression, kind), at: row.range, passed: row.passed)
        }
        guard kind == .text, steps.names.first?.text == "length" else {
            let hint = kind == .text ? "; of a text, only its length can be asked" : ""
            throw FormatProblem("\(column.property) is not a relationship\(hint)", at: next)
        }
        if let further = steps.names.dropFirst().first?.range ?? steps.aggregate?.range {
            throw FormatProblem("length is not a relationship", at: further)
        }
        return FormatOperand(.value(.length(expression), .number), at: row.range, passed: row.passed)
    }

    private mutating func related(
        _ position: Int, _ range: Range<Int>, of row: FormatRow, _ steps: FormatSteps
    ) throws -> FormatOperand {
        guard row.passed.count < Self.mostRelationships else {
            throw FormatProblem(
                "the path leads through more than \(Self.mostRelationships) to-many relationships", at: range)
        }
        let relationship = row.entity.toMany(at: position)
        guard let target = model.entity(named: relationship.table) else {
            throw FormatProblem(
                "the store has no table \(relationship.table)", at: row.range.lowerBound..<range.upperBound,
                code: .unknownEntity)
        }
        let rows = RelatedRows(
            of: row.variable, path: row.path + [relationship.name], variable: newVariable(), yields: .exists)
        let name = (row.path + [relationship.name]).joined(separator: ".")
        return try operand(after: rows, of: target, called: name, at: range, row, steps)
    }

    /// What follows a to-many relationship: an aggregate such as `.@count`, or if `isQuantified` the rest of the path.
    private mutating func operand(
        after rows: RelatedRows, of target: EntityDescription, called name: String, at range: Range<Int>,
        _ row: FormatRow, _ steps: FormatSteps
    ) throws -> FormatOperand {
        if steps.names.isEmpty, let aggregate = steps.aggregate {
            let (expression, kind) = try self.aggregate(aggregate, over: rows, target)
            return FormatOperand(.value(expression, kind), at: row.range, passed: row.passed)
        }
        guard isQuantified else {
            throw manyRows(name, at: row.range.lowerBound..<max(range.upperBound, row.range.lowerBound + 1))
        }
        let next = FormatRow(variable: rows.variable, entity: target, passed: row.passed + [rows], range: row.range)
        guard steps.areOver else { return try operand(in: next, steps) }
        return FormatOperand(.rows(target, rows.variable), at: row.range, passed: next.passed)
    }

    /// Whether a name is written with `#` and is a property's name. Any other name may be that of a column.
    func isMarkedProperty(_ name: Syntax.Path.Name) -> Bool {
        name.isMarked && entity.property(named: name.text) != nil
    }

    /// The error for a path that leads to many rows. It says what to write instead: in a comparison ANY, ALL or NONE,
    /// or an aggregate; elsewhere only an aggregate.
    private func manyRows(_ name: String, at range: Range<Int>) -> FormatProblem {
        guard isCompared else {
            let reason =
                "\(name) stands for many rows (a to-many relationship), which cannot be sorted by, fetched or grouped "
                + "by; ask for \(name).@count, or for another aggregate such as \(name).@min.NAME"
            return FormatProblem(reason, at: range, code: .untranslatable)
        }
        let wanted =
            hasQuantifier
            ? "they stand to the left of the operator"
            : name == "SUBQUERY"
                ? "ask for their number, as in SUBQUERY(…).@count > 0"
                : "put ANY, ALL or NONE before the comparison, or ask for \(name).@count or a SUBQUERY"
        return FormatProblem("\(name) stands for many rows: \(wanted)", at: range)
    }

    /// A name that stands alone may be a text without quotes.
    private func unknownProperty(
        _ name: Syntax.Path.Name, of entity: EntityDescription, isAlone: Bool
    ) -> FormatProblem {
        let further = entity == self.entity ? computed.keys.sorted() : []
        let hint = entity.hint(forProperty: name.text, further: further, mayBeText: isAlone)
        return FormatProblem(
            "\(entity.name) has no property \(name.text); \(hint)", at: name.range, code: .unknownProperty)
    }
}
