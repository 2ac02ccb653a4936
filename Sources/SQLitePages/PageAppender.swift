// Unsafe: pages are gathered in one block of memory, so that a system call writes 64 of them.

/// Writes pages one after the other at the end of a database file, in large pieces.
///
/// Pages are numbered in the order they come; the page at byte 2^30, which SQLite keeps for locks, is left out
/// (<https://sqlite.org/fileformat2.html#the_lock_byte_page>).
final class PageAppender {
    /// The largest number a page can have.
    static let largestPage: UInt32 = 4_294_967_294
    private static let lockByte = 1 << 30

    private let output: PageOutput
    /// Writes the pages while the next ones come.
    private let thread: PageWritingThread?
    private let pageSize: Int
    private let lockPage: UInt32
    private let bufferSize: Int
    private var memory: UnsafeMutableRawPointer?
    private var buffered = 0
    private var bufferedFrom: UInt32 = 0
    /// The number that the next page gets.
    private(set) var nextPage: UInt32
    /// The last page that was appended, or the one before `firstPage` if none was.
    private(set) var lastPage: UInt32

    init(
        descriptor: Int32, pageSize: Int, firstPage: UInt32, bufferSize: Int = PageWritingThread.pieceSize,
        sums: PageSums? = nil, thread: PageWritingThread? = nil
    ) {
        output = PageOutput(descriptor: descriptor, pageSize: pageSize, sums: sums)
        self.thread = thread
        self.pageSize = pageSize
        lockPage = UInt32(truncatingIfNeeded: Self.lockByte / pageSize + 1)
        self.bufferSize = max(bufferSize, pageSize)
        lastPage = firstPage &- 1
        nextPage = firstPage == lockPage ? firstPage + 1 : firstPage
    }

    deinit {
        guard let memory else { return }
        if let thread { thread.giveBack(memory) } else { memory.deallocate() }
    }

    private func buffer() -> UnsafeMutableRawPointer {
        if let memory { return memory }
        let taken = thread?.take() ?? .allocate(byteCount: bufferSize, alignment: 4096)
        memory = taken
        return taken
    }

    /// The number of the page that follows `number`; never the lock page.
    func page(after number: UInt32) -> UInt32 { number &+ 1 == lockPage ? number &+ 2 : number &+ 1 }

    /// Appends one page of `head` followed by `rest` and zeros, and returns its number. Throws `PageFileError`.
    @discardableResult
    func append(_ head: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer = .init(start: nil, count: 0))
        throws(PageFileError) -> UInt32
    {
        let number = nextPage
        guard number > 0, number <= Self.largestPage else { throw .tooManyPages }
        // The lock page is left out of the file's writes, so the piece ends before it.
        if buffered + pageSize > bufferSize || bufferedFrom + UInt32(buffered / pageSize) != number {
            try flush()
        }
        if buffered == 0 { bufferedFrom = number }
        let page = UnsafeMutableRawBufferPointer(start: buffer() + buffered, count: pageSize)
        page.copyMemory(from: head)
        UnsafeMutableRawBufferPointer(rebasing: page[head.count...]).copyMemory(from: rest)
        UnsafeMutableRawBufferPointer(rebasing: page[(head.count + rest.count)...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        buffered += pageSize
        lastPage = number
        nextPage = self.page(after: number)
        return number
    }

    /// Writes what was appended since the last time.
    func flush() throws(PageFileError) {
        guard buffered > 0, let memory else { return }
        let count = buffered
        buffered = 0
        guard let thread else {
            return try output.write(UnsafeRawBufferPointer(start: memory, count: count), at: bufferedFrom)
        }
        self.memory = nil
        try thread.put(memory, count, at: bufferedFrom)
    }

    /// Writes a page over one that is in the file.
    func write(_ page: UnsafeRawBufferPointer, at number: UInt32) throws(PageFileError) {
        guard let thread else { return try output.write(page, at: number) }
        let copy = thread.take()
        UnsafeMutableRawBufferPointer(start: copy, count: page.count).copyMemory(from: page)
        try thread.put(copy, page.count, at: number)
    }
}

extension PageAppender {
    /// Reads a page that was in the file before.
    func read(_ page: UnsafeMutableRawBufferPointer, at number: UInt32) throws(PageFileError) {
        try output.read(page, at: number)
    }

    /// Writes the part of a record that does not fit into a cell as a chain of pages, and returns the first.
    func appendOverflow(
        _ record: UnsafeRawBufferPointer, from start: Int, _ payload: PayloadLimits
    ) throws(PageFileError) -> UInt32 {
        guard record.count <= PayloadLimits.longestRecord else { throw .recordTooLong(record.count) }
        let first = nextPage
        var written = start
        while written < record.count {
            let end = min(written + payload.overflowLength, record.count)
            var next = (end == record.count ? 0 : page(after: nextPage)).bigEndian
            let piece = UnsafeRawBufferPointer(rebasing: record[written..<end])
            try withUnsafeBytes(of: &next) { next throws(PageFileError) in _ = try append(next, piece) }
            written = end
        }
        return first
    }
}

extension PageFileError {
    fileprivate static var tooManyPages: PageFileError {
        PageFileError(
            .tooLarge, "the database would have more than \(PageAppender.largestPage) pages, the limit of SQLite")
    }
}
