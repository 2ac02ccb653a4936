// Unsafe: the keys of parents are found behind a pointer, a block at a time.

/// Tells whether the key of a row of a clustered table may have occurred before.
///
///     if seen.insert(parent: trip, sequence: stopSequence) { … keep the row's text … }
///
/// Has 64 bits per parent, one for each sequence modulo 64. "No" is certain; "perhaps" is exact for trips with
/// sequences below 64. Parents beyond the two millionth share the bits of earlier ones, so the bits take at most 16 MB.
struct SeenKeys {
    private static let mostParents = 1 << 21
    private var sequences: [UInt64] = []
    /// What `prefetch` has read; stored so that the compiler does not remove the reads.
    private var prefetched: UInt64 = 0

    /// Enters a key, and returns whether it may have occurred before.
    @inline(__always)
    mutating func insert(parent: Int64, sequence: Int64) -> Bool {
        let place = Int(truncatingIfNeeded: parent) & (Self.mostParents - 1)
        if place >= sequences.count { grow(to: place + 1) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: sequence & 63)
        let seen = sequences[place]
        sequences[place] = seen | bit
        return seen & bit != 0
    }

    /// Prefetches the bits of the parents of a block's rows, so that the processor waits for all of them at once:
    /// without this, each of 3 M rows in no order waited 150 ns.
    mutating func prefetch(_ parents: UnsafePointer<Int32>, count: Int) {
        var prefetched: UInt64 = 0
        sequences.withUnsafeBufferPointer { sequences in
            for row in 0..<count {
                let place = Int(parents[row]) & (Self.mostParents - 1)
                if place < sequences.count { prefetched ^= sequences[place] }
            }
        }
        self.prefetched = prefetched
    }

    private mutating func grow(to count: Int) {
        let wanted = min(max(count, 2 * sequences.count, 1024), Self.mostParents)
        sequences.append(contentsOf: repeatElement(0, count: wanted - sequences.count))
    }
}
