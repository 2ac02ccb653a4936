extension SQLWriter {
    /// Writes a comparison of a text with a pattern. A prefix becomes a range, so that an index serves it.
    mutating func writeText(
        _ op: TextOperator, _ options: TextOptions, _ left: QueryExpression, _ right: QueryExpression,
        to sql: inout SQLFragment
    ) throws {
        if options == .folded {
            return try writeText(op, [], .folded(left), right.foldedPattern, to: &sql)
        }
        if let fold = options.functionName {
            guard op == .equals else { return try writeTextCall(op, fold: fold, left, right, to: &sql) }
            return try writeEquality(fold: fold, left, right, to: &sql)
        }
        switch op {
        case .equals: try writeComparison(.equal, left, right, to: &sql)
        case .beginsWith: try writePrefix(left, right, to: &sql)
        case .contains: try writeContains(left, right, to: &sql)
        case .endsWith, .like, .matches: try writeTextCall(op, fold: nil, left, right, to: &sql)
        }
    }

    /// Two missing texts are equal, as without options.
    private mutating func writeEquality(
        fold: String, _ left: QueryExpression, _ right: QueryExpression, to sql: inout SQLFragment
    ) throws {
        guard left != .value(.null), right != .value(.null) else {
            return try writeComparison(.equal, left, right, to: &sql)
        }
        try writeCall(fold, left, to: &sql)
        sql.append(try mayBeNull(left) && mayBeNull(right) ? " IS " : " = ")
        try writeCall(fold, right, to: &sql)
    }

    private mutating func writePrefix(
        _ left: QueryExpression, _ right: QueryExpression, to sql: inout SQLFragment
    ) throws {
        guard case .value(.text(let prefix)) = right else {
            return try writeTextCall(.beginsWith, fold: nil, left, right, to: &sql)
        }
        guard !prefix.isEmpty else {
            // Every text begins with nothing, but what is missing is no text.
            guard try valueMayBeNull(left) else { return sql.append("1") }
            try absentValue(of: left) == nil ? writeBare(left, to: &sql) : writeOperandValue(left, to: &sql)
            return sql.append(" IS NOT NULL")
        }
        try writeBare(left, to: &sql)
        sql.append(" >= ")
        sql.bind(.text(prefix))
        guard let end = prefix.endOfPrefixRange else { return }
        sql.append(" AND ")
        try writeBare(left, to: &sql)
        sql.append(" < ")
        sql.bind(.text(end))
    }

    private mutating func writeContains(
        _ left: QueryExpression, _ right: QueryExpression, to sql: inout SQLFragment
    ) throws {
        sql.append("instr(")
        try writeOperandValue(left, to: &sql)
        sql.append(", ")
        try writeOperandValue(right, to: &sql)
        sql.append(") > 0")
    }

    /// Functions that every connection is taught: see TextFunctions.
    private mutating func writeTextCall(
        _ op: TextOperator, fold: String?, _ left: QueryExpression, _ right: QueryExpression,
        to sql: inout SQLFragment
    ) throws {
        sql.append(op.functionName + "(")
        for (position, side) in [left, right].enumerated() {
            if position > 0 { sql.append(", ") }
            if let fold { try writeCall(fold, side, to: &sql) } else { try writeOperandValue(side, to: &sql) }
        }
        sql.append(")")
    }

    private mutating func writeCall(
        _ function: String, _ argument: QueryExpression, to sql: inout SQLFragment
    ) throws {
        sql.append(function + "(")
        try writeOperandValue(argument, to: &sql)
        sql.append(")")
    }

    /// A text without case and diacritics: the normalized column where the store keeps one.
    mutating func writeFolded(_ inner: QueryExpression, isBare: Bool, to sql: inout SQLFragment) throws {
        if case .value(.text(let text)) = inner { return sql.bind(.text(text.folded)) }
        if case .property(let variable, let path) = inner {
            let column = try resolve(variable, path)
            if let normalized = column.entity.normalizedColumn(of: column.index) {
                let name = column.entity.columns[normalized].name
                let folded: QueryExpression = .property(variable, path.dropLast() + [name])
                return try isBare ? writeBare(folded, to: &sql) : writeValue(folded, to: &sql)
            }
        }
        sql.append("fold(")
        try isBare ? writeBare(inner, to: &sql) : writeOperandValue(inner, to: &sql)
        sql.append(")")
    }

    /// `t0.id IN (SELECT stop FROM search_term WHERE …)`: the words are searched first, then their stops read.
    mutating func writeSearchTerm(
        _ variable: QueryVariable, _ path: [String], _ prefix: String, to sql: inout SQLFragment
    ) throws {
        append(try resolve(variable, path + ["id"]), to: &sql)
        sql.append(" IN (SELECT stop FROM search_term WHERE normalized_word >= ")
        sql.bind(.text(prefix))
        if let end = prefix.endOfPrefixRange {
            sql.append(" AND normalized_word < ")
            sql.bind(.text(end))
        }
        sql.append(")")
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

extension QueryExpression {
    /// A pattern without case and diacritics; wildcards are neither.
    fileprivate var foldedPattern: QueryExpression {
        switch self {
        case .value(.text(let text)): .value(.text(text.folded))
        case .value(.null): self
        default: .folded(self)
        }
    }
}
