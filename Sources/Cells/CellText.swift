// Unsafe: finds texts in the memory that cells point into, and compares them there.

import Glibc

/// The payload of a text cell: where the text begins in its memory (upper half), and how many bytes it has (lower).
/// Both are below 2³².
///
///     let payload = CellText.payload(offset: arena.append(name), count: name.count)
///     CellText.bytes(of: payload, from: arena.bytes)     // the name
public enum CellText {
    @inlinable
    @inline(__always)
    public static func payload(offset: Int, count: Int) -> Int64 { Int64(offset) << 32 | Int64(count) }

    @inlinable
    @inline(__always)
    public static func offset(of payload: Int64) -> Int { Int(UInt64(bitPattern: payload) >> 32) }

    @inlinable
    @inline(__always)
    public static func count(of payload: Int64) -> Int { Int(UInt32(truncatingIfNeeded: payload)) }

    @inlinable
    @inline(__always)
    public static func bytes(of payload: Int64, from start: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + offset(of: payload), count: count(of: payload))
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    @inlinable
    @inline(__always)
    public func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let one = baseAddress, let two = other.baseAddress else {
            return count == other.count
        }
        return one == two || memcmp(one, two, count) == 0
    }
}
