extension Lowering {
    /// Lowers a comparison of a text with a pattern. A prefix becomes a range, so an index can be used.
    mutating func text(
        _ op: TextOperator, _ options: TextOptions, _ left: QueryExpression, _ right: QueryExpression
    ) throws -> any LoweredNode {
        let isFolded = options == .folded
        var (subject, pattern) = (
            try isFolded ? folded(left) : value(left), try isFolded ? folded(right) : value(right)
        )
        if op == .equals {
            let isWithNull = subject.constant?.isNull == true || pattern.constant?.isNull == true
            if !isFolded, !isWithNull, let fold = options.function {
                (subject, pattern) = (subject.called(fold), pattern.called(fold))
            }
            return comparison(.equal, subject, pattern)
        }
        if op == .beginsWith, options.function == nil, let prefix = pattern.constant?.text,
            let slot = pattern.bare as? Slot
        {
            return beginning(subject, prefix, slot, isFolded ? .folded : .exact)
        }
        if isFolded, pattern.constant?.text?.hasSigma ?? true {
            // Greek writes sigma differently at the end of a word, and the pattern may match in the middle of one.
            (subject, pattern) = (subject.withPlainSigma, pattern.withPlainSigma)
        }
        if let fold = options.function { (subject, pattern) = (subject.called(fold), pattern.called(fold)) }
        // SQLite's instr compares the pattern at each place of the text, which takes too long for a long pattern.
        let isShort = pattern.constant?.text.map { $0.utf8.count <= String.mostPlainBytes } ?? false
        let isPart = op == .contains && options.function == nil && isShort
        return Operation(isPart ? .contains : .test(op), subject.node, pattern.node)
    }

    private func beginning(
        _ subject: LoweredValue, _ prefix: String, _ slot: Slot, _ rule: PrefixRange.Rule
    ) -> any LoweredNode {
        guard prefix.isEmpty else {
            return PrefixRange.test(subject.bare, slot, rule)
        }
        // Every text begins with the empty text, but a missing value does not.
        if subject.null == .never { return Literal(literal: 1) }
        let node = subject.absent == nil ? subject.bare : subject.node
        return Comparison(isNull: node).opposite
    }

    /// A text without case and diacritics: the normalized column where the store keeps one.
    mutating func folded(_ inner: QueryExpression) throws -> LoweredValue {
        if case .value(.text(let text)) = inner { return try value(.value(.text(text.folded))) }
        if case .property(let variable, let path) = inner {
            let column = try column(variable, path)
            if let normalized = column.row.entity.normalizedColumn(of: column.index) {
                let original = normalized == column.index ? nil : column.index
                return try property(
                    variable, path.dropLast() + [column.row.entity.columns[normalized].name], foldedFrom: original)
            }
        }
        let text = try value(inner)
        return text.constant?.isNull == true ? text : text.called(.fold)
    }
}

extension LoweredValue {
    /// The value with a text function around it. The function must turn "" into "".
    fileprivate func called(_ function: TextFunction) -> LoweredValue {
        var value = self
        (value.bare, value.constant) = (Operation(function, bare), nil)
        return value
    }

    fileprivate var withPlainSigma: LoweredValue {
        guard let plain = (bare as? Slot)?.derived({ $0.text.map { .text($0.withPlainSigma) } }) else {
            return called(.plainSigma)
        }
        var value = self
        (value.bare, value.constant) = (plain, plain.bound)
        return value
    }
}

extension TextOptions {
    /// The function that removes what the options ignore; nil if they ignore nothing, and for [cd], which `folded(_:)`
    /// handles.
    fileprivate var function: TextFunction? {
        switch self {
        case .caseInsensitive: .foldCase
        case .diacriticInsensitive: .foldDiacritics
        default: nil
        }
    }
}
