import SQLite

/// What is known of the changes of a context, and how it follows a change of one object.
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
    }

    /// A column of a table.
    struct ColumnName: Hashable {
        let table: ExactText
        let column: ExactText

        init(_ entity: EntityDescription, _ column: Int) {
            (table, self.column) = (ExactText(entity.table), ExactText(entity.columns[column].name))
        }
    }

    /// Columns of a store's object were set. Its row must have been kept before.
    func update(_ object: StoreObject, columns: [Int]) {
        let (id, isFirst) = (object.objectID, !updated.contains(object.objectID))
        var known = known
        updated[id] = object
        for column in columns { known.values[ColumnName(id.entity, column)] = nil }
        if isFirst { note(object, in: &known) }
        noteReferences(of: object, isFirst ? Array(id.entity.columns.indices) : columns, in: &known)
        follow(known, id)
    }

    /// An object was deleted. The row of a store's object must have been kept before.
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

    /// Keeps what was known before an object was changed, with the object.
    private func follow(_ before: consuming Known, _ id: ObjectID) {
        let table = ExactText(id.entity.table)
        if let key = id.keyValues.first { before.reach?[table, default: .init()].keys.insert(key) }
        before.tables?.insert(table)
        before.timetables = [:]
        known = before
    }

    /// Adds an object that had not been changed before.
    private func note(_ object: StoreObject, in known: inout Known) {
        let id = object.objectID
        noteBefore(id, in: &known)
        for name in known.values.keys where name.table == ExactText(id.entity.table) {
            guard let column = id.entity.columnIndex(name.column.text) else { continue }
            let value = object.row?.integer(column)
            if let value { known.values[name]?.now[value, default: []].append(id) }
            let reference = object.context?.referencedID(of: object, column)
            if value == nil || reference.map(haveRemoved) ?? false { known.values[name]?.emptyNow.append(id) }
        }
    }

    /// Counts the row that an object has in the store.
    private func noteBefore(_ id: ObjectID, in known: inout Known) {
        for name in known.values.keys where name.table == ExactText(id.entity.table) {
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

    /// Adds what an object refers to now by some columns. What it referred to before stays: reaching too many rows does
    /// no harm.
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
