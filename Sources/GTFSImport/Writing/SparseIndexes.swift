// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// The indexes of a clustered table that leave NULL out, by columns that most feeds have empty: a stop time's location
/// and booking rules.
///
/// They are made while the table is empty. CREATE INDEX reads all rows, also for a column without a value: 20 ms each
/// for 186,000 stop times, and programs that write every column of the reference make four of them.
final class SparseIndexes {
    private final class Column {
        let name: String
        let cell: Int
        let root: UInt32
        /// Nil while there is no value.
        var keys: KeySorter?

        init(_ name: String, cell: Int, root: UInt32) { (self.name, self.cell, self.root) = (name, cell, root) }
    }

    /// The names of all indexes of the kind, also of those whose column the file lacks.
    let names: [String]
    private let columns: [Column]
    private let place: StorePlace
    /// False once a row had a value that a key has no room for: from then on nothing is known of any column.
    private var isComplete = true

    /// Makes the indexes. The table must be empty.
    init(_ plan: TablePlan, _ connection: Connection, in place: StorePlace) throws {
        let indexes = StoreSchema.indexes.filter { $0.table == plan.table && $0.leavesOutNull }
        var columns: [Column] = []
        for index in indexes {
            try connection.execute(index.sql)
            guard let cell = plan.cellColumns.firstIndex(of: index.leadingColumn),
                let root = try connection.rootPage(of: index.name)
            else { continue }
            columns.append(Column(index.name, cell: cell, root: root))
        }
        (names, self.columns, self.place) = (indexes.map(\.name), columns, place)
    }

    /// Adds the rows of a block.
    func add(_ block: ParsedBlock, _ batch: CellBatch, stride: Int) throws(KeySortingError) {
        for column in columns where isComplete && block.cells.hasValue(inCell: column.cell) {
            let sorter = column.keys ?? KeySorter(in: place.space)
            column.keys = sorter
            for row in 0..<batch.rowCount {
                let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
                if tags[column.cell] == CellTag.null { continue }
                guard tags[column.cell] == CellTag.integer, let value = UInt32(exactly: payloads[column.cell]),
                    let parent = UInt32(exactly: payloads[0]), let sequence = UInt64(exactly: payloads[1])
                else { return isComplete = false }
                try sorter.append(SortKey(high: UInt64(value) << 32 | UInt64(parent), low: sequence))
            }
        }
    }

    /// Those that SQLite has to make, as the keys of rows are among theirs that are not stored, or not all.
    func unfinished(hasDuplicates: Bool) -> [String] {
        guard isComplete else { return columns.map(\.name) }
        return hasDuplicates ? columns.filter { $0.keys != nil }.map(\.name) : []
    }

    /// Writes the pages of the others, behind those of the file: value and key of each row.
    func write(to file: DatabaseFile, leavingOut unfinished: [String]) throws {
        for column in columns where !unfinished.contains(column.name) {
            guard let keys = column.keys.take() else { continue }
            let tree = try file.tree(root: column.root)
            var record = ShortRecord(columns: 3)
            while let batch = try keys.nextBatch() {
                try place.check()
                for key in batch {
                    record.begin()
                    record.add(Int64(key.high >> 32))
                    record.add(Int64(key.high & 0xFFFF_FFFF))
                    record.add(Int64(key.low))
                    try tree.append(record.bytes)
                }
            }
            try file.adopt(tree.finish())
        }
    }
}
