// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// The indexes of a clustered table that leave NULL out. Their columns are empty in most feeds: a stop time's location
/// and booking rules.
///
/// Their keys are gathered while the rows pass. SQLite would read all rows for each index, even for a column with few
/// values: 20 ms each for 186,000 stop times.
final class SparseIndexes {
    private final class Column {
        let name: String
        let cell: Int
        /// Nil while there is no value.
        var keys: KeySorter?

        init(_ name: String, cell: Int) { (self.name, self.cell) = (name, cell) }
    }

    private let columns: [Column]
    private let place: StorePlace
    /// False once a row had a value that does not fit into a key. Then none of these indexes is written here.
    private var isComplete = true

    init(_ plan: TablePlan, in place: StorePlace) {
        let indexes = StoreSchema.indexes.filter { $0.table == plan.table && $0.leavesOutNull }
        columns = indexes.compactMap { index in
            plan.cell(of: index.leadingColumn).map { Column(index.name, cell: $0) }
        }
        self.place = place
    }

    /// Adds the rows of a block.
    func add(_ block: ParsedBlock, _ batch: CellBatch) throws(KeySortingError) {
        for column in columns where isComplete && block.cells.hasValue(inCell: column.cell) {
            let sorter = column.keys ?? KeySorter(in: place.space)
            column.keys = sorter
            for row in batch.rows where !row.isNull(column.cell) {
                guard let value = row.integer(column.cell).flatMap({ UInt32(exactly: $0) }),
                    let parent = UInt32(exactly: row.id), let sequence = UInt64(exactly: row.payloads[1])
                else { return isComplete = false }
                try sorter.append(SortKey(high: UInt64(value) << 32 | UInt64(parent), low: sequence))
            }
        }
    }

    /// Writes the pages of the indexes that have keys behind those of the file: the value and the key of each row.
    /// Returns the root pages by the indexes' names. Writes none if keys are missing, or if `hasDuplicates`, because
    /// then some keys belong to rows that are not stored.
    func write(to file: DatabaseFile, hasDuplicates: Bool) throws -> [String: UInt32] {
        guard isComplete, !hasDuplicates else { return [:] }
        var roots: [String: UInt32] = [:]
        for column in columns {
            if let keys = column.keys.take() { roots[column.name] = try write(keys, to: file) }
        }
        return roots
    }

    private func write(_ keys: KeySorter, to file: DatabaseFile) throws -> UInt32 {
        try file.appendIndex { tree in
            var record = RecordBuilder(columns: 3)
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
        }
    }
}
