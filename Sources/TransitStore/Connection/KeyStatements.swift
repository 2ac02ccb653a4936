import SQLite

/// A connection's statements that find a row by its key, or the rows that refer to a row. Each is written once.
///
/// A program that follows references reads one row after another. Writing each statement anew, and looking up the
/// prepared one by its text, took half of that time.
final class KeyStatements {
    /// A statement, whose values differ from run to run.
    struct Known {
        fileprivate let select: SelectStatement
        let prepared = PreparedStatement()

        func select(_ values: [QueryValue]) -> SelectStatement {
            var select = select
            select.sql = SQLFragment(select.sql.text, bindings: values)
            return select
        }
    }

    private struct Name: Hashable {
        let entity: EntityDescription
        /// The position of a to-many relationship; nil for the entity's own rows.
        let toMany: Int?
    }

    private var known: [Name: Known] = [:]

    /// The statement for a row of an entity, or for the rows of one of its to-many relationships.
    func statement(
        _ entity: EntityDescription, toMany position: Int? = nil, write: () throws -> SelectStatement
    ) rethrows -> Known {
        let name = Name(entity: entity, toMany: position)
        if let statement = known[name] { return statement }
        let statement = Known(select: try write())
        known[name] = statement
        return statement
    }
}
