// Reads values of variables from command lines and query strings.

extension SyntaxScanner {
    /// The value: a text, nil for NIL, or a list of these. Blanks around a text without quotes do not count.
    ///
    ///     try SyntaxScanner.variableValue(of: "{U1, 'Bus, nachts', NIL}")     // two texts and nil
    package static func variableValue(of text: String) throws(SyntaxProblem) -> Any? {
        var scanner = try SyntaxScanner(checking: text)
        return try scanner.variableValue()
    }

    private mutating func variableValue() throws(SyntaxProblem) -> Any? {
        skipWhiteSpace()
        guard current == "{" else {
            let value = try single(endingWith: [])
            guard current == nil else { throw SyntaxProblem(Self.afterQuotes, at: position..<scalars.count) }
            return value
        }
        let list = try variableList()
        skipWhiteSpace()
        guard current == nil else {
            throw SyntaxProblem("nothing may follow the list; a text like this stands in quotes", at: rest)
        }
        return list
    }

    private static let afterQuotes =
        #"nothing may follow the quotes; a text that begins with a quote is written like "'s Hof""#

    private var rest: Range<Int> { position..<max(scalars.count, position + 1) }

    /// From the opening brace to the closing one.
    private mutating func variableList() throws(SyntaxProblem) -> [Any?] {
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
            case nil: throw SyntaxProblem("the list that begins here has no closing }", at: start..<start + 1)
            default: throw SyntaxProblem("expected a comma or } after the quotes", at: position..<position + 1)
            }
        }
    }

    /// A text with or without quotes, or NIL; `ends` are the characters that end an element of a list.
    private mutating func single(endingWith ends: Set<Unicode.Scalar>) throws(SyntaxProblem) -> String? {
        skipWhiteSpace()
        if let quote = current, quote == "'" || quote == "\"" {
            let start = position
            do {
                let text = try quotedText()
                skipWhiteSpace()
                return text
            } catch {
                guard error.range == start..<start + 1 else { throw error }
                let hint = #"; a text that begins with a quote is written like "'s Hof""#
                throw SyntaxProblem(error.reason + hint, at: error.range)
            }
        }
        let start = position
        while let scalar = current, !ends.contains(scalar) {
            if !ends.isEmpty, scalar == "{" {
                throw SyntaxProblem(
                    "a list holds no lists; a text with braces stands in quotes", at: position..<position + 1)
            }
            position += 1
        }
        var word = scalars[start..<position]
        while word.last?.properties.isWhitespace == true { word.removeLast() }
        if !ends.isEmpty, word.isEmpty {
            throw SyntaxProblem("an element is missing; an empty text is written ''", at: start..<start + 1)
        }
        let text = String(String.UnicodeScalarView(word))
        return text == "NIL" || text == "NULL" ? nil : text
    }
}
