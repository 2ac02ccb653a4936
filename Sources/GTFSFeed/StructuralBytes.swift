// Unsafe: every byte of a feed passes here, eight at a time in a machine word, so that only syntax bytes cost a branch.

/// Finds the CSV syntax bytes among 64 bytes: one bit per byte, the first byte in the lowest bit.
struct StructuralBytes {
    /// The delimiters.
    var delimiters: UInt64 = 0
    /// Quotes, CR, LF and all other bytes below 0x20.
    var others: UInt64 = 0
    /// Not zero when a byte is 0x7F or above.
    var bytesFrom7F: UInt64 = 0

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    private static let high: UInt64 = 0x8080_8080_8080_8080

    /// Looks at 64 bytes. All of them must be readable; the first `count` are data.
    @inline(__always)
    init(_ bytes: UnsafeMutableRawPointer, count: Int, delimiter: UInt8) {
        let pattern = UInt64(delimiter) &* Self.ones
        for offset in stride(from: 0, to: 64, by: 8) {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let notDelimiter = Self.nonZero(word ^ pattern)
            let notOther = Self.nonZero(word ^ (0x22 &* Self.ones)) & Self.nonZero(word & (0xE0 &* Self.ones))
            // Word k's marks move to bit k of each byte by the time all eight are in; `transposed` puts them in order.
            delimiters = (delimiters &>> 1) | (~notDelimiter & Self.high)
            others = (others &>> 1) | (~notOther & Self.high)
            bytesFrom7F |= word | ((word & Self.low) &+ Self.ones)
        }
        let data = count < 64 ? (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 : UInt64.max
        delimiters = Self.transposed(delimiters) & data
        // A tab may be the delimiter.
        others = Self.transposed(others) & data & ~delimiters
        bytesFrom7F &= Self.high
    }

    /// The high bit of each byte tells whether the byte is not zero.
    @inline(__always)
    private static func nonZero(_ word: UInt64) -> UInt64 {
        ((word & low) &+ low) | word
    }

    /// Mirrors the 8 by 8 bits along their diagonal (Hacker's Delight, 7-3).
    @inline(__always)
    private static func transposed(_ bits: UInt64) -> UInt64 {
        var bits = bits
        var moved = (bits ^ (bits &>> 7)) & 0x00AA_00AA_00AA_00AA
        bits = bits ^ moved ^ (moved &<< 7)
        moved = (bits ^ (bits &>> 14)) & 0x0000_CCCC_0000_CCCC
        bits = bits ^ moved ^ (moved &<< 14)
        moved = (bits ^ (bits &>> 28)) & 0x0000_0000_F0F0_F0F0
        return bits ^ moved ^ (moved &<< 28)
    }
}
