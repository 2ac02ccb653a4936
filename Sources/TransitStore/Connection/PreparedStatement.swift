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
