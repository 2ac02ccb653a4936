/// Parses a condition, or one expression of it, into a syntax tree. It does not know the store: the fetch layer looks
/// up names later.
///
/// The grammar is that of NSPredicate's format strings:
///
///     condition   := and { (OR | "||") and }
///     and         := not { (AND | "&&") not }
///     not         := (NOT | "!") not | comparison
///     comparison  := TRUEPREDICATE | FALSEPREDICATE | call of inBox or hasWords
///                  | [ANY | SOME | ALL | NONE] calculation operator [options] calculation
///     operator    := "=" "==" "!=" "<>" "<" "<=" ">" ">=" IN BETWEEN BEGINSWITH CONTAINS ENDSWITH LIKE MATCHES
///     options     := "[c]" | "[d]" | "[cd]" | "[n]"
///     calculation := sum { ("&" | "|" | "<<" | ">>") sum }
///     sum         := product { ("+" | "-") product }
///     product     := sign { ("*" | "/" | "%") sign }
///     sign        := ("-" | "+" | "~") sign | value
///     value       := "(" condition or calculation ")" | "(" path ")" "." rest of path
///                  | "{" [calculation { "," calculation }] "}" | number | text | TRUE | FALSE | NIL
///                  | INFINITY | NAN | SELF | path | aggregate | "$" name | "%@" "%d" "%f" "%K"
///                  | TERNARY "(" condition "," calculation "," calculation ")"
///                  | SUBQUERY "(" path "," "$" name "," condition ")" ["." rest of path]
///                  | function "(" [path ","] calculation { "," calculation } ")"
///     function    := "folded" | "coalesce" | "length" | "abs" | "distance" | "inBox" | "hasWords"
///     path        := [SELF "." | "$" name "."] name { "." name } ["." aggregate]
///     aggregate   := "@count" | ("@count" | "@min" | "@max" | "@avg" | "@sum") "." path
///
/// The extensions hold one topic each: conditions, values, paths, lists.
package struct SyntaxParser {
    private let scalars: [Unicode.Scalar]
    let tokens: [SyntaxToken]
    private(set) var position = 0
    private var nesting = 0

    /// How deeply brackets, NOT and signs may be nested: the parser calls itself for each.
    static let mostNesting = 50
    /// How many levels a tree may have. Each operator in a row makes a level, without any nesting. Code that reads the
    /// tree calls itself for each level, perhaps on a thread with a small stack. SQLite 3.40 takes 89 additions in a
    /// row.
    static let mostLevels = 80

    /// `tokens` are the tokens of the text, with placeholders replaced by arguments.
    package init(_ text: String, tokens: [SyntaxToken]) {
        scalars = Array(text.unicodeScalars)
        self.tokens = tokens
    }

    /// The whole text as a condition; nil for a blank text.
    package mutating func predicate() throws(SyntaxProblem) -> Syntax? {
        if current.kind == .end { return nil }
        let result = try condition(disjunction())
        guard current.kind != .end else { return result }
        let reason = current.isSymbol(")") ? "there is no ( for this )" : "expected AND, OR or the end"
        throw SyntaxProblem(reason, at: current.range)
    }

    // MARK: Tokens

    var current: SyntaxToken { tokens[position] }
    var following: SyntaxToken { tokens[min(position + 1, tokens.count - 1)] }

    /// Takes the current token; the last one, `end`, stays.
    @discardableResult
    mutating func take() -> SyntaxToken {
        defer { position = min(position + 1, tokens.count - 1) }
        return tokens[position]
    }

    mutating func accept(symbol: String) -> Bool {
        guard current.isSymbol(symbol) else { return false }
        take()
        return true
    }

    mutating func accept(keyword: String) -> Bool {
        guard current.isKeyword(keyword) else { return false }
        take()
        return true
    }

    mutating func expect(symbol: String, _ purpose: String) throws(SyntaxProblem) {
        guard accept(symbol: symbol) else { throw SyntaxProblem("expected \(symbol) \(purpose)", at: current.range) }
    }

    /// Runs `body` one level deeper.
    mutating func nested<Result>(
        _ body: (inout SyntaxParser) throws(SyntaxProblem) -> Result
    ) throws(SyntaxProblem) -> Result {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.mostNesting else {
            throw SyntaxProblem("nested more than \(Self.mostNesting) levels deep", at: current.range)
        }
        return try body(&self)
    }

    /// A node that contains others.
    func node(_ content: Syntax.Content, at range: Range<Int>) throws(SyntaxProblem) -> Syntax {
        let node = Syntax(content, at: range)
        guard node.depth <= Self.mostLevels else {
            throw SyntaxProblem("more than \(Self.mostLevels) brackets and operators within each other", at: range)
        }
        return node
    }

    /// From the beginning of a range to the end of the last token taken.
    func range(from start: Range<Int>) -> Range<Int> {
        start.lowerBound..<max(start.upperBound, position > 0 ? tokens[position - 1].range.upperBound : 0)
    }

    /// The text at a range.
    func text(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range.clamped(to: scalars.indices)]))
    }
}
