import SystemFiles

/// Mixes the name, size and checksum of every entry into one number (see ``OpenedFeed/contentHash()``).
struct ContentHash {
    private var hash = SipHash128(key: (0x6774_6673_2063_6f6e, 0x7465_6e74_2068_6173))

    /// Adds one entry; the order counts. Adds the name's length before the name, so that different lists of entries
    /// never give the same bytes.
    mutating func add(name: String, size: UInt64, checksum: UInt32) {
        let bytes = Array(name.utf8)
        hash.update(littleEndian: UInt64(bytes.count))
        hash.update(bytes)
        hash.update(littleEndian: size)
        hash.update(littleEndian: UInt64(checksum))
    }

    /// 32 lower-case hexadecimal digits.
    var text: String {
        let (first, second) = hash.value
        return first.hexadecimal(digits: 16) + second.hexadecimal(digits: 16)
    }
}

/// SipHash-2-4 with 128 bits of output (Aumasson, Bernstein: "SipHash: a fast short-input PRF"; the reference code's
/// `outlen` 16).
struct SipHash128 {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var tail: UInt64 = 0
    private var count: UInt64 = 0

    init(key: (UInt64, UInt64)) {
        v0 = 0x736f_6d65_7073_6575 ^ key.0
        v1 = 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee
        v2 = 0x6c79_6765_6e65_7261 ^ key.0
        v3 = 0x7465_6462_7974_6573 ^ key.1
    }

    mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            tail |= UInt64(byte) << (8 * (count & 7))
            count &+= 1
            if count & 7 == 0 { compress() }
        }
    }

    mutating func update(littleEndian number: UInt64) {
        update((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) })
    }

    /// The hash of what was added so far.
    var value: (UInt64, UInt64) {
        var copy = self
        return copy.finish()
    }

    private mutating func finish() -> (UInt64, UInt64) {
        tail |= count << 56
        compress()
        v2 ^= 0xee
        for _ in 0..<4 { round() }
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        for _ in 0..<4 { round() }
        return (first, v0 ^ v1 ^ v2 ^ v3)
    }

    private mutating func compress() {
        v3 ^= tail
        round()
        round()
        v0 ^= tail
        tail = 0
    }

    private mutating func round() {
        v0 &+= v1
        v2 &+= v3
        v1 = Self.rotated(v1, 13) ^ v0
        v3 = Self.rotated(v3, 16) ^ v2
        v0 = Self.rotated(v0, 32)
        v2 &+= v1
        v0 &+= v3
        v1 = Self.rotated(v1, 17) ^ v2
        v3 = Self.rotated(v3, 21) ^ v0
        v2 = Self.rotated(v2, 32)
    }

    private static func rotated(_ number: UInt64, _ bits: UInt64) -> UInt64 { number << bits | number >> (64 - bits) }
}
