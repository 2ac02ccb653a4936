import SystemFiles

/// Builds one JSON object on one line (RFC 8259); names keep their order.
///
///     var json = JSONText()
///     json.object { json in
///         json.member("file") { $0.string("stops.txt") }
///         json.member("rows") { $0.integer(3) }
///     }
///     json.text     // {"file":"stops.txt","rows":3}
package struct JSONText {
    package private(set) var text = ""
    private var needsComma = false

    package init() {}

    package mutating func object(_ members: (inout JSONText) -> Void) { nested("{", "}", members) }
    package mutating func array(_ elements: (inout JSONText) -> Void) { nested("[", "]", elements) }

    package mutating func member(_ name: String, _ value: (inout JSONText) -> Void) {
        string(name)
        text += ":"
        needsComma = false
        value(&self)
    }

    package mutating func integer(_ number: Int) { scalar(String(number)) }

    /// A time rounded to milliseconds; null if it is not finite, because JSON has no such numbers.
    package mutating func seconds(_ number: Double) {
        scalar(number.isFinite ? ((number * 1_000).rounded() / 1_000).description : "null")
    }

    package mutating func string(_ value: String) { scalar(Self.quoted(value)) }

    /// A text as JSON.
    package static func quoted(_ value: String) -> String {
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) { return "\"" + value + "\"" }
        var quoted = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // RFC 8259, 7 demands U+0000 to U+001F; DEL and the C1 controls could steer a terminal that shows the text.
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                quoted += "\\u" + scalar.value.hexadecimal(digits: 4)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private mutating func scalar(_ value: String) {
        if needsComma { text += "," }
        text += value
        needsComma = true
    }

    private mutating func nested(_ open: String, _ close: String, _ content: (inout JSONText) -> Void) {
        if needsComma { text += "," }
        text += open
        needsComma = false
        content(&self)
        text += close
        needsComma = true
    }
}
