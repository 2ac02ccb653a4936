import ICU
import Synchronization

/// Patterns with `?` for one code point and `*` for any number; after a backslash, a character stands for itself.
enum Wildcards {
    /// This many steps take some tenths of a second. Only a pattern of thousands of letters in a text of thousands
    /// needs them.
    private static let mostSteps = 50_000_000

    static func holds(_ subject: String, _ pattern: String) throws -> Bool {
        if isTooShort(subject, for: pattern) { return false }
        if let result = matches(Array(subject.unicodeScalars), Array(pattern.unicodeScalars)) { return result }
        let start = String(pattern.unicodeScalars.prefix(100))
        throw StoreError(
            .tooComplex,
            "LIKE \(QueryValue.text(start))…: matching a text of \(subject.utf8.count) bytes takes too long; give "
                + "fewer *, or use CONTAINS")
    }

    /// Whether a text has fewer code points than a pattern needs. Stops reading the pattern as soon as that is known,
    /// because it is called for each row and a pattern may be a megabyte long.
    private static func isTooShort(_ subject: String, for pattern: String) -> Bool {
        var left = subject.unicodeScalars.count
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if !isEscaped, scalar == "*" { continue }
            isEscaped = !isEscaped && scalar == "\\"
            if isEscaped { continue }
            if left == 0 { return true }
            left -= 1
        }
        return false
    }

    /// Nil if it takes too many steps.
    private static func matches(_ subject: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool? {
        var (position, place) = (0, 0)
        // Where to continue if the rest does not match: after the last `*`. One retry point suffices, so the cost is at
        // most the product of the lengths.
        var retry: (position: Int, place: Int)?
        var steps = 0
        while position < subject.count {
            steps += 1
            if steps > mostSteps { return nil }
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

    /// The place after the part of the pattern that matches this code point; nil if it does not match.
    private static func step(_ scalar: Unicode.Scalar, _ pattern: [Unicode.Scalar], _ place: Int) -> Int? {
        guard place < pattern.count else { return nil }
        if pattern[place] == "?" { return place + 1 }
        if pattern[place] == "\\", place + 1 < pattern.count {
            return pattern[place + 1] == scalar ? place + 2 : nil
        }
        return pattern[place] == scalar ? place + 1 : nil
    }
}

/// Compiled regular expressions, so that a pattern is not compiled again for every row.
///
/// An expression in use is taken out, so no two threads match with the same one. The lock is not held while matching.
enum KnownPatterns {
    private struct Idle: @unchecked Sendable {
        // @unchecked: an expression is in here only while nobody uses it, and is handed over under the lock.
        var expressions: [ExactText: RegularExpression] = [:]
    }

    private static let idle = Mutex(Idle())
    private static let most = 16

    /// Whether a pattern matches the whole text. Throws `StoreError` for a pattern that is invalid or takes too long.
    static func matches(_ text: String, _ pattern: String) throws -> Bool {
        var code = StoreError.Code.unsuitableValue
        do {
            let known = idle.withLock { $0.expressions.removeValue(forKey: ExactText(pattern)) }
            let expression = try known ?? RegularExpression(pattern)
            // A pattern that was compiled fails only if it takes too much time or memory.
            code = .tooComplex
            let result = try expression.matches(text)
            keep(expression, for: pattern)
            return result
        } catch let error as RegularExpression.Failure {
            throw StoreError(code, "MATCHES \(QueryValue.text(pattern)): \(error.reason)")
        }
    }

    private static func keep(_ expression: sending RegularExpression, for pattern: String) {
        idle.withLock { idle in
            if idle.expressions.count >= most { idle.expressions.removeAll() }
            idle.expressions[ExactText(pattern)] = expression
        }
    }
}
