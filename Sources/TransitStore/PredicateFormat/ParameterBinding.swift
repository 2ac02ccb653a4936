import SearchText

/// Replaces variables (`$NAME`) by values. Each value is converted to the kind of value it is compared with: "8:00" to
/// 28,800 beside a time, "52.5" to a number beside a latitude.
struct ParameterBinding {
    /// The subject of messages: "The template departures".
    private let subject: String
    private let arguments: [String: FormatArgument]
    private let entity: EntityDescription?
    private let model: StoreModel
    private var names: Set<String> = []

    /// Throws `StoreError.unsuitableValue` for a value of a type that cannot be bound.
    init(_ values: [String: Any], subject: String, entity: EntityDescription?, model: StoreModel) throws {
        self.subject = subject
        self.entity = entity
        self.model = model
        arguments = try FormatArgument.named(values) { "\(subject): $\($0) is a \($1), which cannot be bound" }
    }

    /// The expression with values for its variables. A variable without a value stays, and `finish()` reports it.
    mutating func bind(_ expression: QueryExpression) throws -> QueryExpression {
        let kinds = ExpressionKinds(of: expression, entity: entity, model: model)
        return try expression.mapped { try bind(partsOf: $0, kinds) }.mapped { try value($0, as: .unknown) }
    }

    /// Throws `StoreError.missingVariable` or `unknownVariable`, naming the variables.
    func finish() throws {
        try StoreError.checkVariables(names, given: Set(arguments.keys), of: subject)
    }

    private mutating func bind(partsOf part: QueryExpression, _ kinds: ExpressionKinds) throws -> QueryExpression {
        switch part {
        case .comparison(let op, let left, let right):
            return .comparison(
                op, try value(left, as: kinds.kind(of: right)), try value(right, as: kinds.kind(of: left)))
        case .text(let op, let options, let left, let right):
            let (text, pattern) = (try value(left, as: .text), try value(right, as: .text))
            // An empty text that was there before binding comes from a #Predicate: in Swift, every text contains it.
            let isEmpty = op.findsPart && pattern == .value(.text("")) && pattern != right
            return isEmpty ? .never : .text(op, options, text, pattern)
        case .listed(let element, let test, let name, let options):
            let kind = kinds.kind(of: element)
            return try test == .range
                ? range(element, name, options, as: kind) ?? part : members(element, name, options, as: kind) ?? part
        case .arithmetic(let op, let left, let right):
            let (leftKind, rightKind) = (kinds.kind(of: left), kinds.kind(of: right))
            return .arithmetic(
                op, try value(left, as: rightKind == .time ? .time : .number),
                try value(right, as: leftKind == .time ? .time : .number))
        case .negative(let inner): return try value(inner, as: .number).negated
        case .folded(let inner): return try value(inner, as: .text).foldedText
        case .length(let inner): return .length(try value(inner, as: .text))
        case .coalesce(let first, let otherwise):
            return .coalesce(
                try value(first, as: kinds.kind(of: otherwise)), try value(otherwise, as: kinds.kind(of: first)))
        case .conditional(let test, let yes, let no):
            return .conditional(
                test, try value(yes, as: kinds.kind(of: no)), try value(no, as: kinds.kind(of: yes)))
        default: return part
        }
    }

    /// A variable's value as a value of a kind. Returns any other expression unchanged.
    private mutating func value(_ expression: QueryExpression, as kind: ValueKind) throws -> QueryExpression {
        guard case .parameter(let name) = expression else { return expression }
        names.insert(name)
        switch arguments[name] {
        case .value(let value, let own): return try value.bound(to: name, own, as: kind, subject)
        case .list:
            throw StoreError(
                .unsuitableValue, "\(subject): $\(name) is a list, which can only stand after IN and BETWEEN")
        case nil: return expression
        }
    }

    /// Tests whether an element is in the range from the first value of a list of two through the second. Nil if the
    /// variable has no value.
    private mutating func range(
        _ element: QueryExpression, _ name: String, _ options: TextOptions, as kind: ValueKind
    ) throws -> QueryExpression? {
        names.insert(name)
        guard let argument = arguments[name] else { return nil }
        guard case .list(let elements) = argument, elements.count == 2 else {
            throw StoreError(
                .unsuitableValue, "\(subject): $\(name) stands after BETWEEN: expected a list of two values")
        }
        try checkSize(element, copies: elements.count, name)
        let bounds = try elements.map { try $0.value.bound(to: name, $0.kind, as: kind, subject) }
        let (folded, edges) = options.isEmpty ? (element, bounds) : (element.foldedText, bounds.map(\.foldedText))
        return .conjunction([
            .comparison(.greaterOrEqual, folded, edges[0]), .comparison(.lessOrEqual, folded, edges[1]),
        ])
    }

    private mutating func members(
        _ element: QueryExpression, _ name: String, _ options: TextOptions, as kind: ValueKind
    ) throws -> QueryExpression? {
        names.insert(name)
        switch arguments[name] {
        case .value(let value, let own):
            return element.equals(try value.bound(to: name, own, as: kind, subject), options)
        case .list(let elements):
            let bound = try elements.map { try $0.value.bound(to: name, $0.kind, as: kind, subject) }
            if !options.isEmpty { try checkSize(element, copies: elements.count, name) }
            return options.isEmpty ? element.isAny(of: bound) : .any(bound.map { element.equals($0, options) })
        case nil: return nil
        }
    }

    private func checkSize(_ element: QueryExpression, copies: Int, _ name: String) throws {
        guard element.isTooLarge(forCopies: copies) else { return }
        throw StoreError(
            .tooComplex,
            "\(subject): the value before $\(name) would be compared \(copies) times, which makes a condition of more "
                + "than \(QueryExpression.mostCopiedParts) parts; nest fewer tests in it")
    }
}

extension QueryExpression {
    /// This constant, converted for a comparison with values of `kind`.
    fileprivate func bound(
        to name: String, _ own: ValueKind, as kind: ValueKind, _ subject: String
    ) throws -> QueryExpression {
        if constant?.isNull == true { return self }
        if let value = comparable(own, with: kind) { return value }
        throw StoreError(
            .unsuitableValue, "\(subject): $\(name) is \(constant ?? .null): \(kind.expectation)")
    }

    fileprivate func equals(_ value: QueryExpression, _ options: TextOptions) -> QueryExpression {
        if options.isEmpty { return .comparison(.equal, self, value) }
        if options == .folded { return .comparison(.equal, .folded(self), value.foldedText) }
        return .text(.equals, options, self, value)
    }
}

extension StoreError {
    /// Throws missingVariable for a variable without a value, unknownVariable for a value without a variable.
    package static func checkVariables(_ names: Set<String>, given: Set<String>, of subject: String) throws {
        let missing = names.subtracting(given).sorted()
        if !missing.isEmpty {
            let noun = missing.count == 1 ? "variable" : "variables"
            throw StoreError(.missingVariable, "\(subject) has no value for its \(noun) \(list(missing))")
        }
        guard let unknown = given.subtracting(names).sorted().first else { return }
        let known = names.isEmpty ? "it has no variables" : "it has \(list(names.sorted()))"
        let hint = NearestName.find(unknown, among: names.sorted()).map { "did you mean $\($0)?" }
        throw StoreError(.unknownVariable, "\(subject) has no variable $\(unknown); \(hint ?? known)")
    }

    private static func list(_ names: [String]) -> String { names.map { "$" + $0 }.joined(separator: ", ") }
}
