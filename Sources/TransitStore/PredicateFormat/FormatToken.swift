/// The smallest part of a textual predicate that means something.
struct FormatToken: Hashable {
    enum Kind: Hashable {
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
        /// What a placeholder stands for.
        case argument(FormatArgument)
        case symbol(String)
        case end
    }

    let kind: Kind
    /// Where it stands, in Unicode scalars from the beginning of the text.
    let range: Range<Int>

    /// The word in capitals, by which keywords are told; nil for all else.
    var keyword: String? { if case .word(let word) = kind { word.uppercased() } else { nil } }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }
    func isKeyword(_ word: String) -> Bool { keyword == word }
}

/// Words that have a meaning of their own where a value may begin; a property of such a name is written `#name`.
enum FormatKeyword {
    static let operators = ["BETWEEN", "IN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES"]
    static let quantifiers = ["ANY", "SOME", "ALL", "NONE"]
    static let reserved = Set(
        operators + quantifiers + [
            "AND", "OR", "NOT", "SUBQUERY", "TERNARY", "TRUE", "YES", "FALSE", "NO", "NIL", "NULL", "SELF",
            "TRUEPREDICATE", "FALSEPREDICATE", "INFINITY", "NAN",
        ])
}
