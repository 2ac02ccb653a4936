// Unsafe: passes the pointers of a block's cells on to the record encoder, row by row.

import GTFSSchema
import Glibc
import KeySorting
import SQLite
import SQLitePages

/// Fills a clustered table by writing its pages: 3 M stop times take 0.3 s instead of 1.4 s by INSERT.
///
/// The table and its empty indexes are made by SQLite; then their trees grow behind the pages that the file has, while the
/// connection leaves the file alone (it writes to temporary tables only), and finally the page count says that they are
/// there, which the connection notices at its next statement as it would notice another process.
/// (<https://sqlite.org/fileformat2.html>)
///
/// Each row is encoded once. A row whose key is greater than all before goes straight into the tree; the others are sorted
/// as records. At the end the tree that there is, being one more sorted run, is merged with them into the final one.
final class ClusteredLoader: TableLoading {
    let plan: TablePlan
    private let connection: Connection
    private let cancellation: CancellationFlag
    private let folder: String
    private let rowsPerRun: Int
    private let file: DatabaseFile
    private let root: UInt32
    private var tree: IndexTreeWriter
    private var encoder: RecordEncoder
    private let index: DepartureIndex?
    private var sorter: RecordSorter?
    private let duplicates: LateDuplicates
    private var rowsUntilCheck = 0
    /// Indexes of the table that need not be built any more.
    private(set) var finishedIndexes: Set<String> = []

    init(_ plan: TablePlan, definition: FileDefinition, place: StorePlace, connection: Connection) throws {
        self.plan = plan
        self.connection = connection
        cancellation = place.cancellation
        folder = place.folder
        rowsPerRun = place.rowsPerRun
        duplicates = LateDuplicates(plan, folder: folder)
        try connection.execute(StoreSchema.createTable(of: definition, present: plan.present, extra: plan.extra))
        for index in StoreSchema.indexes where index.table == plan.table && index.name == DepartureIndex.name {
            try connection.execute(index.sql)
            finishedIndexes.insert(index.name)
        }
        guard let root = try connection.rootPage(of: plan.table) else {
            throw ImportError(.bug, "\(place.path): table \(plan.table) was not made")
        }
        self.root = root
        let indexRoot = try connection.rootPage(of: DepartureIndex.name)
        // From here to `finish` no statement may touch the file: the new transaction begins, and looks at the file, with
        // the first statement that does.
        try connection.execute("COMMIT; BEGIN")
        file = try DatabaseFile(path: place.path, sums: place.sums)
        tree = try file.tree(root: root)
        encoder = RecordEncoder(columns: plan.stride)
        index = DepartureIndex(plan, root: indexRoot, folder: folder)
    }

    func load(_ block: ParsedBlock) throws {
        let batch = block.batch(of: block.cells)
        let (tree, index, stride, latecomers) = (tree, index, plan.stride, block.latecomers)
        var sorter = sorter
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            let record = encoder.encode(
                tags: tags, payloads: payloads, text: batch.text, otherText: batch.otherText)
            let number = latecomers[row]
            if number == 0 {
                try tree.append(record)
            } else {
                if sorter == nil { sorter = RecordSorter(folder: folder, chunkRecords: rowsPerRun) }
                try sorter?.append(
                    record, parent: UInt32(truncatingIfNeeded: payloads[0]), sequence: payloads[1], number: number)
            }
            try index?.add(tags, payloads)
        }
        self.sorter = sorter
        for text in block.possibleDuplicates { try duplicates.keep(text.bytes(in: batch), ofRow: text.rowNumber) }
    }

    func finish() throws -> LateDuplicates? {
        var written = try tree.finish()
        if let sorter {
            let earlier = try file.setAside(written, folder: folder)
            tree = try file.tree(root: root)
            try merge(sorter, earlier)
            self.sorter = nil
            written = try tree.finish()
            try file.cut(after: written)
        }
        try file.adopt(written)
        let hasIndex = index?.isComplete == true
        if hasIndex, let index { try index.write(to: file, cancellation) }
        // Ends what the connection may know of the file as it was.
        try connection.execute("COMMIT; BEGIN")
        if !hasIndex { try leaveIndexToSQLite() }
        return duplicates.count > 0 ? duplicates : nil
    }

    /// Writes the tree anew, with the sorted rows among those that it had. Of rows with one key the first in the file stays,
    /// which is the one that went straight into the tree, if there is one.
    private func merge(_ sorter: RecordSorter, _ earlier: IndexTreeReader) throws {
        let tree = tree
        var record = try earlier.next()
        var key = record.map(RowKey.init)
        var last: RowKey?
        while let row = try sorter.next() {
            let rowKey = RowKey(row)
            while let present = record, let presentKey = key, presentKey < rowKey {
                try append(present, to: tree)
                record = try earlier.next()
                key = record.map(RowKey.init)
            }
            if rowKey == key || rowKey == last {
                duplicates.add(Int(row.number))
                try index?.remove(row.record)
            } else {
                try append(row.record, to: tree)
                last = rowKey
            }
        }
        while let present = record {
            try append(present, to: tree)
            record = try earlier.next()
        }
    }

    @inline(__always)
    private func append(_ record: UnsafeRawBufferPointer, to tree: IndexTreeWriter) throws {
        rowsUntilCheck -= 1
        if rowsUntilCheck <= 0 {
            rowsUntilCheck = 1 << 14
            try cancellation.check()
        }
        try tree.append(record)
    }

    private func leaveIndexToSQLite() throws(SQLiteError) {
        guard finishedIndexes.remove(DepartureIndex.name) != nil else { return }
        try connection.execute("DROP INDEX \(DepartureIndex.name)")
    }
}

/// The key of a row of a clustered table.
private struct RowKey: Comparable {
    let parent: UInt32
    let sequence: Int64

    init(_ row: RecordSorter.Row) { (parent, sequence) = (row.parent, row.sequence) }

    /// That of a stored record, which has both.
    init(_ record: UnsafeRawBufferPointer) {
        parent = UInt32(truncatingIfNeeded: RecordIntegers.value(of: record, at: 0) ?? 0)
        sequence = RecordIntegers.value(of: record, at: 1) ?? 0
    }

    static func < (a: RowKey, b: RowKey) -> Bool {
        a.parent == b.parent ? a.sequence < b.sequence : a.parent < b.parent
    }
}
