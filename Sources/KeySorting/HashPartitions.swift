// Unsafe: hashes are gathered in one block of memory, and lent from another that holds one part at a time.

/// A hash of 96 bits of something that a row has.
public struct RowHash: BitwiseCopyable, Equatable, Sendable {
    public let hash: UInt64
    public let other: UInt32
    public let row: UInt32

    public init(hash: UInt64, other: UInt32, row: UInt32) { (self.hash, self.other, self.row) = (hash, other, row) }

    /// Whether all 96 bits are the same.
    @inline(__always)
    public func isSame(as other: RowHash) -> Bool { hash == other.hash && self.other == other.other }
}

/// Hashes of rows, in parts by their first bits: equal ones are in one part, in the order in which they came.
///
///     let hashes = HashPartitions(in: space)
///     try hashes.append(RowHash(hash: …, other: …, row: 7))
///     try hashes.forEachPiece { part, piece in … }
///
/// Finding equal ones needs no order between different ones: half a million transfers are imported in 84 ms, and in 98
/// where their hashes were sorted. In memory while the space allows it, else in a temporary file without a name. One
/// thread at a time.
public final class HashPartitions {
    /// A hundredth of a long table's hashes are looked at together, which the processor's cache has room for.
    static let parts = 128
    private static let bits = 7
    /// 8 KB: less takes too many calls of the system when they go to a file.
    private static let pieceLength = 512

    private let held: HeldBytes
    private var memory: UnsafeMutableBufferPointer<RowHash>?
    /// How many of a part are in its place in memory.
    private let counts: UnsafeMutableBufferPointer<Int>
    /// The part that each held piece belongs to.
    private var pieces: [UInt8] = []

    public init(in space: SortingSpace) {
        held = HeldBytes(in: space, mayHold: true)
        counts = .allocate(capacity: Self.parts)
        counts.initialize(repeating: 0)
    }

    deinit {
        memory?.deallocate()
        counts.deallocate()
    }

    /// Throws when the temporary file cannot be made or written.
    @inline(__always)
    public func append(_ hash: RowHash) throws(KeySortingError) {
        let part = Int(truncatingIfNeeded: hash.hash >> UInt64(64 - Self.bits))
        let memory = memory ?? allocate()
        memory[part * Self.pieceLength + counts[part]] = hash
        counts[part] += 1
        if counts[part] == Self.pieceLength { try hold(part) }
    }

    private func allocate() -> UnsafeMutableBufferPointer<RowHash> {
        let memory = UnsafeMutableBufferPointer<RowHash>.allocate(capacity: Self.parts * Self.pieceLength)
        self.memory = memory
        return memory
    }

    @inline(never)
    private func hold(_ part: Int) throws(KeySortingError) {
        try held.append(UnsafeRawBufferPointer(inMemory(part)))
        pieces.append(UInt8(truncatingIfNeeded: part))
        counts[part] = 0
    }

    private func inMemory(_ part: Int) -> UnsafeBufferPointer<RowHash> {
        guard let memory else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(rebasing: memory[part * Self.pieceLength..<part * Self.pieceLength + counts[part]])
    }

    /// Lends the hashes of one part after the other, a piece of at most 512 at a time: a part may be as long as the
    /// table where all rows have one key. Throws what the body throws, and `KeySortingError` when the temporary file
    /// cannot be read.
    public func forEachPiece(_ body: (_ part: Int, UnsafeBufferPointer<RowHash>) throws -> Void) throws {
        let (order, ends) = piecesByPart()
        let buffer = UnsafeMutableBufferPointer<RowHash>.allocate(capacity: Self.pieceLength)
        defer { buffer.deallocate() }
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        var first = 0
        for part in 0..<Self.parts {
            for piece in order[first..<ends[part]] {
                try held.read(bytes, at: Int(piece) * bytes.count)
                try body(part, UnsafeBufferPointer(buffer))
            }
            first = ends[part]
            if counts[part] > 0 { try body(part, inMemory(part)) }
        }
    }

    /// The held pieces, part by part, and where each part's end.
    private func piecesByPart() -> (order: [UInt32], ends: [Int]) {
        var ends = [Int](repeating: 0, count: Self.parts)
        for part in pieces { ends[Int(part)] += 1 }
        var next = 0
        for part in 0..<Self.parts { (ends[part], next) = (next, next + ends[part]) }
        var order = [UInt32](repeating: 0, count: pieces.count)
        for (piece, part) in pieces.enumerated() {
            order[ends[Int(part)]] = UInt32(truncatingIfNeeded: piece)
            ends[Int(part)] += 1
        }
        return (order, ends)
    }
}
