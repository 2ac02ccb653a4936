/// A function of SQLite, or one that every connection is taught; NULL where an argument is.
struct FunctionCall: LoweredNode {
    enum Function: Hashable {
        case fold, foldCase, foldDiacritics, length
        /// `instr(a, b) > 0`
        case contains
        case text(TextOperator)
        /// A final sigma as the one inside words: `replace(a, 'ς', 'σ')`
        case plainSigma
    }

    let function: Function
    let operands: [any LoweredNode]

    init(_ function: Function, _ operands: any LoweredNode...) {
        self.function = function
        self.operands = operands
    }

    func write(to sql: inout SQLFragment) {
        sql.append(function.name + "(")
        for (position, operand) in operands.enumerated() {
            if position > 0 { sql.append(", ") }
            operand.writeOperand(to: &sql)
        }
        sql.append(function.end)
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        var texts: [String] = []
        for operand in operands {
            guard let text = try operand.value(&rows).text else { return .null }
            texts.append(text)
        }
        switch function {
        case .fold: return .text(texts[0].folded)
        case .foldCase: return .text(TextOptions.caseInsensitive.applied(to: texts[0]))
        case .foldDiacritics: return .text(TextOptions.diacriticInsensitive.applied(to: texts[0]))
        case .length: return .integer(texts[0].lengthInSQL)
        case .contains: return QueryValue(texts[0].containsBytes(of: texts[1]))
        case .text(let op): return QueryValue(try op.holds(texts[0], texts[1]))
        case .plainSigma: return .text(texts[0].withPlainSigma)
        }
    }
}

extension FunctionCall.Function {
    fileprivate var name: String {
        switch self {
        case .fold: "fold"
        case .foldCase: "fold_case"
        case .foldDiacritics: "fold_diacritics"
        case .length: "length"
        case .contains: "instr"
        case .text(let op): op.functionName
        case .plainSigma: "replace"
        }
    }

    fileprivate var end: String {
        switch self {
        case .contains: ") > 0"
        case .plainSigma: ", 'ς', 'σ')"
        default: ")"
        }
    }
}

extension TextOperator {
    /// The SQL function of the same meaning.
    var functionName: String {
        switch self {
        case .beginsWith: "text_begins"
        case .endsWith: "text_ends"
        case .contains: "text_contains"
        case .equals: "text_equals"
        case .like: "text_like"
        case .matches: "text_matches"
        }
    }
}
