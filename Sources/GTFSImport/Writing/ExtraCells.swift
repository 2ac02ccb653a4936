// Unsafe: cells are copied from a block's memory into one buffer, and records are made from where they lie.

import GTFSSchema
import Glibc
import KeySorting
import SQLite
import SQLitePages

/// The cells that no column takes, on their way to `extra_cell`: while a clustered table's pages are written, nothing
/// else may be written to the file.
///
/// They wait in a file without a name. A feed may have such cells in each of its rows, so many of them are written as
/// pages: half a million rows with two each take 0.55 s of CPU instead of 1.25 s by two INSERTs a cell.
final class ExtraCells {
    /// The cells of one file, as they came.
    private struct Run {
        let file: String
        let start: Int
        var end: Int
    }

    /// In front of each text in the waiting file.
    private struct Head {
        var row: UInt32
        var position: UInt32
        var count: UInt32
        static let size = MemoryLayout<Head>.size
    }

    private let place: StorePlace
    private let leastCells: Int
    private var runs: [Run] = []
    private var spill: SpillFile?
    private let waiting = TextArena()
    private var count = 0
    private var last: (row: UInt32, position: UInt32) = (0, 0)
    /// Within each file.
    private var isSorted = true

    private static let bufferBytes = 1 << 16

    /// Fewer cells than `leastCells` are left to SQLite.
    init(_ place: StorePlace, leastCells: Int) {
        self.place = place
        self.leastCells = leastCells
    }

    // MARK: Adding

    /// Adds those of a block.
    func add(_ block: ParsedBlock, of file: String) throws {
        guard !block.extraCells.isEmpty else { return }
        let batch = block.batch(of: block.cells)
        begin(file)
        for cell in block.extraCells {
            let start = (cell.isConverted ? batch.otherText : batch.text) + Int(cell.start)
            try add(cell.row, cell.position, UnsafeRawBufferPointer(start: start, count: Int(cell.count)))
        }
    }

    func add(_ value: String, at position: Int, row: Int, of file: String) throws {
        begin(file)
        var value = value
        try value.withUTF8 {
            try add(UInt32(clamping: row), UInt32(clamping: position), UnsafeRawBufferPointer($0))
        }
    }

    private func begin(_ file: String) {
        guard runs.last?.file != file else { return }
        if runs.contains(where: { $0.file == file }) { isSorted = false }
        let start = runs.last?.end ?? 0
        runs.append(Run(file: file, start: start, end: start))
        last = (0, 0)
    }

    private func add(_ row: UInt32, _ position: UInt32, _ text: UnsafeRawBufferPointer) throws {
        if (row, position) <= last { isSorted = false }
        last = (row, position)
        count += 1
        var head = Head(row: row, position: position, count: UInt32(clamping: text.count))
        withUnsafeBytes(of: &head) { _ = waiting.append($0) }
        _ = waiting.append(text)
        runs[runs.count - 1].end += Head.size + text.count
        if waiting.count >= Self.bufferBytes { try flush() }
    }

    private func flush() throws {
        if spill == nil { spill = try SpillFile(in: place.space) }
        try spill?.append(UnsafeRawBufferPointer(start: waiting.bytes, count: waiting.count))
        waiting.removeAll()
    }

    // MARK: Storing

    private var isWrittenAsPages: Bool { isSorted && count >= leastCells }

    /// Inserts them where they are few or in no order; of two at one place the later one counts.
    func insert(into connection: Connection) throws {
        guard count > 0, !isWrittenAsPages else { return }
        let statement = try connection.prepare("INSERT OR REPLACE INTO extra_cell VALUES(?, ?, ?, ?)")
        for run in runs {
            try forEach(in: run) { head, text in
                statement.bind(1, run.file)
                statement.bind(2, Int64(head.row))
                statement.bind(3, Int64(head.position))
                statement.bind(4, text: text)
                try statement.run()
            }
        }
    }

    /// Writes them into the empty table, file by file in the order of their names. No transaction may be open.
    func writePages(_ connection: Connection) throws {
        guard isWrittenAsPages else { return }
        guard let root = try connection.rootPage(of: "extra_cell") else {
            throw ImportError(.bug, "\(place.path): table extra_cell was not made")
        }
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        let tree = try file.tree(root: root)
        var encoder = RecordEncoder(columns: 4)
        let name = TextArena()
        let tags: [UInt8] = [
            CellBatch.Tag.otherText, CellBatch.Tag.integer, CellBatch.Tag.integer, CellBatch.Tag.text,
        ]
        for run in runs.sorted(by: { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }) {
            name.removeAll()
            let nameLength = run.file.utf8.count
            _ = Array(run.file.utf8).withUnsafeBytes { name.append($0) }
            var payloads = [CellBuffer.textPayload(offset: 0, count: nameLength), 0, 0, 0]
            try forEach(in: run) { head, text in
                guard let start = text.baseAddress else { return }
                payloads[1] = Int64(head.row)
                payloads[2] = Int64(head.position)
                payloads[3] = CellBuffer.textPayload(offset: 0, count: text.count)
                try tree.append(
                    encoder.encode(tags: tags, payloads: payloads, text: start, otherText: name.bytes))
            }
        }
        try file.adopt(tree.finish())
    }

    /// Reads a run's cells back, a buffer at a time; a longer cell gets a longer buffer.
    private func forEach(in run: Run, _ body: (Head, UnsafeRawBufferPointer) throws -> Void) throws {
        if waiting.count > 0 { try flush() }
        var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 16)
        defer { buffer.deallocate() }
        var place = run.start
        while place < run.end {
            Failpoint.reach("extra-cells")
            try self.place.check()
            let filled = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, run.end - place)])
            try spill?.read(filled, at: place)
            var used = 0
            var needed = Head.size
            while used + Head.size <= filled.count {
                let head = filled.loadUnaligned(fromByteOffset: used, as: Head.self)
                needed = Head.size + Int(head.count)
                guard used + needed <= filled.count else { break }
                try body(head, UnsafeRawBufferPointer(rebasing: filled[(used + Head.size)..<(used + needed)]))
                used += needed
            }
            place += used
            guard used == 0 else { continue }
            buffer.deallocate()
            buffer = .allocate(byteCount: needed, alignment: 16)
        }
    }
}
