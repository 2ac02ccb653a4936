/// One entry of a zip, checked against the archive's bounds.
struct ZipMember: Sendable {
    /// The path in the archive, made plain.
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
    /// Where the next entry, or the central directory, begins: its data has to end before.
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
