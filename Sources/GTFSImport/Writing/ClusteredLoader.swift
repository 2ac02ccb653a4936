// Unsafe: passes the pointers of a block's cells on to the record encoder, row by row.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Fills a clustered table by writing its pages: 3 M stop times take 0.3 s instead of 1.4 s by INSERT.
///
/// SQLite makes the table. Then the loader writes the table's tree and those of its indexes behind the file's pages.
/// The file is lent meanwhile (`FileLoan`), so a statement that looks at it fails; temporary tables may be written. At
/// the end the page count is set. The connection notices that like a change by another process.
/// (<https://sqlite.org/fileformat2.html>)
///
/// Each row is encoded once. A row whose key is greater than all before goes straight into the tree; the others are
/// sorted as records. At the end, the tree written so far is merged with the sorted records into the final tree.
final class ClusteredLoader: TableLoading {
    let plan: TablePlan
    private let connection: Connection
    private let place: StorePlace
    private let file: DatabaseFile
    private let loan: FileLoan
    private let root: UInt32
    private var tree: IndexTreeWriter
    // Unchecked: no access lasts beyond `load`.
    @exclusivity(unchecked) private var encoder: RecordEncoder
    private let index: DepartureIndex?
    private let sparse: SparseIndexes
    private var sorter: RecordSorter?
    private let duplicates: LateDuplicates
    private let calls: CallColumns?
    private let departures: StopDepartures?
    private let watch: SequenceWatch
    /// Nil as long as every call has both its times.
    private var filling: TimeFilling?
    /// The last row with both times that went straight into the tree.
    private var lastTimed: (trip: Int64, departure: Int64, distance: Double?)?
    private(set) var times: CallTimes
    private var interval = CheckInterval()
    /// First pages of the indexes that are written, by their names, after `finish`.
    private(set) var roots: [String: UInt32] = [:]

    init(
        _ plan: TablePlan, definition: FileDefinition, place: StorePlace, connection: Connection,
        watch: SequenceWatch, departures: StopDepartures? = nil
    ) throws {
        self.plan = plan
        self.connection = connection
        self.place = place
        duplicates = LateDuplicates(plan, in: place.space)
        try connection.execute(StoreSchema.createTable(of: definition, present: plan.present, extra: plan.extra))
        sparse = SparseIndexes(plan, in: place)
        root = try connection.rootPage(ofTable: plan.table, in: place)
        // BEGIN does not look at the file yet: the transaction begins with the first statement that does.
        try connection.execute("COMMIT; BEGIN")
        loan = place.file.lend()
        file = try DatabaseFile(of: place)
        tree = try file.tree(root: root)
        encoder = RecordEncoder(columns: plan.stride)
        index = DepartureIndex(plan, in: place)
        calls = CallColumns(plan)
        times = CallTimes(calls)
        self.departures = departures
        self.watch = watch
    }

    /// Columns that have values although no row of the feed fills them.
    var filledColumns: Set<String> {
        guard let filled = filling?.filled, filled != 0 else { return [] }
        return Set(
            [
                (filled, "filled_times"), (filled & FilledTimes.arrival, "arrival_time"),
                (filled & FilledTimes.departure, "departure_time"),
            ].filter { $0.0 != 0 }.map(\.1))
    }

