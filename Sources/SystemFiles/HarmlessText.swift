extension String {
    /// Text from a feed or a path with its control and format characters spelled out as `\u{1B}`, so that it can
    /// neither control the terminal nor pass for a different text.
    package var harmless: String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var result = ""
        for scalar in readablePath.unicodeScalars {
            if scalar.isHarmless {
                result.unicodeScalars.append(scalar)
            } else {
                result += scalar.codePoint
            }
        }
        return result
    }

    /// The same with line ends kept.
    package var harmlessLines: String { parts(at: "\n").map(\.harmless).joined(separator: "\n") }
}

extension Unicode.Scalar {
    /// False for control and format characters, line and paragraph separators, and unassigned or private-use
    /// characters: they can control the terminal, or reverse or hide text. The two joiners are allowed, because
    /// Persian, Hindi and emoji are written with them.
    package var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        case .format: self == "\u{200C}" || self == "\u{200D}"
        default: true
        }
    }

    /// The scalar's number in Swift's notation: `\u{1B}`.
    package var codePoint: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
