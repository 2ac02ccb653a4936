/// Reads little-endian fields from the front of some bytes. Each read is checked against the end: `nil` when they run
/// out.
///
/// The whole zip directory is read through this, so no field of a hostile archive can point outside of it.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Bytes that are left.
    var count: Int { rest.count }

    /// The next unsigned integer, least significant byte first (APPNOTE 4.4.1.1).
    mutating func integer<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type = T.self) -> T? {
        let width = T.bitWidth / 8
        guard let bytes = bytes(width) else { return nil }
        var value: T = 0
        for byte in bytes.reversed() { value = value << 8 | T(truncatingIfNeeded: byte) }
        return value
    }

    /// The next `count` bytes.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
