/// Lowers expressions to the tree that says what SQLite does. Knows the table alias of each variable, the joins along
/// the way, and the values in their order.
///
/// Everything about the meaning of a request is decided here and in the nodes' own files. One lowering makes one
/// statement.
struct Lowering {
    let model: StoreModel
    let traits: StoreTraits
    /// Whether the tree is evaluated on objects, not in a store.
    let isInMemory: Bool
    private(set) var slotCount = 0
    private var scopes: [QueryVariable: SelectScope] = [:]
    private var aliasCount = 0
    /// The grouped properties whose empty values belong to the group of 0. They read as 0, except in WHERE and in
    /// aggregates, which see single rows.
    var groupedNumbers: Set<PropertyPath> = []
    /// Whether the part that is being lowered may have aggregates.
    var aggregateUse = Aggregates.everywhere

    /// Whether a part of a statement may ask for aggregates over groups; if not, why.
    enum Aggregates {
        case everywhere
        case nowhere(String)
    }

    init(model: StoreModel, traits: StoreTraits = .none, isInMemory: Bool = false) {
        (self.model, self.traits, self.isInMemory) = (model, traits, isInMemory)
    }

    /// Opens a SELECT over `entity`, whose rows `variable` stands for.
    mutating func openScope(_ entity: EntityDescription, for variable: QueryVariable) -> SelectScope {
        let scope = SelectScope(entity, variable, alias: nextAlias())
        scopes[variable] = scope
        return scope
    }

    mutating func closeScope(of variable: QueryVariable) { scopes[variable] = nil }

    mutating func nextAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    func scope(of variable: QueryVariable) throws -> SelectScope {
        guard let scope = scopes[variable] else {
            throw StoreError.untranslatable("variable \(variable.number)", "it stands for no row here")
        }
        return scope
    }

    /// The slot for the next value of the request. Take each value once, in the order in which the request names them.
    mutating func slot(_ value: QueryValue) -> Slot {
        defer { slotCount += 1 }
        return Slot(bound: value, source: .value(slotCount))
    }
}

/// An expression that was lowered as a value.
struct LoweredValue {
    /// What it means if `node` is NULL.
    enum Absence {
        case never
        /// Swift's nil, and nothing else.
        case missing
        /// NaN or a result without a number, which equal nothing, not even themselves; or nil.
        case noNumber

        /// The absence of a value that is either of two values.
        func or(_ other: Absence) -> Absence {
            self == .noNumber || other == .noNumber ? .noNumber : .missing
        }
    }

    /// The value as the column has it, NULL if the column is empty. SQLite can use an index for it.
    var bare: any LoweredNode
    /// What the property of an existing row reads if its column is NULL, such as an empty text. Nil if the property
    /// then reads nil.
    var absent: QueryValue?
    private var absence: Absence
    /// Whether Swift reads nil, because the property or a reference on the way to it is empty. This test is true or
    /// false, never NULL.
    var isNil: (any LoweredNode)?
    /// The constant that a slot stands for; nil for any other expression.
    var constant: QueryValue?

    init(_ bare: any LoweredNode, absent: QueryValue? = nil, null: Absence, isNil: (any LoweredNode)? = nil) {
        (self.bare, self.absent, absence, self.isNil) = (bare, absent, null, isNil)
    }

    /// The value as its Swift property reads.
    var node: any LoweredNode {
        guard let absent else { return bare }
        let present = Coalesce(first: bare, otherwise: Literal(literal: absent))
        return isNil.map { Choice(test: $0.opposite, yes: present) } ?? present
    }

    var null: Absence { node.mayBeNull ? absence : .never }

    /// Whether the value is missing: nil, or the empty column of a property that is not optional.
    var isMissing: any LoweredNode { isNil ?? Comparison(isNull: bare) }
}

