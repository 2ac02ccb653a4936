// Unsafe: pieces of memory go from the inflating thread to the reading one and back; only one thread uses a piece at a
// time.

import GTFSFeed
import SystemFiles

/// Reads an entry ahead of the CSV reader, on its own thread: inflating is a fifth of the reading stage's work, and the
/// second core has time for it while tables are filled.
///
///     let source = ReadAheadSource(try feed.read(entry)) ?? …
///     while case let count = try source.read(into: buffer), count > 0 { … }
///
/// Memory: at most five pieces of 256 KiB (three in the queue, one on each side). An error of the stream is thrown
/// after all bytes before it were read.
final class ReadAheadSource: ByteSource {
    private enum Event: Sendable {
        case bytes(Piece)
        case failure(FeedError)
    }

    private let filled = BoundedQueue<Event>(capacity: 3)
    private let used = BoundedQueue<Piece>(capacity: .max)
    private var thread: WorkerThread?
    private var piece: Piece?
    private var failure: FeedError?

    /// Nil when the system refuses another thread.
    init?(_ stream: EntryStream) {
        let (filled, used, stream) = (filled, used, HandedOver(stream: stream))
        thread = WorkerThread { Self.inflate(stream.stream, filled, used) }
        guard thread != nil else { return nil }
    }

    /// If the reader stops early, the rest is not read.
    deinit {
        filled.close()
        thread.take()?.join()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        while count < buffer.count, let piece = nextPiece() {
            count += piece.move(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        }
        // Returns the bytes before a failure first.
        if count == 0, let failure { throw failure }
        return count
    }

    /// The current piece if it has bytes left, else the next one; nil at the end and after a failure.
    private func nextPiece() -> Piece? {
        if let piece, !piece.isEmpty { return piece }
        if let empty = piece.take() { used.push(empty) }
        switch filled.pop() {
        case .bytes(let piece): self.piece = piece
        case .failure(let error): failure = error
        case nil: break
        }
        return piece
    }

    private static func inflate(
        _ stream: EntryStream, _ filled: BoundedQueue<Event>, _ used: BoundedQueue<Piece>
    ) {
        defer { filled.close() }
        do throws(FeedError) {
            while true {
                let piece = used.popLatestIfAny() ?? Piece()
                guard try piece.fill(from: stream), filled.push(.bytes(piece)) else { return }
            }
        } catch {
            filled.push(.failure(error))
        }
    }
}

/// A stream that only the inflating thread uses from now on.
private struct HandedOver: @unchecked Sendable {
    // @unchecked: the thread that makes it no longer uses the stream.
    let stream: EntryStream
}

/// A piece of an entry's bytes.
private final class Piece: @unchecked Sendable {
    // @unchecked: it is either used by one thread or in a queue, never used by two threads.
    private static let size = 256 << 10

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    private var start = 0
    private var end = 0

    deinit { memory.deallocate() }

    var isEmpty: Bool { start == end }

    /// Fills the piece; returns false at the end of the stream.
    func fill(from stream: EntryStream) throws(FeedError) -> Bool {
        start = 0
        end = try stream.read(into: memory)
        return end > 0
    }

    /// Moves as many bytes as fit to `buffer`.
    func move(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, end - start)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<start + count]))
        start += count
        return count
    }
}

extension OpenedFeed {
    /// The entry's bytes; a separate thread inflates those of a large entry.
    func source(of entry: FeedEntry) throws -> any ByteSource {
        let stream = try read(entry)
        guard entry.size >= 1 << 20, let ahead = ReadAheadSource(stream) else { return stream }
        return ahead
    }
}

/// A byte source that counts the bytes read from an entry, for progress.
struct CountedSource: ByteSource {
    var source: any ByteSource
    let progress: ProgressMeter

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.read(into: buffer)
        progress.add(bytes: count)
        return count
    }
}
