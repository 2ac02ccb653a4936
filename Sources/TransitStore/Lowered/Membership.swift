/// `a IN (?, ?)`: NULL if `a` is. A long list is bound as one JSON text, because SQLite takes 32,766 values at most.
struct Membership: LoweredNode {
    let element: any LoweredNode
    /// None of them is NULL.
    let values: [Slot]
    /// The values by which objects in memory are tested: 10,000 objects may be looked for in a list of 10,000.
    let known: Set<QueryValue>

    /// `isInMemory` if the node is evaluated, and never written as SQL.
    init(element: any LoweredNode, values: [Slot], isInMemory: Bool) {
        (self.element, self.values) = (element, values)
        known = isInMemory ? Set(values.map(\.bound.comparable)) : []
    }

    /// Longer lists are bound as one value.
    static let mostSlots = 1_000

    func write(to sql: inout SQLFragment) {
        element.writeOperand(to: &sql)
        guard values.count > Self.mostSlots else {
            sql.append(" IN (")
            sql.append(values, separator: ", ") { sql, value in value.write(to: &sql) }
            return sql.append(")")
        }
        let values = values.map(\.bound)
        let json = JSONValues(values)
        sql.append(" IN (SELECT \(json.sql("value")) FROM json_each(")
        sql.bind(.text(json.list(values)))
        sql.append("))")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        let value = try element.value(&rows)
        if values.isEmpty { return false }
        return value.isNull ? .null : QueryValue(known.contains(value.comparable))
    }

    var operands: [any LoweredNode] { values.isEmpty ? [] : [element] }
    var falseWithout: Set<String> { element.nullWithout }
}

extension Lowering {
    mutating func membership(_ element: LoweredValue, _ values: [QueryValue]) -> any LoweredNode {
        let slots = values.map { slot($0) }
        let present = slots.filter { !$0.bound.isNull }
        // A missing name reads as "", a missing number as 0. If the list has that value, NULL must match as well.
        let needsAbsent = element.absent.map { absent in values.contains { $0.compare(absent) == 0 } } ?? false
        let members = Membership(
            element: needsAbsent ? element.node : element.bare, values: present, isInMemory: isInMemory)
        guard present.count < values.count else { return members }
        return Junction(isConjunction: false, parts: [members, element.isMissing])
    }
}
