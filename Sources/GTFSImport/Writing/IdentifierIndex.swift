// Unsafe: makes records from identifiers where the reading stage keeps them.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// The index of a long table's IDs, made from the reading stage's map. That map has each ID once, with its row, because
/// the reading stage looks up references and refuses rows whose ID came before.
///
/// So only the rows without an ID are gathered here, and the number of IDs is not limited.
final class IdentifierIndex: SortedIndex {
    let index: StoreSchema.Index
    /// The map does not change once the table has been read. The reading stage may look up references meanwhile.
    private let identifiers: IdentifierMap
    private let cell: Int
    private let place: StorePlace
    private var rowsWithout: [UInt32]

    init(
        _ index: StoreSchema.Index, _ identifiers: IdentifierMap, cell: Int = 0, rowsWithout: [UInt32] = [],
        in place: StorePlace
    ) {
        (self.index, self.identifiers, self.place) = (index, identifiers, place)
        (self.cell, self.rowsWithout) = (cell, rowsWithout)
    }

    /// Nil for a table without IDs.
    convenience init?(_ plan: TablePlan, in place: StorePlace) {
        guard let field = plan.definition?.idField,
            let column = plan.columns.first(where: { $0.field?.column == field.column }),
            let identifiers = column.identifiers,
            let index = StoreSchema.indexes.first(where: { $0.table == plan.table && $0.columns == [field.column] })
        else { return nil }
        self.init(index, identifiers, cell: column.cell, in: place)
    }

    /// Adds the rows of a block, which come after those before.
    func add(_ batch: CellBatch) {
        for row in batch.rows where row.isNull(cell) { rowsWithout.append(UInt32(clamping: row.id)) }
    }

    /// Writes the index's pages behind those of the file and returns the root page.
    func write(to file: DatabaseFile) throws -> UInt32 {
        try file.appendIndex { tree in
            var record = RecordBuilder(columns: 2)
            for row in rowsWithout {
                record.begin()
                record.addNull()
                record.add(Int64(row))
                try tree.append(record.bytes)
            }
            try TextOrder(identifiers, in: place.space).forEach(checking: place.check) { number in
                record.begin()
                record.add(identifiers.text(number))
                record.add(Int64(identifiers.key(number)))
                try tree.append(record.bytes)
            }
        }
    }
}
