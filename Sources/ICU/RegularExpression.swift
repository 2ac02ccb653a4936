// Regular expressions over names.

/// A compiled regular expression in ICU's syntax (<https://unicode-org.github.io/icu/userguide/strings/regexp.html>),
/// the same as in NSPredicate's MATCHES.
///
///     try RegularExpression("(U|S\\+U) .*").matches("U Görlitzer Bahnhof")     // true
///
/// A match is bounded: it stops after about a fifth of a second or when it needs more than 4 MB. Compiling costs some
/// microseconds. Not for two threads at once.
package final class RegularExpression {
    /// Why there is no answer.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let reason: String
        package var description: String { reason }
    }

    private let regex: Handle

    /// Throws for a pattern that is not valid or is longer than 16 KB.
    package init(_ pattern: String) throws(Failure) {
        let (regex, name) = pattern.withUTF8Bytes(CRegex.open)
        guard let regex else { throw Failure(reason: Self.reason(name)) }
        self.regex = regex
    }

    deinit { CRegex.close(regex) }

    /// Whether the pattern matches the whole text. Throws when matching takes too long or needs too much memory, or
    /// when the text is longer than 16 MB.
    package func matches(_ text: String) throws(Failure) -> Bool {
        guard let result = text.withUTF8Bytes({ CRegex.matches(regex, $0) }) else {
            throw Failure(reason: "matching takes too long or too much memory")
        }
        return result
    }

    /// ICU's names of errors in words.
    private static func reason(_ name: String) -> String {
        switch name {
        case "U_REGEX_MISMATCHED_PAREN": "parentheses do not pair up"
        case "U_REGEX_MISSING_CLOSE_BRACKET": "a [ is not closed"
        case "U_REGEX_RULE_SYNTAX": "an operator stands where none can"
        case "U_REGEX_BAD_ESCAPE_SEQUENCE": "a backslash does not begin a complete escape"
        case "U_REGEX_BAD_INTERVAL": "{…} does not hold a count"
        case "U_REGEX_NUMBER_TOO_BIG", "U_REGEX_MAX_LT_MIN": "a count is out of range"
        case "U_REGEX_INVALID_RANGE": "a range has no end, or begins after it"
        case "U_REGEX_INVALID_BACK_REF": "there is no such group"
        case "U_REGEX_INVALID_CAPTURE_GROUP_NAME": "the name of a group is incomplete, unknown or given twice"
        case "U_REGEX_INVALID_FLAG": "the options after (? are not complete"
        case "U_REGEX_PROPERTY_SYNTAX": "there is no such property of characters, as in \\p{Lu}"
        case "U_ILLEGAL_CHAR_FOUND": "there is no character of the name in \\N{…}"
        case "U_REGEX_LOOK_BEHIND_LIMIT": "what (?<=…) or (?<!…) looks for may be of any length"
        case "U_REGEX_UNIMPLEMENTED": "ICU does not have this kind of group"
        case "U_REGEX_INTERNAL_ERROR": "it is nested too deeply"
        case "U_REGEX_PATTERN_TOO_BIG": "it is too long"
        default: name
        }
    }
}
