import GTFSFeed
import GTFSSchema

/// Decides which rows of one file a filtered store holds, by the file's declaration:
///
/// 1. A table that others refer to (trips, stops, services, …) keeps the rows whose ID the survey found needed.
/// 2. A sequence with a parent (stop times of a trip, points of a shape) is kept as a whole if its parent is kept.
/// 3. Every other row is kept if everything that it refers to is in the store. Empty references are ignored.
///
/// For the third kind, the IDs in the store are those that were entered while earlier files were read. If several rows
/// have the same ID (pathways, attributions), the first decides for all, as only that one would be in the store.
final class RowFilter {
    private struct Test {
        let maps: [IdentifierMap]
        let passesBlank: Bool
    }

    private let tests: [Test]
    private let row: ScannedRow
    /// The IDs of `TranslatedRecords.files`. Empty unless the file is translations.txt.
    private let translated: [IdentifierMap]
    /// The field with the ID of a row of the third kind; nil if it has none.
    private let idField: Int?
    /// The IDs of such rows that were left out.
    private let leftOutIDs = IdentifierMap()
    /// Rows left out so far.
    private(set) var leftOut = 0
    /// The number of the last row so far, which may be left out.
    private(set) var lastRow = 0

    init(_ plan: TablePlan, _ needed: NeededIDs, _ state: ReadingState) {
        let definition = plan.definition
        let own = definition?.idField.flatMap { id in
            needed.maps[ColumnReference(table: plan.table, column: id.column)]
        }
        let tested = Self.tests(of: plan, own: own, needed)
        tests = tested.map(\.test)
        var columns = tested.map { $0.column?.source }
        translated = plan.table == "translation" ? TranslatedRecords.ids(state.namespaces) : []
        if !translated.isEmpty {
            columns += ["table_name", "record_id"].map { Self.column(definition?.field(named: $0), of: plan)?.source }
        }
        let id = own == nil && !plan.isClustered ? Self.column(definition?.idField, of: plan) : nil
        idField = id.map { _ in columns.count }
        if let id { columns.append(id.source) }
        row = ScannedRow(state, columns: columns)
    }

    /// The columns that decide whether a row is kept, each with its test; nil for a column that the file lacks. `own`
    /// has the kept IDs of the file's own rows, if these are chosen by ID.
    private static func tests(
        of plan: TablePlan, own: IdentifierMap?, _ needed: NeededIDs
    ) -> [(column: ColumnPlan?, test: Test)] {
        let definition = plan.definition
        if let own {
            // The only agency of a feed needs no ID.
            return [(column(definition?.idField, of: plan), Test(maps: [own], passesBlank: plan.table == "agency"))]
        }
        if plan.isClustered {
            return (definition?.keyFields.prefix(1) ?? []).filter { !$0.targets.isEmpty }.map { field in
                let column = column(field, of: plan)
                return (column, Test(maps: column.map { maps(of: $0, needed) } ?? [], passesBlank: false))
            }
        }
        let references = (definition?.fields ?? []).filter { !$0.targets.isEmpty }
        return references.compactMap { column($0, of: plan) }.map { column in
            (column, Test(maps: maps(of: column, needed), passesBlank: true))
        }
    }

    private static func column(_ field: FieldDefinition?, of plan: TablePlan) -> ColumnPlan? {
        plan.columns.first { $0.field != nil && $0.field?.name == field?.name }
    }

    /// Removes the rows that are not kept from a block.
    func leaveOut(of block: RecordBlock) {
        if block.rowCount > 0 { lastRow = block.rowNumber(block.rowCount - 1) }
        row.begin(block, lookingUp: tests.first.flatMap { $0.maps.count == 1 ? $0.maps[0] : nil })
        leftOut += block.keepRows { number in
            row.number = number
            return isKept()
        }
    }

    private func isKept() -> Bool {
        guard let idField else { return hasAllReferences() }
        guard !row.isIn(leftOutIDs, field: idField) else { return false }
        guard !hasAllReferences() else { return true }
        leftOutIDs.add(row.text(idField))
        return false
    }

    private func hasAllReferences() -> Bool {
        for (field, test) in tests.enumerated() {
            if test.maps.contains(where: { row.isIn($0, field: field) }) { continue }
            // A row without any value is noted as blank, not counted as left out.
            guard test.passesBlank && row.text(field).isEmpty || row.isBlank else { return false }
        }
        return translated.isEmpty || isTranslationKept()
    }

    private func isTranslationKept() -> Bool {
        let (table, record) = (tests.count, tests.count + 1)
        guard !row.text(record).isEmpty,
            let file = TranslatedRecords.position(ofTable: row.text(table))
        else { return true }
        return row.isIn(translated[file], field: record)
    }

    /// The maps in which the values of a column must be found.
    private static func maps(of column: ColumnPlan, _ needed: NeededIDs) -> [IdentifierMap] {
        // The first row that names a shape or service creates it, so only the survey knows which are needed.
        if column.parser == .definingReference, let target = column.field?.targets.first {
            return [needed.maps[target] ?? IdentifierMap()]
        }
        return [column.identifiers].compactMap(\.self) + column.otherIdentifiers
    }
}
