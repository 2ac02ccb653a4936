/// A value for a variable as command lines and query strings write it.
///
///     try VariableText.value(of: "U1", called: "--set LINE")               // the text U1
///     try VariableText.value(of: "{U1, 'Bus, nachts', NIL}", called: …)    // two texts and NULL
///
/// NIL, or NULL, in capitals is NULL, `{a, b}` a list; all else is a text, without the white space around it. In
/// quotes, with the escapes of conditions, stand the texts 'NIL' and '{a}' and those that hold commas or begin with a
/// quote.
package enum VariableText {
    /// A text, nil, or a list of them. Throws `StoreError.syntax`, showing the place.
    package static func value(of text: String, called subject: String) throws -> Any? {
        do {
            var scanner = try FormatScanner(checking: text)
            return try scanner.variableValue()
        } catch let problem as FormatProblem {
            throw StoreError(problem, in: text, called: subject)
        }
    }
}

extension FormatScanner {
    fileprivate mutating func variableValue() throws -> Any? {
        skipWhiteSpace()
        guard current == "{" else {
            let value = try single(endingWith: [])
            guard current == nil else { throw FormatProblem(Self.afterQuotes, at: position..<scalars.count) }
            return value
        }
        let list = try variableList()
        skipWhiteSpace()
        guard current == nil else {
            throw FormatProblem("nothing may follow the list; a text like this stands in quotes", at: rest)
        }
        return list
    }

    private static let afterQuotes =
        #"nothing may follow the quotes; a text that begins with a quote is written like "'s Hof""#

    private var rest: Range<Int> { position..<max(scalars.count, position + 1) }

    /// From the opening brace to the closing one.
    private mutating func variableList() throws -> [Any?] {
        let start = position
        position += 1
        skipWhiteSpace()
        var elements: [Any?] = []
        if current == "}" {
            position += 1
            return elements
        }
        while true {
            elements.append(try single(endingWith: [",", "}"]))
            switch current {
            case ",": position += 1
            case "}":
                position += 1
                return elements
            case nil: throw FormatProblem("the list that begins here has no closing }", at: start..<start + 1)
            default: throw FormatProblem("expected a comma or } after the quotes", at: position..<position + 1)
            }
        }
    }

    /// A text with or without quotes, or NIL; `ends` are what stands after an element of a list.
    private mutating func single(endingWith ends: Set<Unicode.Scalar>) throws -> String? {
        skipWhiteSpace()
        if let quote = current, quote == "'" || quote == "\"" {
            let start = position
            do {
                let text = try quotedText()
                skipWhiteSpace()
                return text
            } catch let problem as FormatProblem where problem.range == start..<start + 1 {
                let hint = #"; a text that begins with a quote is written like "'s Hof""#
                throw FormatProblem(problem.reason + hint, at: problem.range)
            }
        }
        let start = position
        while let scalar = current, !ends.contains(scalar) {
            if !ends.isEmpty, scalar == "{" {
                throw FormatProblem(
                    "a list holds no lists; a text with braces stands in quotes", at: position..<position + 1)
            }
            position += 1
        }
        var word = scalars[start..<position]
        while word.last?.properties.isWhitespace == true { word.removeLast() }
        if !ends.isEmpty, word.isEmpty {
            throw FormatProblem("an element is missing; an empty text is written ''", at: start..<start + 1)
        }
        let text = String(String.UnicodeScalarView(word))
        return text == "NIL" || text == "NULL" ? nil : text
    }
}
