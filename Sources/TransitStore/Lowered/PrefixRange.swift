/// `a >= 'u gorli' AND a < 'u gorlj'`: whether a text begins with a prefix, as a range that an index serves.
struct PrefixRange: LoweredNode {
    /// How the prefix's end is to be read.
    enum Rule: Sendable, Hashable {
        /// As it stands.
        case exact
        /// A folded text, whose last sigma may be one inside a word or at its end.
        case folded
    }

    let subject: any LoweredNode
    let prefix: String
    let rule: Rule
    let slot: Int

    func write(to sql: inout SQLFragment) {
        subject.writeOperand(to: &sql)
        sql.append(" >= ")
        sql.bind(.text(Self.start(of: prefix, rule)), from: .prefixStart(slot, rule))
        guard let end = Self.end(of: prefix, rule) else { return }
        sql.append(" AND ")
        subject.writeOperand(to: &sql)
        sql.append(" < ")
        sql.bind(.text(end), from: .prefixEnd(slot, rule))
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        let value = try subject.value(&rows)
        return value.isNull ? .null : QueryValue(Self.contains(value, prefix, rule))
    }

    var operands: [any LoweredNode] { [subject] }

    static func contains(_ value: QueryValue, _ prefix: String, _ rule: Rule) -> Bool {
        guard value.compare(.text(start(of: prefix, rule))) >= 0 else { return false }
        return end(of: prefix, rule).map { value.compare(.text($0)) < 0 } ?? true
    }

    /// The first text that begins with the prefix. Greek writes a sigma at the end of a word as ς, else as σ, which is the
    /// next code point: a prefix that ends in either begins with ς and ends after σ, so that ΠΕΛΟΠΟΝΝΗΣ finds both.
    static func start(of prefix: String, _ rule: Rule) -> String {
        rule == .folded && prefix.unicodeScalars.last == "σ" ? prefix.withLastSigma("ς") : prefix
    }

    /// The first text after all that begin with the prefix; nil when there is none.
    static func end(of prefix: String, _ rule: Rule) -> String? {
        rule == .folded && prefix.unicodeScalars.last == "ς"
            ? prefix.withLastSigma("σ").endOfPrefixRange : prefix.endOfPrefixRange
    }
}

extension String {
    fileprivate func withLastSigma(_ sigma: Unicode.Scalar) -> String {
        var scalars = unicodeScalars
        scalars.removeLast()
        scalars.append(sigma)
        return String(scalars)
    }

    /// Whether the text has a sigma, which is written otherwise at the end of a word.
    var hasSigma: Bool { unicodeScalars.contains { $0 == "ς" || $0 == "σ" } }

    /// The text with every sigma as it is inside a word.
    var withPlainSigma: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0 == "ς" ? "σ" : $0 }))
    }
}

/// `t0.id IN (SELECT stop FROM search_term WHERE …)`: the words are searched first, then their stops read.
struct SearchWord: LoweredNode {
    let stop: Column
    let prefix: String
    let slot: Int

    func write(to sql: inout SQLFragment) {
        stop.write(to: &sql)
        sql.append(" IN (SELECT stop FROM search_term WHERE normalized_word >= ")
        sql.bind(.text(PrefixRange.start(of: prefix, .folded)), from: .prefixStart(slot, .folded))
        if let end = PrefixRange.end(of: prefix, .folded) {
            sql.append(" AND normalized_word < ")
            sql.bind(.text(end), from: .prefixEnd(slot, .folded))
        }
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        // The id of a referenced stop is the reference itself.
        let path = stop.entity.columns[stop.index].target == nil ? stop.path : stop.path + [stop.description.property]
        guard let object = try rows.row(stop.variable, path) else { return .null }
        // The store knows more words than the name has, from translations; a changed name is known here only.
        if let stop = object as? Stop, !stop.hasChanges {
            return QueryValue(
                stop.searchTerms.contains { PrefixRange.contains(.text($0.normalizedWord), prefix, .folded) })
        }
        guard let name = object.value(of: "name")?.text else { return false }
        return QueryValue(SearchWords.of(name).contains { PrefixRange.contains(.text($0), prefix, .folded) })
    }

    var operands: [any LoweredNode] { [stop] }
}
