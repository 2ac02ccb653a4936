/// Whether the tested object is of the store that an id names. Statements do not need it: each runs on one store.
struct InStore: LoweredNode {
    let number: Int32

    func write(to sql: inout SQLFragment) { sql.append("1") }

    /// An inserted object is of the store that its references lead into.
    func value(_ rows: inout EvaluatedRows) -> QueryValue {
        guard let object = rows.rows[.root], let context = object.context else { return 1 }
        let home = context.changes.home(of: object.objectID)
        return QueryValue((home == 0 ? context.firstNumber : home) == (number == 0 ? context.firstNumber : number))
    }
}
