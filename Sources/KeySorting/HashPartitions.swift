// Unsafe: hashes are gathered in one block of memory, and lent from another that holds one part at a time.

/// A hash of 96 bits of some value of a row.
public struct RowHash: BitwiseCopyable, Equatable, Sendable {
    public let hash: UInt64
    public let other: UInt32
    public let row: UInt32

    public init(hash: UInt64, other: UInt32, row: UInt32) { (self.hash, self.other, self.row) = (hash, other, row) }

    /// Whether all 96 bits are the same.
    @inline(__always)
    public func isSame(as other: RowHash) -> Bool { hash == other.hash && self.other == other.other }
}

/// Hashes of rows, divided into parts by their first bits. Equal hashes are in one part, in the order in which they
/// came. Fewer than 512 hashes are not divided: all are in part 0.
///
///     let hashes = HashPartitions(in: space)
///     try hashes.append(RowHash(hash: …, other: …, row: 7))
///     try hashes.forEachPiece { part, piece in … }
///
/// Equal hashes can be found without sorting: half a million transfers are imported in 84 ms, instead of 98 ms with
/// sorted hashes. The hashes are in memory while the space allows it, else in a temporary file without a name. Used by
/// one thread at a time.
public final class HashPartitions {
    /// About a hundredth of a long table's hashes are compared at a time, which fits into the processor's cache.
    static let parts = 128
    /// How many first bits of a hash tell its part: 128 parts.
    private static let bits = 7
    /// 8 KB: smaller pieces take too many system calls when they go to a file.
    private static let pieceLength = 512

    private let held: HeldBytes
    private var memory: UnsafeMutableBufferPointer<RowHash>?
    /// How many hashes of each part are in memory.
    private let counts: UnsafeMutableBufferPointer<Int>
    /// Whether the hashes are divided. Hashes that fit into one piece are not: most tables are short, and each part
    /// would touch memory of its own.
    private var isDivided = false
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
        let part = isDivided ? Int(truncatingIfNeeded: hash.hash >> UInt64(64 - Self.bits)) : 0
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
        if !isDivided { return try divide() }
        try held.append(UnsafeRawBufferPointer(inMemory(part)))
        pieces.append(UInt8(truncatingIfNeeded: part))
        counts[part] = 0
    }

    private func divide() throws(KeySortingError) {
        let first = Array(inMemory(0))
        counts[0] = 0
        isDivided = true
        for hash in first { try append(hash) }
    }

    private func inMemory(_ part: Int) -> UnsafeBufferPointer<RowHash> {
        guard let memory else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(rebasing: memory[part * Self.pieceLength..<part * Self.pieceLength + counts[part]])
    }

    /// Lends the hashes part by part, in pieces of at most 512: if all rows have one key, a part is as long as the
    /// table. Throws what the body throws, and `KeySortingError` when the temporary file cannot be read.
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

    /// The held pieces, part by part, and where those of each part end.
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
