import SQLite

/// A request skeleton with its prepared statement, and with a second statement that reads only the keys.
///
/// A program that asks for the same area again and again has all of its rows in memory. Then the keys are enough:
/// reading the columns would be half of a row's cost.
final class PreparedSkeleton: PreparedStatement {
    let skeleton: RequestSkeleton
    private(set) var keys: Keys?
    /// How many fetches in succession had all of their rows in memory.
    private var knownFetches = 0
    /// A fetch by keys is wasted if it finds a row that is not in memory. With 4, at most one fetch in five is wasted.
    private static let fewestKnownFetches = 4

    enum Keys {
        /// The statement for the keys.
        case text(String, PreparedStatement)
        /// There is no such statement, because it would return the rows in another order.
        case unlike
    }

    init(_ skeleton: RequestSkeleton) { self.skeleton = skeleton }

    /// Whether the next fetch probably has all of its rows in memory.
    var expectsKnownRows: Bool { knownFetches >= Self.fewestKnownFetches }

    /// Counts a fetch that found `rows` rows and had to read `read` of them.
    override func countFetch(rows: Int, read: Int) {
        if read > 0 { knownFetches = 0 } else if rows > 0 { knownFetches += 1 }
    }

    func setKeys(_ sql: SQLFragment?) { keys = sql.map { .text($0.text, PreparedStatement()) } ?? .unlike }
}

/// A statement that is kept prepared between its runs.
class PreparedStatement {
    private var statement: Statement?

    /// Is told of each fetch of objects that the statement served: the rows it found, and those it had to read.
    func countFetch(rows: Int, read: Int) {}

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
