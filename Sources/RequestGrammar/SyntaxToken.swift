/// The smallest meaningful part of a text.
package struct SyntaxToken: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A keyword or a property's name.
        case word(String)
        /// A property's name that is never a keyword: `#any`, `#"my column"`.
        case name(String)
        case text(String)
        case integer(Int64)
        case double(Double)
        /// `$NAME`
        case variable(String)
        /// `@count`
        case aggregate(String)
        /// `%@`, `%d`, `%f`, `%K`, without the percent sign.
        case placeholder(String)
        /// The argument that replaces a placeholder, by its index in a list that the caller keeps.
        case argument(Int)
        case symbol(String)
        case end
    }

    package let kind: Kind
    /// Its position in the text, in Unicode scalars.
    package let range: Range<Int>

    package init(kind: Kind, range: Range<Int>) { (self.kind, self.range) = (kind, range) }

    /// The word in capitals, for comparison with keywords; nil for any other token.
    var keyword: String? { if case .word(let word) = kind { word.inCapitals } else { nil } }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }
    func isKeyword(_ word: String) -> Bool { keyword == word }
}

extension String {
    /// The word in capitals if it is ASCII, as all keywords are. Other words stay as they are: the capital of `ı` is
    /// the same I as that of `i`.
    var inCapitals: String { utf8.allSatisfy { $0 < 0x80 } ? uppercased() : self }
}

/// Words with a special meaning where a value may begin. A property with such a name is written `#name`.
package enum Keyword {
    static let operators = ["BETWEEN", "IN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES"]
    static let quantifiers = ["ANY", "SOME", "ALL", "NONE"]
    package static let reserved = Set(
        operators + quantifiers + [
            "AND", "OR", "NOT", "SUBQUERY", "TERNARY", "TRUE", "YES", "FALSE", "NO", "NIL", "NULL", "SELF",
            "TRUEPREDICATE", "FALSEPREDICATE", "INFINITY", "NAN",
        ])
}

/// Why a text cannot be parsed, and where the fault is.
package struct SyntaxProblem: Error {
    package let reason: String
    /// In Unicode scalars.
    package let range: Range<Int>

    package init(_ reason: String, at range: Range<Int>) { (self.reason, self.range) = (reason, range) }
}
