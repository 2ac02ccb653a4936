// Unsafe: owns the buffer of compressed bytes, allocated once and freed with it; `waiting` always lies within.

/// Inflates a range of a file, reading it in pieces of 256 KiB.
final class DeflatedBytes {
    static let pieceSize = 256 << 10

    private let range: FileRange
    private let path: String
    private let place: String
    private let inflater = Inflater()
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    /// The bytes of `piece` that have not been inflated.
    private var waiting = 0..<0
    private var position: UInt64 = 0
    private var hasEnded = false

    init(_ range: FileRange, path: String, place: String) {
        self.range = range
        self.path = path
        self.place = place
    }

    deinit { piece.deallocate() }

    /// Fills `buffer`. Returns fewer bytes only at the end of the deflate stream, which must also be the end of the
    /// range.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        var filled = 0
        while filled < buffer.count && !hasEnded {
            if waiting.isEmpty { try refill() }
            filled += try step(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        return filled
    }

    private func refill() throws(FeedError) {
        let count = try range.read(into: piece, at: position)
        position += UInt64(count)
        waiting = 0..<count
    }

    private func step(_ room: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        let step = inflater.step(UnsafeRawBufferPointer(rebasing: piece[waiting]), into: room)
        waiting = (waiting.lowerBound + step.consumed)..<waiting.upperBound
        switch step.state {
        case .running:
            guard step.produced > 0 || step.consumed > 0 else {
                throw damaged("\(path) is cut off: its compressed data has no end")
            }
        case .ended:
            hasEnded = true
            let left = range.count - position + UInt64(waiting.count)
            guard left == 0 else { throw damaged("\(path) has \(left) bytes after the end of its compressed data") }
        case .corrupt(let reason):
            throw damaged("\(path) cannot be inflated: \(reason)")
        case .outOfMemory:
            throw FeedError(.readFailed, "\(path) cannot be inflated: out of memory", at: place)
        }
        return step.produced
    }

    private func damaged(_ message: String) -> FeedError { FeedError(.damaged, message, at: place) }
}
