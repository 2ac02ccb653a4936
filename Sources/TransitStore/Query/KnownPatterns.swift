import ICU
import Synchronization

/// Regular expressions that have been compiled, so that a pattern is not compiled again for every row.
///
/// One that is in use is out of here, so that no two threads match with the same; the lock is never held meanwhile.
enum KnownPatterns {
    private struct Idle: @unchecked Sendable {
        // @unchecked: an expression is in here only while nobody uses it, and is handed over under the lock.
        var expressions: [ExactText: RegularExpression] = [:]
    }

    private static let idle = Mutex(Idle())
    private static let most = 16

    /// Whether a pattern matches the whole text. Throws `StoreError` for a pattern that is none or takes too long.
    static func matches(_ text: String, _ pattern: String) throws -> Bool {
        do {
            let known = idle.withLock { $0.expressions.removeValue(forKey: ExactText(text: pattern)) }
            let expression = try known ?? RegularExpression(pattern)
            let result = try expression.matches(text)
            keep(expression, for: pattern)
            return result
        } catch let error as RegularExpression.Failure {
            throw StoreError(.failed, "MATCHES \(QueryValue.text(pattern)): \(error.reason)")
        }
    }

    private static func keep(_ expression: sending RegularExpression, for pattern: String) {
        idle.withLock { idle in
            if idle.expressions.count >= most { idle.expressions.removeAll() }
            idle.expressions[ExactText(text: pattern)] = expression
        }
    }
}
