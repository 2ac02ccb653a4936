/// The central directory of a zip (APPNOTE 4.3.12): what is in the archive and where.
///
/// Checks all entries against the archive's bounds once, when it is read. Entries must lie before the directory and
/// must not overlap, which also rules out zip bombs whose entries share their data.
struct ZipDirectory {
    private(set) var members: [ZipMember] = []
    private(set) var entryCount = 0
    private(set) var anomalies: [String] = []

    private let place: String
    private let end: ZipEndRecord
    private var renamed: [String] = []
    private var leftOut: [String] = []
    private var repeated: [String] = []

    static func read(_ range: FileRange, place: String, limits: FeedLimits) throws(FeedError) -> ZipDirectory {
        let end = try findEnd(range, place: place)
        guard end.directorySize <= limits.maximumDirectoryBytes, let size = Int(exactly: end.directorySize) else {
            throw FeedError(
                .overLimit,
                "has a central directory of \(end.directorySize) bytes; at most \(limits.maximumDirectoryBytes) are read",
                at: place)
        }
        guard let bytes = try range.bytes(at: end.directoryOffset, count: size) else {
            throw FeedError(.damaged, "its central directory reaches beyond its end", at: place)
        }
        var directory = ZipDirectory(place: place, end: end)
        try directory.parse(ByteCursor(bytes), limits: limits)
        return directory
    }

    private init(place: String, end: ZipEndRecord) {
        self.place = place
        self.end = end
    }

    private static func findEnd(_ range: FileRange, place: String) throws(FeedError) -> ZipEndRecord {
        switch try ZipEndSearch.search(range) {
        case .found(let end): return end
        case .missing: throw try FeedError.notAnArchive(range, place: place)
        case .inconsistent:
            throw FeedError(
                .damaged, "is a damaged zip: its central directory is not where its end record says", at: place)
        case .severalParts:
            throw FeedError(
                .unsupported, "is one part of a zip in several parts, which cannot be read; join the parts first",
                at: place)
        }
    }

    private mutating func parse(_ bytes: ByteCursor, limits: FeedLimits) throws(FeedError) {
        var cursor = bytes
        var found: [ZipMember] = []
        while cursor.count > 0, let header = try next(&cursor, number: entryCount + 1) {
            entryCount += 1
            guard entryCount <= limits.maximumFiles else {
                throw .tooManyEntries(limits, at: place)
            }
            try found.append(member(header))
        }
        if end.followsArchive {
            anomalies.append(
                "follows another archive of \(end.shift) bytes in the same file; only this last archive is read")
        }
        if !end.agrees(withEntries: entryCount) {
            anomalies.append(
                "its end record counts \(end.entryCount) entries, its central directory holds \(entryCount); all of these are read"
            )
        }
        try setEnds(&found)
        keep(found)
    }

    /// The next header, or `nil` at the digital signature that may close the directory (APPNOTE 4.3.13).
    private func next(_ cursor: inout ByteCursor, number: Int) throws(FeedError) -> ZipCentralHeader? {
        let signature: UInt32? = cursor.integer()
        if signature == 0x0505_4b50 { return nil }
        guard signature == ZipCentralHeader.signature, let header = ZipCentralHeader(&cursor) else {
            throw FeedError(.damaged, "entry \(number) of its central directory is damaged", at: place)
        }
        return header
    }

    private mutating func member(_ header: ZipCentralHeader) throws(FeedError) -> ZipMember {
        let written = EntryName.decode(header.name)
        let name = EntryName(written)
        if name.wasUnsafe && !name.isFolder { renamed.append("\(written.quoted()) is read as \(name.path.quoted())") }
        let isUnusable = written.unicodeScalars.contains("\0") || name.path.isEmpty
        if !name.isFolder && (isUnusable || header.isSymbolicLink) { leftOut.append(written.quoted()) }
        let isFile = !name.isFolder && !isUnusable && !header.isSymbolicLink
        let (offset, overflow) = header.headerOffset.addingReportingOverflow(end.shift)
        let member = ZipMember(
            path: isFile ? name.path : "", rawName: header.name, flags: header.flags,
            method: ZipMethod(number: header.method), checksum: header.checksum, compressedSize: header.compressedSize,
            size: header.size, headerOffset: offset, end: end.directoryOffset)
        guard header.disk == 0 else {
            throw FeedError(
                .unsupported, "\(written.quoted()) lies in another part of this zip; join the parts first", at: place)
        }
        guard !overflow, let last = Self.leastEnd(member), last <= end.directoryOffset else {
            throw FeedError(.damaged, "\(written.quoted()) lies beyond the end of the archive's data", at: place)
        }
        return member
    }

    /// Where a member's data ends at the earliest; its local header's extra field may push it further.
    private static func leastEnd(_ member: ZipMember) -> UInt64? {
        let header = UInt64(ZipLocalHeader.fixedSize + member.rawName.count)
        let (start, overflow) = member.headerOffset.addingReportingOverflow(header)
        let (end, overflowToo) = start.addingReportingOverflow(member.compressedSize)
        return overflow || overflowToo ? nil : end
    }

    /// Sets each member's end to the start of the next one; throws if members overlap.
    private func setEnds(_ members: inout [ZipMember]) throws(FeedError) {
        let order = members.indices.sorted { (members[$0].headerOffset, $0) < (members[$1].headerOffset, $1) }
        for (index, following) in zip(order, order.dropFirst()) {
            members[index].end = members[following].headerOffset
            guard let last = Self.leastEnd(members[index]), last <= members[index].end else {
                let names = [members[index], members[following]].map { EntryName.decode($0.rawName).quoted() }
                throw FeedError(.damaged, "\(names[0]) and \(names[1]) overlap", at: place)
            }
        }
    }

    /// Keeps the files. If several have the same path, the last one counts: programs that add to an archive write the
    /// newer file after the older one.
    private mutating func keep(_ found: [ZipMember]) {
        var positions: [[UInt8]: Int] = [:]
        for member in found where !member.path.isEmpty && !EntryName.isHidden(member.path) {
            let key = Array(member.path.utf8)
            if let position = positions[key] {
                repeated.append(member.path)
                members[position] = member
            } else {
                positions[key] = members.count
                members.append(member)
            }
        }
        if !repeated.isEmpty {
            anomalies.append(
                "holds more than one file of a name, and the last of each is read: \(listed(repeated, limit: 3))")
        }
        if !renamed.isEmpty { anomalies.append("has unusual paths: \(listed(renamed, limit: 3))") }
        if !leftOut.isEmpty {
            anomalies.append("leaves out links and entries without a usable name: \(listed(leftOut, limit: 3))")
        }
    }
}
