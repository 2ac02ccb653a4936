/// A function or an operator of SQLite with its operands. NULL if an operand is NULL or there is no result.
struct Operation: LoweredNode {
    /// The SQL before, between and after the operands.
    private let sql: [String]
    let operands: [any LoweredNode]
    let form: LoweredForm
    let mayBeNull: Bool
    private let apply: ([QueryValue]) throws -> QueryValue

    func write(to sql: inout SQLFragment) {
        for (text, operand) in zip(self.sql, operands) {
            sql.append(text)
            operand.writeOperand(to: &sql)
        }
        sql.append(self.sql[operands.count])
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        var values: [QueryValue] = []
        for operand in operands {
            let value = try operand.value(&rows)
            if value.isNull { return .null }
            values.append(value)
        }
        let result = try apply(values)
        return result.isNull ? .null : result
    }
}

extension Operation {
    /// `a + b` and other arithmetic; also NULL for a division by zero.
    init(_ op: ArithmeticOperator, _ left: any LoweredNode, _ right: any LoweredNode) {
        (sql, operands, form, mayBeNull) = (["", " \(op.rawValue) ", ""], [left, right], .arithmetic, true)
        apply = { op.apply($0[0], $0[1]) }
    }

    /// `-a`
    init(negative inner: any LoweredNode) {
        (sql, operands, form, mayBeNull) = (["-", ""], [inner], .arithmetic, inner.mayBeNull)
        apply = { ArithmeticOperator.subtract.apply(0, $0[0]) }
    }

    /// `fold(a)`, `text_like(a, b)`
    init(_ function: TextFunction, _ operands: any LoweredNode...) {
        self.init(call: function.name, operands, end: function.end) { values in
            let texts = values.compactMap(\.text)
            guard texts.count == values.count, let first = texts.first, let last = texts.last else { return .null }
            return try function.apply(first, last)
        }
    }

    /// `distance(t0.latitude, t0.longitude, ?, ?)`: metres on the ellipsoid. `is_within(…, ?)` if the distance is only
    /// compared, so that it need not be exact.
    init(distance operands: [any LoweredNode]) {
        let isCompared = operands.count > 4
        self.init(call: isCompared ? "is_within" : "distance", operands) { values in
            let numbers = values.compactMap(\.double)
            guard numbers.count == values.count else { return .null }
            let here = Coordinate(latitude: numbers[0], longitude: numbers[1])
            let place = Coordinate(latitude: numbers[2], longitude: numbers[3])
            return isCompared ? QueryValue(here.isWithin(numbers[4], of: place)) : .double(here.distance(to: place))
        }
    }

    private init(
        call name: String, _ operands: [any LoweredNode], end: String = ")",
        _ apply: @escaping ([QueryValue]) throws -> QueryValue
    ) {
        sql = [name + "("] + operands.dropFirst().map { _ in ", " } + [end]
        (self.operands, form, mayBeNull) = (operands, .value, operands.contains(where: \.mayBeNull))
        self.apply = apply
    }
}

/// A function of one or two texts: its name in SQL, and how it is computed in memory.
struct TextFunction: Sendable {
    let name: String
    var end = ")"
    var operandCount = 1
    /// For a function of one text, both arguments are that text.
    let apply: @Sendable (String, String) throws -> QueryValue

    static let fold = TextFunction(name: "fold") { text, _ in .text(text.folded) }
    static let foldCase = TextFunction(name: "fold_case") { text, _ in .text(text.lowercased()) }
    static let foldDiacritics = TextFunction(name: "fold_diacritics") { text, _ in .text(text.withoutDiacritics) }
    static let length = TextFunction(name: "length") { text, _ in .integer(text.lengthInSQL) }
    static let contains = TextFunction(name: "instr", end: ") > 0", operandCount: 2) {
        QueryValue($0.containsBytes(of: $1))
    }
    /// Replaces each final sigma by the one inside words.
    static let plainSigma = TextFunction(name: "replace", end: ", 'ς', 'σ')") { text, _ in .text(text.withPlainSigma) }

    static func test(_ op: TextOperator) -> TextFunction {
        TextFunction(name: "text_\(op)", operandCount: 2) { QueryValue(try op.holds($0, $1)) }
    }

    /// The functions that SQLite lacks; every connection registers them.
    static let registered = [fold, foldCase, foldDiacritics] + TextOperator.allCases.map(test)
}
