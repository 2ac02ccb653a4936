import RequestGrammar

/// The value of a `%@`, `%d`, `%f`, `%K` or `$NAME`.
enum FormatArgument: Hashable {
    case value(QueryValue, ValueKind)
    case list([QueryValue], ValueKind)

    /// Numbers, texts, times, dates, objects, ids, nil, and lists and sets of them; nil for anything else.
    init?(_ argument: Any?) {
        let value = Self.unwrapped(argument)
        switch value {
        case nil: self = .value(.null, .unknown)
        case let id as ObjectID: self.init(id)
        case let object as StoreObject: self.init(object.objectID)
        case let list as any QueryValueList: self = .list(list.queryValues, Self.kind(ofElement: list))
        case let value as any QueryValueConvertible: self = .value(value.queryValue, Self.kind(of: value))
        case let list as [Any?]: self.init(list: list)
        default: return nil
        }
    }

    private init?(_ id: ObjectID) {
        guard case .row(let row) = id.key else { return nil }
        self = .value(.integer(row), .reference(id.entity.table))
    }

    /// A list of several kinds of things, or of objects.
    private init?(list: [Any?]) {
        var values: [QueryValue] = []
        var kinds: Set<ValueKind> = []
        for element in list {
            guard case .value(let value, let kind) = FormatArgument(element) else { return nil }
            values.append(value)
            if !value.isNull { kinds.insert(kind) }
        }
        self = .list(values, kinds.count == 1 ? kinds.first ?? .unknown : .unknown)
    }

    private static func kind(ofElement list: any QueryValueList) -> ValueKind {
        switch list {
        case is [ServiceTime], is Set<ServiceTime>: .time
        case is [ServiceDate], is Set<ServiceDate>: .date
        default:
            switch list.queryValues.first {
            case .text: .text
            case .integer, .double: .number
            case .null, nil: .unknown
            }
        }
    }

    private static func kind(of value: any QueryValueConvertible) -> ValueKind {
        switch value {
        case is ServiceTime: .time
        case is ServiceDate: .date
        default:
            switch value.queryValue {
            case .null: .unknown
            case .text: .text
            case .integer, .double: .number
            }
        }
    }

    /// The value without its optionals: `Any` may hide an optional.
    private static func unwrapped(_ argument: Any?) -> Any? {
        guard let argument else { return nil }
        if let optional = argument as? any OptionalArgument { return unwrapped(optional.content) }
        return argument
    }
}

private protocol OptionalArgument { var content: Any? { get } }
extension Optional: OptionalArgument { fileprivate var content: Any? { map { $0 as Any } } }

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
