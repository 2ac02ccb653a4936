/// A zip archive: its range of bytes and its central directory.
final class ZipArchive: Sendable {
    let range: FileRange
    /// In the form of an argument: `outer.zip#inner.zip`.
    let place: String
    /// Files in the order of the central directory, each path once.
    let members: [ZipMember]
    /// Entries in the central directory, including folders and other entries that are not members.
    let entryCount: Int
    /// What was odd about the archive and how it was handled.
    let anomalies: [String]

    /// Reads the directory.
    ///
    /// - Throws: `notAFeed` when it is not a zip archive; `damaged`, `unsupported` or `overLimit` when the archive
    ///   cannot be read.
    init(_ range: FileRange, place: String, limits: FeedLimits) throws(FeedError) {
        let directory = try ZipDirectory.read(range, place: place, limits: limits)
        self.range = range
        self.place = place
        members = directory.members
        entryCount = directory.entryCount
        anomalies = directory.anomalies
    }

    /// The compressed bytes of a member. Throws if its local header contradicts the central directory.
    func data(of member: ZipMember) throws(FeedError) -> FileRange {
        guard let local = try ZipLocalHeader.read(range, at: member.headerOffset) else {
            throw damaged(
                "\(member.path) has no local header at byte \(member.headerOffset), where the central directory says")
        }
        try compare(local, with: member)
        let start = member.headerOffset + local.length
        guard start <= member.end, let data = range.part(at: start, count: member.compressedSize),
            member.compressedSize <= member.end - start
        else { throw damaged("\(member.path) is longer than the place up to the next entry or the central directory") }
        return data
    }

    private func compare(_ local: ZipLocalHeader, with member: ZipMember) throws(FeedError) {
        let name = EntryName.decode(local.name)
        guard local.name == member.rawName || EntryName(name).path == member.path else {
            throw damaged("\(member.path) is called \(name.quoted()) in its local header")
        }
        guard local.method == member.method.number else {
            let other = ZipMethod(number: local.method)
            throw damaged(
                "\(member.path) is compressed with \(member.method) by the central directory, with \(other) by its local header"
            )
        }
    }

    /// An error about this archive.
    func damaged(_ message: String) -> FeedError { FeedError(.damaged, message, at: place) }
}
