import SQLite

/// A statement that is kept prepared between its runs.
class PreparedStatement {
    private var statement: Statement?

    /// The statement; nil while another fetch runs it.
    final func take() -> Statement? {
        defer { statement = nil }
        return statement
    }

    /// Keeps a statement that has run; false if there is one already.
    final func keep(_ used: Statement) -> Bool {
        guard statement == nil else { return false }
        used.reset()
        statement = used
        return true
    }
}

/// A skeleton of requests with its prepared statement, and with the one for its keys alone.
///
/// A program that asks for the same surroundings again and again has all of their rows in memory. Then the keys are
/// enough: reading the columns would be half of a row's cost.
final class PreparedSkeleton: PreparedStatement {
    let skeleton: RequestSkeleton
    private(set) var keys: Keys?
    /// How many fetches in a row had all of their rows at hand.
    private var knownFetches = 0
    /// A fetch by keys that finds an unknown row is in vain, so that one in five may be.
    private static let fewestKnownFetches = 4

    enum Keys {
        /// The statement for the keys.
        case text(String, PreparedStatement)
        /// It would find the rows in another order.
        case unlike
    }

    init(_ skeleton: RequestSkeleton) { self.skeleton = skeleton }

    /// Whether the next fetch probably has all of its rows at hand.
    var expectsKnownRows: Bool { knownFetches >= Self.fewestKnownFetches }

    /// Takes note of a fetch that found so many rows, of which some had to be read.
    func countFetch(rows: Int, read: Int) {
        if read > 0 { knownFetches = 0 } else if rows > 0 { knownFetches += 1 }
    }

    func setKeys(_ sql: SQLFragment?) { keys = sql.map { .text($0.text, PreparedStatement()) } ?? .unlike }
}
