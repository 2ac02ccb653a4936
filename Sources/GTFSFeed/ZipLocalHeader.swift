/// The header right before an entry's data (APPNOTE 4.3.7); only what has to agree with the central directory.
struct ZipLocalHeader {
    static let signature: UInt32 = 0x0403_4b50
    static let fixedSize = 30

    let flags: UInt16
    let method: UInt16
    let name: [UInt8]
    /// Bytes from the header's start to the entry's data.
    let length: UInt64

    /// Reads the header at an offset; `nil` when there is none.
    static func read(_ range: FileRange, at offset: UInt64) throws(FeedError) -> ZipLocalHeader? {
        guard let bytes = try range.bytes(at: offset, count: fixedSize) else { return nil }
        var cursor = ByteCursor(bytes)
        guard cursor.integer() == signature, cursor.integer(UInt16.self) != nil,  // version needed
            let flags: UInt16 = cursor.integer(), let method: UInt16 = cursor.integer(),
            // Time, date, checksum and sizes: the central directory has them, here they may be blank.
            cursor.bytes(16) != nil,
            let nameLength: UInt16 = cursor.integer(), let extraLength: UInt16 = cursor.integer(),
            let name = try range.bytes(at: offset + UInt64(fixedSize), count: Int(nameLength))
        else { return nil }
        return ZipLocalHeader(
            flags: flags, method: method, name: name,
            length: UInt64(fixedSize) + UInt64(nameLength) + UInt64(extraLength))
    }
}
