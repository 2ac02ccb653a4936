extension QueryExpression: CustomStringConvertible {
    /// The expression in the language of textual predicates, as near as that comes: for people, in messages and debuggers.
    ///
    ///     name BEGINSWITH[cd] 'u gorli' AND SUBQUERY(stopTimes, $x1, $x1.departureTime >= 28800).@count != 0
    public var description: String {
        switch self {
        case .value(let value): value.isNull ? "NIL" : "\(value)"
        case .parameter(let name): "$\(name)"
        case .object(let variable): variable == .root ? "SELF" : variable.name
        case .property(let variable, let path): Self.path(variable, path)
        case .comparison(let op, let left, let right):
            "\(left.operand) \(op == .notEqual ? "!=" : op.rawValue) \(right.operand)"
        case .text(let op, let options, let left, let right):
            "\(left.operand) \(op.rawValue)\(options.brackets) \(right.operand)"
        case .membership(let element, let values):
            "\(element.operand) IN {\(values.map(\.description).joined(separator: ", "))}"
        case .listed(let element, let name, let options): "\(element.operand) IN\(options.brackets) $\(name)"
        case .all(let parts): parts.isEmpty ? "TRUEPREDICATE" : parts.map(\.conjunct).joined(separator: " AND ")
        case .any(let parts): parts.isEmpty ? "FALSEPREDICATE" : parts.map(\.conjunct).joined(separator: " OR ")
        case .not(let part): "NOT (\(part))"
        case .arithmetic(let op, let left, let right): "\(left.operand) \(op.rawValue) \(right.operand)"
        case .negative(let part): "-\(part.operand)"
        case .conditional(let test, let yes, let no): "TERNARY(\(test), \(yes), \(no))"
        case .coalesce(let value, let otherwise): "coalesce(\(value), \(otherwise))"
        case .folded(let part): "folded(\(part))"
        case .length(let part): "\(part.operand).length"
        case .related(let rows): rows.description
        case .aggregate(let function, let part): function.described(of: part, .root)
        case .distance(let variable, let path, let place):
            "distance(\((path.isEmpty && variable == .root) ? "" : Self.path(variable, path) + ", ")"
                + "\(place.latitude), \(place.longitude))"
        case .box(let variable, let path, let box):
            "\(Self.path(variable, path + ["latitude"])) BETWEEN {\(box.minLatitude), \(box.maxLatitude)} AND "
                + "\(Self.path(variable, path + ["longitude"])) BETWEEN {\(box.minLongitude), \(box.maxLongitude)}"
        case .searchTerm(let variable, let path, let prefix):
            "ANY \(Self.path(variable, path + ["searchTerms", "normalizedWord"])) BEGINSWITH \(QueryValue.text(prefix))"
        }
    }

    fileprivate static func path(_ variable: QueryVariable, _ path: [String]) -> String {
        ((variable == .root ? [] : [variable.name]) + path).joined(separator: ".")
    }

    /// As a part of a comparison or sum.
    private var operand: String {
        switch self {
        case .arithmetic, .negative: "(\(self))"
        default: isCondition ? "(\(self))" : description
        }
    }

    /// As a part of AND and OR.
    private var conjunct: String {
        switch self {
        case .all(let parts) where parts.count > 1: "(\(self))"
        case .any(let parts) where parts.count > 1: "(\(self))"
        default: description
        }
    }
}

extension QueryVariable {
    fileprivate var name: String { "$x\(number.magnitude)" }
}

extension TextOptions {
    fileprivate var brackets: String {
        isEmpty ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}

extension AggregateFunction {
    /// `@count`, `@min.departureTime`
    fileprivate func described(of part: QueryExpression?, _ variable: QueryVariable) -> String {
        switch part {
        case nil: "@\(rawValue)"
        case .property(variable, let path): "@\(rawValue).\(path.joined(separator: "."))"
        case let part?: "@\(rawValue)(\(part))"
        }
    }
}

extension RelatedRows: CustomStringConvertible {
    /// `SUBQUERY(stopTimes, $x1, $x1.departureTime >= 28800).@count != 0`
    public var description: String {
        let rows = QueryExpression.path(owner, path)
        let narrowed = condition == .always ? rows : "SUBQUERY(\(rows), \(variable.name), \(condition))"
        switch yields {
        case .exists: return "\(narrowed).@count != 0"
        case .count: return "\(narrowed).@count"
        case .aggregate(let function, let part): return "\(narrowed).\(function.described(of: part, variable))"
        }
    }
}
