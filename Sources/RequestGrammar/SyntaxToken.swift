/// The smallest part of a text that means something.
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
        /// What stands for a placeholder: the place in a list that the caller keeps.
        case argument(Int)
        case symbol(String)
        case end
    }

    package let kind: Kind
    /// Where it stands, in Unicode scalars from the beginning of the text.
    package let range: Range<Int>

    package init(kind: Kind, range: Range<Int>) { (self.kind, self.range) = (kind, range) }

    /// The word in capitals, by which keywords are told; nil for all else.
    var keyword: String? { if case .word(let word) = kind { word.uppercased() } else { nil } }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }
    func isKeyword(_ word: String) -> Bool { keyword == word }
}

/// Words that have a meaning of their own where a value may begin; a property of such a name is written `#name`.
package enum Keyword {
    static let operators = ["BETWEEN", "IN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES"]
    static let quantifiers = ["ANY", "SOME", "ALL", "NONE"]
    package static let reserved = Set(
        operators + quantifiers + [
            "AND", "OR", "NOT", "SUBQUERY", "TERNARY", "TRUE", "YES", "FALSE", "NO", "NIL", "NULL", "SELF",
            "TRUEPREDICATE", "FALSEPREDICATE", "INFINITY", "NAN",
        ])
}

/// Why a text cannot be read, and where the fault lies in it.
package struct SyntaxProblem: Error {
    package let reason: String
    /// In Unicode scalars.
    package let range: Range<Int>

    package init(_ reason: String, at range: Range<Int>) { (self.reason, self.range) = (reason, range) }
}
