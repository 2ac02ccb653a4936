// Unsafe: pieces of pages are handed from thread to thread in memory that both know.

import Synchronization
import SystemFiles

/// Writes pages on a thread of its own while the next ones are made. Writing a page, reading it back and summing it
/// take as long as filling it, so a tree takes half the time if a second processor is free.
///
///     let thread = PageWritingThread(descriptor, pageSize: header.pageSize, sums: sums)
///     let writer = IndexTreeWriter(file: descriptor, …, thread: thread)
///     …
///     try thread.finish()
///
/// Several trees may follow one another. No one else may write to the file or record sums before `finish`. The thread
/// begins with the first full piece of pages, so a short tree needs no thread.
public final class PageWritingThread: @unchecked Sendable {
    // @unchecked: a piece belongs to one thread or to a queue between them, never to two threads. The file and its sums
    // belong to the thread from its start until it was joined.

    private struct Piece: @unchecked Sendable {
        // @unchecked: as above.
        let memory: UnsafeMutableRawPointer
        var count = 0
        var firstPage: UInt32 = 0
    }

    static let pieceSize = 256 << 10
    private static let mostPieces = 4
    /// With less, the disk is asked too often.
    private static let flushedAtOnce = 4 << 20

    private let output: PageOutput
    private let filled = BoundedQueue<Piece>(capacity: .max)
    private let free = BoundedQueue<Piece>(capacity: .max)
    private var pieces: [UnsafeMutableRawPointer] = []
    /// Bytes of the file that the disk was not asked to write yet.
    private var unflushed = 0..<0
    private let failure = Mutex<PageFileError?>(nil)
    private var thread: WorkerThread?

    /// `sums` takes note of every page that is written.
    public init(_ descriptor: Int32, pageSize: Int, sums: PageSums? = nil) {
        output = PageOutput(descriptor: descriptor, pageSize: pageSize, sums: sums)
    }

    deinit {
        end()
        for memory in pieces { memory.deallocate() }
    }

    /// Memory for a piece; waits while all are on their way to the file.
    func take() -> UnsafeMutableRawPointer {
        if pieces.count == Self.mostPieces, let piece = free.pop() { return piece.memory }
        if let piece = free.popLatestIfAny() { return piece.memory }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.pieceSize, alignment: 4096)
        pieces.append(memory)
        return memory
    }

    /// Gives memory back without writing it.
    func giveBack(_ memory: UnsafeMutableRawPointer) { free.push(Piece(memory: memory)) }

    /// Writes the first `count` bytes of a piece, on the thread once that runs. Throws what went wrong with an earlier
    /// piece.
    func put(_ memory: UnsafeMutableRawPointer, _ count: Int, at firstPage: UInt32) throws(PageFileError) {
        let piece = Piece(memory: memory, count: count, firstPage: firstPage)
        guard thread != nil || count == Self.pieceSize && begin() else {
            defer { giveBack(memory) }
            return try write(piece)
        }
        filled.push(piece)
        try check()
    }

    /// False where the system refuses another thread.
    private func begin() -> Bool {
        let work = Unmanaged.passUnretained(self)
        // Not retained: `deinit` waits for the thread.
        guard let begun = WorkerThread({ work._withUnsafeGuaranteedRef { $0.run() } }) else { return false }
        thread = consume begun
        return true
    }

    private func run() {
        while let piece = filled.pop() {
            do throws(PageFileError) {
                // After a failure, pieces are given back unwritten, so that no one waits for them.
                if failure.withLock({ $0 == nil }) { try write(piece) }
            } catch {
                failure.withLock { $0 = error }
            }
            free.push(piece)
        }
    }

    private func write(_ piece: Piece) throws(PageFileError) {
        try output.write(UnsafeRawBufferPointer(start: piece.memory, count: piece.count), at: piece.firstPage)
        let start = output.offset(of: piece.firstPage)
        if start != unflushed.upperBound || unflushed.count >= Self.flushedAtOnce { beginToFlush(start) }
        unflushed = unflushed.lowerBound..<start + piece.count
    }

    /// Asks the disk to write what is unflushed. The bytes that follow begin at `next`.
    private func beginToFlush(_ next: Int) {
        FileFlush.begin(output.descriptor, unflushed)
        unflushed = next..<next
    }

    private func check() throws(PageFileError) {
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func end() {
        filled.close()
        if let thread = thread.take() { thread.join() }
    }

    /// Waits until all is written. Call it once, last. Throws what went wrong.
    public func finish() throws(PageFileError) {
        end()
        try check()
        beginToFlush(0)
    }
}

/// Writes pages. With `sums`, it also reads them back and records their sums.
struct PageOutput {
    let descriptor: Int32
    let pageSize: Int
    let sums: PageSums?

    func offset(of page: UInt32) -> Int { (Int(page) - 1) * pageSize }

    /// Writes consecutive pages, from this one on.
    func write(_ bytes: UnsafeRawBufferPointer, at page: UInt32) throws(PageFileError) {
        let offset = offset(of: page)
        try FileBytes.write(bytes, to: descriptor, at: offset, what: "page \(page)")
        guard let sums else { return }
        try FileBytes.compare(bytes, with: descriptor, at: offset, what: "page \(page)")
        sums.record(bytes, at: offset)
    }

    /// Reads a page that was written before.
    func read(_ page: UnsafeMutableRawBufferPointer, at number: UInt32) throws(PageFileError) {
        let count = try FileBytes.read(page, from: descriptor, at: offset(of: number), what: "page \(number)")
        guard count == page.count else { throw .damagedTree(number) }
        guard let sums, PageSum.of(UnsafeRawBufferPointer(page)) != sums[Int(number) - 1] else { return }
        throw .lost("page \(number)")
    }
}
