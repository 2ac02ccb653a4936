import SearchText

/// The texts with a prefix, as a range that can use an index: `a >= 'u gorli' AND a < 'u gorlj'`.
enum PrefixRange {
    /// How to read the end of the prefix.
    enum Rule: Sendable {
        /// As it stands.
        case exact
        /// A folded text: a sigma at its end may be one inside a word or at a word's end.
        case folded
    }

    /// Whether the subject begins with the text of a slot.
    static func test(_ subject: any LoweredNode, _ prefix: Slot, _ rule: Rule) -> any LoweredNode {
        let first = prefix.derived { $0.text.map { .text(start(of: $0, rule)) } }
        let last = prefix.derived { $0.text.flatMap { end(of: $0, rule) }.map { .text($0) } }
        let tests = [
            first.map { Comparison(op: .plain(.greaterOrEqual), left: subject, right: $0) },
            last.map { Comparison(op: .plain(.less), left: subject, right: $0) },
        ]
        return Junction(isConjunction: true, parts: tests.compactMap { $0 }, form: .value)
    }

    /// The first text that begins with the prefix. Greek writes sigma as ς at the end of a word and as σ, the next code
    /// point, elsewhere. The range of a prefix that ends in either begins with ς and ends after σ, so ΠΕΛΟΠΟΝΝΗΣ finds
    /// both.
    static func start(of prefix: String, _ rule: Rule) -> String {
        rule == .folded && prefix.unicodeScalars.last == "σ" ? prefix.withLastSigma("ς") : prefix
    }

    /// The first text after all texts with the prefix; nil if there is none.
    static func end(of prefix: String, _ rule: Rule) -> String? {
        rule == .folded && prefix.unicodeScalars.last == "ς"
            ? prefix.withLastSigma("σ").endOfPrefixRange : prefix.endOfPrefixRange
    }

    /// Whether a folded text begins with the prefix.
    static func contains(_ text: String, foldedPrefix prefix: String) -> Bool {
        if text.utf8.starts(with: prefix.utf8) { return true }
        // Only a last sigma has two spellings. Every other prefix has been tested above.
        guard let last = prefix.unicodeScalars.last, last == "ς" || last == "σ" else { return false }
        return ["ς", "σ"].contains { text.utf8.starts(with: prefix.withLastSigma($0).utf8) }
    }
}

extension String {
    fileprivate func withLastSigma(_ sigma: Unicode.Scalar) -> String {
        String(String.UnicodeScalarView(unicodeScalars.dropLast() + [sigma]))
    }

    /// Whether the text has a sigma, which is written differently at the end of a word.
    var hasSigma: Bool { unicodeScalars.contains { $0 == "ς" || $0 == "σ" } }

    /// The text with every sigma as it is written inside a word.
    var withPlainSigma: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0 == "ς" ? "σ" : $0 }))
    }
}
