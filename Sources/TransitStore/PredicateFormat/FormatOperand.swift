/// A part of an expression that has been read.
struct FormatOperand {
    enum Content {
        /// One value.
        case value(QueryExpression, ValueKind)
        /// `{a, b}`, or a list given as an argument.
        case list([FormatOperand])
        /// The rows of a to-many relationship.
        case rows(EntityDescription, QueryVariable)
        /// An expression that is true or false.
        case condition(QueryExpression)
    }

    var content: Content
    var range: Range<Int>
    /// The to-many relationships on the operand's path, the outermost first. ANY, ALL, NONE and IN apply to them.
    var passed: [RelatedRows] = []
    /// The name, if it is a `$NAME`. After IN it stands for a list, which may have one element.
    var variable: String?

    init(_ content: Content, at range: Range<Int>, passed: [RelatedRows] = []) {
        self.content = content
        self.range = range
        self.passed = passed
    }

    /// The constant from the text or the arguments; nil for any other operand.
    var constant: QueryValue? { if case .value(let expression, _) = content { expression.constant } else { nil } }
}

extension FormatOperand {
    /// The one value that a comparison needs. Throws `FormatProblem` for anything else.
    func value() throws -> (expression: QueryExpression, kind: ValueKind) {
        switch content {
        case .value(let expression, let kind): return (expression, kind)
        case .list: throw FormatProblem("a list can only stand after IN and BETWEEN, or before CONTAINS", at: range)
        case .condition:
            throw FormatProblem("a condition is not a value: join conditions with AND, OR and NOT", at: range)
        case .rows(let entity, let variable):
            guard case .row = entity.key else {
                throw FormatProblem(
                    "rows of \(entity.table) have no key of one number; name a property of them", at: range)
            }
            return (.object(variable), .reference(entity.table))
        }
    }

    /// Two values of one kind, and that kind. A constant text is read as the kind of the other value.
    static func alike(
        _ left: FormatOperand, _ right: FormatOperand
    ) throws -> (left: QueryExpression, right: QueryExpression, kind: ValueKind) {
        let (one, other) = (try left.value(), try right.value())
        if left.constant != nil, right.constant == nil || one.kind == .text {
            let kind = other.kind == .unknown ? one.kind : other.kind
            return (try left.value(comparableWith: other.kind), other.expression, kind)
        }
        let kind = one.kind == .unknown ? other.kind : one.kind
        return (one.expression, try right.value(comparableWith: one.kind), kind)
    }

    /// The value, converted for a comparison with values of `kind`: a constant text becomes a time, a date or a number
    /// if `kind` says so.
    func value(comparableWith kind: ValueKind) throws -> QueryExpression {
        let (expression, own) = try value()
        guard let value = expression.comparable(own, with: kind) else {
            if case .value(.text) = expression { throw problem(kind.expectation) }
            let hint = own == .number && kind == .text && constant != nil ? "; put it into quotes" : ""
            throw problem("\(own.noun) cannot be compared with \(kind.noun)\(hint)")
        }
        if kind == .date, constant == nil, expression.isCalculatedFromConstants {
            throw FormatProblem("this is a calculation; a date stands in quotes: '2026-04-27'", at: range)
        }
        return value
    }

    /// Throws if the value would become too large when it is written once for each of several comparisons.
    func checkSize(forCopies copies: Int) throws {
        guard try value().expression.isTooLarge(forCopies: copies) else { return }
        throw FormatProblem(
            "this value would be compared \(copies) times, which makes a condition of more than "
                + "\(QueryExpression.mostCopiedParts) parts; nest fewer tests in it", at: range)
    }

    /// A problem with the text, or with the value of its variable.
    func problem(_ reason: String) -> FormatProblem {
        guard let variable, let constant else { return FormatProblem(reason, at: range) }
        return FormatProblem("$\(variable) is \(constant): \(reason)", at: range, code: .unsuitableValue)
    }
}

extension QueryExpression {
    /// This value of the kind `own`, for a comparison with values of `kind`: a constant text becomes a time, a date or
    /// a number if `kind` says so. Nil if it cannot be compared with them.
    func comparable(_ own: ValueKind, with kind: ValueKind) -> QueryExpression? {
        if case .value(.text(let text)) = self, kind != .text, kind != .unknown {
            return QueryValue(text, as: kind).map { .value($0) }
        }
        return own.isComparable(with: kind) ? self : nil
    }

    /// Whether the expression is arithmetic with constants only, such as 2026-04-27 without its quotes.
    fileprivate var isCalculatedFromConstants: Bool {
        switch self {
        case .arithmetic(_, let left, let right):
            [left, right].allSatisfy {
                if case .value = $0 { true } else { $0.isCalculatedFromConstants }
            }
        default: false
        }
    }
}
