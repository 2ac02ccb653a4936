import ICU
import RequestGrammar

/// A comparison as it was written; what it means depends on the kinds of its sides.
struct FormatComparison {
    let op: Syntax.Operator
    let options: TextOptions
    let left: FormatOperand
    let right: FormatOperand
    let operatorRange: Range<Int>

    /// `stopTimes.trip.headsign CONTAINS 'A'`: whether a value is among those of many rows.
    func membership() throws -> QueryExpression { try member(right, of: left) }

    /// Throws `FormatProblem` for sides that do not fit together.
    func condition() throws -> QueryExpression {
        switch op {
        case .equal: return try compared(.equal, left, right)
        case .notEqual: return try compared(.notEqual, left, right)
        case .less: return try compared(.less, left, right)
        case .lessOrEqual: return try compared(.lessOrEqual, left, right)
        case .greater: return try compared(.greater, left, right)
        case .greaterOrEqual: return try compared(.greaterOrEqual, left, right)
        case .between: return try between()
        case .in: return try member(left, of: right)
        case .contains:
            if case .list = left.content { return try member(right, of: left) }
            return try text(.contains, left, right)
        case .beginsWith: return try text(.beginsWith, left, right)
        case .endsWith: return try text(.endsWith, left, right)
        case .like: return try text(.like, left, right)
        case .matches: return try text(.matches, left, right)
        }
    }

    // MARK: Comparisons

    private func compared(
        _ op: ComparisonOperator, _ left: FormatOperand, _ right: FormatOperand
    ) throws -> QueryExpression {
        let (one, other, _) = try FormatOperand.alike(left, right)
        if options.isEmpty { return .comparison(op, one, other) }
        try expectText(left)
        try expectText(right)
        if options == .folded { return .comparison(op, one.foldedText, other.foldedText) }
        switch op {
        case .equal: return .text(.equals, options, one, other)
        case .notEqual: return .not(.text(.equals, options, one, other))
        default: throw noOrder
        }
    }

    private var noOrder: FormatProblem {
        FormatProblem("the order of texts takes [cd] or no option", at: operatorRange)
    }

    private func between() throws -> QueryExpression {
        if let name = right.variable, right.constant == nil, case .value = right.content {
            guard options.isEmpty || options == .folded else { throw noOrder }
            return .listed(try left.value().expression, .range, in: name, options)
        }
        guard case .list(let bounds) = right.content, bounds.count == 2 else {
            throw FormatProblem("BETWEEN needs a list of two values: {lower, upper}", at: right.range)
        }
        try left.checkSize(forCopies: bounds.count)
        return .conjunction([
            try compared(.greaterOrEqual, left, bounds[0]), try compared(.lessOrEqual, left, bounds[1]),
        ])
    }

    // MARK: Lists

    private func member(_ element: FormatOperand, of collection: FormatOperand) throws -> QueryExpression {
        if !collection.passed.isEmpty {
            return collection.passed.any(try compared(.equal, collection, element))
        }
        guard case .list(let elements) = collection.content else {
            if let name = collection.variable, collection.constant == nil {
                return .listed(try element.value().expression, .member, in: name, options)
            }
            if collection.variable != nil { return try compared(.equal, element, collection) }
            guard try collection.value().kind == .text else {
                throw FormatProblem(
                    "IN needs a list, such as {1, 2}, a text or a to-many relationship", at: collection.range)
            }
            return try text(.contains, collection, element)
        }
        let (expression, kind) = try element.value()
        // If the list has numbers or times, a constant text is compared with each element by itself: it is read as the
        // element's kind.
        let isRead =
            try element.constant?.text != nil && elements.contains { ![.text, .unknown].contains(try $0.value().kind) }
        if options.isEmpty, !isRead {
            let values = try elements.map { try $0.value(comparableWith: kind) }
            if values.allSatisfy({ $0.constant != nil }) { return expression.isAny(of: values) }
        }
        try element.checkSize(forCopies: elements.count)
        return .disjunction(try elements.map { try compared(.equal, element, $0) })
    }

    // MARK: Texts

    private func text(
        _ op: TextOperator, _ left: FormatOperand, _ right: FormatOperand
    ) throws -> QueryExpression {
        try expectText(left)
        try expectText(right)
        let (subject, pattern) = (try left.value().expression, try right.value().expression)
        if op.findsPart, pattern == .value(.text("")) { return .never }
        guard op == .matches else { return .text(op, options, subject, pattern) }
        return try matches(subject, pattern)
    }

    /// The options become part of the regular expression. Only letters beyond ASCII are folded, because folding `\D`
    /// would change its meaning to `\d`.
    private func matches(_ subject: QueryExpression, _ pattern: QueryExpression) throws -> QueryExpression {
        guard case .value(.text(let text)) = pattern else {
            guard options.isEmpty else {
                throw FormatProblem("the pattern of MATCHES with options must be written down", at: right.range)
            }
            return .text(.matches, [], subject, pattern)
        }
        do { _ = try RegularExpression(text) } catch {
            throw FormatProblem("not a regular expression: \(error.reason)", at: right.range)
        }
        if options.isEmpty { return .text(.matches, [], subject, pattern) }
        guard options.contains(.diacriticInsensitive) else {
            return .text(.matches, [], subject, .value(.text("(?i)" + text)))
        }
        guard options == .folded else { throw FormatProblem("MATCHES takes [c] or [cd]", at: operatorRange) }
        return .text(.matches, [], .folded(subject), .value(.text("(?i)" + text.foldedBeyondASCII)))
    }

    private func expectText(_ operand: FormatOperand) throws {
        let (expression, kind) = try operand.value()
        if kind == .text || kind == .unknown { return }
        let hint = if case .value = expression, operand.variable == nil { "; put it into quotes" } else { "" }
        throw operand.problem("expected a text, not \(kind.noun)\(hint)")
    }
}

extension String {
    /// The regular expression with its letters beyond ASCII folded. The other letters may be operators.
    fileprivate var foldedBeyondASCII: String {
        unicodeScalars.reduce(into: "") { $0 += $1.isASCII ? String($1) : String($1).folded }
    }
}

extension ArithmeticOperator {
    init(_ written: Syntax.ArithmeticSign) {
        switch written {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        case .divide: self = .divide
        case .remainder: self = .remainder
        case .bitAnd: self = .bitAnd
        case .bitOr: self = .bitOr
        case .shiftLeft: self = .shiftLeft
        case .shiftRight: self = .shiftRight
        }
    }
}

extension AggregateFunction {
    init(_ written: Syntax.Aggregate.Function) {
        switch written {
        case .count: self = .count
        case .min: self = .min
        case .max: self = .max
        case .sum: self = .sum
        case .average: self = .average
        }
    }
}
