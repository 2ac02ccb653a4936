// Unsafe: records are made from texts where the reading stage left them.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// What no column takes, on its way to `kept_value`, `kept_row` and `extra_cell`: while a table's pages are written,
/// nothing else may be written to the file.
///
/// A feed may have such a thing in each of its rows. So each is kept without a String and without a statement, in the
/// order of the records that are written as pages at the end.
final class KeptRecords {
    private let place: StorePlace
    private let values: KeptTable
    private let rows: KeptTable
    private let cells: KeptTable
    private let index: KeptValueIndex
    /// The plan of the file at hand, and how its columns are told apart in the index.
    private var plan: TablePlan?
    /// Columns with a value that they could not take, by table; views look for those values.
    private(set) var keptColumns: [String: Set<String>] = [:]
    /// Where the columns' names are among the words, once they are needed.
    private var columnWords: [Int?] = []
    /// The same for reasons why rows are kept.
    private var reasonWords = [Int?](repeating: nil, count: NoticeKind.allCases.count)
    /// Rows of clustered tables that are not stored, so that their values are not kept either.
    private var duplicates: [String: LateDuplicates] = [:]

    init(_ place: StorePlace) {
        self.place = place
        let spill = SharedSpill(in: place.space)
        values = KeptTable("kept_value", columns: [.group, .integer, .integer, .name, .text], spill)
        rows = KeptTable("kept_row", columns: [.group, .integer, .name, .text], spill)
        cells = KeptTable("extra_cell", columns: [.group, .integer, .integer, .text], spill)
        index = KeptValueIndex(place)
    }

    // MARK: Adding

    /// Adds what a block brings.
    func add(_ block: ParsedBlock, of plan: TablePlan) throws {
        guard block.bringsKept else { return }
        let batch = block.batch(of: block.cells)
        if self.plan !== plan { begin(plan) }
        try add(block.keptValues.values, batch, plan)
        if !block.keptRows.isEmpty {
            let group = rows.group(plan.file)
            for row in block.keptRows.values {
                let key = KeptTable.Key(row: Int64(row.rowNumber), word: word(of: row.reason), rank: 0)
                try rows.add(row.text.bytes(in: batch), key, to: group)
            }
        }
        if !block.extraCells.isEmpty {
            guard try cells.group(plan.file).append(block.extraCells) else {
                throw ImportError(.bug, at: place.path, ": cells beyond the header of \(plan.file) come in no order")
            }
        }
        for cell in block.lateExtraCells.values {
            let key = Self.key(ofCell: Int(cell.position), cell.row)
            try cells.add(cell.text.bytes(in: batch), key, to: cells.group(plan.file))
        }
    }

    /// Adds a row that turned out not to be storable.
    func keep(row number: Int, of file: String, reason: String, text: UnsafeRawBufferPointer) throws {
        let key = KeptTable.Key(row: Int64(number), word: rows.word(reason), rank: 0)
        try rows.add(text, key, to: rows.group(file))
    }

    func keep(cell value: String, at position: Int, row: Int, of file: String) throws {
        var value = value
        try value.withUTF8 {
            let key = Self.key(ofCell: position, UInt32(clamping: row))
            try cells.add(UnsafeRawBufferPointer($0), key, to: cells.group(file))
        }
    }

    private static func key(ofCell position: Int, _ row: UInt32) -> KeptTable.Key {
        KeptTable.Key(row: Int64(row), number: Int64(position), rank: Int64(position))
    }

    private func begin(_ plan: TablePlan) {
        self.plan = plan
        columnWords = [Int?](repeating: nil, count: plan.columns.count)
        index.begin(plan)
    }

    private func add(_ keptValues: UnsafeBufferPointer<KeptValue>, _ batch: CellBatch, _ plan: TablePlan) throws {
        guard !keptValues.isEmpty else { return }
        let group = values.group(plan.table, isClustered: plan.isClustered)
        try index.add(keptValues, batch)
        for value in keptValues {
            let column = Int(value.column)
            let word = columnWords[column] ?? note(column, plan)
            // Values of one row of a clustered table come in the order of their columns.
            let rank = plan.isClustered ? value.sequence : Int64(plan.keptRanks[column])
            let key = KeptTable.Key(
                row: value.row, number: value.sequence, word: word, rank: rank, latecomer: value.latecomer)
            try values.add(value.text.bytes(in: batch), key, to: group)
        }
    }

    private func note(_ column: Int, _ plan: TablePlan) -> Int {
        keptColumns[plan.table, default: []].insert(plan.keptNames[column])
        let word = values.word(plan.keptNames[column])
        columnWords[column] = word
        return word
    }

    private func word(of reason: NoticeKind) -> Int {
        if let word = reasonWords[reason.rawValue] { return word }
        let word = rows.word(reason.code.name)
        reasonWords[reason.rawValue] = word
        return word
    }

    /// The file has been read to its end; of its rows these are not stored.
    func end(_ plan: TablePlan, duplicates: LateDuplicates?) throws {
        if let duplicates { self.duplicates[plan.table] = duplicates }
        for table in [values, rows, cells] { try table.rest() }
    }

    // MARK: Storing

    /// Writes everything into the empty tables. No transaction may be open.
    func writePages(_ connection: Connection) throws {
        let tables = [values, rows, cells].filter { !$0.isEmpty }
        guard !tables.isEmpty else { return }
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        try file.writeAhead()
        for table in tables {
            guard let root = try connection.rootPage(of: table.name) else {
                throw ImportError(.bug, at: place.path, ": table \(table.name) was not made")
            }
            let tree = try file.tree(root: root)
            try table.write(to: tree, leavingOut: table === values ? duplicates : [:], place)
            try file.adopt(tree.finish())
        }
        try file.settle()
    }

    /// The index of values, nil if they are fewer than this or if it could not be sorted.
    func sortedIndex(leastValues: Int) -> KeptValueIndex? {
        index.isComplete && index.count >= leastValues ? index : nil
    }
}
