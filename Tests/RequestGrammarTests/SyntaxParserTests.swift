import RequestGrammar
import Testing

/// The parser makes trees from texts without knowing any names.
@Suite struct SyntaxParserTests {
    private static func tree(_ text: String) throws(SyntaxProblem) -> Syntax? {
        var parser = SyntaxParser(text, tokens: try SyntaxScanner.tokens(of: text))
        return try parser.predicate()
    }

    /// The tree with a pair of parentheses around each part.
    private static func outline(_ syntax: Syntax) -> String {
        func list(_ parts: [Syntax], _ word: String) -> String {
            "(" + parts.map(outline).joined(separator: " \(word) ") + ")"
        }
        switch syntax.content {
        case .text(let text): return "'\(text)'"
        case .integer(let number): return "\(number)"
        case .double(let number): return "\(number)"
        case .missing: return "NIL"
        case .argument(let place): return "%\(place)"
        case .list(let elements): return list(elements, ",")
        case .path(let path): return outline(path)
        case .call(let function, let arguments): return "\(function)" + list(arguments, ",")
        case .ternary(let test, let yes, let no): return "TERNARY" + list([test, yes, no], ",")
        case .negative(let inner): return "-" + outline(inner)
        case .complement(let inner): return "~" + outline(inner)
        case .arithmetic(let sign, let left, let right): return list([left, right], sign.rawValue)
        case .comparison(let comparison):
            let quantifier = comparison.quantifier.map { $0.rawValue + " " } ?? ""
            return "(\(quantifier)\(outline(comparison.left)) \(comparison.op) \(outline(comparison.right)))"
        case .all(let parts): return list(parts, "AND")
        case .any(let parts): return list(parts, "OR")
        case .not(let inner): return "NOT " + outline(inner)
        case .always(let isTrue): return isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
        }
    }

    private static func outline(_ path: Syntax.Path) -> String {
        let start: [String] =
            switch path.start {
            case .row(let isWritten): isWritten ? ["SELF"] : []
            case .variable(let name): ["$" + name]
            case .subquery(let subquery): ["SUBQUERY(\(outline(subquery.collection)), \(outline(subquery.condition)))"]
            case .group: []
            }
        let aggregate = path.aggregate.map { aggregate in
            ["@\(aggregate.function)"] + (aggregate.path.map { [outline($0.path)] } ?? [])
        }
        return (start + path.names.map(\.text) + (aggregate ?? [])).joined(separator: ".")
    }

    @Test(arguments: [
        ("a = 1 OR b = 2 AND NOT c = 3", "((a equal 1) OR ((b equal 2) AND NOT (c equal 3)))"),
        ("(a = 1 OR b = 2) AND c = 3", "(((a equal 1) OR (b equal 2)) AND (c equal 3))"),
        ("a + b * -c - 1 > 2", "(((a + (b * -c)) - 1) greater 2)"),
        ("a / b % c = d", "(((a / b) % c) equal d)"),
        ("a & 1 + b | ~c << -2 = d", "((((a & (1 + b)) | ~c) << -2) equal d)"),
        ("(a >> 1) & 3 == +5", "(((a >> 1) & 3) equal 5)"), ("a > .5 OR a < 37.", "((a greater 0.5) OR (a less 37.0))"),
        ("(a.b).c = 1 AND (a).@count > 2", "((a.b.c equal 1) AND (a.@count greater 2))"),
        ("(SUBQUERY(a, $x, $x.b = 1)).@count > 1", "(SUBQUERY(a, ($x.b equal 1)).@count greater 1)"),
        ("a ==[n] 'x' AND b CONTAINS[cdl] 'y'", "((a equal 'x') AND (b contains 'y'))"),
        ("ANY stops.parent.name BEGINSWITH[cd] 'x'", "(ANY stops.parent.name beginsWith 'x')"),
        ("SELF.a.@max.b.c IN {1, 2.5, NIL}", "(SELF.a.@max.b.c in (1 , 2.5 , NIL))"),
        ("SUBQUERY(a, $x, $x.b = $Y).@count != 0", "(SUBQUERY(a, ($x.b equal $Y)).@count notEqual 0)"),
        ("TERNARY(a = 1, 'x', folded(b)) == 'x'", "(TERNARY((a equal 1) , 'x' , folded(b)) equal 'x')"),
        ("#any.in = -9223372036854775808", "(any.in equal -9223372036854775808)"),
    ])
    func becomes(text: String, tree: String) throws {
        #expect(try Self.tree(text).map(Self.outline) == tree)
    }

    @Test func aBlankTextHasNoTree() throws {
        #expect(try Self.tree(" \n ") == nil)
    }

    private static let values = [
        "a", "a.b", "'x'", "1", "2.5", "$x", "@count", "a.@max.b", "NIL", "SELF", "#in", "{1, 2}", "(a", "a)", "é",
        "\\",
        "folded(a)", "NOT", "ANY",
    ]
    private static let signs = ["=", "AND", "OR", "IN", "-", "+", "*", "%", "BEGINSWITH[cd]", "BETWEEN", ".", ",", "("]

    /// Any text gives a tree or a problem, whose range lies in the text.
    @Test func anyTextIsReadOrRefused() {
        var (read, refused) = (0, 0)
        for seed in 1...5_000 as ClosedRange<UInt64> {
            var state = seed
            func roll(_ sides: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % sides
            }
            let text = (0..<(1 + roll(8))).map { place in
                place % 2 == 0 ? Self.values[roll(Self.values.count)] : Self.signs[roll(Self.signs.count)]
            }.joined(separator: " ")
            let end = text.unicodeScalars.count
            do {
                guard let tree = try Self.tree(text) else { continue }
                if tree.range.upperBound > end { Issue.record("\(text): \(tree.range)") }
                read += 1
            } catch {
                if error.range.lowerBound > end || error.reason.isEmpty { Issue.record("\(text): \(error)") }
                refused += 1
            }
        }
        #expect(read > 100 && refused > 1_000)
    }
}
