import SystemFiles

extension StringProtocol {
    /// The text in quotation marks, fit for one line of a message: control characters escaped, cut after `limit`
    /// characters.
    func quoted(limit: Int = 60) -> String {
        var text = "\""
        for (index, scalar) in unicodeScalars.enumerated() {
            if index == limit { return text + "…\"" }
            text += scalar.escapedForMessage
        }
        return text + "\""
    }
}

extension String {
    /// The text with unprintable characters and bytes of paths escaped, cut after 2,000 characters. Messages show names
    /// from archives this way, because such a name could move a terminal's cursor or break a log's lines.
    var onOneLine: String {
        if utf8.count <= 2_000 && unicodeScalars.allSatisfy(\.isHarmless) { return self }
        var text = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            if index == 2_000 { return text + "…" }
            text += scalar.isHarmless ? String(scalar) : scalar.escapedForMessage
        }
        return text
    }
}

extension Unicode.Scalar {
    /// The scalar itself if it is harmless, otherwise its escape in Swift's notation.
    var escapedForMessage: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        case "\"", "\\": "\\\(self)"
        // A byte of a path that is no character.
        case "\u{10FF80}"..."\u{10FFFF}": String(self).readablePath
        default: isHarmless ? String(self) : codePoint
        }
    }
}

/// The first few of many things in one line: `a.txt, b.txt, c.txt and 9 more`.
func listed(_ items: [String], limit: Int) -> String {
    let shown = items.prefix(limit).joined(separator: ", ")
    return items.count > limit ? "\(shown) and \(items.count - limit) more" : shown
}
