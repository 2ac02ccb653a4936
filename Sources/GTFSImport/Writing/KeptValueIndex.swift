// Unsafe: makes records from texts where they lie.

import Cells
import KeySorting
import SQLite
import SQLitePages

/// The index of kept values by table, column and value, sorted while the values pass. CREATE INDEX compares texts at
/// each step: 0.6 s for half a million values.
final class KeptValueIndex {
    static let name = "numbered_value_value"

    /// The values of one column of a table: their texts by number, and rows by that number. If a row has a sequence
    /// beside its number, or if rows are in no order, the sorter has the rows as keys.
    private final class Column {
        let table: Int64
        let number: Int64
        let texts: IndexTexts
        private(set) var lists: RowLists?
        /// The same lists, which are not retained for each value.
        private var unretainedLists: Unmanaged<RowLists>?
        let sorter: KeySorter
        /// Whether any value is of a latecomer, which may turn out to be a duplicate that is not stored.
        private(set) var hasLatecomers = false

        init(_ table: Int64, _ number: Int64, _ place: StorePlace) {
            (self.table, self.number) = (table, number)
            texts = IndexTexts(budget: place.textBudget)
            let lists = RowLists(in: place.space)
            self.lists = lists
            unretainedLists = Unmanaged.passUnretained(lists)
            sorter = KeySorter(in: place.space)
        }

        /// Adds values. False when there are too many texts.
        func add(_ values: Slice<UnsafeBufferPointer<KeptValue>>, _ batch: CellBatch) throws(KeySortingError) -> Bool {
            let (texts, sorter) = (texts, sorter)
            for (place, value) in values.enumerated() {
                if place % IdentifierMap.rowsPrefetched == 0 {
                    let next = values.dropFirst(place).prefix(IdentifierMap.rowsPrefetched)
                    texts.prefetch { visit in for value in next { visit(value.text.bytes(in: batch)) } }
                }
                if value.latecomer != 0 { hasLatecomers = true }
                guard let row = UInt32(exactly: value.row),
                    let number = texts.number(of: value.text.bytes(in: batch))
                else { return false }
                if let unretainedLists {
                    let isListed =
                        value.sequence == 0
                        && unretainedLists._withUnsafeGuaranteedRef { $0.append(row, to: Int(number)) }
                    if isListed { continue }
                    try leaveLists()
                }
                try sorter.append(Self.key(number, row, value.sequence))
            }
            return true
        }

        private func leaveLists() throws(KeySortingError) {
            unretainedLists = nil
            guard let lists = lists.take() else { return }
            for text in 0..<lists.valueCount {
                try lists.forEach(of: text) { row throws(KeySortingError) in
                    try sorter.append(Self.key(UInt32(text), row, 0))
                }
            }
        }

        /// Row, sequence and text, of 32, 64 and 32 bits: values mostly come in that order, so only `ranked` sorts.
        private static func key(_ text: UInt32, _ row: UInt32, _ sequence: Int64) -> SortKey {
            let sequence = UInt64(bitPattern: sequence) ^ Self.sign
            let text = UInt64(HalfKey(number: text).bits)
            return SortKey(high: UInt64(row) << 32 | sequence >> 32, low: sequence << 32 | text)
        }

        /// The same with the rank of the text in front: rank, row and sequence.
        static func key(_ rank: HalfKey, _ key: SortKey) -> SortKey {
            let row = UInt32(truncatingIfNeeded: key.high >> 32)
            return SortKey(rank, HalfKey(bits: row), low: key.high << 32 | key.low >> 32)
        }

        /// Sorts negative sequences before the others.
        static let sign: UInt64 = 1 << 63
    }

    /// False once there was a value that did not fit.
    private(set) var isComplete = true
    private(set) var count = 0
    private let place: StorePlace
    private var columns: [Column] = []
    /// The column of the last value.
    private var last: Column?
    /// Each takes up to 4 MB.
    private static let mostColumns = 16

