// Unsafe: records are copied from the caller's memory into pages, as in IndexTreeWriter.

/// Writes the b-tree of one table with rowids behind the pages that a database file has.
///
///     let writer = TableTreeWriter(
///         file: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1, root: 7)
///     for row in rows { try writer.append(row.record, rowid: row.id) }
///     let tree = try writer.finish()
///     try DatabaseHeader.setPageCount(descriptor, to: tree.pageCount)
///
/// For a table with rows, call `resume` first. The same conditions hold as for `IndexTreeWriter`. Rows are in leaves
/// only; the pages above have the greatest rowid of each page below
/// (<https://sqlite.org/fileformat2.html#b_tree_pages>). An INSERT looks for its place from the root each time, 2,900
/// instructions a row; this takes 300.
public final class TableTreeWriter {
    /// An interior page, and the last page below it, which becomes a cell or the rightmost child.
    private struct TableLevel {
        var page: FilledPage
        /// Nil at first in a tree that has rows already: its rightmost child is still being filled.
        var last: Child?
        /// The page's number, if it is in the file already.
        var number: UInt32?
    }

    /// A page, and the greatest rowid in and below it.
    private struct Child {
        let page: UInt32
        let rowid: Int
    }

    private let pages: PageAppender
    private let payload: PayloadLimits
    private let pageSize: Int
    private let root: UInt32
    // Unchecked: no access lasts beyond a call of this class's own functions. Checking took 84 instructions a row.
    @exclusivity(unchecked) private var leaf: FilledPage
    /// The leaf's number, if it is in the file already.
    private var leafNumber: UInt32?
    private var levels: [TableLevel] = []
    private var lastRowid = 0

    /// Begins a tree at page `firstPage`, one more than the database has, for the table with this root page.
    ///
    /// `sums` takes note of every page that is written, and `thread` writes them while the next ones are made.
    public init(
        file descriptor: Int32, pageSize: Int, firstPage: UInt32, root: UInt32, sums: PageSums? = nil,
        thread: PageWritingThread? = nil
    ) {
        pages = PageAppender(
            descriptor: descriptor, pageSize: pageSize, firstPage: firstPage, sums: sums, thread: thread)
        payload = PayloadLimits(pageSize: pageSize)
        self.pageSize = pageSize
        self.root = root
        leaf = FilledPage(size: pageSize, isLeaf: true, isTable: true)
    }

    deinit {
        leaf.memory.deallocate()
        for level in levels { level.page.memory.deallocate() }
    }

    /// Appends a row, whose rowid is from 1 to 2^35 - 1 and greater than that of the row before.
    ///
    /// The bytes are copied. Throws `PageFileError` when writing fails, or for a record longer than SQLite can read.
    public func append(_ record: UnsafeRawBufferPointer, rowid: Int) throws(PageFileError) {
        guard rowid > lastRowid, rowid < 1 << 35 else { throw .rowidOutOfOrder(rowid, lastRowid) }
        if record.count <= 0x7F, let bytes = record.baseAddress {
            // Shorter than 512 - 35 bytes, so the whole record stays in the leaf.
            let length = 1 &+ Varint.length(rowid) &+ record.count
            if !leaf.hasRoom(length) { try closeLeaf() }
            guard let cell = leaf.place(length) else { return }
            cell.storeBytes(of: UInt8(truncatingIfNeeded: record.count), as: UInt8.self)
            ShortCopy.copy(bytes, record.count, to: Varint.write(rowid, to: cell + 1))
            lastRowid = rowid
            return
        }
        try appendLong(record, rowid: rowid)
    }

    private func appendLong(_ record: UnsafeRawBufferPointer, rowid: Int) throws(PageFileError) {
        let local = payload.localLengthInTable(record.count, pageSize: pageSize)
        let spilled = local < record.count
        let length = Varint.length(record.count) + Varint.length(rowid) + local + (spilled ? 4 : 0)
        let first = spilled ? try pages.appendOverflow(record, from: local, payload) : 0
        if !leaf.hasRoom(length) { try closeLeaf() }
        guard let bytes = record.baseAddress, let cell = leaf.place(length) else { return }
        let start = Varint.write(rowid, to: Varint.write(record.count, to: cell))
        start.copyMemory(from: bytes, byteCount: local)
        if spilled { start.storeBytes(of: first.bigEndian, toByteOffset: local, as: UInt32.self) }
        lastRowid = rowid
    }

