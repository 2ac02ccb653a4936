/// What the values of an expression's parts stand for.
struct ExpressionKinds {
    private let model: StoreModel
    private var entities: [QueryVariable: EntityDescription] = [:]

    /// `entity` is the entity of the fetched rows. Without it, all properties are of an unknown kind.
    init(of expression: QueryExpression, entity: EntityDescription?, model: StoreModel) {
        self.model = model
        entities[.root] = entity
        var related: [RelatedRows] = []
        expression.forEachPart { if case .related(let rows) = $0 { related.append(rows) } }
        // The innermost were found first, but need the entity of the outer ones.
        for rows in related.reversed() {
            guard let (owner, name) = follow(rows.owner, rows.path),
                case .toMany(let position) = owner.property(named: name)
            else { continue }
            entities[rows.variable] = model.entity(named: owner.toMany[position].table)
        }
    }

    func kind(of expression: QueryExpression) -> ValueKind {
        switch expression {
        case .value(.text), .folded: .text
        case .value(.integer), .value(.double), .negative, .length, .distance: .number
        case .object(let variable): entities[variable].map { .reference($0.table) } ?? .unknown
        case .property(let variable, let path): kind(of: variable, path)
        case .arithmetic(let op, let left, let right):
            op.kind(kind(of: left), kind(of: right))
        case .conditional(_, let one, let other), .coalesce(let one, let other):
            kind(of: one) == .unknown ? kind(of: other) : kind(of: one)
        case .aggregate(let function, let part): kind(of: function, part)
        case .related(let rows):
            switch rows.yields {
            case .aggregate(let function, let part): kind(of: function, part)
            case .count, .exists: .number
            }
        default: .unknown
        }
    }

    private func kind(of function: AggregateFunction, _ part: QueryExpression?) -> ValueKind {
        function.kind(of: part.map(kind(of:)) ?? .number)
    }

    private func kind(of variable: QueryVariable, _ path: PropertyPath) -> ValueKind {
        guard let (owner, name) = follow(variable, path), let index = owner.columnIndex(name) else { return .unknown }
        return owner.kind(ofColumn: index)
    }

    /// The entity that the last name of a path belongs to.
    private func follow(_ variable: QueryVariable, _ path: PropertyPath) -> (EntityDescription, String)? {
        guard let last = path.last, let row = entities[variable]?.followed(path.dropLast(), in: model) else {
            return nil
        }
        return (row.entity, last)
    }
}
