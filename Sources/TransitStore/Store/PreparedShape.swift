import SQLite

/// A shape of requests with its prepared statement.
final class PreparedShape {
    let shape: RequestShape
    private var statement: Statement?

    init(_ shape: RequestShape) { self.shape = shape }

    /// The statement; nil while another fetch runs it.
    func take() -> Statement? {
        defer { statement = nil }
        return statement
    }

    /// Keeps a statement that has run; false if there is one already.
    func keep(_ used: Statement) -> Bool {
        guard statement == nil else { return false }
        used.reset()
        statement = used
        return true
    }
}
