/// Whether the tested object is of the store that an id names. Only for objects in memory: a statement runs on one
/// store, so the answer is known when it is written.
struct InStore: LoweredNode {
    let storeNumber: Int32
    /// The store number of an object whose store is not decided yet. It counts as the first store.
    private static let undecided: Int32 = 0

    func write(to sql: inout SQLFragment) { sql.append("1") }

    /// An inserted object is of the store that its references lead into.
    func value(_ rows: inout EvaluatedRows) -> QueryValue {
        guard let object = rows.rows[.root], let context = object.context else { return 1 }
        func decided(_ store: Int32) -> Int32 { store == Self.undecided ? context.firstNumber : store }
        return QueryValue(decided(context.changes.home(of: object.objectID)) == decided(storeNumber))
    }
}
