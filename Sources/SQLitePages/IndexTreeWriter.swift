// Unsafe: records are copied from the caller's memory into pages, 16 ns for 27 bytes. Encoding, appending and writing
// 3 M sorted rows of eight cells takes a ninth of the processor time of INSERT ... SELECT from a virtual table.

/// Writes one index b-tree - a WITHOUT ROWID table or an index - behind the pages that a database file has.
///
///     let header = try DatabaseHeader.read(descriptor)
///     let writer = IndexTreeWriter(file: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1)
///     for record in sorted { try writer.append(record) }
///     let tree = try writer.finish()
///     try DatabaseHeader.setPageCount(descriptor, to: tree.pageCount)
///
/// No statement may look at the file meanwhile (`PrivateFile.lend()`). The file is damaged if the process ends before
/// the page count is set, so this is for a file that only its maker knows. Pages are filled completely: leaves from the
/// first key on, each interior page once all pages below it are there, the root last
/// (<https://sqlite.org/fileformat2.html#b_tree_pages>). Memory: 256 KiB and two pages a level.
public final class IndexTreeWriter {
    /// Where a finished tree is.
    public struct Tree: Sendable, Equatable {
        /// The value for `sqlite_schema.rootpage`.
        public let rootPage: UInt32
        /// The number of pages that the database has now.
        public let pageCount: UInt32
    }

    private let pages: PageAppender
    private let payload: PayloadLimits
    private let existingRoot: UInt32?
    private let leaves: IndexLevel
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private var run = RecordRun()
    private var interior: [IndexLevel] = []

    /// Begins a tree at page `firstPage`, one more than the database has.
    ///
    /// - Parameters:
    ///   - descriptor: Open for writing; not closed here.
    ///   - pageSize: The database's: a power of two from 512 to 65,536.
    ///   - root: The empty root page that `CREATE TABLE` or `CREATE INDEX` has made (`sqlite_schema.rootpage`). The
    ///     root is written there, and the schema needs no edit. When nil, the root becomes the tree's last page.
    ///   - sums: Takes note of every page that is written.
    ///   - thread: Writes the pages, and takes note of them, while the next ones are made.
    public init(
        file descriptor: Int32, pageSize: Int, firstPage: UInt32, root: UInt32? = nil,
        sums: PageSums? = nil, thread: PageWritingThread? = nil
    ) {
        pages = PageAppender(
            descriptor: descriptor, pageSize: pageSize, firstPage: firstPage, sums: sums, thread: thread)
        payload = PayloadLimits(pageSize: pageSize)
        existingRoot = root
        leaves = IndexLevel(pageSize: pageSize, isLeaf: true)
    }

    /// Appends a record, which must come after the one before in the order of the tree's key.
    ///
    /// The bytes are copied. About 16 ns for 27 bytes. Throws `PageFileError` when writing fails, or when the record is
    /// longer than SQLite can read.
    public func append(_ record: UnsafeRawBufferPointer) throws(PageFileError) {
        if leaves.isHolding { try closePage(of: leaves, above: 0) }
        guard record.count <= payload.longestShort, let bytes = record.baseAddress else {
            return try appendLong(record)
        }
        let cell = leaves.place(record.count &+ 1)
        cell.storeBytes(of: UInt8(truncatingIfNeeded: record.count), as: UInt8.self)
        ShortCopy.copy(bytes, record.count, to: cell + 1)
    }

    @inline(never)
    private func appendLong(_ record: UnsafeRawBufferPointer) throws(PageFileError) {
        let local = payload.localLength(record.count)
        let spilled = local < record.count
        let length = Varint.length(record.count) + local + (spilled ? 4 : 0)
        let first = spilled ? try pages.appendOverflow(record, from: local, payload) : 0
        guard let bytes = record.baseAddress else { return }
        let start = Varint.write(record.count, to: leaves.place(length))
        start.copyMemory(from: bytes, byteCount: local)
        if spilled { start.storeBytes(of: first.bigEndian, toByteOffset: local, as: UInt32.self) }
    }

