/// A node of the syntax tree: its content and its position in the text. Names are not looked up yet.
///
/// The condition `name BEGINSWITH[cd] %@` is a `.comparison` with the operator `.beginsWith`, both options, the path
/// `name` to the left and the argument 0 to the right.
package struct Syntax: Sendable {
    package indirect enum Content: Sendable {
        case text(String)
        case integer(Int64)
        case double(Double)
        /// NIL
        case missing
        /// The argument of a placeholder, by its index in a list.
        case argument(Int)
        case list([Syntax])
        case path(Path)
        case call(Function, [Syntax])
        /// `TERNARY(test, value, other)`
        case ternary(Syntax, Syntax, Syntax)
        case negative(Syntax)
        /// `~a`: a whole number with each bit inverted.
        case complement(Syntax)
        case arithmetic(ArithmeticSign, Syntax, Syntax)

        case comparison(Comparison)
        case all([Syntax])
        case any([Syntax])
        case not(Syntax)
        /// TRUEPREDICATE or FALSEPREDICATE.
        case always(Bool)
    }

    package var content: Content
    /// Its position in the text, parentheses included, in Unicode scalars.
    package var range: Range<Int>
    /// How many levels of other nodes it contains; 0 for a number or a name.
    let depth: Int

    init(_ content: Content, at range: Range<Int>) {
        (self.content, self.range, depth) = (content, range, content.depth)
    }

    /// Whether it is a condition, which is true or false, and not a value.
    var isCondition: Bool {
        switch content {
        case .comparison, .all, .any, .not, .always, .call(.inBox, _), .call(.hasWords, _): true
        default: false
        }
    }

    /// Whether it is a list, or an argument or variable whose value may be one.
    var mayBeList: Bool {
        switch content {
        case .list, .argument: true
        case .path(let path): if case .variable = path.start { true } else { false }
        default: false
        }
    }
}

extension Syntax.Content {
    fileprivate var depth: Int {
        switch self {
        case .text, .integer, .double, .missing, .argument, .always: 0
        case .path(let path): path.depth
        case .list(let parts), .call(_, let parts), .all(let parts), .any(let parts): Self.depth(around: parts)
        case .negative(let part), .complement(let part), .not(let part): part.depth + 1
        case .arithmetic(_, let left, let right): max(left.depth, right.depth) + 1
        case .comparison(let comparison): max(comparison.left.depth, comparison.right.depth) + 1
        case .ternary(let test, let value, let other): Self.depth(around: [test, value, other])
        }
    }

    private static func depth(around parts: [Syntax]) -> Int { (parts.map(\.depth).max() ?? 0) + 1 }
}

extension Syntax.Path {
    fileprivate var depth: Int {
        var inner = -1
        if case .subquery(let rows) = start { inner = max(rows.collection.depth, rows.condition.depth) }
        if let argument = aggregate?.path { inner = max(inner, argument.path.depth) }
        return inner + 1
    }
}

extension Syntax {
    /// Two values and the operator between them.
    package struct Comparison: Sendable {
        package let op: Operator
        package let options: Options
        package let left: Syntax
        package let right: Syntax
        /// ANY, ALL or NONE before it.
        package let quantifier: Quantifier?
        package let operatorRange: Range<Int>
        /// The operator as messages show it, if it is a word.
        package let operatorWord: String?
    }

    package enum Operator: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case `in`, between, beginsWith, contains, endsWith, like, matches
    }

    /// ANY and SOME mean the same.
    package enum Quantifier: String, Sendable {
        case anyRow = "ANY"
        case someRow = "SOME"
        case allRows = "ALL"
        case noRow = "NONE"
    }

    /// `[c]`, `[d]`, `[cd]`; empty for `[n]`, which means the same as no options.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let caseInsensitive = Options(rawValue: 1)
        package static let diacriticInsensitive = Options(rawValue: 2)
    }

    package enum ArithmeticSign: String, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case remainder = "%"
        case bitAnd = "&"
        case bitOr = "|"
        case shiftLeft = "<<"
        case shiftRight = ">>"
    }

    /// Functions: `abs(a)`, and those that NSPredicate's language does not have, such as `folded(name)`,
    /// `coalesce(a, b)` and `distance(52.5, 13.4)`.
    package enum Function: String, Sendable, CaseIterable {
        case folded, coalesce, length, abs, distance, inBox, hasWords

        init?(written word: String) {
            let known = Self.allCases.first { $0.rawValue.inCapitals == word.inCapitals }
            guard let known else { return nil }
            self = known
        }
    }
}

extension Syntax {
    /// A row and names joined by points: `stop.name`, `SELF.stopTimes.@count`, `$x.departureTime`, `$NAME`.
    package struct Path: Sendable {
        package indirect enum Start: Sendable {
            /// The fetched row; `isWritten` if it is written as SELF.
            case row(isWritten: Bool)
            /// `$x` of a subquery, or a variable that stands for a value.
            case variable(String)
            case subquery(Subquery)
            /// The rows of a group: `@count` alone.
            case group
        }

        package struct Name: Sendable {
            package let text: String
            /// Whether it is written `#name`, so that it can only be a property's name.
            package let isMarked: Bool
            package let range: Range<Int>

            init?(_ token: SyntaxToken) {
                switch token.kind {
                case .word(let text): (self.text, isMarked, range) = (text, false, token.range)
                case .name(let text): (self.text, isMarked, range) = (text, true, token.range)
                default: return nil
                }
            }
        }

        package let start: Start
        package let startRange: Range<Int>
        package var names: [Name] = []
        package var aggregate: Aggregate?
    }

    /// `@count`, or `@max.departureTime`.
    package struct Aggregate: Sendable {
        package enum Function: String, Sendable {
            case count, min, max, sum
            case average = "avg"
        }

        package let function: Function
        /// The function's name as written, for messages.
        package let word: String
        package let range: Range<Int>
        /// The property that it aggregates; nil for the rows themselves.
        package let path: Box?

        /// A reference, because paths contain aggregates and aggregates contain paths.
        package final class Box: Sendable {
            package let path: Syntax
            init(_ path: Syntax) { self.path = path }
        }
    }

    /// `SUBQUERY(stopTimes, $x, $x.departureTime > 28800)`
    package struct Subquery: Sendable {
        package let collection: Syntax
        package let variable: String
        package let variableRange: Range<Int>
        package let condition: Syntax
    }
}