    func load(_ block: ParsedBlock) throws {
        let batch = block.batch(of: block.cells)
        let (tree, index, latecomers) = (tree, index, block.latecomers)
        var (isHolding, lastTimedRow, times, sorter) = (filling?.isHolding == true, -1, times, sorter)
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch[row].tags, batch[row].payloads)
            let record = encoder.encode(
                tags: tags, payloads: payloads, text: batch.text, otherText: batch.otherText)
            let isTimed = times.areComplete(tags, payloads)
            let number = latecomers[row]
            if number == 0 {
                guard isTimed, !isHolding else {
                    isHolding = try add(record, afterRow: lastTimedRow, of: batch)
                    lastTimedRow = -1
                    continue
                }
                try tree.append(record)
                lastTimedRow = row
            } else {
                if !isTimed { beginFilling() }
                try sort(record, payloads, number: number, by: &sorter)
            }
            try index?.add(tags, payloads)
        }
        (self.sorter, self.times) = (sorter, times)
        try sparse.add(block, batch)
        if lastTimedRow >= 0 { follow(lastTimedRow, of: batch) }
        for row in block.possibleDuplicates { try duplicates.hold(row, in: batch) }
    }

    /// Keeps a row that comes late until all rows are there.
    @inline(__always)
    private func sort(
        _ record: UnsafeRawBufferPointer, _ payloads: UnsafePointer<Int64>, number: UInt32,
        by sorter: inout RecordSorter?
    ) throws(KeySortingError) {
        if sorter == nil { sorter = RecordSorter(in: place.space, chunkRecords: place.rowsPerRun) }
        try sorter?.append(
            record, parent: UInt32(truncatingIfNeeded: payloads[0]), sequence: payloads[1], number: number)
    }

    // MARK: Calls without their times

    private func beginFilling() {
        guard filling == nil, let calls else { return }
        let filling = TimeFilling(calls)
        if let (trip, departure, distance) = lastTimed {
            filling.follow(trip: trip, departure: departure, distance: distance)
        }
        self.filling = filling
    }

    /// Stores a call that may lack a time, or that follows such a call. `row` is the last row with both times in this
    /// block, or negative. Returns whether calls wait for a later call with a time.
    @inline(never)
    private func add(_ record: UnsafeRawBufferPointer, afterRow row: Int, of batch: CellBatch) throws -> Bool {
        beginFilling()
        if row >= 0 { follow(row, of: batch) }
        guard let filling else { return false }
        try filling.add(record, store)
        return filling.isHolding
    }

    private func store(_: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws {
        try tree.append(record)
        try index?.add(record)
    }

    /// Remembers the row from which an interpolation may begin.
    private func follow(_ row: Int, of batch: CellBatch) {
        guard let calls, calls.hasBoth else { return }
        let (row, departure) = (batch[row], batch[row].payloads[calls.departure])
        var distance: Double?
        if let column = calls.distance, row.tags[column] == CellTag.double {
            distance = CellNumber.double(of: row.payloads[column])
        }
        lastTimed = (row.id, departure, distance)
        filling?.follow(trip: row.id, departure: departure, distance: distance)
    }

    // MARK: When all rows are there

    func finish() throws -> LateDuplicates? {
        watch.endFile()
        try filling?.finish(store)
        var written = try tree.finish()
        if let sorter {
            let earlier = try file.setAside(written, in: place)
            try file.writeAhead()
            tree = try file.tree(root: root)
            try merge(sorter, earlier)
            self.sorter = nil
            written = try tree.finish()
            try file.settle()
            try file.cut(after: written)
        }
        watch.finish()
        try file.adopt(written)
        try writeIndexes()
        loan.end()
        // A new transaction, so that the connection forgets what it knows of the file as it was.
        try connection.execute("COMMIT; BEGIN")
        return duplicates.isEmpty ? nil : duplicates
    }

    /// Writes the tree again, merged with the sorted rows. Of rows with one key, the first in the file stays: the one
    /// that went straight into the tree, if there is one. Missing times are filled again, because a late row may stand
    /// between a call and the calls that its time was taken from.
    private func merge(_ sorter: RecordSorter, _ earlier: IndexTreeReader) throws {
        // Local copies, so that they are not looked up for each row.
        let (tree, filling) = (tree, filling)
        let (states, isShuffled) = (watch.states, watch.isShuffled)
        @inline(__always)
        func append(_ record: UnsafeRawBufferPointer, _ key: RowKey) throws {
            if isShuffled || states.isSplit(Int(key.parent)) {
                watch.look(at: record, of: key.parent, key.sequence, hasFilledTimes: filling != nil)
            }
            try self.append(record, to: tree, filling)
        }
        let lastToLookAt = isShuffled ? UInt32.max : states.lastSplit
        var stored = try StoredRows(earlier)
        var last: RowKey?
        while let row = try sorter.next() {
            let rowKey = RowKey(row)
            while let (record, key) = stored.current, key < rowKey {
                try append(record, key)
                try stored.advance()
            }
            if rowKey == stored.current?.key || rowKey == last {
                duplicates.markDuplicate(row: Int(row.number))
                try index?.remove(row.record)
            } else {
                try append(row.record, rowKey)
                last = rowKey
            }
        }
        while let (record, key) = stored.current, key.parent <= lastToLookAt {
            try append(record, key)
            try stored.advance()
        }
        try appendRest(stored.current?.record, earlier, to: tree, filling)
        try filling?.finish(exchange)
    }

    /// Appends rows whose keys no rule needs: those behind the last trip that comes in pieces.
    private func appendRest(
        _ first: UnsafeRawBufferPointer?, _ earlier: IndexTreeReader, to tree: IndexTreeWriter, _ filling: TimeFilling?
    ) throws {
        var record = first
        while let present = record {
            try append(present, to: tree, filling)
            record = try earlier.next()
        }
    }

    @inline(__always)
    private func append(_ record: UnsafeRawBufferPointer, to tree: IndexTreeWriter, _ filling: TimeFilling?) throws {
        if interval.isOver() {
            Failpoint.reach("merge")
            try place.check()
        }
        if let filling { try filling.add(record, exchange) } else { try tree.append(record) }
    }

    /// Stores a call. If filling changed its times, replaces its key in the index.
    private func exchange(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) throws {
        try tree.append(new)
        guard let index, !old.hasSameBytes(as: new) else { return }
        try index.remove(old)
        try index.add(new)
    }

    /// Writes the indexes whose keys are all known; the others are left to SQLite.
    private func writeIndexes() throws {
        try file.writeAhead()
        roots = try sparse.write(to: file, hasDuplicates: !duplicates.isEmpty)
        if let index, index.isComplete {
            roots[DepartureIndex.name] = try index.write(to: file, counting: departures)
        }
        try file.settle()
    }
}

/// The key of a row of a clustered table.
private struct RowKey: Comparable {
    let parent: UInt32
    let sequence: Int64

    init(_ row: RecordSorter.Row) { (parent, sequence) = (row.parent, row.sequence) }

    /// The key of a stored record, which has both values.
    init(_ record: UnsafeRawBufferPointer) {
        parent = UInt32(truncatingIfNeeded: RecordIntegers.value(of: record, at: 0) ?? 0)
        sequence = RecordIntegers.value(of: record, at: 1) ?? 0
    }

    static func < (a: RowKey, b: RowKey) -> Bool {
        a.parent == b.parent ? a.sequence < b.sequence : a.parent < b.parent
    }
}

/// The rows that went straight into the tree, with their keys.
private struct StoredRows {
    private let reader: IndexTreeReader
    private(set) var current: (record: UnsafeRawBufferPointer, key: RowKey)?

    init(_ reader: IndexTreeReader) throws {
        self.reader = reader
        try advance()
    }

    @inline(__always)
    mutating func advance() throws { current = try reader.next().map { ($0, RowKey($0)) } }
}
