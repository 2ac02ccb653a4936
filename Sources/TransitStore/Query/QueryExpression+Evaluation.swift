import SQLite

/// Evaluates expressions on objects in memory, with the same answers as the SQL that is written from them: how unsaved
/// changes take part in a fetch, and how the results of several stores are put in order.
struct ExpressionEvaluator {
    private var rows: [QueryVariable: StoreObject]
    /// The objects of the group that `aggregate` is asked of.
    private let group: [StoreObject]

    init(_ object: StoreObject, group: [StoreObject] = []) {
        rows = [.root: object]
        self.group = group
    }

    /// Whether a condition holds; what has no answer does not.
    mutating func holds(_ expression: QueryExpression) throws -> Bool { try value(expression).isTrue }

    /// The value of an expression; conditions are 1, 0, or NULL where SQL has no answer.
    mutating func value(_ expression: QueryExpression) throws -> QueryValue {
        switch expression {
        case .value(let value): return value
        case .parameter(let name):
            throw StoreError(.missingVariable, "The request has no value for its variable $\(name)")
        case .object(let variable): return try row(variable).objectID.keyValues.first ?? .null
        case .property(let variable, let path): return try property(variable, path)
        case .comparison(let op, let left, .value(.null)): return compare(op, try bareValue(left), .null)
        case .comparison(let op, .value(.null), let right): return compare(op, .null, try bareValue(right))
        case .comparison(let op, let left, let right): return compare(op, try value(left), try value(right))
        case .text(let op, let options, let left, let right): return try text(op, options, left, right)
        case .membership(let element, let values): return try isOne(of: values, element)
        case .all(let parts):
            for part in parts where try !holds(part) { return false }
            return true
        case .any(let parts):
            for part in parts where try holds(part) { return true }
            return false
        case .not(let part): return try holds(part) ? false : true
        case .arithmetic(let op, let left, let right): return op.apply(try value(left), try value(right))
        case .negative(let part): return ArithmeticOperator.subtract.apply(.integer(0), try value(part))
        case .conditional(let test, let yes, let no): return try holds(test) ? value(yes) : value(no)
        case .coalesce(let first, let otherwise):
            let first = try isOptional(first) ? value(first) : bareValue(first)
            return first.isNull ? try value(otherwise) : first
        case .folded(let part): return try value(part).text.map { .text($0.folded) } ?? .null
        case .length(let part): return try value(part).text.map { .integer(Int64($0.unicodeScalars.count)) } ?? .null
        case .related(let related): return try evaluate(related)
        case .aggregate(let function, let part): return try aggregate(function, part, over: group, as: .root)
        case .distance(let variable, let path, let place): return try distance(variable, path, place)
        case .box(let variable, let path, let box):
            guard let place = try place(variable, path) else { return .null }
            return box.contains(latitude: place.latitude, longitude: place.longitude) ? true : false
        case .searchTerm(let variable, let path, let prefix): return try hasTerm(variable, path, prefix)
        }
    }

    private mutating func isOne(of values: [QueryValue], _ element: QueryExpression) throws -> QueryValue {
        let value = try value(element)
        if !value.isNull, values.contains(where: { $0.compare(value) == 0 }) { return true }
        guard try bareValue(element).isNull else { return false }
        return values.contains(.null) ? true : value.isNull ? .null : false
    }

    private func row(_ variable: QueryVariable) throws -> StoreObject {
        guard let row = rows[variable] else {
            throw StoreError.untranslatable("variable \(variable.number)", "it stands for no row here")
        }
        return row
    }

    /// A column as it is, NULL where nothing is; all else as a value.
    mutating func bareValue(_ expression: QueryExpression) throws -> QueryValue {
        guard case .property(let variable, let path) = expression else { return try value(expression) }
        return try column(variable, path)?.bare ?? .null
    }

    private func property(_ variable: QueryVariable, _ path: [String]) throws -> QueryValue {
        guard let (bare, absence) = try column(variable, path) else { return .null }
        guard bare.isNull else { return bare }
        switch absence {
        case .emptyText: return .text("")
        case .zero: return .integer(0)
        case .never, .null, .incomparable: return .null
        }
    }

    private func column(
        _ variable: QueryVariable, _ path: [String]
    ) throws -> (bare: QueryValue, absence: ColumnDescription.Absence)? {
        let (owner, last) = try follow(variable, path)
        let entity = owner?.objectID.entity
        guard let owner, let entity else {
            // The last property of a row that is not there reads as it does in an empty row.
            guard let (target, isOptional) = try target(variable, path), let index = target.columnIndex(last)
            else { return nil }
            return (.null, isOptional ? .null : target.columns[index].absence)
        }
        guard let index = entity.columnIndex(last) else {
            throw StoreError.unknownProperty(last, of: entity, path: path)
        }
        if case .row(let row) = owner.objectID.key, entity.key == .row(index) { return (.integer(row), .never) }
        return (QueryValue(owner.values(for: index).value(index)), entity.columns[index].absence)
    }

