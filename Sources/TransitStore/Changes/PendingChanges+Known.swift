import SQLite

/// Facts about a context's changes. They are collected when they are first asked for. From then on each change updates
/// them.
///
/// A program that goes through many trips reads the calls of each and changes them. If each change made the next read
/// look at all changes, ten times as many trips would take a hundred times as long.
extension PendingChanges {
    /// Facts derived from the current changes.
    struct Known {
        var values: [ColumnName: ChangedValues] = [:]
        /// Every table with changed objects.
        var tables: [ExactText: ChangeReach.Table]?
        /// By the position of the store.
        var timetables: [Int: ChangedTimetable] = [:]
        /// By the table.
        var places: [ExactText: ChangedPlaces] = [:]
        /// Of stops.
        var names: ChangedNames?
        var movedDepartures: MovedDepartures?
        /// The days of services that were asked for. Trips of a feed have few services, so a program that asks for
        /// each trip whether it runs reads the exceptions of a service once.
        private(set) var calendars: [ObjectID: ServiceCalendar] = [:]

        private static let mostCalendars = 2_000

        mutating func keep(_ calendar: ServiceCalendar, of service: ObjectID) {
            if calendars.count >= Self.mostCalendars { calendars = [:] }
            calendars[service] = calendar
        }

        /// Forgets what may differ after a change of an object with these earlier and current values.
        fileprivate mutating func forget(after id: ObjectID, _ earlier: PackedRow?, _ now: PackedRow?) {
            if !timetables.values.allSatisfy({ $0.note(id, earlier, now) }) { timetables = [:] }
            places[ExactText(id.entity.table)]?.note(id)
            if id.entity.table == Stop.entity.table { names?.note(id) }
            if ServiceCalendar.tables.contains(id.entity.table) { calendars = [:] }
        }

        /// Forgets which departures moved, after a stop may have another parent or be none any more.
        fileprivate mutating func forgetStations(after id: ObjectID) {
            if id.entity === Stop.entity { movedDepartures = nil }
        }

        /// The columns of an entity whose values are known. An array: while a view of the dictionary's keys exists,
        /// each change of a value copies all values.
        fileprivate func columns(of entity: EntityDescription) -> [(name: ColumnName, position: Int)] {
            values.keys.filter { $0.table == ExactText(entity.table) }.compactMap { name in
                entity.columnIndex(name.column.text).map { (name, $0) }
            }
        }
    }

    /// A column of a table.
    struct ColumnName: Hashable {
        let table: ExactText
        let column: ExactText

        init(_ entity: EntityDescription, _ column: Int) {
            (table, self.column) = (ExactText(entity.table), ExactText(entity.columns[column].name))
        }
    }

    // MARK: Changes

    /// Makes a change of an object and updates the facts.
    ///
    /// The change takes the facts out first: a second reference to them would make it copy all values.
    private func change(_ id: ObjectID, _ make: (inout Known) -> Void) {
        let earlier = row(of: id)
        var facts = Known()
        swap(&facts, &known)
        make(&facts)
        facts.forget(after: id, earlier, row(of: id))
        known = facts
    }

    /// Notes that an object was inserted. It has no values but its key.
    func insert(_ object: StoreObject) {
        let id = object.objectID
        change(id) { known in
            inserted[id] = object
            note(id, Array(id.entity.columns.indices), in: &known)
        }
    }

    /// Notes that columns of an object were set. For an object of a store, call `keepStoredRow` before the change.
    func update(_ object: StoreObject, columns setColumns: [Int]) {
        let id = object.objectID
        let isFirst = !inserted.contains(id) && !updated.contains(id)
        let columns = isFirst ? Array(id.entity.columns.indices) : setColumns
        change(id) { known in
            for (name, column) in known.columns(of: id.entity) where !isFirst && columns.contains(column) {
                known.values[name]?.remove(id, row(of: id), column)
            }
            if inserted.contains(id) { inserted[id] = object } else { updated[id] = object }
            if isFirst { countStored(id, in: &known) }
            note(id, columns, in: &known)
            if setColumns.contains(Stop.Column.parent_station.rawValue) { known.forgetStations(after: id) }
        }
    }

    /// Notes that the references of an inserted object lead into this store.
    func move(_ id: ObjectID, to store: Int32) {
        guard homes[id] != store else { return }
        change(id) { known in
            let columns = known.columns(of: id.entity)
            for (name, column) in columns { known.values[name]?.remove(id, row(of: id), column) }
            homes[id] = store
            // Which references lead to deleted rows depends on the store.
            for (name, column) in columns {
                known.values[name]?.add(id, row(of: id), column, isEmpty: leadsNowhere(id, column))
            }
            known.forgetStations(after: id)
        }
    }

    /// Notes that an object was deleted. For an object of a store, call `keepStoredRow` before.
    func delete(_ object: StoreObject) {
        let id = object.objectID
        let isFirst = !id.isTemporary && !updated.contains(id) && !deleted.contains(id)
        change(id) { known in
            for (name, column) in known.columns(of: id.entity) where !isFirst {
                known.values[name]?.remove(id, row(of: id), column)
            }
            updated[id] = nil
            if !inserted.remove(id), !id.isTemporary { deleted[id] = object }
            if isFirst { countStored(id, in: &known) }
            noteEmptyReferences(to: id, in: &known)
            note(id, [], in: &known)
            known.forgetStations(after: id)
        }
    }

