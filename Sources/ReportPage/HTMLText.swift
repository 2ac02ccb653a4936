import Console
import SystemFiles

/// Escapes text for a page. Everything that is not written in this target's sources goes through `escaped`.
///
///     HTMLText.escaped("<b>Köln\u{202E}")     // "&lt;b&gt;Köln\\u{202E}": the mark is spelled out
enum HTMLText {
    /// Text for an element or an attribute in double quotes. None of its characters can end either, and none can
    /// reverse, hide or control the text beside it.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.harmless.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A name from a feed. Its writing direction, which may be either, does not affect the text around it.
    static func foreign(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

    /// A sentence of ours, or a path. It runs from left to right even if it begins with a word in Arabic or Hebrew.
    static func leftToRight(_ text: String) -> String { "<bdi dir=\"ltr\">\(escaped(text))</bdi>" }

    /// The first `count` Unicode scalars, with "…" if more are cut off.
    static func shortened(_ text: String, to count: Int) -> String {
        text.unicodeScalars.count <= count
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))) + "…"
    }

    /// Turns the entities of `escaped` back into characters. What `escaped` spelled out stays so.
    static func unescaped(_ text: String) -> String {
        var (result, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
        while let and = rest.firstIndex(of: "&") {
            result += rest[..<and]
            rest = rest[and...]
            let entity = entities.first { rest.starts(with: $0.key.unicodeScalars) }
            result += (entity?.value ?? "&").unicodeScalars
            rest = rest.dropFirst(entity?.key.unicodeScalars.count ?? 1)
        }
        return String(result + rest)
    }

    private static let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'"]
}

/// A number for a drawing or a percentage: at most one decimal, and a decimal point in every locale.
func drawn(_ number: Double) -> String {
    let tenths = Int((min(max(number, -1e15), 1e15) * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
}
