import SQLite

/// Facts about a context's changes. They are updated with each change instead of being computed anew.
///
/// A program that goes through many trips reads the calls of each and changes them. If each change made the next read
/// look at all changes, ten times as many trips would take a hundred times as long.
extension PendingChanges {
    /// Facts derived from the current changes.
    struct Known {
        var values: [ColumnName: ChangedValues] = [:]
        var tables: Set<ExactText>?
        var reach: [ExactText: ChangeReach.Table]?
        /// By the position of the store.
        var timetables: [Int: ChangedTimetable] = [:]

        /// The columns of a table whose values are known. An array: while a view of the dictionary's keys exists, each
        /// change of a value copies all values.
        func names(of entity: EntityDescription) -> [ColumnName] {
            values.keys.filter { $0.table == ExactText(entity.table) }
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

    /// Notes that an object was inserted. It has no values but its key.
    func insert(_ object: StoreObject) {
        let id = object.objectID
        var known = known
        inserted[id] = object
        note(object, Array(id.entity.columns.indices), in: &known)
        follow(known, id)
    }

    /// Notes that columns of an object were set. For an object of a store, call `keepStoredRow` before the change.
    func update(_ object: StoreObject, columns: [Int]) {
        let id = object.objectID
        let isFirst = !inserted.contains(id) && !updated.contains(id)
        let columns = isFirst ? Array(id.entity.columns.indices) : columns
        let earlier = row(of: id)
        var known = known
        if inserted.contains(id) { inserted[id] = object } else { updated[id] = object }
        if isFirst { noteBefore(id, in: &known) } else { forget(earlier, of: id, columns, in: &known) }
        note(object, columns, in: &known)
        noteReferences(of: object, columns, in: &known)
        follow(known, id)
    }

    /// Notes that the references of an inserted object lead into this store.
    func move(_ id: ObjectID, to store: Int32) {
        guard homes[id] != store else { return }
        // Which references lead to deleted rows depends on the store.
        var known = deleted.isEmpty ? known : Known()
        homes[id] = store
        known.timetables = [:]
        self.known = known
    }

    /// Notes that an object was deleted. For an object of a store, call `keepStoredRow` before.
    func delete(_ object: StoreObject) {
        let id = object.objectID
        let isFirst = !id.isTemporary && !updated.contains(id) && !deleted.contains(id)
        var known = known
        updated[id] = nil
        if !inserted.remove(id), !id.isTemporary { deleted[id] = object }
        guard isFirst else { return }
        known.values = known.values.filter { $0.value.target.map { !$0.hasSameBytes(as: id.entity.table) } ?? true }
        noteBefore(id, in: &known)
        if let key = id.keyValues.first {
            known.reach?[ExactText(id.entity.table), default: .init()].deleted.insert(key)
        }
        follow(known, id)
    }

    /// Restores the facts from before a change, with the changed object added: setting `inserted`, `updated` or
    /// `deleted` forgets all facts.
    private func follow(_ before: consuming Known, _ id: ObjectID) {
        let table = ExactText(id.entity.table)
        if !inserted.contains(id), let key = id.keyValues.first {
            before.reach?[table, default: .init()].keys.insert(key)
        }
        before.tables?.insert(table)
        before.timetables = [:]
        known = before
    }

    /// Removes the values that a changed object had in some columns before it was changed again.
    private func forget(_ row: PackedRow?, of id: ObjectID, _ columns: [Int], in known: inout Known) {
        for name in known.names(of: id.entity) {
            guard let column = id.entity.columnIndex(name.column.text), columns.contains(column) else { continue }
            known.values[name]?.emptyNow.remove(id)
            if let text = row?.text(column) { known.values[name]?.named[ExactText(text)]?.remove(id) }
            guard let value = row?.integer(column) else { continue }
            known.values[name]?.now[value]?.remove(id)
            if known.values[name]?.now[value]?.isEmpty == true { known.values[name]?.now[value] = nil }
        }
    }

    /// Adds the current values of an object's columns.
    private func note(_ object: StoreObject, _ columns: [Int], in known: inout Known) {
        let id = object.objectID
        for name in known.names(of: id.entity) {
            guard let column = id.entity.columnIndex(name.column.text), columns.contains(column) else { continue }
            let value = object.row?.integer(column)
            if let value { known.values[name]?.now[value, default: []].insert(id) }
            if let text = object.row?.text(column) {
                known.values[name]?.named[ExactText(text), default: []].insert(id)
            }
            let reference = object.context?.referencedID(of: object, column)
            if value == nil || reference.map(haveRemoved) ?? false { known.values[name]?.emptyNow.insert(id) }
        }
    }

    /// Counts the row that an object has in the store.
    private func noteBefore(_ id: ObjectID, in known: inout Known) {
        for name in known.names(of: id.entity) {
            guard let column = id.entity.columnIndex(name.column.text), let row = storedRows[id] else {
                known.values[name]?.unknown += 1
                continue
            }
            if let value = row.integer(column) {
                known.values[name]?.before[value, default: 0] += 1
            } else {
                known.values[name]?.emptyBefore += 1
            }
        }
    }

    /// Adds the rows to which some columns of an object refer now. Rows to which they referred before stay: reaching
    /// too many rows does no harm.
    private func noteReferences(of object: StoreObject, _ columns: [Int], in known: inout Known) {
        guard known.reach != nil, let row = object.row else { return }
        let entity = object.objectID.entity
        for position in columns {
            guard entity.columns[position].target != nil, let value = row.integer(position) else { continue }
            known.reach?[ExactText(entity.table), default: .init()]
                .references[entity.columns[position].name, default: []].insert(.integer(value))
        }
    }
}
