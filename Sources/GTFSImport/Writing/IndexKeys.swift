// Unsafe: reads cells where the reading stage left them, and makes records from keys.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages
import SystemFiles

/// The keys of one index of a table with rowids: one value or two, and the rowid. `IdentifierIndex` is for IDs.
final class IndexKeys: SortedIndex {
    let index: StoreSchema.Index
    /// False once a row had a value that does not fit into a key.
    private(set) var isComplete = true
    private let cells: [Int]
    /// Nil for an index of numbers.
    private var texts: IndexTexts?
    /// Whether the index is of the table's key. Then equal keys show which rows repeat a key.
    let isOfKey: Bool
    /// Rows that repeat the key of an earlier row, known after `write`.
    private(set) var repeated = RepeatedKeys()
    /// Rows whose key has a kept value, which is NULL in the index.
    var otherRows = BitSet()
    /// For partial indexes.
    private let leavesOutNull: Bool
    private let place: StorePlace
    /// Used while values are few, for an index of one column that is not the table's key; else the keys are in the
    /// sorter.
    private var lists: RowLists?
    private var sorter: KeySorter

    /// Nil unless the index is of numbers, or of one text column whose values may repeat.
    init?(_ index: StoreSchema.Index, _ plan: TablePlan, in place: StorePlace) {
        let fields = index.columns.compactMap { column in plan.definition?.fields.first { $0.column == column } }
        let cells = index.columns.compactMap { plan.cell(of: $0) }
        guard cells.count == index.columns.count, (1...2).contains(cells.count), fields.first?.type != .id
        else { return nil }
        let isName = cells == [plan.normalizedNameCell]
        let isText = isName || fields.count == 1 && fields[0].type.storage == .text
        leavesOutNull = index.leavesOutNull
        // A reference within the table may be found after its row has passed. The row is not in the index until then.
        let mayBeLate = leavesOutNull && cells.count == 1
        let areNumbers = fields.count == cells.count && fields.allSatisfy { Self.isNumber($0, plan, mayBeLate) }
        guard isText || areNumbers else { return nil }
        self.index = index
        self.cells = cells
        self.place = place
        let key = plan.definition?.keyFields ?? []
        isOfKey =
            !index.leavesOutNull && key.count == cells.count
            && key.allSatisfy { index.columns.contains($0.column) }
        texts = isText ? IndexTexts(budget: place.textBudget) : nil
        sorter = KeySorter(in: place.space)
        lists = cells.count == 1 && !isOfKey ? RowLists(in: place.space) : nil
    }

    private static func isNumber(_ field: FieldDefinition, _ plan: TablePlan, _ mayBeLate: Bool) -> Bool {
        field.type == .date || field.type == .reference && (mayBeLate || field.referencedTable != plan.table)
    }

    /// Adds the rows of a block, which come after those before.
    func add(_ batch: CellBatch) throws(KeySortingError) {
        let listed = lists.map { addToLists(batch, $0) } ?? 0
        guard isComplete, listed < batch.rowCount else { return }
        if lists != nil { try leaveLists() }
        let (sorter, texts, leavesOutNull) = (sorter, texts, leavesOutNull)
        let first = cells[0]
        let second = cells.count == 2 ? cells[1] : nil
        for number in listed..<batch.rowCount {
            if number % IdentifierMap.rowsPrefetched == 0 { prefetch(number, batch) }
            let row = batch[number]
            guard let high = Self.half(row, first, texts),
                let low = second.map({ Self.half(row, $0, texts) }) ?? .null,
                let rowid = UInt64(exactly: row.id)
            else { return giveUp() }
            if high.isNull, leavesOutNull { continue }
            try sorter.append(texts == nil ? SortKey(high, low, low: rowid) : Self.key(high, rowid))
        }
    }

    /// The row first, then the number of its text: keys come in this order, so the sorter has nothing to do. `ranked`
    /// sorts them by text later.
    private static func key(_ text: HalfKey, _ row: UInt64) -> SortKey { SortKey(high: row, low: UInt64(text.bits)) }

    /// Adds references of rows that had none when they were added.
    func add(_ references: [(row: UInt32, target: UInt32)]) throws(KeySortingError) {
        for reference in references {
            let value = HalfKey(number: reference.target)
            if let lists {
                if lists.append(reference.row, to: Int(value.bits)) { continue }
                try leaveLists()
            }
            try sorter.append(SortKey(value, low: UInt64(reference.row)))
        }
    }

    /// Returns how many rows of the block had room.
    private func addToLists(_ batch: CellBatch, _ lists: RowLists) -> Int {
        let (texts, leavesOutNull, cell) = (texts, leavesOutNull, cells[0])
        for number in 0..<batch.rowCount {
            if number % IdentifierMap.rowsPrefetched == 0 { prefetch(number, batch) }
            let row = batch[number]
            guard let value = Self.half(row, cell, texts), let rowid = UInt32(exactly: row.id) else {
                giveUp()
                return number
            }
            if value.isNull, leavesOutNull { continue }
            if !lists.append(rowid, to: Int(value.bits)) { return number }
        }
        return batch.rowCount
    }