    /// The entity that the last name of a path belongs to, and whether a reference on the way is optional.
    private func target(
        _ variable: QueryVariable, _ path: [String]
    ) throws -> (entity: EntityDescription, isOptional: Bool)? {
        var entity = try row(variable).objectID.entity
        var isOptional = false
        for name in path.dropLast() {
            guard let index = entity.columnIndex(name), let table = entity.columns[index].target,
                let next = StoreModel.typed.entity(named: table)
            else { return nil }
            isOptional = isOptional || !entity.columns[index].isRequiredReference
            entity = next
        }
        return (entity, isOptional)
    }

    private func isOptional(_ expression: QueryExpression) throws -> Bool {
        guard case .property(let variable, let path) = expression else { return false }
        return try target(variable, path)?.isOptional ?? false
    }

    /// The row that the last name of a path is a property of; nil when a reference on the way is empty.
    private func follow(_ variable: QueryVariable, _ path: [String]) throws -> (StoreObject?, String) {
        var object: StoreObject? = try row(variable)
        for name in path.dropLast() {
            guard let current = object else { break }
            guard let index = current.objectID.entity.columnIndex(name) else {
                throw StoreError.unknownProperty(name, of: current.objectID.entity, path: path)
            }
            object = current.origin.object(of: current, reference: index, type: StoreObject.self)
        }
        return (object, path.last ?? "")
    }

    // MARK: Related rows

    private mutating func evaluate(_ related: RelatedRows) throws -> QueryValue {
        let (owner, name) = try follow(related.owner, related.path)
        guard let owner else { return related.yields.ofNothing }
        guard case .toMany(let position) = owner.objectID.entity.property(named: name) else {
            throw StoreError.unknownProperty(name, of: owner.objectID.entity, path: related.path)
        }
        var found: [StoreObject] = []
        for object in owner.origin.objects(of: owner, toMany: position) {
            rows[related.variable] = object
            if try holds(related.condition) { found.append(object) }
        }
        defer { rows[related.variable] = nil }
        switch related.yields {
        case .exists: return found.isEmpty ? false : true
        case .count: return .integer(Int64(found.count))
        case .aggregate(let function, let part): return try aggregate(function, part, over: found, as: related.variable)
        }
    }

    private mutating func aggregate(
        _ function: AggregateFunction, _ part: QueryExpression?, over objects: [StoreObject], as variable: QueryVariable
    ) throws -> QueryValue {
        guard let part else { return .integer(Int64(objects.count)) }
        let before = rows[variable]
        defer { rows[variable] = before }
        var values: [QueryValue] = []
        for object in objects {
            rows[variable] = object
            let value = try bareValue(part)
            if !value.isNull { values.append(value) }
        }
        return function.apply(values)
    }

    // MARK: Texts and places

    private mutating func text(
        _ op: TextOperator, _ options: TextOptions, _ left: QueryExpression, _ right: QueryExpression
    ) throws -> QueryValue {
        guard var subject = try value(left).text, var pattern = try value(right).text else { return .null }
        if options == .folded { (subject, pattern) = (subject.folded, pattern.folded) }
        if options == .caseInsensitive { (subject, pattern) = (subject.lowercased(), pattern.lowercased()) }
        return op.holds(subject, pattern) ? true : false
    }

    private func place(_ variable: QueryVariable, _ path: [String]) throws -> Coordinate? {
        guard let latitude = try property(variable, path + ["latitude"]).double,
            let longitude = try property(variable, path + ["longitude"]).double
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func distance(_ variable: QueryVariable, _ path: [String], _ from: Coordinate) throws -> QueryValue {
        try place(variable, path).map { .double($0.distance(to: from)) } ?? .null
    }

    private func hasTerm(_ variable: QueryVariable, _ path: [String], _ prefix: String) throws -> QueryValue {
        guard let name = try property(variable, path + ["name"]).text else { return false }
        return SearchWords.of(name).contains { $0.utf8.starts(with: prefix.utf8) } ? true : false
    }

    private func compare(_ op: ComparisonOperator, _ left: QueryValue, _ right: QueryValue) -> QueryValue {
        switch op {
        case .equal: return left.compare(right) == 0 ? true : false
        case .notEqual: return left.compare(right) != 0 ? true : false
        default:
            guard !left.isNull, !right.isNull else { return .null }
            return op.holds(value: left.compare(right)) ? true : false
        }
    }
}

extension RelatedRows.Yield {
    /// What there is to say about no rows.
    fileprivate var ofNothing: QueryValue {
        switch self {
        case .exists, .count, .aggregate(.count, _): 0
        case .aggregate: .null
        }
    }
}
