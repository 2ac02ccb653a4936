/// Parses the parts of a request besides its condition: sort keys, columns, and relationships to prefetch.
extension SyntaxParser {
    /// `name[cd] LOCALE de DESC NULLS LAST`
    package struct SortKey {
        package let value: Syntax
        /// Where the `cd` of `[cd]` is written, if texts are sorted without case and diacritics.
        package var folding: Range<Int>?
        package var locale: (name: String, range: Range<Int>)?
        package var isAscending = true
        /// Whether missing values come first; nil unless the text says.
        package var areMissingFirst: Bool?
    }

    /// A value to fetch and its name.
    package struct Column {
        package let value: Syntax
        /// The value as written.
        package let text: String
        package let name: String?
        package let range: Range<Int>
    }

    /// `name[cd] DESC, departureTime NULLS LAST`
    package mutating func sortKeys() throws(SyntaxProblem) -> [SortKey] {
        try list { parser throws(SyntaxProblem) in
            var key = SortKey(value: try parser.calculation())
            if parser.current.isSymbol("[") {
                parser.take()
                key.folding = parser.current.range
                guard parser.accept(keyword: "CD"), parser.accept(symbol: "]") else {
                    throw SyntaxProblem("a sort takes [cd], for texts", at: parser.current.range)
                }
            }
            if parser.accept(keyword: "LOCALE") { key.locale = try parser.localeName() }
            if !parser.accept(keyword: "ASC"), parser.accept(keyword: "DESC") { key.isAscending = false }
            if parser.accept(keyword: "NULLS") { key.areMissingFirst = try parser.firstOrLast() }
            return key
        }
    }

    private mutating func localeName() throws(SyntaxProblem) -> (name: String, range: Range<Int>) {
        let token = take()
        switch token.kind {
        case .word(let name), .text(let name): return (name, token.range)
        default: throw SyntaxProblem("expected a locale, such as de or 'de-AT'", at: token.range)
        }
    }

    private mutating func firstOrLast() throws(SyntaxProblem) -> Bool {
        if accept(keyword: "FIRST") { return true }
        if accept(keyword: "LAST") { return false }
        throw SyntaxProblem("expected FIRST or LAST", at: current.range)
    }

    /// `departureTime, trip.route.shortName AS line, @count`
    package mutating func columns() throws(SyntaxProblem) -> [Column] {
        try list { parser throws(SyntaxProblem) in
            let start = parser.current.range
            let value = try parser.calculation()
            let text = parser.text(parser.range(from: start))
            let name = parser.accept(keyword: "AS") ? try parser.columnName() : nil
            return Column(value: value, text: text, name: name, range: parser.range(from: start))
        }
    }

    private mutating func columnName() throws(SyntaxProblem) -> String {
        let token = take()
        switch token.kind {
        case .word(let name), .name(let name), .text(let name): return name
        default: throw SyntaxProblem("expected a name for the column", at: token.range)
        }
    }

    /// `stopTimes.trip, level`: names joined by points.
    package mutating func names() throws(SyntaxProblem) -> [[Syntax.Path.Name]] {
        try list { parser throws(SyntaxProblem) in
            var names: [Syntax.Path.Name] = []
            repeat {
                let token = parser.take()
                guard let name = Syntax.Path.Name(token) else {
                    throw SyntaxProblem("expected a relationship's name", at: token.range)
                }
                names.append(name)
            } while parser.accept(symbol: ".")
            return names
        }
    }

    /// Elements separated by commas; none for a blank text.
    private mutating func list<Element>(
        _ element: (inout SyntaxParser) throws(SyntaxProblem) -> Element
    ) throws(SyntaxProblem) -> [Element] {
        var elements: [Element] = []
        guard current.kind != .end else { return elements }
        repeat { elements.append(try element(&self)) } while accept(symbol: ",")
        guard current.kind == .end else { throw SyntaxProblem("expected a comma or the end", at: current.range) }
        return elements
    }
}
