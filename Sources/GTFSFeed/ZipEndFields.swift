/// The end of central directory record (APPNOTE 4.3.16), field by field.
struct ZipEndFields {
    private var disk: UInt32
    private var directoryDisk: UInt32
    private var entriesOnDisk: UInt64
    private(set) var entryCount: UInt64
    private(set) var directorySize: UInt64
    private(set) var directoryOffset: UInt64
    private(set) var commentLength: Int
    private(set) var isZip64 = false

    /// Reads the record at the front of `bytes`.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard cursor.integer() == ZipEndSearch.signature,
            let disk: UInt16 = cursor.integer(), let directoryDisk: UInt16 = cursor.integer(),
            let entriesOnDisk: UInt16 = cursor.integer(), let entryCount: UInt16 = cursor.integer(),
            let directorySize: UInt32 = cursor.integer(), let directoryOffset: UInt32 = cursor.integer(),
            let commentLength: UInt16 = cursor.integer()
        else { return nil }
        self.disk = UInt32(disk)
        self.directoryDisk = UInt32(directoryDisk)
        self.entriesOnDisk = UInt64(entriesOnDisk)
        self.entryCount = UInt64(entryCount)
        self.directorySize = UInt64(directorySize)
        self.directoryOffset = UInt64(directoryOffset)
        self.commentLength = Int(commentLength)
    }

    /// Whether the whole archive is in this one file.
    var isSinglePart: Bool { disk == 0 && directoryDisk == 0 && entriesOnDisk == entryCount }

    /// Whether an offset or size does not fit and must come from the zip64 record.
    var needsZip64: Bool { directorySize == 0xffff_ffff || directoryOffset == 0xffff_ffff }

    /// A copy that takes fields at their maximum from the zip64 record; `nil` when other fields contradict it (APPNOTE
    /// 4.4.1.4).
    func filled(from large: Zip64EndFields, parts: UInt32) -> ZipEndFields? {
        guard Self.agree(disk, large.disk, maximum: 0xffff),
            Self.agree(directoryDisk, large.directoryDisk, maximum: 0xffff),
            Self.agree(entriesOnDisk, large.entriesOnDisk, maximum: 0xffff),
            Self.agree(entryCount, large.entryCount, maximum: 0xffff),
            Self.agree(directorySize, large.directorySize, maximum: 0xffff_ffff),
            Self.agree(directoryOffset, large.directoryOffset, maximum: 0xffff_ffff)
        else { return nil }
        var fields = self
        fields.disk = parts > 1 ? .max : large.disk
        fields.directoryDisk = large.directoryDisk
        fields.entriesOnDisk = large.entriesOnDisk
        fields.entryCount = large.entryCount
        fields.directorySize = large.directorySize
        fields.directoryOffset = large.directoryOffset
        fields.isZip64 = true
        return fields
    }

    private static func agree<T: UnsignedInteger>(_ small: T, _ large: T, maximum: T) -> Bool {
        small == maximum || small == large
    }
}

/// The zip64 end of central directory locator (APPNOTE 4.3.15), which lies right before the end record.
struct Zip64Locator {
    static let size = 20
    let offset: UInt64
    /// The number of parts of the archive; writers put 0 or 1 for an undivided archive.
    let parts: UInt32

    init?(_ bytes: [UInt8]) {
        var cursor = ByteCursor(bytes)
        guard cursor.integer() == UInt32(0x0706_4b50), cursor.integer(UInt32.self) != nil,
            let offset: UInt64 = cursor.integer(), let parts: UInt32 = cursor.integer()
        else { return nil }
        self.offset = offset
        self.parts = parts
    }
}

/// The zip64 end of central directory record (APPNOTE 4.3.14).
struct Zip64EndFields {
    static let size = 56
    let disk: UInt32
    let directoryDisk: UInt32
    let entriesOnDisk: UInt64
    let entryCount: UInt64
    let directorySize: UInt64
    let directoryOffset: UInt64

    init?(_ bytes: [UInt8]) {
        var cursor = ByteCursor(bytes)
        guard cursor.integer() == UInt32(0x0606_4b50), cursor.bytes(12) != nil,  // its size, versions
            let disk: UInt32 = cursor.integer(), let directoryDisk: UInt32 = cursor.integer(),
            let entriesOnDisk: UInt64 = cursor.integer(), let entryCount: UInt64 = cursor.integer(),
            let directorySize: UInt64 = cursor.integer(), let directoryOffset: UInt64 = cursor.integer()
        else { return nil }
        self.disk = disk
        self.directoryDisk = directoryDisk
        self.entriesOnDisk = entriesOnDisk
        self.entryCount = entryCount
        self.directorySize = directorySize
        self.directoryOffset = directoryOffset
    }
}
