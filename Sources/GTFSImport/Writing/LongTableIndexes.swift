// Unsafe: reads cells where the reading stage left them, and makes records from keys.

import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// The indexes of one long table, sorted beside it while its rows pass and then written as pages: 400,000 fare rules
/// with four indexes take 0.1 s instead of 0.4 s by CREATE INDEX.
///
/// Only for tables of 100,000 rows and more, and for indexes whose values are numbers or few texts; SQLite makes the
/// others.
final class LongTableIndexes {
    /// Tables whose rows are changed after they were stored.
    private static let changedTables: Set = ["stop", "service", "location"]
    private var columns: [IndexKeys]
    private let keyHashes: KeyHashes?
    private var rowCount = 0
    private let leastRows: Int
    /// SQLite knows as soon of a table shorter than this.
    private static let leastHashedRows = 1_000

    init(_ plan: TablePlan, in place: StorePlace, leastRows: Int) {
        self.leastRows = leastRows
        let isFixed = plan.definition != nil && !Self.changedTables.contains(plan.table)
        let indexes = StoreSchema.indexes.filter { isFixed && $0.table == plan.table }
        columns = indexes.compactMap { IndexKeys($0, plan, in: place) }
        keyHashes = KeyHashes(plan, in: place)
    }

    /// Adds the rows of a block.
    func add(_ batch: CellBatch, of block: ParsedBlock, stride: Int) throws(KeySortingError) {
        rowCount += batch.rowCount
        if block.sideRowsFollow { keyHashes?.giveUp() }
        try keyHashes?.add(batch, stride: stride, sideRows: block.sideRows)
        for index in columns where index.isComplete { try index.add(batch, stride: stride) }
    }

    /// Whether it is certain that no key comes twice. Not for a short table, of which SQLite knows soon enough.
    func hasDistinctKeys() throws -> Bool {
        guard rowCount >= min(leastRows, Self.leastHashedRows), let keyHashes else { return false }
        return try !keyHashes.haveEqual()
    }

    /// The indexes that can be written; none of a short table.
    func finish() -> [IndexKeys] { rowCount < leastRows ? [] : columns.filter(\.isComplete) }
}

/// The keys of one index of a table with rowids: one value or two, and the rowid.
final class IndexKeys {
    let index: StoreSchema.Index
    /// False once a row had a value that a key has no room for.
    private(set) var isComplete = true
    private let cells: [Int]
    private let isText: Bool
    /// For partial indexes.
    private let leavesOutNull: Bool
    private let place: StorePlace
    private var sorter: KeySorter
    private let texts = IdentifierMap()
    private let arena = TextArena()
    private var textPayloads: [Int64] = []

    /// Keys of more texts than this are not worth it.
    private static let mostTexts = 1 << 15

    /// Nil for an index of texts that are hardly ever the same, or of what is no column.
    init?(_ index: StoreSchema.Index, _ plan: TablePlan, in place: StorePlace) {
        let fields = index.columns.compactMap { column in plan.definition?.fields.first { $0.column == column } }
        let cells = index.columns.compactMap { plan.cellColumns.firstIndex(of: $0) }
        let isPartial = index.sql.utf8.count > 0 && index.sql.contains(" WHERE ")
        isText = fields.count == 1 && fields[0].type == .group
        guard fields.count == index.columns.count, cells.count == fields.count, (1...2).contains(cells.count),
            isText || fields.allSatisfy({ $0.type == .reference || $0.type == .date })
        else { return nil }
        self.index = index
        self.cells = cells
        self.place = place
        leavesOutNull = isPartial
        sorter = KeySorter(in: place.space)
    }

