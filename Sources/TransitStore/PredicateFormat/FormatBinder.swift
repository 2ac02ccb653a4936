import RequestGrammar

/// Turns the syntax tree of a text into an expression over the rows of an entity.
struct FormatBinder {
    private var parser: SyntaxParser
    let model: StoreModel
    let entity: EntityDescription
    /// The values for the text's placeholders.
    private let arguments: [FormatArgument]
    /// Values of `$NAME`; a name without one stays open.
    private let variables: [String: FormatArgument]
    /// The names of the variables that have been read.
    private(set) var variableNames: Set<String> = []
    /// Names in addition to the entity's properties, such as the distance from the place that a command asks about.
    var computed: [String: ReadProperty]
    /// Whether aggregates such as `@count` may stand alone. Such an aggregate is over the rows of a group.
    var allowsGroups = false
    /// The result's columns by name, which a condition on groups may ask about as variables.
    private var groupColumns: [String: ReadProperty] = [:]
    /// Whether paths may pass to-many relationships: under ANY, ALL, NONE and after IN.
    var isQuantified = false
    /// Whether the value being read is a side of a comparison, before which ANY, ALL or NONE may stand.
    private(set) var isCompared = false
    /// Whether ANY, ALL or NONE stands before the comparison whose right side is being read.
    private(set) var hasQuantifier = false
    /// What SUBQUERY's variables stand for, the innermost last.
    var subqueries: [(name: String, row: FormatRow)] = []
    private var lastVariable = 0
    /// How many calls of abs are around the value that is being read.
    var absDepth = 0
    static let mostAbs = 2

    init(
        _ text: String, arguments: [Any?], variables: [String: FormatArgument], computed: [String: ReadProperty],
        entity: EntityDescription, model: StoreModel
    ) throws {
        let bound = try SyntaxToken.binding(arguments, to: SyntaxScanner.tokens(of: text))
        parser = SyntaxParser(text, tokens: bound.tokens)
        self.arguments = bound.values
        self.variables = variables
        self.computed = computed
        self.entity = entity
        self.model = model
    }

    /// Reads the text by a rule of the grammar.
    mutating func parse<Result>(
        _ rule: (inout SyntaxParser) throws(SyntaxProblem) -> Result
    ) throws(SyntaxProblem) -> Result { try rule(&parser) }

    /// The whole text as a condition. A blank text matches every row.
    mutating func predicate() throws -> QueryExpression {
        let syntax = try parse { parser throws(SyntaxProblem) in try parser.predicate() }
        return try syntax.map { try condition($0) } ?? .always
    }

    /// A condition on groups, in which names of the result's columns may stand: `count > 1`, and `$count > 1`, as
    /// Core Data writes it.
    mutating func groupPredicate(columns: [ReadProperty] = []) throws -> QueryExpression {
        allowsGroups = true
        nameColumns(columns)
        groupColumns = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return try predicate()
    }

    mutating func newVariable() -> QueryVariable {
        lastVariable += 1
        return QueryVariable(lastVariable)
    }

    // MARK: Conditions

    /// An expression that must be true or false. Throws `FormatProblem` for a value.
    mutating func condition(_ syntax: Syntax) throws -> QueryExpression {
        guard case .condition(let condition) = try operand(syntax).content else {
            throw FormatProblem("expected a condition", at: syntax.range)
        }
        return condition
    }

    private mutating func conditions(_ parts: [Syntax]) throws -> [QueryExpression] {
        var conditions: [QueryExpression] = []
        for part in parts { conditions.append(try condition(part)) }
        return conditions
    }

    private mutating func comparison(_ written: Syntax.Comparison) throws -> QueryExpression {
        let mayBeMany = written.quantifier != nil || written.op == .contains || isQuantified
        let left = try operand(written.left, isQuantified: mayBeMany)
        let outer = hasQuantifier
        hasQuantifier = written.quantifier != nil
        defer { hasQuantifier = outer }
        let right = try operand(written.right, isQuantified: written.op == .in)
        guard right.passed.isEmpty || written.op == .in else {
            let name = written.operatorWord ?? "the comparison"
            throw FormatProblem("\(name) needs one value on its right", at: right.range)
        }
        let comparison = FormatComparison(
            op: written.op, options: TextOptions(rawValue: written.options.rawValue), left: left,
            right: right, operatorRange: written.operatorRange)
        if written.op == .contains, written.quantifier == nil, !left.passed.isEmpty {
            return try comparison.membership()
        }
        return try quantified(written.quantifier, left, try comparison.condition())
    }

    private mutating func operand(_ syntax: Syntax, isQuantified: Bool) throws -> FormatOperand {
        let outer = (self.isQuantified, isCompared)
        defer { (self.isQuantified, isCompared) = outer }
        (self.isQuantified, isCompared) = (isQuantified, true)
        return try operand(syntax)
    }

    /// Tests whether any, all or none of the rows on the path of the left side meet a condition.
    private func quantified(
        _ quantifier: Syntax.Quantifier?, _ left: FormatOperand, _ condition: QueryExpression
    ) throws -> QueryExpression {
        guard let quantifier else {
            guard left.passed.isEmpty else {
                throw FormatProblem("put ANY, ALL or NONE directly before the comparison", at: left.range)
            }
            return condition
        }
        // Without a to-many relationship on the path, the comparison is about a single row, as in Core Data.
        switch quantifier {
        case .allRows: return .not(left.passed.any(.not(condition)))
        case .noRow: return .not(left.passed.any(condition))
        case .anyRow, .someRow: return left.passed.any(condition)
        }
    }

