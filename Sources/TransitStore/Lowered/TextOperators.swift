extension TextOperator {
    /// Whether a text matches a pattern, code point by code point. The SQL functions and in-memory evaluation both use
    /// this.
    ///
    /// Throws for an invalid regular expression, and for a pattern that takes too long. SQLite cannot stop a function,
    /// so each call is bounded.
    func holds(_ subject: String, _ pattern: String) throws -> Bool {
        switch self {
        case .beginsWith: subject.hasBytePrefix(pattern)
        case .endsWith: subject.hasByteSuffix(pattern)
        case .contains: subject.containsBytes(of: pattern)
        case .equals: subject.hasSameBytes(as: pattern)
        case .like: try Wildcards.holds(subject, pattern)
        case .matches: try KnownPatterns.matches(subject, pattern)
        }
    }
}
