/// One entry of the central directory (APPNOTE 4.3.12), field by field.
struct ZipCentralHeader {
    static let signature: UInt32 = 0x0201_4b50

    let madeBy: UInt16
    let flags: UInt16
    let method: UInt16
    let checksum: UInt32
    let name: [UInt8]
    let externalAttributes: UInt32
    private(set) var compressedSize: UInt64
    private(set) var size: UInt64
    private(set) var headerOffset: UInt64
    private(set) var disk: UInt32

    /// Reads what follows the signature; `nil` when the bytes run out or a zip64 field is missing.
    init?(_ cursor: inout ByteCursor) {
        guard let madeBy: UInt16 = cursor.integer(), cursor.integer(UInt16.self) != nil,  // version needed
            let flags: UInt16 = cursor.integer(), let method: UInt16 = cursor.integer(),
            cursor.integer(UInt32.self) != nil,  // time and date
            let checksum: UInt32 = cursor.integer(),
            let compressedSize: UInt32 = cursor.integer(), let size: UInt32 = cursor.integer(),
            let nameLength: UInt16 = cursor.integer(), let extraLength: UInt16 = cursor.integer(),
            let commentLength: UInt16 = cursor.integer(), let disk: UInt16 = cursor.integer(),
            cursor.integer(UInt16.self) != nil,  // internal attributes
            let externalAttributes: UInt32 = cursor.integer(), let headerOffset: UInt32 = cursor.integer(),
            let name = cursor.bytes(Int(nameLength)), let extra = cursor.bytes(Int(extraLength)),
            cursor.bytes(Int(commentLength)) != nil
        else { return nil }
        self.madeBy = madeBy
        self.flags = flags
        self.method = method
        self.checksum = checksum
        self.name = Array(name)
        self.externalAttributes = externalAttributes
        self.compressedSize = UInt64(compressedSize)
        self.size = UInt64(size)
        self.headerOffset = UInt64(headerOffset)
        self.disk = UInt32(disk)
        guard fillFromZip64(extra) else { return nil }
    }

    /// Whether the entry is a symbolic link made on Unix, whose content is a path, not data (the upper half of the
    /// attributes is st_mode).
    var isSymbolicLink: Bool { madeBy >> 8 == 3 && (externalAttributes >> 16) & 0o170000 == 0o120000 }

    /// Replaces the fields that are at their maximum by the values of extra field 0x0001, in its fixed order (APPNOTE
    /// 4.5.3).
    ///
    /// Without that extra field the maximum is the actual value: a size of exactly 4 GiB - 1 fits.
    private mutating func fillFromZip64(_ extra: ArraySlice<UInt8>) -> Bool {
        guard var large = Self.zip64Field(extra) else { return true }
        if size == 0xffff_ffff {
            guard let value: UInt64 = large.integer() else { return false }
            size = value
        }
        if compressedSize == 0xffff_ffff {
            guard let value: UInt64 = large.integer() else { return false }
            compressedSize = value
        }
        if headerOffset == 0xffff_ffff {
            guard let value: UInt64 = large.integer() else { return false }
            headerOffset = value
        }
        if disk == 0xffff {
            guard let value: UInt32 = large.integer() else { return false }
            disk = value
        }
        return true
    }

    /// The content of extra field 0x0001, or nil if there is none. Skips other fields, and padding that does not form a
    /// field (some writers add it).
    private static func zip64Field(_ extra: ArraySlice<UInt8>) -> ByteCursor? {
        var cursor = ByteCursor(extra)
        while let identifier: UInt16 = cursor.integer(), let length: UInt16 = cursor.integer(),
            let content = cursor.bytes(Int(length))
        {
            if identifier == 1 { return ByteCursor(content) }
        }
        return nil
    }
}
