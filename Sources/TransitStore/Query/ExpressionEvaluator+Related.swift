/// Related rows, and the rows of a group.
extension ExpressionEvaluator {
    mutating func evaluate(_ related: RelatedRows) throws -> QueryValue {
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

    mutating func aggregate(
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
        return try function.apply(values)
    }
}

extension RelatedRows.Yield {
    /// What there is to say about no rows.
    var ofNothing: QueryValue {
        switch self {
        case .exists, .count, .aggregate(.count, _): 0
        case .aggregate: .null
        }
    }
}
