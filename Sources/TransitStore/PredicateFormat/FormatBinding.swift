import RequestGrammar
import SystemFiles

extension SyntaxToken {
    /// Replaces the placeholders among the tokens by arguments, one after the other.
    ///
    /// A `%K` becomes the names of its key path. Throws `FormatProblem`, also for a wrong number of arguments.
    static func binding(
        _ arguments: [Any?], to tokens: [SyntaxToken]
    ) throws -> (tokens: [SyntaxToken], values: [FormatArgument]) {
        var bound: [SyntaxToken] = []
        var values: [FormatArgument] = []
        var remaining = arguments[...]
        for token in tokens {
            guard case .placeholder(let kind) = token.kind else {
                bound.append(token)
                continue
            }
            guard let argument = remaining.popFirst() else {
                let given = arguments.isEmpty ? "none is given" : "only \(arguments.count) given"
                throw FormatProblem("there is no argument for this placeholder: \(given)", at: token.range)
            }
            if kind == "K" {
                bound += try keyPath(argument, token.range)
            } else {
                bound.append(SyntaxToken(kind: .argument(values.count), range: token.range))
                values.append(try value(argument, kind, token.range))
            }
        }
        guard remaining.isEmpty else {
            let used = arguments.count - remaining.count
            let given = arguments.count == 1 ? "1 argument is given" : "\(arguments.count) arguments are given"
            let reason = given + (used == 1 ? ", but there is 1 placeholder" : ", but there are \(used) placeholders")
            if let quoted = tokens.first(where: \.looksLikePlaceholder) {
                throw FormatProblem(reason + "; one in quotes is a text: leave out the quotes", at: quoted.range)
            }
            throw FormatProblem(reason, at: tokens.last?.range ?? 0..<0)
        }
        return (bound, values)
    }

    private static func value(_ argument: Any?, _ placeholder: String, _ range: Range<Int>) throws -> FormatArgument {
        guard let value = FormatArgument(argument) else {
            throw FormatProblem(FormatArgument.refusal(of: argument), at: range)
        }
        switch (placeholder, value) {
        case ("@", _), (_, .value(_, .reference)), (_, .value(.value(.integer), _)), ("f", .value(.value(.double), _)):
            break
        default:
            let wanted = placeholder == "d" ? "a whole number" : "a number"
            throw FormatProblem("%\(placeholder) stands for \(wanted); use %@ for all else", at: range)
        }
        return value
    }

    private static func keyPath(_ argument: Any?, _ range: Range<Int>) throws -> [SyntaxToken] {
        guard case .value(.value(.text(let path)), _) = FormatArgument(argument), !path.isEmpty else {
            throw FormatProblem("%K stands for a key path, such as \"stop.name\"", at: range)
        }
        var tokens: [SyntaxToken] = []
        for name in path.parts(at: ".") {
            if !tokens.isEmpty { tokens.append(SyntaxToken(kind: .symbol("."), range: range)) }
            let kind: SyntaxToken.Kind =
                if let word = name.without(prefix: "@") {
                    .aggregate(word)
                } else if let word = name.without(prefix: "$") { .variable(word) } else { .name(name) }
            tokens.append(SyntaxToken(kind: kind, range: range))
        }
        return tokens
    }
}

extension SyntaxToken {
    /// Whether this is a text like `'%@'`, which was probably meant as a placeholder.
    fileprivate var looksLikePlaceholder: Bool {
        guard case .text(let text) = kind else { return false }
        return ["%@", "%d", "%f", "%K"].contains(where: text.contains)
    }
}
