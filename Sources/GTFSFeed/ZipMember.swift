/// One entry of a zip, checked against the archive's bounds.
struct ZipMember: Sendable {
    /// The path in the archive, cleaned by ``EntryName``.
    let path: String
    /// The name as it stands in the central directory.
    let rawName: [UInt8]
    let flags: UInt16
    let method: ZipMethod
    let checksum: UInt32
    let compressedSize: UInt64
    let size: UInt64
    /// Where its local header begins, counted in the archive's range.
    let headerOffset: UInt64
    /// Where the next entry, or the central directory, begins: its data has to end there or earlier.
    var end: UInt64

    /// Flag bit 0, or method 99 (APPNOTE 4.4.4, 7.2).
    var isEncrypted: Bool { flags & 1 != 0 || method == .aes }

    /// Why its content cannot be read, or `nil` when it can.
    var refusal: String? {
        if isEncrypted {
            return "\(path) is encrypted, which cannot be read; supply the feed without a password"
        }
        if method != .stored && method != .deflate {
            return "\(path) is compressed with \(method), which cannot be read; recompress the feed with deflate"
        }
        return nil
    }
}

/// How an entry is compressed (APPNOTE 4.4.5).
struct ZipMethod: Equatable, Sendable, CustomStringConvertible {
    let number: UInt16

    static let stored = ZipMethod(number: 0)
    static let deflate = ZipMethod(number: 8)
    /// Not a compression: the entry is encrypted with AES, and the actual method is in an extra field.
    static let aes = ZipMethod(number: 99)

    /// Name and number: "LZMA (method 14)".
    var description: String { Self.names[number].map { "\($0) (method \(number))" } ?? "method \(number)" }

    private static let names: [UInt16: String] = [
        0: "nothing", 1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode", 8: "Deflate",
        9: "Deflate64", 10: "PKWARE Implode", 12: "BZip2", 14: "LZMA", 16: "IBM CMPSC", 18: "IBM TERSE", 19: "IBM LZ77",
        20: "Zstandard", 93: "Zstandard", 94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]
}

/// The header right before an entry's data (APPNOTE 4.3.7); only the fields that are compared with the central
/// directory are kept.
struct ZipLocalHeader {
    static let signature: UInt32 = 0x0403_4b50
    static let fixedSize = 30

    let method: UInt16
    let name: [UInt8]
    /// Bytes from the header's start to the entry's data.
    let length: UInt64

    /// Reads the header at an offset; `nil` when there is none.
    static func read(_ range: FileRange, at offset: UInt64) throws(FeedError) -> ZipLocalHeader? {
        guard let bytes = try range.bytes(at: offset, count: fixedSize) else { return nil }
        var cursor = ByteCursor(bytes)
        guard cursor.integer() == signature, cursor.integer(UInt32.self) != nil,  // version needed, flags
            let method: UInt16 = cursor.integer(),
            // Time, date, checksum and sizes: the central directory has them, here they may be blank.
            cursor.bytes(16) != nil,
            let nameLength: UInt16 = cursor.integer(), let extraLength: UInt16 = cursor.integer(),
            let name = try range.bytes(at: offset + UInt64(fixedSize), count: Int(nameLength))
        else { return nil }
        return ZipLocalHeader(
            method: method, name: name, length: UInt64(fixedSize) + UInt64(nameLength) + UInt64(extraLength))
    }
}