    /// Notes that an object of a store lost its changes. `tables` still has its references: reaching too many rows does
    /// no harm.
    func revert(_ id: ObjectID) {
        guard updated.contains(id) else { return }
        change(id) { known in
            for (name, column) in known.columns(of: id.entity) {
                known.values[name]?.remove(id, row(of: id), column)
                known.values[name]?.removeStored(storedRows[id], column)
            }
            updated[id] = nil
            known.timetables = [:]
            known.forgetStations(after: id)
        }
    }

    /// Notes that changed objects refer to an object that was deleted.
    private func noteEmptyReferences(to id: ObjectID, in known: inout Known) {
        guard case .row(let key) = id.key else { return }
        for name in Array(known.values.keys)
        where known.values[name]?.target?.hasSameBytes(as: id.entity.table) == true {
            let others = (known.values[name]?.now[key] ?? []).filter { other in
                other.entity.columnIndex(name.column.text).map { leadsNowhere(other, $0) } ?? false
            }
            known.values[name]?.addEmpty(others)
        }
    }

    /// Adds the current values of some columns of an object.
    private func note(_ id: ObjectID, _ columns: [Int], in known: inout Known) {
        for (name, column) in known.columns(of: id.entity) where columns.contains(column) {
            known.values[name]?.add(id, row(of: id), column, isEmpty: leadsNowhere(id, column))
        }
        known.tables?[ExactText(id.entity.table), default: .init()].add(
            id, row(of: id), columns, isDeleted: deleted.contains(id))
    }

    /// Counts the row that an object has in the store.
    private func countStored(_ id: ObjectID, in known: inout Known) {
        for (name, column) in known.columns(of: id.entity) {
            known.values[name]?.countStored(storedRows[id], column)
        }
        known.tables?[ExactText(id.entity.table), default: .init()].addStored(id, storedRows[id])
    }

    /// Whether a column of a changed object is empty or refers to a deleted object.
    private func leadsNowhere(_ id: ObjectID, _ column: Int) -> Bool {
        guard let value = row(of: id)?.integer(column) else { return true }
        guard value < 0 || !deleted.isEmpty else { return false }
        return inserted.context?.id(value, referredToFrom: id, column).map(haveRemoved) ?? false
    }

    // MARK: Facts

    /// The changed objects of a table by the value of a column.
    func changedValues(of entity: EntityDescription, _ column: Int) -> ChangedValues {
        let name = ColumnName(entity, column)
        if let known = known.values[name] { return known }
        var changed = ChangedValues(target: entity.columns[column].target)
        for id in ids where id.entity.table.hasSameBytes(as: entity.table) {
            // In another store, the columns of a table may have another order.
            guard let column = id.entity == entity ? column : id.entity.columnIndex(name.column.text) else { continue }
            if !id.isTemporary { changed.countStored(storedRows[id], column) }
            if !deleted.contains(id) { changed.add(id, row(of: id), column, isEmpty: leadsNowhere(id, column)) }
        }
        known.values[name] = changed
        return changed
    }

    /// The changes by table.
    var tables: [ExactText: ChangeReach.Table] {
        if let tables = known.tables { return tables }
        var tables: [ExactText: ChangeReach.Table] = [:]
        for id in ids {
            tables[ExactText(id.entity.table), default: .init()].add(
                id, row(of: id), id.entity.columns.indices, isDeleted: deleted.contains(id))
            tables[ExactText(id.entity.table), default: .init()].addStored(id, storedRows[id])
        }
        known.tables = tables
        return tables
    }

    /// Whether rows of a table were changed.
    func concern(_ table: String) -> Bool { !isEmpty && tables[ExactText(table)] != nil }
}

extension ChangeReach.Table {
    /// Adds a changed object, and the rows to which some of its columns refer. Rows to which they referred before stay:
    /// reaching too many rows does no harm.
    fileprivate mutating func add(
        _ id: ObjectID, _ row: PackedRow?, _ columns: some Collection<Int>, isDeleted: Bool
    ) {
        if !id.isTemporary, let key = id.keyValues.first {
            keys.insert(key)
            if isDeleted { deleted.insert(key) }
        }
        if !isDeleted, let row { addReferences(of: id, row, columns) }
    }

    /// Adds the rows to which a changed or deleted object refers in the store.
    fileprivate mutating func addStored(_ id: ObjectID, _ row: PackedRow?) {
        if let row {
            addReferences(of: id, row, id.entity.columns.indices)
        } else if !id.isTemporary, let key = id.keyValues.first {
            unknown.insert(key)
        }
    }

    private mutating func addReferences(of id: ObjectID, _ row: PackedRow, _ columns: some Collection<Int>) {
        for column in columns where id.entity.columns[column].target != nil {
            guard let value = row.integer(column) else { continue }
            references[id.entity.columns[column].name, default: []].insert(.integer(value))
        }
    }
}