    /// Appends a record and returns whether `appendRun` can append the next ones. It can if the last value that takes
    /// any bytes is an integer of up to four bytes, with `columnsBehind` columns after it.
    public func beginRun(_ record: UnsafeRawBufferPointer, columnsBehind: Int = 0) throws(PageFileError) -> Bool {
        try append(record)
        return run.begin(record, columnsBehind: columnsBehind)
    }

    /// Appends the record of `beginRun` with other values in place of its integer, each greater than the one before.
    ///
    /// Throws as `append` does, and for values of 2^31 and more.
    public func appendRun(_ values: UnsafeBufferPointer<UInt32>) throws(PageFileError) {
        for value in values {
            guard value < RecordRun.tooLarge else { throw .tooLarge(value) }
            if leaves.isHolding { try closePage(of: leaves, above: 0) }
            let length = RecordRun.length(of: value)
            run.write(value, length, to: leaves.place(run.cellLength(length)))
        }
    }

    /// Writes what is left, from the last leaf to the root; without any record, one empty leaf. Call it once, last.
    public func finish() throws(PageFileError) -> Tree {
        var level = leaves
        var above = 0
        var lastChild: UInt32 = 0
        while true {
            if level.isHolding { try splitLastPage(of: level, above: above) }
            level.page.seal(rightChild: lastChild)
            if above == interior.count { break }
            lastChild = try pages.append(level.page.bytes)
            level = interior[above]
            above += 1
        }
        let root = try writeRoot(level.page)
        try pages.flush()
        return Tree(rootPage: root, pageCount: pages.lastPage)
    }

    private func writeRoot(_ page: FilledPage) throws(PageFileError) -> UInt32 {
        guard let existingRoot else { return try pages.append(page.bytes) }
        try pages.write(page.bytes, at: existingRoot)
        return existingRoot
    }

    /// Writes a full page. The cell held back goes into the level above, between this page and the next one.
    private func closePage(of level: IndexLevel, above: Int) throws(PageFileError) {
        var cell = level.held
        var rightChild: UInt32 = 0
        if !level.page.isLeaf {
            rightChild = IndexLevel.child(of: cell)
            cell = UnsafeRawBufferPointer(rebasing: cell[IndexLevel.childLength...])
        }
        level.page.seal(rightChild: rightChild)
        try appendDivider(cell, child: pages.append(level.page.bytes), to: above)
        level.beginPage()
    }

    /// Ends a level: the cell held back becomes the only cell of the last page, and the last cell of the full page goes
    /// into the level above.
    private func splitLastPage(of level: IndexLevel, above: Int) throws(PageFileError) {
        // A copy, because sealing the page overwrites the cell, and the level above needs the page's number first. Once
        // a level.
        var cell = Array(level.page.removeLast())[...]
        var rightChild: UInt32 = 0
        if !level.page.isLeaf {
            rightChild = cell.withUnsafeBytes(IndexLevel.child)
            cell = cell.dropFirst(IndexLevel.childLength)
        }
        level.page.seal(rightChild: rightChild)
        let child = try pages.append(level.page.bytes)
        try cell.withUnsafeBufferPointer { bytes throws(PageFileError) in
            try appendDivider(UnsafeRawBufferPointer(bytes), child: child, to: above)
        }
        level.beginPageWithHeld()
    }

    /// Puts a cell of one level into the level above, with the page that lies to its left.
    private func appendDivider(_ cell: UnsafeRawBufferPointer, child: UInt32, to index: Int) throws(PageFileError) {
        if index == interior.count { interior.append(IndexLevel(pageSize: leaves.page.size, isLeaf: false)) }
        let level = interior[index]
        if level.isHolding { try closePage(of: level, above: index + 1) }
        guard let bytes = cell.baseAddress else { return }
        let place = level.place(IndexLevel.childLength + cell.count)
        place.storeBytes(of: child.bigEndian, as: UInt32.self)
        (place + IndexLevel.childLength).copyMemory(from: bytes, byteCount: cell.count)
    }
}

extension PageFileError {
    fileprivate static func tooLarge(_ value: UInt32) -> PageFileError {
        PageFileError(.tooLarge, "\(value) is more than the rows of an index can be")
    }
}
