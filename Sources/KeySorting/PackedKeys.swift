// Unsafe for speed: keys are packed and unpacked by whole words, 2 ns each. A key of 16 bytes that goes to a temporary
// file and back costs 40 ns, as the system copies it three times.

/// Keys in order, each as its difference from the one before: usually two to seven bytes instead of sixteen.
///
/// Each key begins with one byte that holds three lengths. Then come the growth of the upper half, the lower half's
/// upper 32 bits and its lower 32 bits, each with its lowest byte first. If the upper half did not grow, the lower half
/// is written as its growth.
struct PackedKeys {
    /// The most bytes that a key takes.
    static let longest = 1 + 8 + 4 + 4
    /// Bytes beyond the last key that may be read or written.
    static let margin = 8

    /// The key before; at first `SortKey(high: 0, low: 0)`.
    private(set) var last = SortKey(high: 0, low: 0)

    /// Writes a key that is not less than the last one, and returns where the next one goes.
    @inline(__always)
    mutating func write(_ key: SortKey, to place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let growth = key.high &- last.high
        let low = growth == 0 ? key.low &- last.low : key.low
        last = key
        let (upper, lower) = (low >> 32, low & 0xFFFF_FFFF)
        // The growth's length has three bits, so seven bytes are written as eight. The upper part's length has two
        // bits, so two bytes are written as three.
        let (first, second, third) = (Self.length(growth), Self.length(upper), Self.length(lower))
        let (firstCode, secondCode) = (min(first, 7), second < 2 ? second : max(second - 1, 2))
        place.storeBytes(of: UInt8(truncatingIfNeeded: firstCode | secondCode << 3 | third << 5), as: UInt8.self)
        var next = place + 1
        next.storeBytes(of: growth.littleEndian, as: UInt64.self)
        next += Self.firstLength(firstCode)
        next.storeBytes(of: upper.littleEndian, as: UInt64.self)
        next += Self.secondLength(secondCode)
        next.storeBytes(of: lower.littleEndian, as: UInt64.self)
        return next + third
    }

    /// The next key. Moves `place` to the one after it.
    @inline(__always)
    mutating func read(_ place: inout UnsafeRawPointer) -> SortKey {
        let code = Int(place.load(as: UInt8.self))
        let (first, second, third) = (Self.firstLength(code & 7), Self.secondLength(code >> 3 & 3), code >> 5)
        let growth = Self.bytes(first, place + 1)
        let low = Self.bytes(second, place + 1 + first) << 32 | Self.bytes(third, place + 1 + first + second)
        place += 1 + first + second + third
        last = SortKey(high: last.high &+ growth, low: growth == 0 ? last.low &+ low : low)
        return last
    }

    @inline(__always)
    private static func length(_ value: UInt64) -> Int { (UInt64.bitWidth + 7 - value.leadingZeroBitCount) >> 3 }

    @inline(__always)
    private static func firstLength(_ code: Int) -> Int { 0x8654_3210 >> (code &* 4) & 0xF }

    @inline(__always)
    private static func secondLength(_ code: Int) -> Int { 0x4310 >> (code &* 4) & 0xF }

    @inline(__always)
    private static func bytes(_ count: Int, _ place: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) & ((1 << UInt64(count * 8)) &- 1)
    }
}