    /// Writes what is left, from the last leaf to the root; without any row, one empty leaf. Call it once, last.
    public func finish() throws(PageFileError) -> IndexTreeWriter.Tree {
        leaf.seal(rightChild: 0)
        var top = leaf
        if !levels.isEmpty {
            try add(Child(page: put(leaf, &leafNumber), rowid: lastRowid), to: 0)
            var place = 0
            while place < levels.count {
                top = levels[place].page
                top.seal(rightChild: levels[place].last?.page ?? 0)
                if place + 1 < levels.count {
                    try add(Child(page: put(top, &levels[place].number), rowid: lastRowid), to: place + 1)
                }
                place += 1
            }
        }
        try pages.write(top.bytes, at: root)
        try pages.flush()
        return IndexTreeWriter.Tree(rootPage: root, pageCount: pages.lastPage)
    }

    private func closeLeaf() throws(PageFileError) {
        leaf.seal(rightChild: 0)
        try add(Child(page: put(leaf, &leafNumber), rowid: lastRowid), to: 0)
        leaf.clear()
    }

    /// Writes a page to its place in the file or behind the last page, and returns its number.
    private func put(_ page: FilledPage, _ number: inout UInt32?) throws(PageFileError) -> UInt32 {
        guard let known = number else { return try pages.append(page.bytes) }
        number = nil
        try pages.write(page.bytes, at: known)
        return known
    }

    /// Puts a finished page below a level, and makes the level if it does not exist yet.
    private func add(_ child: Child, to place: Int) throws(PageFileError) {
        guard place < levels.count else {
            levels.append(TableLevel(page: FilledPage(size: pageSize, isLeaf: false, isTable: true), last: child))
            return
        }
        if let last = levels[place].last, !enter(last, at: place) {
            // The page's last cell becomes its right child, so that the next page has a cell and a right child too.
            let right = lastCell(levels[place].page.removeLast())
            levels[place].page.seal(rightChild: right.page)
            let full = levels[place].page
            try add(Child(page: put(full, &levels[place].number), rowid: right.rowid), to: place + 1)
            levels[place].page.clear()
            _ = enter(last, at: place)
        }
        levels[place].last = child
    }

    private func lastCell(_ cell: UnsafeRawBufferPointer) -> Child {
        let rowid = UnsafeRawBufferPointer(rebasing: cell[IndexLevel.childLength...])
        return Child(page: IndexLevel.child(of: cell), rowid: rowid.baseAddress.map { Varint.read($0).value } ?? 0)
    }

    /// Makes a child a cell of its level's page; false when that page is full.
    private func enter(_ child: Child, at place: Int) -> Bool {
        let length = IndexLevel.childLength + Varint.length(child.rowid)
        guard let cell = levels[place].page.place(length) else { return false }
        cell.storeBytes(of: child.page.bigEndian, as: UInt32.self)
        _ = Varint.write(child.rowid, to: cell + IndexLevel.childLength)
        return true
    }
}

// MARK: - Rows behind those of a table

extension TableTreeWriter {
    /// Goes on behind the rows that the table has; without this call the table must be empty. Call it first, once.
    ///
    /// The pages at the right edge of the tree, from the root to the last leaf, are filled up and keep their places. No
    /// other page changes. Throws `PageFileError` when a page cannot be read, or does not belong to a table.
    public func resume() throws(PageFileError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
        defer { memory.deallocate() }
        let page = UnsafeRawBufferPointer(memory)
        var number = root
        // SQLite's own limit. It also stops at pages that refer to each other in a circle.
        for _ in 0..<20 {
            try pages.read(memory, at: number)
            let own = number == root ? nil : number
            if leaf.isOfKind(page) {
                leafNumber = own
                guard leaf.copyCells(of: page, length: leafCell) else { break }
                return
            }
            let interior = FilledPage(size: pageSize, isLeaf: false, isTable: true)
            levels.insert(TableLevel(page: interior, number: own), at: 0)
            guard interior.isOfKind(page), levels[0].page.copyCells(of: page, length: Self.interiorCell) else { break }
            number = UInt32(bigEndian: page.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        }
        throw .damagedTree(number)
    }

    /// The length of the cell of a row. Takes note of its rowid.
    private func leafCell(_ cell: UnsafeRawBufferPointer) -> Int {
        let record = Varint.read(cell, from: 0)
        let rowid = Varint.read(cell, from: record.length)
        lastRowid = rowid.value
        let local = payload.localLengthInTable(record.value, pageSize: pageSize)
        return record.length + rowid.length + local + (local < record.value ? 4 : 0)
    }

    private static func interiorCell(_ cell: UnsafeRawBufferPointer) -> Int {
        IndexLevel.childLength + Varint.read(cell, from: IndexLevel.childLength).length
    }
}

extension PageFileError {
    fileprivate static func rowidOutOfOrder(_ rowid: Int, _ last: Int) -> PageFileError {
        PageFileError(.outOfOrder, "row \(rowid) of a table cannot be stored behind row \(last)")
    }
}
