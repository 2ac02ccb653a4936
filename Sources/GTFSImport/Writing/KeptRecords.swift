// Unsafe: records are made from texts where the reading stage left them.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Values, rows and cells that no column can store, on their way to `numbered_value`, `numbered_row` and
/// `numbered_cell`. They wait here because nothing else may be written to the file while a table's pages are written.
///
/// Every row of a feed may have some, so they are kept without a String or a statement for each. They are in the order
/// of their records, which are written as pages at the end.
final class KeptRecords {
    private let place: StorePlace
    private let values: KeptTable
    private let rows: KeptTable
    private let cells: KeptTable
    private let index: KeptValueIndex
    /// The plan of the current file.
    private var plan: TablePlan?
    /// Columns with kept values, by table. Views look for those values.
    private var keptColumns: [[UInt8]: StoreSchema.KeptColumns] = [:]
    /// Which of the plan's columns are in `keptColumns`.
    private var isNoted: [Bool] = []
    /// The numbers of tables with kept values; `names` has those of files and reasons.
    private let tables = KeptNames()
    private let names = KeptNames()
    private var numbersOfReasons = [Int?](repeating: nil, count: NoticeKind.allCases.count)
    /// Rows of clustered tables that are not stored. Their values are not kept either.
    private var duplicates: [String: LateDuplicates] = [:]

    init(_ place: StorePlace) {
        self.place = place
        let space = place.space
        values = KeptTable("numbered_value", columns: [.number, .name], of: tables, in: space)
        rows = KeptTable("numbered_row", columns: [.name], of: names, in: space)
        cells = KeptTable("numbered_cell", columns: [.number], of: names, in: space)
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
                let key = KeptTable.Key(row: Int64(row.rowNumber), nameNumber: number(of: row.reason), rank: 0)
                try rows.add(row.text.bytes(in: batch), key, to: group)
            }
        }
        if !block.extraCells.isEmpty {
            guard try cells.group(plan.file).append(block.extraCells) else {
                throw ImportError(.bug, at: place.path, ": cells beyond the header of \(plan.file) come in no order")
            }
        }
        if !block.lateExtraCells.isEmpty {
            let group = cells.group(plan.file)
            for cell in block.lateExtraCells.values {
                let key = Self.key(ofCell: Int(cell.position), cell.row)
                try cells.add(cell.text.bytes(in: batch), key, to: group)
            }
        }
    }

    /// Adds a row that turned out not to be storable.
    func keep(row number: Int, of file: String, reason: String, text: UnsafeRawBufferPointer) throws {
        let key = KeptTable.Key(row: Int64(number), nameNumber: names.number(of: reason), rank: 0)
        try rows.add(text, key, to: rows.group(file))
    }

    /// Adds rows of one file, for one reason, that turned out not to be storable.
    func keepRows(
        of file: String, _ reason: NoticeKind,
        _ rows: (_ keep: (_ row: Int, _ text: UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let (group, name) = (self.rows.group(file), number(of: reason))
        try rows { row, text in
            try self.rows.add(text, KeptTable.Key(row: Int64(row), nameNumber: name, rank: 0), to: group)
        }
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
        isNoted = [Bool](repeating: false, count: plan.columns.count)
    }

    private func add(_ keptValues: UnsafeBufferPointer<KeptValue>, _ batch: CellBatch, _ plan: TablePlan) throws {
        guard !keptValues.isEmpty else { return }
        let group = values.group(plan.table, isClustered: plan.isClustered)
        try index.add(keptValues, batch, ofTable: group.number)
        for value in keptValues {
            let column = Int(value.column)
            if !isNoted[column] { note(column, plan, Int(group.number)) }
            // Values of one row of a clustered table come in the order of their columns.
            let rank = plan.isClustered ? value.sequence : Int64(column)
            let key = KeptTable.Key(
                row: value.row, number: value.sequence, nameNumber: column, rank: rank, latecomer: value.latecomer)
            try values.add(value.text.bytes(in: batch), key, to: group)
        }
    }

    private func note(_ column: Int, _ plan: TablePlan, _ table: Int) {
        isNoted[column] = true
        let key = Array(plan.table.utf8)
        keptColumns[key, default: .init(table: table)].add(plan.keptName(ofColumn: column), number: column)
    }

    /// The columns of a table that have kept values; nil if there are none.
    func keptColumns(of table: String) -> StoreSchema.KeptColumns? { keptColumns[Array(table.utf8)] }

    private func number(of reason: NoticeKind) -> Int {
        if let number = numbersOfReasons[reason.rawValue] { return number }
        let number = names.number(of: reason.code.name)
        numbersOfReasons[reason.rawValue] = number
        return number
    }

    /// Ends a file that has been read to its end. Its `duplicates` are not stored.
    func end(_ plan: TablePlan, duplicates: LateDuplicates?) throws {
        if let duplicates {
            self.duplicates[plan.table] = duplicates
            if let kept = keptColumns(of: plan.table) { index.leaveOutLatecomers(ofTable: Int64(kept.table)) }
        }
        for table in [values, rows, cells] { try table.releaseBuffers() }
    }

    // MARK: Storing

    /// Writes everything into the empty tables. No transaction may be open.
    func write(_ connection: Connection) throws {
        let tables = [values, rows, cells].filter { !$0.isEmpty }
        guard !tables.isEmpty else { return }
        try writePages(of: tables, connection)
        try connection.execute("BEGIN")
        try writeNames(connection)
        try connection.execute("COMMIT")
    }

    private func writeNames(_ connection: Connection) throws(SQLiteError) {
        let insertName = try connection.prepare("INSERT INTO kept_name VALUES(?, ?)")
        for (number, name) in names.names.enumerated() {
            insertName.bind(1, Int64(number))
            insertName.bind(2, name)
            try insertName.run()
        }
        let insertColumn = try connection.prepare("INSERT INTO kept_column VALUES(?, ?, ?, ?)")
        for (number, table) in tables.names.enumerated() {
            for (column, columnNumber) in keptColumns(of: table)?.numbered ?? [] {
                insertColumn.bind(1, Int64(number))
                insertColumn.bind(2, Int64(columnNumber))
                insertColumn.bind(3, table)
                insertColumn.bind(4, column)
                try insertColumn.run()
            }
        }
    }

    private func writePages(of tables: [KeptTable], _ connection: Connection) throws {
        try DatabaseFile.append(to: place) { file in
            for table in tables {
                let tree = try file.tree(root: connection.rootPage(ofTable: table.name, in: place))
                try table.write(to: tree, leavingOut: table === values ? duplicates : [:], place)
                try file.adopt(tree.finish())
            }
        }
    }

    /// The index of kept values; nil if there are fewer than `leastValues`, or if it could not be sorted.
    func sortedIndex(leastValues: Int) -> KeptValueIndex? {
        index.isComplete && index.count >= leastValues ? index : nil
    }
}

/// Numbers in place of names, in the order in which the names come.
final class KeptNames {
    private(set) var names: [String] = []
    /// The numbers of all names that Swift takes for equal, such as é and e with a combining accent.
    private var numbers: [String: [Int]] = [:]

    func number(of name: String) -> Int {
        let known = numbers[name]?.first { names[$0].utf8.elementsEqual(name.utf8) }
        if let known { return known }
        numbers[name, default: []].append(names.count)
        names.append(name)
        return names.count - 1
    }
}