    /// Prefetches many texts together, so that the processor waits for their memory only once.
    private func prefetch(_ row: Int, _ batch: CellBatch) {
        let rows = row..<min(row + IdentifierMap.rowsPrefetched, batch.rowCount)
        texts?.prefetch(cell: cells[0], of: rows, in: batch)
    }

    /// Leaves the index to SQLite, and the memory to others.
    private func giveUp() {
        isComplete = false
        (texts, lists) = (nil, nil)
        sorter = KeySorter(in: place.space)
    }

    private func leaveLists() throws(KeySortingError) {
        guard let lists = lists.take() else { return }
        for value in 0..<lists.valueCount {
            try lists.forEach(of: value) { row throws(KeySortingError) in
                let (value, row) = (HalfKey(bits: UInt32(value)), UInt64(row))
                try sorter.append(texts == nil ? SortKey(value, low: row) : Self.key(value, row))
            }
        }
    }

    /// The cell's number, or the number of its text; nil for a value that does not fit into a key.
    @inline(__always)
    private static func half(_ row: CellRow, _ cell: Int, _ texts: IndexTexts?) -> HalfKey? {
        switch row.tags[cell] {
        case CellTag.null: return .null
        case CellTag.integer where texts == nil: return HalfKey(row.payloads[cell])
        default:
            guard let texts, let text = row.text(cell), let number = texts.number(of: text) else { return nil }
            return HalfKey(number: number)
        }
    }

    /// Writes the index's pages behind those of the file and returns the root page.
    func write(to file: DatabaseFile) throws -> UInt32 {
        let ranks = try texts?.ranks(in: place.space, checking: place.check)
        if let ranks, lists == nil { sorter = try sorter.ranked(by: ranks, in: place) { SortKey($0, low: $1.high) } }
        return try file.appendIndex { tree in
            if let lists { try write(lists, ranks, to: tree) } else { try writeKeys(to: tree) }
        }
    }

    private func writeKeys(to tree: IndexTreeWriter) throws {
        var record = IndexRecord(columns: cells.count + 1, texts)
        let hasTwo = cells.count == 2
        try forEachBatch { keys in
            for key in keys {
                try tree.append(record.make(key.first, hasTwo ? key.second : nil, Int64(bitPattern: key.low)))
            }
        }
    }

    private func forEachBatch(_ body: (UnsafeBufferPointer<SortKey>) throws -> Void) throws {
        var first: SortKey?
        while let keys = try sorter.nextBatch() {
            Failpoint.reach("index-keys")
            try place.check()
            if isOfKey { noteRepeated(keys, &first) }
            try body(keys)
        }
    }

    private func write(_ lists: RowLists, _ ranks: [UInt32]?, to tree: IndexTreeWriter) throws {
        var record = IndexRecord(columns: 2, texts)
        var listed = ListedRows(lists, to: tree, place)
        // By their half keys: NULL, then the values, or the texts by their rank.
        var order = Array(0..<(ranks.map { $0.count + 1 } ?? lists.valueCount))
        for (number, rank) in (ranks ?? []).enumerated() { order[Int(rank) + 1] = number + 1 }
        for (rank, value) in order.enumerated() {
            let half = HalfKey(bits: UInt32(rank))
            try listed.append(value, at: "index-keys") { record.make(half, nil, Int64($0)) }
        }
    }

    /// `first` is the first of the rows with the current key.
    private func noteRepeated(_ keys: UnsafeBufferPointer<SortKey>, _ first: inout SortKey?) {
        for key in keys where !otherRows.contains(Int(clamping: key.low)) {
            guard let known = first, known.high == key.high else {
                first = key
                continue
            }
            repeated.add(RepeatedKey(row: UInt32(clamping: key.low), first: UInt32(clamping: known.low)))
        }
    }
}

/// Makes the records of an index from halves of keys.
private struct IndexRecord: ~Copyable {
    /// Nil for an index of numbers.
    private let texts: IndexTexts?
    private var record: RecordBuilder

    init(columns: Int, _ texts: IndexTexts?) {
        self.texts = texts
        record = RecordBuilder(columns: columns)
    }

    /// The record, valid until the next one is made.
    @inline(__always)
    mutating func make(_ first: HalfKey, _ second: HalfKey?, _ row: Int64) -> UnsafeRawBufferPointer {
        record.begin()
        if let texts, !first.isNull {
            record.add(CellText.bytes(of: texts.payload(ofRank: first.number), from: texts.bytes))
        } else {
            first.add(to: &record)
        }
        second?.add(to: &record)
        record.add(row)
        return record.bytes
    }
}

extension KeySorter {
    /// Sorts keys into the order of their texts, whose numbers are the lowest 32 bits. `key` makes the new key from a
    /// rank and an old key. The new keys of one rank must come in the order of the old ones.
    func ranked(by ranks: [UInt32], in place: StorePlace, _ key: (HalfKey, SortKey) -> SortKey) throws -> KeySorter {
        let ranked = KeySorter(in: place.space, bitsInOrder: 96)
        while let keys = try nextBatch() {
            Failpoint.reach("ranks")
            try place.check()
            for known in keys {
                let text = HalfKey(bits: UInt32(truncatingIfNeeded: known.low))
                try ranked.append(key(text.isNull ? .null : HalfKey(number: ranks[text.number]), known))
            }
        }
        return ranked
    }
}