extension Lowering {
    /// The expression as a condition; if it is NULL, it does not hold.
    mutating func condition(_ expression: QueryExpression) throws -> any LoweredNode {
        switch expression {
        case .value(let value):
            _ = slot(value)
            return Literal(literal: QueryValue(value.isTrue))
        case .all(let parts): return try junction(parts, isConjunction: true)
        case .any(let parts): return try junction(parts, isConjunction: false)
        case .not(let inner): return Truth(inner: try condition(inner), isNegated: true)
        case .comparison(.lessOrEqual, .distance(let variable, let path, let place), .value(let meters))
        where meters.double != nil:
            return try distance(variable, path, place, within: meters)
        case .comparison(let op, let left, let right):
            let (left, right) = (try value(left), try value(right))
            return comparison(op, left, right)
        case .text(let op, let options, let left, let right): return try text(op, options, left, right)
        case .membership(let element, let values):
            let element = try value(element)
            return membership(element, values)
        case .related(let rows) where rows.yields == .exists: return try subquery(rows)
        case .box(let variable, let path, let box): return try self.box(variable, path, box)
        case .searchTerm(let variable, let path, let prefix):
            let stop = try row(variable, path[...], of: path)
            let test = PrefixRange.test(SearchWord.Word(), slot(.text(prefix)), .folded)
            return SearchWord(stop: stop, key: key(of: stop), test: test)
        case .inStore(let number):
            return isInMemory ? InStore(storeNumber: number) : Literal(literal: traits.store.has(number) ? 1 : 0)
        case .listed(_, _, let name, _): throw missingVariable(name)
        default: return try value(expression).node
        }
    }

    private func missingVariable(_ name: String) -> StoreError {
        StoreError(.missingVariable, "The request has no value for its variable $\(name)")
    }

    /// The expression as a value; a condition is 1 or 0.
    mutating func value(_ expression: QueryExpression) throws -> LoweredValue {
        if expression.isCondition { return LoweredValue(Truth(inner: try condition(expression)), null: .never) }
        switch expression {
        case .value(let value):
            var lowered = LoweredValue(slot(value), null: value == .null ? .missing : .noNumber)
            if value == .null { lowered.isNil = Literal(literal: 1) }
            lowered.constant = value
            return lowered
        case .parameter(let name), .listed(_, _, let name, _): throw missingVariable(name)
        case .object(let variable): return try property(variable, [])
        case .property(let variable, let path): return try property(variable, path)
        case .arithmetic(let op, let left, let right):
            let (left, right) = (try value(left).node, try value(right).node)
            return LoweredValue(Operation(op, left, right), null: .noNumber)
        case .negative(let inner):
            let inner = try value(inner)
            return LoweredValue(Operation(negative: inner.node), null: inner.null, isNil: inner.isNil)
        case .conditional(let test, let yes, let no): return try choice(test, yes, no)
        case .coalesce(let first, let otherwise):
            let (first, otherwise) = (try value(first), try value(otherwise))
            return coalesce(first, otherwise)
        case .folded(let inner): return try folded(inner)
        case .length(let inner):
            let inner = try value(inner)
            return LoweredValue(Operation(.length, inner.node), null: inner.null, isNil: inner.isNil)
        case .related(let rows): return LoweredValue(try subquery(rows), null: .missing)
        case .aggregate(let function, let part): return LoweredValue(try aggregate(function, part), null: .missing)
        case .distance(let variable, let path, let place):
            return LoweredValue(try distance(variable, path, place), null: .noNumber)
        default: throw StoreError.untranslatable("\(expression)", "it is not a value")
        }
    }

    private mutating func choice(
        _ test: QueryExpression, _ yes: QueryExpression, _ no: QueryExpression
    ) throws -> LoweredValue {
        let test = try condition(test)
        let (yes, no) = (try value(yes), try value(no))
        let isNothing = no.constant == .null
        var isNil: (any LoweredNode)?
        if isNothing {
            isNil = yes.isNil.map { Junction(isConjunction: false, parts: [test.opposite, $0]) } ?? test.opposite
        } else if yes.isNil != nil || no.isNil != nil {
            let never = Literal(literal: 0)
            isNil = Choice(test: test, yes: yes.isNil ?? never, no: no.isNil ?? never)
        }
        return LoweredValue(
            Choice(test: test, yes: yes.node, no: isNothing ? nil : no.node), null: yes.null.or(no.null), isNil: isNil)
    }

    private func coalesce(_ first: LoweredValue, _ otherwise: LoweredValue) -> LoweredValue {
        var isNil: (any LoweredNode)?
        if let one = first.isNil, let other = otherwise.isNil {
            isNil = Junction(isConjunction: true, parts: [one, other])
        }
        if let test = first.isNil, first.null == .noNumber {
            // NaN is NULL as well, but not nil.
            let choice = Choice(test: test, yes: otherwise.node, no: first.node)
            return LoweredValue(choice, null: first.null.or(otherwise.null), isNil: isNil)
        }
        // In `parentStation?.locationType ?? 9`, 9 stands only for a missing station: an empty type reads as 0.
        let subject = first.absent != nil && first.null == .missing ? first.node : first.bare
        return LoweredValue(
            Coalesce(first: subject, otherwise: otherwise.node), null: otherwise.null, isNil: isNil)
    }
}
