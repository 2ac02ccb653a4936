import RequestGrammar

extension FormatBinder {
    mutating func call(
        _ function: Syntax.Function, _ arguments: [Syntax], at range: Range<Int>
    ) throws -> FormatOperand {
        // abs becomes an expression with its number three times, so nested calls would multiply.
        let outer = absDepth
        defer { absDepth = outer }
        if function == .abs { absDepth += 1 }
        guard absDepth <= Self.mostAbs else {
            throw FormatProblem("abs stands within abs at most once", at: range)
        }
        var operands: [FormatOperand] = []
        for argument in arguments { operands.append(try operand(argument)) }
        let call = FormatCall(function: function, range: range, passed: operands.flatMap(\.passed))
        switch function {
        case .folded, .length, .coalesce: return try call.value(operands)
        case .abs: return try call.absolute(operands)
        case .distance, .inBox, .hasWords: return try call.place(operands, self)
        }
    }
}

/// A function call.
private struct FormatCall {
    let function: Syntax.Function
    let range: Range<Int>
    let passed: [RelatedRows]

    func value(_ arguments: [FormatOperand]) throws -> FormatOperand {
        guard arguments.count == (function == .coalesce ? 2 : 1) else { throw wrongArguments }
        let (first, kind) = try arguments[0].value()
        if function == .coalesce {
            let (value, otherwise, common) = try FormatOperand.alike(arguments[0], arguments[1])
            return FormatOperand(.value(.coalesce(value, otherwise), common), at: range, passed: passed)
        }
        guard kind == .text || kind == .unknown else { throw wrongArguments }
        return function == .folded
            ? FormatOperand(.value(first.foldedText, .text), at: range, passed: passed)
            : FormatOperand(.value(.length(first), .number), at: range, passed: passed)
    }

    /// `abs(a)`: the number without its sign.
    func absolute(_ arguments: [FormatOperand]) throws -> FormatOperand {
        guard arguments.count == 1 else { throw wrongArguments }
        let kind = try arguments[0].value().kind
        guard kind == .number || kind == .time || kind == .unknown else { throw wrongArguments }
        let number = try arguments[0].value(comparableWith: kind)
        return FormatOperand(
            .value(.conditional(.comparison(.less, number, .value(0)), number.negated, number), kind), at: range,
            passed: passed)
    }

    /// A function of a row's place or name. The row is the first argument, or the fetched row if that is left out.
    func place(_ arguments: [FormatOperand], _ binder: FormatBinder) throws -> FormatOperand {
        var arguments = arguments[...]
        var (row, path, entity) = (QueryVariable.root, PropertyPath(), binder.entity)
        if let named = try arguments.first.flatMap({ try self.row($0, binder) }) {
            (row, path, entity) = named
            arguments.removeFirst()
        }
        guard function != .hasWords else { return try words(of: row, path, entity, arguments) }
        guard entity.columnIndex("latitude") != nil, entity.columnIndex("longitude") != nil else {
            throw FormatProblem("\(entity.name) has no latitude and longitude", at: range)
        }
        let numbers = try arguments.compactMap { try $0.value(comparableWith: .number).constant?.double }
        guard numbers.count == arguments.count, numbers.count == (function == .distance ? 2 : 4) else {
            throw wrongArguments
        }
        guard function == .inBox else {
            let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
            if let refusal = place.refusal { throw FormatProblem(refusal.message, at: range, code: .unsuitableValue) }
            return FormatOperand(.value(.distance(row, path, place), .number), at: range, passed: passed)
        }
        let box = BoundingBox(
            minLatitude: numbers[0], maxLatitude: numbers[2], minLongitude: numbers[1], maxLongitude: numbers[3])
        return FormatOperand(.condition(.box(row, path, box)), at: range, passed: passed)
    }

    private func words(
        of row: QueryVariable, _ path: PropertyPath, _ entity: EntityDescription, _ arguments: ArraySlice<FormatOperand>
    ) throws -> FormatOperand {
        guard entity.table == "stop" else {
            throw FormatProblem("only the words of a stop's name can be searched", at: range)
        }
        guard arguments.count == 1, let text = arguments.first?.constant?.text else { throw wrongArguments }
        return FormatOperand(.condition(.words(text, of: row, path)), at: range, passed: passed)
    }

    /// The row that an argument stands for; nil for a value.
    private func row(
        _ argument: FormatOperand, _ binder: FormatBinder
    ) throws -> (QueryVariable, PropertyPath, EntityDescription)? {
        switch argument.content {
        case .rows(let entity, let variable): return (variable, [], entity)
        case .value(.property(let variable, let path), .reference(let table)):
            return binder.model.entity(named: table).map { (variable, path, $0) }
        case .value, .list, .condition: return nil
        }
    }

    private var wrongArguments: FormatProblem {
        FormatProblem("\(function.rawValue)(…) takes \(function.arguments)", at: range)
    }
}

extension Syntax.Function {
    /// The arguments without the row, for messages.
    fileprivate var arguments: String {
        switch self {
        case .folded, .length: "a text"
        case .coalesce: "two values"
        case .abs: "a number"
        case .distance: "a latitude and a longitude"
        case .inBox: "its southern, western, northern and eastern edge"
        case .hasWords: "a text in quotes"
        }
    }
}
