/// Where a zip's central directory lies according to its end records (APPNOTE 6.3.10, 4.3.14 to 4.3.16).
struct ZipEndRecord: Equatable {
    /// First byte of the central directory, counted in the range that was searched.
    var directoryOffset: UInt64
    var directorySize: UInt64
    /// The number of entries; only its lower 16 bits count if there is no zip64 record.
    var entryCount: UInt64
    var isZip64: Bool
    /// What to add to offsets in the archive: the length of something before it, such as the program of a
    /// self-extracting archive.
    var shift: UInt64
    /// Whether what is before the archive ends as another archive does. Programs that read zips from their end see only
    /// the last one.
    var followsArchive = false

    /// Whether the end record's number agrees with the number of entries found.
    func agrees(withEntries found: Int) -> Bool {
        isZip64
            ? entryCount == UInt64(found) : UInt16(truncatingIfNeeded: entryCount) == UInt16(truncatingIfNeeded: found)
    }
}

/// Searches for the end of central directory record, which has to lie in the last 65,557 bytes.
///
/// The comment after it may hold anything, even a second record, and bytes may have been put before or after the
/// archive. So every place with the signature is a candidate, and it counts only if a central directory really lies
/// where it points. Prefers an archive that follows another one, then a directory that is not empty, then offsets that
/// need no shift, then the last record in the file.
struct ZipEndSearch {
    static let signature: UInt32 = 0x0605_4b50
    static let recordSize = 22
    private static let longestComment = 65_535
    /// How far from the end of the file a record may begin.
    static let farthest = UInt64(recordSize + longestComment)

    private let range: FileRange
    private var sawRecord = false
    private var sawSeveralParts = false

    /// The result of the search.
    enum Outcome: Equatable {
        case found(ZipEndRecord)
        /// No end record at all.
        case missing
        /// There is one, but no central directory lies where it says.
        case inconsistent
        /// The archive is one part of several.
        case severalParts
    }

    private init(_ range: FileRange) { self.range = range }

    static func search(_ range: FileRange) throws(FeedError) -> Outcome {
        var search = ZipEndSearch(range)
        return try search.run()
    }

    private mutating func run() throws(FeedError) -> Outcome {
        let length = min(range.count, Self.farthest)
        let start = range.count - length
        guard let tail = try range.bytes(at: start, count: Int(length)), tail.count >= Self.recordSize else {
            return .missing
        }
        var best: ZipEndRecord?
        for index in stride(from: tail.count - Self.recordSize, through: 0, by: -1)
        where Self.isSignature(tail, at: index) {
            guard let found = try candidate(tail[index...], at: start + UInt64(index)) else { continue }
            if best.map({ Self.rank(found) > Self.rank($0) }) ?? true { best = found }
            if Self.rank(found) >= 3 { break }
        }
        if let best { return .found(best) }
        return sawSeveralParts ? .severalParts : sawRecord ? .inconsistent : .missing
    }

    private static func isSignature(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index] == 0x50 && bytes[index + 1] == 0x4b && bytes[index + 2] == 5 && bytes[index + 3] == 6
    }

    private static func rank(_ record: ZipEndRecord) -> Int {
        record.followsArchive ? 4 : (record.directorySize > 0 ? 2 : 0) + (record.shift == 0 ? 1 : 0)
    }

    /// The record at `position` if a central directory lies where it says.
    ///
    /// Accepts a shift only if the record ends exactly at the end of the file, and the file does not begin with a local
    /// header or another archive ends where this one begins. Otherwise the record may belong to an archive stored
    /// inside another one that was cut off.
    private mutating func candidate(
        _ bytes: ArraySlice<UInt8>, at position: UInt64
    ) throws(FeedError) -> ZipEndRecord? {
        guard let end = ZipEndFields(bytes), end.commentLength <= bytes.count - Self.recordSize else { return nil }
        let isExact = end.commentLength == bytes.count - Self.recordSize
        guard let (fields, directoryEnd) = try zip64(end, before: position) else {
            sawRecord = true
            return nil
        }
        guard fields.isSinglePart else {
            sawSeveralParts = true
            return nil
        }
        guard var record = try locate(fields, endingAt: directoryEnd) else {
            sawRecord = true
            return nil
        }
        guard record.shift > 0 else { return record }
        guard isExact else { return nil }
        record.followsArchive = try endsArchive(at: record.shift) && record.directorySize > 0
        let isWithinAnother = try range.signature(at: 0) == ZipLocalHeader.signature
        return record.followsArchive || !isWithinAnother ? record : nil
    }

    /// Whether an end record without a comment ends there.
    private func endsArchive(at end: UInt64) throws(FeedError) -> Bool {
        guard end >= UInt64(Self.recordSize),
            let bytes = try range.bytes(at: end - UInt64(Self.recordSize), count: Self.recordSize)
        else { return false }
        return Self.isSignature(bytes, at: 0) && bytes.suffix(2) == [0, 0]
    }

    /// Looks for the directory right before its end record, then at the offset in the record.
    private func locate(_ fields: ZipEndFields, endingAt end: UInt64) throws(FeedError) -> ZipEndRecord? {
        guard fields.directorySize <= end else { return nil }
        for start in [end - fields.directorySize, fields.directoryOffset] {
            guard start >= fields.directoryOffset, start <= end - fields.directorySize else { continue }
            if fields.directorySize > 0 {
                guard try range.signature(at: start) == ZipCentralHeader.signature else { continue }
            }
            return ZipEndRecord(
                directoryOffset: start, directorySize: fields.directorySize, entryCount: fields.entryCount,
                isZip64: fields.isZip64, shift: start - fields.directoryOffset)
        }
        return nil
    }

    /// Fills the fields that are at their maximum from the zip64 record, if there is one. Also returns where the
    /// directory has to end.
    private func zip64(_ fields: ZipEndFields, before end: UInt64) throws(FeedError) -> (ZipEndFields, UInt64)? {
        guard end >= UInt64(Zip64Locator.size),
            let bytes = try range.bytes(at: end - UInt64(Zip64Locator.size), count: Zip64Locator.size),
            let locator = Zip64Locator(bytes)
        else { return (fields, end) }
        let positions = [
            end.subtractingReportingOverflow(UInt64(Zip64Locator.size + Zip64EndFields.size)), (locator.offset, false),
        ]
        for (position, overflow) in positions where !overflow {
            guard let bytes = try range.bytes(at: position, count: Zip64EndFields.size),
                let large = Zip64EndFields(bytes)
            else { continue }
            return fields.filled(from: large, parts: locator.parts).map { ($0, position) }
        }
        return fields.needsZip64 ? nil : (fields, end)
    }
}
