/// Splits a text into tokens.
///
///     try SyntaxScanner.tokens(of: "name BEGINSWITH[cd] %@")
package struct SyntaxScanner {
    /// Longer texts are refused. Nobody writes them by hand, and the limit bounds the cost of a hostile text.
    static let mostScalars = 65_536

    let scalars: [Unicode.Scalar]
    var position = 0

    /// Throws `SyntaxProblem` for a text that is too long.
    init(checking text: String) throws(SyntaxProblem) {
        scalars = Array(text.unicodeScalars)
        guard scalars.count <= Self.mostScalars else {
            throw SyntaxProblem(
                "the text has \(scalars.count) characters, more than \(Self.mostScalars)",
                at: Self.mostScalars..<Self.mostScalars)
        }
    }

    /// All tokens; the last one is `end`. Throws `SyntaxProblem`.
    package static func tokens(of text: String) throws(SyntaxProblem) -> [SyntaxToken] {
        var scanner = try SyntaxScanner(checking: text)
        var tokens: [SyntaxToken] = []
        repeat { tokens.append(try scanner.next()) } while tokens.last?.kind != .end
        return tokens
    }

    var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    var following: Unicode.Scalar? { position + 1 < scalars.count ? scalars[position + 1] : nil }

    private mutating func next() throws(SyntaxProblem) -> SyntaxToken {
        skipWhiteSpace()
        let start = position
        let kind = try kind()
        return SyntaxToken(kind: kind, range: start..<position)
    }

    private mutating func kind() throws(SyntaxProblem) -> SyntaxToken.Kind {
        guard let first = current else { return .end }
        if first.isWordStart { return .word(word()) }
        if first.isDigit || first == "." && beginsFraction { return try number() }
        switch first {
        case "\"", "'": return .text(try quotedText())
        case "$", "@", "#", "%": return try marked(first)
        default: return .symbol(try symbol())
        }
    }

    /// Whether the point begins a number such as `.5`, and does not stand between the names of a path.
    private var beginsFraction: Bool {
        guard following?.isDigit == true else { return false }
        guard position > 0 else { return true }
        let last = scalars[position - 1]
        return !last.isWordPart && !")}'\"".unicodeScalars.contains(last)
    }

    mutating func skipWhiteSpace() { while let scalar = current, scalar.properties.isWhitespace { position += 1 } }

    mutating func word() -> String {
        let start = position
        while let scalar = current, scalar.isWordPart { position += 1 }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    /// A token that begins with a sign: `$NAME`, `@count`, `#any`, `%@`.
    private mutating func marked(_ sign: Unicode.Scalar) throws(SyntaxProblem) -> SyntaxToken.Kind {
        let start = position
        position += 1
        if sign == "%" {
            // If no letter or @ follows, it is the remainder operator.
            guard let next = current, next == "@" || next.isWordStart else { return .symbol("%") }
            return try placeholder(start)
        }
        if sign == "#", let quote = current, quote == "\"" || quote == "'" { return .name(try quotedText()) }
        guard let first = current, first.isWordStart || (sign == "$" && first.isDigit) else {
            let example = sign == "$" ? "$NAME" : sign == "@" ? "@count" : "#name"
            throw SyntaxProblem("expected a name after \(sign), as in \(example)", at: start..<position)
        }
        let word = word()
        return sign == "$" ? .variable(word) : sign == "@" ? .aggregate(word) : .name(word)
    }

    private mutating func placeholder(_ start: Int) throws(SyntaxProblem) -> SyntaxToken.Kind {
        if current == "@" {
            position += 1
            return .placeholder("@")
        }
        switch word() {
        case "d", "i", "u", "D", "U", "ld", "li", "lu", "lld", "lli", "llu", "hd", "hu", "qd", "zd", "zu":
            return .placeholder("d")
        case "f", "lf", "g", "e", "F", "G", "E": return .placeholder("f")
        case "K": return .placeholder("K")
        default:
            throw SyntaxProblem(
                "expected %@, %d, %f or %K for an argument", at: start..<max(position, start + 1))
        }
    }

    /// Whether a name can be written without quotes.
    package static func isWord(_ name: String) -> Bool {
        name.unicodeScalars.first?.isWordStart == true && name.unicodeScalars.allSatisfy(\.isWordPart)
    }

    private mutating func symbol() throws(SyntaxProblem) -> String {
        let start = position
        let pair = [current, following].compactMap { $0.map(String.init) }.joined()
        if ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "<<", ">>"].contains(pair) {
            position += 2
            return pair
        }
        position += 1
        let single = String(scalars[start])
        if pair == "**" { throw SyntaxProblem("there is no ** (power)", at: start..<position + 1) }
        if "=<>!()[]{},.+-*/&|~".unicodeScalars.contains(scalars[start]) { return single }
        throw SyntaxProblem("\(single.shown) has no meaning here\(hint(at: start))", at: start..<position)
    }

    /// A hint at what the author of this sign may have meant; empty if unknown.
    private func hint(at start: Int) -> String {
        guard scalars[start] == ":" else { return "" }
        let isAfterName = start > 0 && scalars[start - 1].isWordPart && !scalars[start - 1].isDigit
        return isAfterName
            ? "; functions are written without it: length(name), @max.latitude"
            : "; a time stands in quotes: '08:30:00'"
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
    fileprivate var isWordStart: Bool { self == "_" || properties.isXIDStart }
    var isWordPart: Bool { self == "_" || properties.isXIDContinue }
}

extension String {
    /// The text as messages show it: "this character" for a blank or a control character of ASCII.
    var shown: String {
        unicodeScalars.allSatisfy { $0.value > 32 && $0.value != 127 } ? self : "this character"
    }
}