    func add(_ batch: CellBatch, stride: Int) throws(KeySortingError) {
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            guard let first = half(tags, payloads, cells[0], batch),
                let second = cells.count == 1 ? 0 : half(tags, payloads, cells[1], batch),
                let rowid = UInt64(exactly: payloads[0])
            else { return isComplete = false }
            if first == 0, leavesOutNull { continue }
            try sorter.append(SortKey(high: UInt64(first) << 32 | UInt64(second), low: rowid))
        }
    }

    /// A value as half a key: 0 for NULL, which SQLite sorts first, and 1 more than the value or than the text's
    /// number.
    @inline(__always)
    private func half(
        _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>, _ cell: Int, _ batch: CellBatch
    ) -> UInt32? {
        let payload = payloads[cell]
        switch tags[cell] {
        case CellBatch.Tag.null: return 0
        case CellBatch.Tag.integer where !isText: return payload >= 0 ? UInt32(exactly: payload &+ 1) : nil
        case CellBatch.Tag.text where isText: return number(of: batch.text, payload)
        case CellBatch.Tag.otherText where isText: return number(of: batch.otherText, payload)
        default: return nil
        }
    }

    private func number(of start: UnsafeRawPointer, _ payload: Int64) -> UInt32? {
        let count = Int(UInt32(truncatingIfNeeded: payload))
        let text = UnsafeRawBufferPointer(start: start + Int(payload >> 32), count: count)
        if let key = texts.key(of: text) { return UInt32(bitPattern: key) }
        guard texts.count < Self.mostTexts, count < 1 << 10 else { return nil }
        textPayloads.append(CellBuffer.textPayload(offset: arena.append(text), count: count))
        _ = texts.insert(text, key: Int32(textPayloads.count))
        return UInt32(textPayloads.count)
    }

    /// Writes the index's pages behind those of the file and answers the root.
    func write(to file: DatabaseFile) throws -> UInt32 {
        let tree = try file.tree(root: nil)
        if isText { try rankTexts() }
        var encoder = RecordEncoder(columns: cells.count + 1)
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3) { tags in
            try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 3) { payloads in
                tags.initialize(repeating: CellBatch.Tag.integer)
                payloads.initialize(repeating: 0)
                guard let tag = tags.baseAddress, let payload = payloads.baseAddress else { return }
                while let keys = try sorter.nextBatch() {
                    Failpoint.reach("index-keys")
                    try place.check()
                    for key in keys {
                        set(0, UInt32(truncatingIfNeeded: key.high >> 32), tag, payload)
                        if cells.count == 2 { set(1, UInt32(truncatingIfNeeded: key.high), tag, payload) }
                        payload[cells.count] = Int64(bitPattern: key.low)
                        try tree.append(
                            encoder.encode(tags: tag, payloads: payload, text: arena.bytes, otherText: arena.bytes))
                    }
                }
            }
        }
        let written = try tree.finish()
        try file.adopt(written)
        return written.rootPage
    }

    @inline(__always)
    private func set(
        _ cell: Int, _ half: UInt32, _ tags: UnsafeMutablePointer<UInt8>, _ payloads: UnsafeMutablePointer<Int64>
    ) {
        if half == 0 {
            tags[cell] = CellBatch.Tag.null
        } else if isText {
            tags[cell] = CellBatch.Tag.text
            payloads[cell] = textPayloads[Int(half) - 1]
        } else {
            tags[cell] = CellBatch.Tag.integer
            payloads[cell] = Int64(half) - 1
        }
    }

    /// Puts the texts, and the keys with them, into the order of the texts' bytes; so far texts count as they came.
    private func rankTexts() throws {
        let order = textPayloads.indices.sorted { isLess(textPayloads[$0], textPayloads[$1]) }
        var ranks = [UInt32](repeating: 0, count: order.count)
        for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank + 1) }
        let ranked = KeySorter(in: place.space)
        while let keys = try sorter.nextBatch() {
            Failpoint.reach("ranks")
            try place.check()
            for key in keys {
                let number = Int(key.high >> 32)
                let rank = number == 0 ? 0 : ranks[number - 1]
                try ranked.append(SortKey(high: UInt64(rank) << 32, low: key.low))
            }
        }
        sorter = ranked
        textPayloads = order.map { textPayloads[$0] }
    }

    private func isLess(_ a: Int64, _ b: Int64) -> Bool {
        func bytes(_ payload: Int64) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: arena.bytes + Int(payload >> 32), count: Int(UInt32(truncatingIfNeeded: payload)))
        }
        return bytes(a).lexicographicallyPrecedes(bytes(b))
    }
}
