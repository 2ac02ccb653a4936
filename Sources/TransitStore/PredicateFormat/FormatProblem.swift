import RequestGrammar

/// What is wrong with a text, and where: its grammar, or a name or value that the entity does not have.
struct FormatProblem: Error {
    let code: StoreError.Code
    let reason: String
    /// In Unicode scalars.
    let range: Range<Int>

    init(_ reason: String, at range: Range<Int>, code: StoreError.Code = .syntax) {
        self.code = code
        self.reason = reason
        self.range = range
    }

    init(_ problem: SyntaxProblem) { self.init(problem.reason, at: problem.range) }
}

extension StoreError {
    /// The fault, the line that has it, and a caret beneath.
    ///
    ///     predicate: Stop has no property nam; did you mean name?
    ///       nam = 'Zoo'
    ///       ^~~
    init(_ problem: FormatProblem, in text: String, called subject: String) {
        let line = FaultyLine(Array(text.unicodeScalars), problem.range)
        self.init(
            problem.code, "\(subject): \(problem.reason)\n  \(line.text)\n  \(line.caret)",
            at: Place(subject, line: line.number, column: line.column))
    }
}

/// The line of a text that has a fault, cut to fit on a screen, and the carets beneath the fault.
private struct FaultyLine {
    let text: String
    let caret: String
    /// Counted from 1, like the column.
    let number: Int
    let column: Int

    private static let mostBefore = 60
    private static let mostAfter = 40

    init(_ scalars: [Unicode.Scalar], _ range: Range<Int>) {
        let position = min(range.lowerBound, scalars.count)
        let lineStart = (scalars[..<position].lastIndex(of: "\n") ?? -1) + 1
        let lineEnd = scalars[position...].firstIndex(of: "\n") ?? scalars.count
        number = scalars[..<position].count { $0 == "\n" } + 1
        column = position - lineStart + 1
        let start = max(lineStart, position - Self.mostBefore)
        let end = min(lineEnd, position + Self.mostAfter)
        let before = Self.visible(scalars[start..<position], isCut: start > lineStart)
        let fault = Self.visible(scalars[position..<max(position, min(range.upperBound, end))])
        let after = Self.visible(scalars[(position + fault.scalarCount)..<end])
        text = before.text + fault.text + after.text + (end < lineEnd ? "…" : "")
        caret =
            String(repeating: " ", count: before.text.count) + "^"
            + String(repeating: "~", count: max(fault.text.count - 1, 0))
    }

    /// Replaces scalars that have no width or would control a terminal.
    private static func visible(
        _ scalars: ArraySlice<Unicode.Scalar>, isCut: Bool = false
    ) -> (text: String, scalarCount: Int) {
        var view = String.UnicodeScalarView()
        if isCut { view.append("…") }
        for scalar in scalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: view.append("\u{FFFD}")
            default: view.append(scalar)
            }
        }
        return (String(view), scalars.count)
    }
}
