extension TextOperator {
    /// Whether a text meets a pattern; what the SQL functions and in-memory evaluation share.
    ///
    /// Throws for a regular expression that is none, or that takes too long.
    func holds(_ subject: String, _ pattern: String) throws -> Bool {
        switch self {
        case .beginsWith: subject.starts(with: pattern)
        case .endsWith: subject.hasSuffix(pattern)
        case .contains: pattern.isEmpty || subject.contains(pattern)
        case .equals: subject == pattern
        case .like: Wildcards.matches(Array(subject), Array(pattern))
        case .matches: try KnownPatterns.matches(subject, pattern)
        }
    }
}

/// Patterns with `?` for one character and `*` for any number; a backslash takes the meaning of what follows away.
private enum Wildcards {
    static func matches(_ subject: [Character], _ pattern: [Character]) -> Bool {
        var (position, place) = (0, 0)
        // Where to go on when a later `*` fails: one retry point suffices, so the cost is at most the product.
        var retry: (position: Int, place: Int)?
        while position < subject.count {
            if place < pattern.count, pattern[place] == "*" {
                retry = (position, place)
                place += 1
            } else if let next = step(subject[position], pattern, place) {
                (position, place) = (position + 1, next)
            } else if let last = retry {
                retry = (last.position + 1, last.place)
                (position, place) = (last.position + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }

    /// The place after the part of the pattern that takes one character; nil when it does not take this one.
    private static func step(_ character: Character, _ pattern: [Character], _ place: Int) -> Int? {
        guard place < pattern.count else { return nil }
        if pattern[place] == "?" { return place + 1 }
        if pattern[place] == "\\", place + 1 < pattern.count {
            return pattern[place + 1] == character ? place + 2 : nil
        }
        return pattern[place] == character ? place + 1 : nil
    }
}