    init(_ place: StorePlace) { self.place = place }

    /// Leaves the index to SQLite.
    private func giveUp() {
        isComplete = false
        (columns, last) = ([], nil)
    }

    /// Call it when a table has latecomers that are not stored.
    func leaveOutLatecomers(ofTable table: Int64) {
        if columns.contains(where: { $0.table == table && $0.hasLatecomers }) { giveUp() }
    }

    /// Adds the values that a block of the table's file brings.
    func add(
        _ values: UnsafeBufferPointer<KeptValue>, _ batch: CellBatch, ofTable table: Int64
    ) throws(KeySortingError) {
        guard isComplete else { return }
        // The column is looked up only when it changes: mostly one column has all values.
        var first = 0
        while first < values.count {
            let number = values[first].column
            guard let column = column(Int64(number), ofTable: table) else { return giveUp() }
            let end = values[first...].firstIndex { $0.column != number } ?? values.count
            guard try column.add(values[first..<end], batch) else { return giveUp() }
            first = end
        }
        count += values.count
    }

    private func column(_ number: Int64, ofTable table: Int64) -> Column? {
        if let last, last.number == number, last.table == table { return last }
        last = columns.first { $0.number == number && $0.table == table } ?? addColumn(number, ofTable: table)
        return last
    }

    private func addColumn(_ number: Int64, ofTable table: Int64) -> Column? {
        guard columns.count < Self.mostColumns else { return nil }
        let column = Column(table, number, place)
        columns.append(column)
        return column
    }

    /// Writes the index's pages behind those of the file and returns the root page.
    func write(to file: DatabaseFile) throws -> UInt32 {
        let order = columns.sorted { ($0.table, $0.number) < ($1.table, $1.number) }
        (columns, last) = ([], nil)
        return try file.appendIndex { tree in
            for column in order { try write(column, to: tree) }
        }
    }

    /// Appends records of table, column, value, row and sequence.
    private func write(_ column: Column, to tree: IndexTreeWriter) throws {
        let ranks = try column.texts.ranks(in: place.space, checking: place.check)
        var record = KeptValueRecord(column.table, column.number, column.texts)
        guard let lists = column.lists else {
            return try write(column.sorter.ranked(by: ranks, in: place, Column.key), &record, to: tree)
        }
        var listed = ListedRows(lists, to: tree, place, columnsBehind: 1)
        for (rank, number) in order(ranks).enumerated() {
            try listed.append(number, at: "kept-values") { record.make(rank, Int64($0), 0) }
        }
    }

    private func write(_ keys: KeySorter, _ record: inout KeptValueRecord, to tree: IndexTreeWriter) throws {
        while let batch = try keys.nextBatch() {
            Failpoint.reach("kept-values")
            try place.check()
            for key in batch {
                let sequence = Int64(bitPattern: key.low ^ Column.sign)
                try tree.append(record.make(key.first.number, Int64(key.second.bits), sequence))
            }
        }
    }

    /// The texts' numbers by their ranks.
    private func order(_ ranks: [UInt32]) -> [Int] {
        var numbers = [Int](repeating: 0, count: ranks.count)
        for (number, rank) in ranks.enumerated() { numbers[Int(rank)] = number }
        return numbers
    }
}

/// Makes the records of one column's values.
private struct KeptValueRecord: ~Copyable {
    private let texts: IndexTexts
    private var record = RecordBuilder(columns: 5)

    init(_ table: Int64, _ column: Int64, _ texts: IndexTexts) {
        self.texts = texts
        record.add(table)
        record.add(column)
        record.keepBeginning()
    }

    /// The record, valid until the next one is made.
    @inline(__always)
    mutating func make(_ rank: Int, _ row: Int64, _ sequence: Int64) -> UnsafeRawBufferPointer {
        record.begin()
        record.add(CellText.bytes(of: texts.payload(ofRank: rank), from: texts.bytes))
        record.add(row)
        record.add(sequence)
        return record.bytes
    }
}
