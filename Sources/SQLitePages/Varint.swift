// Unsafe: varints are written into page and record memory whose owner has made room for the whole cell or record.

/// SQLite's variable-length integer: big-endian, seven bits a byte, the high bit says that more follows.
///
/// Only what records need: up to 35 bits, which is 5 bytes (<https://sqlite.org/fileformat2.html#varint>).
enum Varint {
    /// The longest that `write` writes.
    static let maximumLength = 5

    /// Writes `value` and returns where the next byte goes.
    @inline(__always)
    static func write(_ value: Int, to memory: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        guard value > 0x7F else {
            memory.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            return memory + 1
        }
        guard value > 0x1F_FFFF || value <= 0x3FFF else {
            // Three bytes, as for most rows of a long table.
            memory.storeBytes(of: UInt8(truncatingIfNeeded: value >> 14) | 0x80, as: UInt8.self)
            memory.storeBytes(of: UInt8(truncatingIfNeeded: value >> 7) | 0x80, toByteOffset: 1, as: UInt8.self)
            memory.storeBytes(of: UInt8(truncatingIfNeeded: value & 0x7F), toByteOffset: 2, as: UInt8.self)
            return memory + 3
        }
        return writeLong(value, to: memory)
    }

    private static func writeLong(_ value: Int, to memory: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let end = memory + length(value)
        var rest = value
        var place = end
        var more: UInt8 = 0
        repeat {
            place -= 1
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest & 0x7F) | more, as: UInt8.self)
            rest >>= 7
            more = 0x80
        } while rest > 0
        return end
    }

    /// Bytes that `write` writes for a value of 0 to 2^35 - 1.
    @inline(__always)
    static func length(_ value: Int) -> Int {
        value <= 0x7F ? 1 : (Int.bitWidth - value.leadingZeroBitCount + 6) / 7
    }

    /// The value at `memory`, and how many bytes it takes. At most `count` bytes are read.
    @inline(__always)
    static func read(_ memory: UnsafeRawPointer, upTo count: Int = maximumLength) -> (value: Int, length: Int) {
        guard count > 0, memory.load(as: UInt8.self) < 0x80 else { return readLong(memory, upTo: count) }
        return (Int(memory.load(as: UInt8.self)), 1)
    }

    /// The value that begins at `place` in `bytes`, and its length; both are 0 past the end.
    static func read(_ bytes: UnsafeRawBufferPointer, from place: Int) -> (value: Int, length: Int) {
        guard place < bytes.count, let start = bytes.baseAddress else { return (0, 0) }
        return read(start + place, upTo: bytes.count - place)
    }

    private static func readLong(_ memory: UnsafeRawPointer, upTo count: Int) -> (value: Int, length: Int) {
        var value = 0
        for index in 0..<min(count, maximumLength) {
            let byte = memory.load(fromByteOffset: index, as: UInt8.self)
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return (value, index + 1) }
        }
        return (value, min(count, maximumLength))
    }
}
