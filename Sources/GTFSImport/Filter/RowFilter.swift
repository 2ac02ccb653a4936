import GTFSFeed
import GTFSSchema

/// Which rows of one file a filtered store holds, by the file's declaration:
///
/// 1. A table that others need (trips, stops, services, …) keeps the rows whose ID was found needed.
/// 2. A sequence under a parent (stop times of a trip, points of a shape) is kept whole with its parent.
/// 3. Every other row is kept if all that it names is in the store. What it leaves open says nothing.
///
/// What rows of the third kind name comes from the IDs that were entered while the files before were read.
final class RowFilter {
    private struct Test {
        let maps: [IdentifierMap]
        let passesBlank: Bool
    }

    private let tests: [Test]
    private let row: ScannedRow
    /// Maps of translated tables by name, and the places of table_name and record_id among the fields.
    private let translated: [String: IdentifierMap]
    /// Rows left out so far.
    private(set) var leftOut = 0

    init(_ plan: TablePlan, _ needed: NeededIDs, _ state: ReadingState) {
        var columns: [Int?] = []
        var tests: [Test] = []
        func add(_ column: ColumnPlan?, _ maps: [IdentifierMap], passesBlank: Bool) {
            columns.append(column?.source)
            tests.append(Test(maps: maps, passesBlank: passesBlank))
        }
        func column(_ field: FieldDefinition?) -> ColumnPlan? {
            plan.columns.first { $0.field != nil && $0.field?.name == field?.name }
        }
        let definition = plan.definition
        let own = definition?.idField.flatMap { id in
            needed.maps[ColumnReference(table: plan.table, column: id.column)]
        }
        if let own {
            // The only agency of a feed needs no ID.
            add(column(definition?.idField), [own], passesBlank: plan.table == "agency")
        } else {
            for field in plan.isClustered ? Array(definition?.keyFields.prefix(1) ?? []) : definition?.fields ?? []
            where !field.targets.isEmpty {
                guard let column = column(field) else {
                    if plan.isClustered { add(nil, [], passesBlank: false) }
                    continue
                }
                add(column, Self.maps(of: column, needed), passesBlank: !plan.isClustered)
            }
        }
        translated = plan.table == "translation" ? Self.translatedMaps(state.namespaces) : [:]
        if !translated.isEmpty {
            columns += ["table_name", "record_id"].map { name in column(definition?.field(named: name))?.source }
        }
        self.tests = tests
        row = ScannedRow(state, columns: columns)
    }

    /// Takes the rows that are not kept out of a block.
    func leaveOut(of block: RecordBlock) {
        row.begin(block, lookingUp: tests.first.flatMap { $0.maps.count == 1 ? $0.maps[0] : nil })
        leftOut += block.keepRows { number in
            row.number = number
            return isKept()
        }
    }

    private func isKept() -> Bool {
        for (field, test) in tests.enumerated() {
            if test.maps.contains(where: { row.isIn($0, field: field) }) { continue }
            guard test.passesBlank, row.text(field).isEmpty else { return false }
        }
        return translated.isEmpty || isTranslationKept()
    }

    private func isTranslationKept() -> Bool {
        let (table, record) = (tests.count, tests.count + 1)
        guard !row.text(record).isEmpty, let map = translated[String(decoding: row.text(table), as: UTF8.self)] else {
            return true
        }
        return row.isIn(map, field: record)
    }

    /// Where the values of a column must be found.
    private static func maps(of column: ColumnPlan, _ needed: NeededIDs) -> [IdentifierMap] {
        // Shapes and services begin where they are first named, so only the survey knows which are needed.
        if column.parser == .definingReference, let target = column.field?.targets.first {
            return [needed.maps[target] ?? IdentifierMap()]
        }
        return [column.identifiers].compactMap(\.self) + column.otherIdentifiers
    }

    /// By the name that translations have for a table: the IDs that the first part of its key refers to.
    private static func translatedMaps(_ namespaces: Namespaces) -> [String: IdentifierMap] {
        var maps: [String: IdentifierMap] = [:]
        for file in Specification.gtfs.files {
            guard let key = file.keyFields.first, file.name.hasSuffix(".txt") else { continue }
            switch key.type {
            case .id: maps[file.stem] = namespaces.map(of: ColumnReference(table: file.table, column: key.column))
            case .reference: maps[file.stem] = key.targets.first.map { namespaces.map(of: $0) }
            default: break
            }
        }
        return maps
    }
}
