import SQLite

/// Evaluates expressions on objects in memory, with the same answers as the SQL that is written from them: how unsaved
/// changes take part in a fetch, and how the results of several stores are put in order.
struct ExpressionEvaluator {
    var rows: [QueryVariable: StoreObject]
    /// The objects of the group that `aggregate` is asked of.
    let group: [StoreObject]

    init(_ object: StoreObject, group: [StoreObject] = []) {
        rows = [.root: object]
        self.group = group
    }

    /// For a group of rows; `row` is the one whose values stand for what is not aggregated, nil when the group is empty.
    init(group: [StoreObject], representedBy row: StoreObject?) {
        rows = row.map { [.root: $0] } ?? [:]
        self.group = group
    }

    /// Whether there is no row whose properties could be asked for: then all are NULL.
    var hasNoRow: Bool { rows.isEmpty && group.isEmpty }

    /// Whether a condition holds; what has no answer does not.
    mutating func holds(_ expression: QueryExpression) throws -> Bool { try value(expression).isTrue }

    /// The value of an expression; conditions are 1, 0, or NULL where SQL has no answer.
    mutating func value(_ expression: QueryExpression) throws -> QueryValue {
        switch expression {
        case .value(let value): return value.isNull ? .null : value
        case .parameter(let name), .listed(_, let name, _):
            throw StoreError(.missingVariable, "The request has no value for its variable $\(name)")
        case .object where hasNoRow: return .null
        case .object(let variable): return try row(variable).objectID.keyValues.first ?? .null
        case .property(let variable, let path): return try property(variable, path)
        case .comparison(let op, let left, .value(let value)) where value.isNull:
            return compare(op, try bareValue(left), .null)
        case .comparison(let op, .value(let value), let right) where value.isNull:
            return compare(op, .null, try bareValue(right))
        case .comparison(let op, let left, let right): return compare(op, try operand(left), try operand(right))
        case .text(let op, let options, let left, let right): return try text(op, options, left, right)
        case .membership(let element, let values): return try isOne(of: values, element)
        case .all(let parts):
            for part in parts where try !holds(part) { return false }
            return true
        case .any(let parts):
            for part in parts where try holds(part) { return true }
            return false
        case .not(let part): return try holds(part) ? false : true
        case .arithmetic(let op, let left, let right): return op.apply(try operand(left), try operand(right))
        case .negative(let part): return ArithmeticOperator.subtract.apply(.integer(0), try operand(part))
        case .conditional(let test, let yes, let no): return try operand(holds(test) ? yes : no)
        case .coalesce(let first, let otherwise):
            let first = try isOptional(first) ? value(first) : bareValue(first)
            return first.isNull ? try operand(otherwise) : first
        case .folded(let part): return try value(part).text.map { .text($0.folded) } ?? .null
        case .length(let part): return try value(part).text.map { .integer($0.lengthInSQL) } ?? .null
        case .related(let related) where hasNoRow: return related.yields.ofNothing
        case .related(let related): return try evaluate(related)
        case .aggregate(let function, let part): return try aggregate(function, part, over: group, as: .root)
        case .distance(let variable, let path, let place): return try distance(variable, path, place)
        case .box(let variable, let path, let box):
            guard let place = try place(variable, path) else { return .null }
            return box.contains(latitude: place.latitude, longitude: place.longitude) ? true : false
        case .searchTerm(let variable, let path, let prefix): return try hasTerm(variable, path, prefix)
        }
    }

    /// The value of a part of an expression: a condition without an answer does not hold.
    mutating func operand(_ expression: QueryExpression) throws -> QueryValue {
        expression.isCondition ? (try holds(expression) ? true : false) : try value(expression)
    }

    mutating func isOne(of values: [QueryValue], _ element: QueryExpression) throws -> QueryValue {
        let value = try value(element)
        if !value.isNull, values.contains(where: { $0.compare(value) == 0 }) { return true }
        guard try bareValue(element).isNull else { return false }
        return values.contains(.null) ? true : value.isNull ? .null : false
    }

    mutating func text(
        _ op: TextOperator, _ options: TextOptions, _ left: QueryExpression, _ right: QueryExpression
    ) throws -> QueryValue {
        if left == .value(.null) || right == .value(.null) {
            return op == .equals ? try value(.comparison(.equal, left, right)) : .null
        }
        let (subject, pattern) = (try value(left).text, try value(right).text)
        guard let subject, let pattern else { return op != .equals ? .null : subject == pattern ? true : false }
        return try op.holds(options.applied(to: subject), options.applied(to: pattern)) ? true : false
    }

    func place(_ variable: QueryVariable, _ path: [String]) throws -> Coordinate? {
        guard let latitude = try property(variable, path + ["latitude"]).double,
            let longitude = try property(variable, path + ["longitude"]).double
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    func distance(_ variable: QueryVariable, _ path: [String], _ from: Coordinate) throws -> QueryValue {
        try place(variable, path).map { .double($0.distance(to: from)) } ?? .null
    }

    func hasTerm(_ variable: QueryVariable, _ path: [String], _ prefix: String) throws -> QueryValue {
        let (stop, _) = try follow(variable, path + ["name"])
        // The store knows more words than the name has, from translations; a changed name is known here only.
        if let stop = stop as? Stop, !stop.hasChanges {
            return stop.searchTerms.contains { $0.normalizedWord.utf8.starts(with: prefix.utf8) } ? true : false
        }
        guard let name = try property(variable, path + ["name"]).text else { return false }
        return SearchWords.of(name).contains { $0.utf8.starts(with: prefix.utf8) } ? true : false
    }

    func compare(_ op: ComparisonOperator, _ left: QueryValue, _ right: QueryValue) -> QueryValue {
        switch op {
        case .equal: return left.compare(right) == 0 ? true : false
        case .notEqual: return left.compare(right) != 0 ? true : false
        default:
            guard !left.isNull, !right.isNull else { return .null }
            return op.holds(value: left.compare(right)) ? true : false
        }
    }
}
