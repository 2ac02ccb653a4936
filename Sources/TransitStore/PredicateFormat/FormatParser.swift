/// Reads a textual predicate, or one expression of it, over the rows of an entity.
///
/// The grammar is that of NSPredicate's format strings:
///
///     condition   := and { (OR | "||") and }
///     and         := not { (AND | "&&") not }
///     not         := (NOT | "!") not | comparison
///     comparison  := TRUEPREDICATE | FALSEPREDICATE | [ANY | SOME | ALL | NONE] sum operator [options] sum
///     operator    := "=" "==" "!=" "<>" "<" "<=" ">" ">=" IN BETWEEN BEGINSWITH CONTAINS ENDSWITH LIKE MATCHES
///     options     := "[c]" | "[d]" | "[cd]"
///     sum         := product { ("+" | "-") product }
///     product     := sign { ("*" | "/" | "%") sign }
///     sign        := "-" sign | value
///     value       := "(" condition or sum ")" | "{" [sum { "," sum }] "}" | number | text | TRUE | FALSE | NIL
///                  | INFINITY | NAN | SELF | path | "$" name | "%@" "%d" "%f" "%K"
///                  | TERNARY "(" condition "," sum "," sum ")"
///                  | SUBQUERY "(" path "," "$" name "," condition ")" ["." rest of path]
///                  | function "(" [path ","] sum { "," sum } ")"
///     function    := "folded" | "coalesce" | "length" | "distance" | "inBox" | "hasWords"
///     path        := [SELF "." | "$" name "."] name { "." name } ["." aggregate]
///     aggregate   := "@count" | ("@count" | "@min" | "@max" | "@avg" | "@sum") "." path
///
/// Topics are spread over extensions: logic, comparisons, arithmetic, values, functions, paths, aggregates.
struct FormatParser {
    private let scalars: [Unicode.Scalar]
    let tokens: [FormatToken]
    let model: StoreModel
    let entity: EntityDescription
    /// Values of `$NAME`; a name without one stays open.
    let variables: [String: FormatArgument]
    /// The names of variables that have been met.
    var variableNames: Set<String> = []
    /// Names beside those of the entity's properties, such as the distance from the place that a command asks about.
    var computed: [String: ReadProperty] = [:]
    /// Whether `@count` and its kin may stand alone, meaning the rows of a group.
    var allowsGroups = false
    /// Whether paths may pass to-many relationships: under ANY, ALL, NONE and after IN.
    var isQuantified = false
    /// What SUBQUERY's variables stand for, the innermost last.
    var subqueries: [(name: String, row: FormatRow)] = []
    private(set) var position = 0
    private var nesting = 0
    private var lastVariable = 0

    /// Beyond this an expression is refused: nobody writes it, and recursion has to end somewhere.
    static let mostNesting = 50

    init(
        _ text: String, arguments: [Any?], variables: [String: FormatArgument], entity: EntityDescription,
        model: StoreModel
    ) throws {
        scalars = Array(text.unicodeScalars)
        tokens = try FormatToken.binding(arguments, to: FormatScanner.tokens(of: text))
        self.variables = variables
        self.entity = entity
        self.model = model
    }

    /// The whole text as a condition; every row for a blank text.
    mutating func predicate() throws -> QueryExpression {
        if current.kind == .end { return .always }
        let result = try condition(disjunction())
        try expectEnd()
        return result
    }

    // MARK: Tokens

    var current: FormatToken { tokens[position] }
    var following: FormatToken { tokens[min(position + 1, tokens.count - 1)] }

    /// Takes the current token; the last one, `end`, stays.
    @discardableResult
    mutating func take() -> FormatToken {
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

    mutating func expect(symbol: String, _ purpose: String) throws {
        guard accept(symbol: symbol) else { throw FormatProblem("expected \(symbol) \(purpose)", at: current.range) }
    }

    func expectEnd() throws {
        guard current.kind != .end else { return }
        let reason = current.isSymbol(")") ? "there is no ( for this )" : "expected AND, OR or the end"
        throw FormatProblem(reason, at: current.range)
    }

    /// Runs `body` one level deeper.
    mutating func nested<Result>(_ body: (inout FormatParser) throws -> Result) throws -> Result {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.mostNesting else {
            throw FormatProblem("nested more than \(Self.mostNesting) levels deep", at: current.range)
        }
        return try body(&self)
    }

    mutating func newVariable() -> QueryVariable {
        lastVariable += 1
        return QueryVariable(lastVariable)
    }

    /// From the beginning of a range to the end of what was taken last.
    func range(from start: Range<Int>) -> Range<Int> {
        start.lowerBound..<max(start.upperBound, position > 0 ? tokens[position - 1].range.upperBound : 0)
    }

    /// What was written at a range.
    func text(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range.clamped(to: scalars.indices)]))
    }

    func range(from operand: FormatOperand) -> Range<Int> { range(from: operand.range) }
}
