/// Tells for rows of a clustered table whether their key may have been seen before.
///
///     if seen.insert(parent: trip, sequence: stopSequence) { … keep the row's text … }
///
/// 64 bits a parent, one for each sequence modulo 64: "no" is certain, "perhaps" is right for trips with sequences
/// below 64. Parents beyond the two millionth share the bits of earlier ones, so that it takes 16 MB at most.
struct SeenKeys {
    private static let mostParents = 1 << 21
    private var sequences: [UInt64] = []

    /// Enters a key, and answers whether it may have been there already.
    @inline(__always)
    mutating func insert(parent: Int64, sequence: Int64) -> Bool {
        let place = Int(truncatingIfNeeded: parent) & (Self.mostParents - 1)
        if place >= sequences.count { grow(to: place + 1) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: sequence & 63)
        let seen = sequences[place]
        sequences[place] = seen | bit
        return seen & bit != 0
    }

    private mutating func grow(to count: Int) {
        let wanted = min(max(count, 2 * sequences.count, 1024), Self.mostParents)
        sequences.append(contentsOf: repeatElement(0, count: wanted - sequences.count))
    }
}