    // MARK: Values

    mutating func operand(_ syntax: Syntax) throws -> FormatOperand {
        let range = syntax.range
        switch syntax.content {
        case .text(let text): return FormatOperand(.value(.value(.text(text)), .text), at: range)
        case .integer(let number): return FormatOperand(.value(.value(.integer(number)), .number), at: range)
        case .double(let number): return FormatOperand(.value(.value(.double(number)), .number), at: range)
        case .missing: return FormatOperand(.value(.value(.null), .unknown), at: range)
        case .argument(let place): return operand(arguments[place], nil, at: range)
        case .list(let elements): return try list(elements, at: range)
        case .path(let path): return try operand(path, at: range)
        case .call(let function, let arguments): return try call(function, arguments, at: range)
        case .ternary(let test, let yes, let no): return try ternary(condition(test), yes, no, at: range)
        case .negative(let inner):
            var inner = try operand(inner)
            inner.content = .value(try inner.value(comparableWith: .number).negated, .number)
            inner.range = range
            return inner
        case .complement(let inner):
            // -1 - a inverts each bit of a. a | 0 makes a whole number of a.
            let zero = FormatOperand(.value(.value(0), .number), at: range)
            let whole = try arithmetic(.bitOr, operand(inner), zero, at: range)
            return try arithmetic(.subtract, FormatOperand(.value(.value(-1), .number), at: range), whole, at: range)
        case .arithmetic(let sign, let left, let right):
            return try arithmetic(ArithmeticOperator(sign), operand(left), operand(right), at: range)
        case .comparison(let written): return FormatOperand(.condition(try comparison(written)), at: range)
        case .all(let parts): return FormatOperand(.condition(.conjunction(try conditions(parts))), at: range)
        case .any(let parts): return FormatOperand(.condition(.disjunction(try conditions(parts))), at: range)
        case .not(let inner): return FormatOperand(.condition(.not(try condition(inner))), at: range)
        case .always(let isTrue): return FormatOperand(.condition(isTrue ? .always : .never), at: range)
        }
    }

    private mutating func list(_ elements: [Syntax], at range: Range<Int>) throws -> FormatOperand {
        var operands: [FormatOperand] = []
        for element in elements { operands.append(try operand(element)) }
        if let element = operands.first(where: { !$0.passed.isEmpty }) {
            throw FormatProblem("a list holds single values", at: element.range)
        }
        for element in operands { _ = try element.value() }
        return FormatOperand(.list(operands), at: range)
    }

    private func operand(_ argument: FormatArgument, _ variable: String?, at range: Range<Int>) -> FormatOperand {
        func operand(_ content: FormatOperand.Content) -> FormatOperand {
            var operand = FormatOperand(content, at: range)
            operand.variable = variable
            return operand
        }
        switch argument {
        case .value(let value, let kind): return operand(.value(value, kind))
        case .list(let elements): return operand(.list(elements.map { operand(.value($0.value, $0.kind)) }))
        }
    }

    /// A template's variable: its value, or an open parameter.
    mutating func variable(_ name: String, at range: Range<Int>) -> FormatOperand {
        if variables[name] == nil, let column = groupColumns[name] {
            return FormatOperand(.value(column.expression, column.kind), at: range)
        }
        variableNames.insert(name)
        if let argument = variables[name] { return operand(argument, name, at: range) }
        var result = FormatOperand(.value(.parameter(name), .unknown), at: range)
        result.variable = name
        return result
    }

    private mutating func ternary(
        _ test: QueryExpression, _ yes: Syntax, _ no: Syntax, at range: Range<Int>
    ) throws -> FormatOperand {
        let (yes, no) = (try operand(yes), try operand(no))
        let (first, second, kind) = try FormatOperand.alike(yes, no)
        return FormatOperand(
            .value(.conditional(test, first, second), kind), at: range, passed: yes.passed + no.passed)
    }

    private func arithmetic(
        _ op: ArithmeticOperator, _ left: FormatOperand, _ right: FormatOperand, at range: Range<Int>
    ) throws -> FormatOperand {
        let (leftKind, rightKind) = (try left.value().kind, try right.value().kind)
        for (operand, kind) in [(left, leftKind), (right, rightKind)] where kind == .date {
            throw FormatProblem("dates cannot be calculated with", at: operand.range)
        }
        // Beside a time, the text '00:10:00' is a time. Beside anything else, a text must be a number.
        let leftValue = try left.value(comparableWith: rightKind == .time ? .time : .number)
        let rightValue = try right.value(comparableWith: leftKind == .time ? .time : .number)
        guard left.passed.isEmpty || right.passed.isEmpty else {
            throw FormatProblem("only one side can name properties of many rows", at: range)
        }
        return FormatOperand(
            .value(.arithmetic(op, leftValue, rightValue), op.kind(leftKind, rightKind)), at: range,
            passed: left.passed + right.passed)
    }
}

extension [RelatedRows] {
    /// Whether any of the rows meets a condition.
    func any(_ condition: QueryExpression) -> QueryExpression {
        reversed().reduce(condition) { inner, rows in
            var rows = rows
            rows.condition = .conjunction([rows.condition, inner])
            rows.yields = .exists
            return .related(rows)
        }
    }
}

extension QueryExpression {
    /// The expression with the other sign. A constant is negated at once.
    var negated: QueryExpression {
        switch self {
        case .value(.integer(let number)) where number != .min: .value(.integer(-number))
        case .value(.double(let number)): .value(.double(-number))
        default: .negative(self)
        }
    }
}
