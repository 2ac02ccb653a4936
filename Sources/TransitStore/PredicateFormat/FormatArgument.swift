import RequestGrammar

/// The value of a `%@`, `%d`, `%f`, `%K` or `$NAME`: constants, also rows that ids name.
enum FormatArgument {
    case value(QueryExpression, ValueKind)
    case list([(value: QueryExpression, kind: ValueKind)])

    /// Numbers, texts, times, dates, objects, ids, nil, and lists and sets of them; nil for anything else.
    init?(_ argument: Any?) {
        let value = Self.unwrapped(argument)
        switch value {
        case nil: self = .value(.value(.null), .unknown)
        case let id as ObjectID: self.init(id)
        case let object as StoreObject: self.init(object.objectID)
        case let ids as Set<ObjectID>: self.init(list: ids.sorted { $0.isOrderedBefore($1) })
        // The elements of these lists would lose their stores as values.
        case let ids as [ObjectID?] where !ids.isEmpty: self.init(list: ids)
        case let objects as Set<StoreObject>: self.init(Set(objects.map(\.objectID)))
        case let list as any QueryValueList:
            let kind = Self.kind(ofElement: list)
            self = .list(list.queryValues.map { (.value($0), $0.isNull ? .unknown : kind) })
        case let value as any QueryValueConvertible: self = .value(.value(value.queryValue), Self.kind(of: value))
        case let list as [Any?]: self.init(list: list)
        default: return nil
        }
    }

    private init?(_ id: ObjectID) {
        guard let row = id.row else { return nil }
        self = .value(row, .reference(id.entity.table))
    }

    /// A list of several kinds of things, or of objects. If it has rows, each element keeps its kind: a row of one
    /// table is not compared with those of another.
    private init?(list: [Any?]) {
        var elements: [(value: QueryExpression, kind: ValueKind)] = []
        var kinds: Set<ValueKind> = []
        for element in list {
            guard case .value(let value, let kind) = FormatArgument(element) else { return nil }
            elements.append((value, kind))
            if value.constant?.isNull != true { kinds.insert(kind) }
        }
        let hasRows = kinds.contains { if case .reference = $0 { true } else { false } }
        self = .list(kinds.count > 1 && !hasRows ? elements.map { ($0.value, .unknown) } : elements)
    }

    /// The values of variables by name. Throws `StoreError.unsuitableValue` for a value that cannot be bound; `refusal`
    /// makes the message from the variable's name and the value's type.
    static func named(
        _ values: [String: Any], refusal: (_ name: String, _ type: String) -> String
    ) throws -> [String: FormatArgument] {
        try Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                guard let argument = FormatArgument(value) else {
                    throw StoreError(.unsuitableValue, refusal(name, typeName(ofRefused: value)))
                }
                return (name, argument)
            })
    }

    /// Why a value cannot be bound.
    static func refusal(of argument: Any?) -> String {
        let subject = "a \(typeName(ofRefused: argument)) cannot be bound"
        guard let entity = entity(ofRefused: argument) else {
            return subject + ": numbers, texts, times, dates, objects and lists of them can"
        }
        let key = entity.keyColumns.map { entity.columns[$0].property }.joined(separator: " and ")
        return subject + ", because \(key) make its key: compare these, or write a #Predicate, which takes such objects"
    }

    /// The entity of an object that is not known by one number; for a list, that of the first such object.
    private static func entity(ofRefused argument: Any?) -> EntityDescription? {
        switch unwrapped(argument) {
        case let id as ObjectID: id.entity
        case let object as StoreObject: object.objectID.entity
        case let objects as Set<StoreObject>: objects.first?.objectID.entity
        case let list as [Any?]: list.lazy.compactMap(entity(ofRefused:)).first
        default: nil
        }
    }

    /// The type of a value that cannot be bound; for a list, with the type of the first such element.
    ///
    ///     FormatArgument.typeName(ofRefused: [1, NSNull()])       // list with a NSNull
    static func typeName(ofRefused argument: Any?) -> String {
        guard let value = unwrapped(argument) else { return "nil" }
        let element = (value as? [Any?])?.first { element in
            if case .value = FormatArgument(element) { false } else { true }
        }
        if let element { return "list with a \(typeName(ofRefused: element))" }
        return "\(type(of: value))"
    }

    private static func kind(ofElement list: any QueryValueList) -> ValueKind {
        switch list {
        case is [ServiceTime], is Set<ServiceTime>: .time
        case is [ServiceDate], is Set<ServiceDate>: .date
        default: ValueKind(of: list.queryValues.first)
        }
    }

    private static func kind(of value: any QueryValueConvertible) -> ValueKind {
        switch value {
        case is ServiceTime: .time
        case is ServiceDate: .date
        default: ValueKind(of: value.queryValue)
        }
    }

    /// The value without its optionals: `Any` may hide an optional.
    private static func unwrapped(_ argument: Any?) -> Any? {
        guard let argument else { return nil }
        if let optional = argument as? any OptionalValue { return unwrapped(optional.content) }
        return argument
    }
}

extension ValueKind {
    /// The kind of a value about which nothing else is known.
    fileprivate init(of value: QueryValue?) {
        switch value {
        case .text: self = .text
        case .integer, .double: self = .number
        case .null, nil: self = .unknown
        }
    }
}

/// A value for a variable as command lines and query strings write it.
///
///     try VariableText.value(of: "U1", called: "--set LINE")               // the text U1
///     try VariableText.value(of: "{U1, 'Bus, nachts', NIL}", called: …)    // two texts and NULL
///
/// NIL or NULL in capitals is NULL, and `{a, b}` is a list. Anything else is a text, without the white space around it.
/// The texts 'NIL' and '{a}' need quotes, and so do texts that begin with a quote and list elements that hold commas.
/// Quotes allow the escapes of conditions.
package enum VariableText {
    /// A text, nil, or a list of them. Throws `StoreError.syntax`, showing the place.
    package static func value(of text: String, called subject: String) throws(StoreError) -> Any? {
        do { return try SyntaxScanner.variableValue(of: text) } catch {
            throw StoreError(FormatProblem(error), in: text, called: subject)
        }
    }
}
