/// A feed that has been found and opened: its files, ready to be read one by one.
///
///     let feed = try OpenedFeed.open("feed.zip")
///     for entry in feed.entries { print(entry.name, entry.size) }
///
/// Opening reads an archive's table of contents, not its data. A feed may be used by several threads at once:
/// everything in it is constant, and files are read by position.
public final class OpenedFeed: Sendable {
    /// The archive or folder it was found in, in the form of an argument: `feed.zip`, `outer.zip#inner.zip`; "standard
    /// input" for `-`.
    public let place: String
    /// Its files, sorted by the bytes of their names. Folders, hidden files and `__MACOSX` are left out.
    public let entries: [FeedEntry]
    /// The folder that holds the files, ending in `/`, when they do not lie at the top.
    public let rootFolder: String?
    /// What was odd about the container and how it was taken, in words; empty for a plain feed.
    public let anomalies: [String]

    /// Bytes of the file that was opened, however many archives it has in it; of a folder, those of the files.
    public let packedBytes: UInt64

    /// How large it may be; rows and fields are for those who read them to count.
    public let limits: FeedLimits

    init(
        place: String, entries: [FeedEntry], rootFolder: String?, anomalies: [String], packedBytes: UInt64,
        limits: FeedLimits
    ) {
        self.place = place
        self.packedBytes = packedBytes
        self.entries = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.rootFolder = rootFolder
        self.anomalies = anomalies.map(\.onOneLine)
        self.limits = limits
    }

    /// The same feed with more anomalies.
    func noting(_ more: [String]) -> OpenedFeed {
        OpenedFeed(
            place: place, entries: entries, rootFolder: rootFolder, anomalies: anomalies + more,
            packedBytes: packedBytes, limits: limits)
    }

    /// Opens a feed for reading.
    ///
    /// - Parameters:
    ///   - argument: A zip file, a folder, `outer.zip#inner.zip`, `feed.zip#folder/`, or `-` for standard input; FIFOs
    ///     and `/dev/stdin` work like that. A path that contains `#` and exists is taken as it stands. Without a part
    ///     after `#`, a sub-folder or an inner archive that is the only one with a feed is found.
    ///   - limits: How large it may be.
    ///   - spoolFolder: Where a temporary file without a name may lie, needed for pipes and for compressed archives
    ///     within archives.
    ///   - ownFiles: Paths, absolute and without links, of files that are no part of a feed even where they lie in its
    ///     folder.
    /// - Throws: ``FeedError`` with `cannotOpen`, `notAFeed`, `damaged`, `unsupported`, `severalFeeds`, `overLimit` or
    ///   `readFailed`.
    public static func open(
        _ argument: String, limits: FeedLimits = FeedLimits(), spoolFolder: String = "/var/tmp",
        ignoring ownFiles: [String] = [], isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(FeedError) -> OpenedFeed {
        let source = FeedSource(limits: limits, spoolFolder: spoolFolder, ownFiles: ownFiles, isCancelled: isCancelled)
        return try FeedSearch(source: source).feed(in: source.open(FeedArgument(argument)))
    }

    /// The entry with exactly this name, or `nil`.
    public func entry(named name: String) -> FeedEntry? { entries.first { $0.name == name } }

    /// Starts reading an entry from its first byte; entries may be read at the same time and more than once.
    ///
    /// - Throws: `unsupported` when it is encrypted or its method unknown, `damaged` when its local header contradicts
    ///   the directory.
    public func read(_ entry: FeedEntry) throws(FeedError) -> EntryStream {
        try EntryStream(entry)
    }

    /// Identifies the names and contents of the files, however they are packed: 32 hexadecimal digits.
    ///
    /// The same files in a folder, stored, deflated or in a sub-folder have the same hash. It is SipHash-2-4-128 over
    /// name, size and CRC-32 of every entry. So it tells any two versions of a feed apart with a chance of error of one
    /// in 2³² per changed file of unchanged size, and does not withstand someone who makes a file to fit: it is no
    /// signature.
    ///
    /// Costs nothing for archives, which carry the checksums; a folder is read once.
    public func contentHash(isCancelled: () -> Bool = { false }) throws(FeedError) -> String {
        var hash = ContentHash()
        for entry in entries {
            let checksum = try checksum(of: entry, isCancelled)
            hash.add(name: entry.name, size: entry.size, checksum: checksum)
        }
        return hash.text
    }

    private func checksum(of entry: FeedEntry, _ isCancelled: () -> Bool) throws(FeedError) -> UInt32 {
        if let checksum = entry.checksum { return checksum }
        return try read(entry).finalChecksum(isCancelled: isCancelled)
    }

    /// Whether the feed, or part of it, is read from this file, by whatever name (stat(2)).
    public func reads(device: UInt64, inode: UInt64) -> Bool {
        entries.contains { entry in
            let state: FileState? =
                switch entry.source {
                case .member(let archive, _): archive.range.file.state
                case .file(let path): if case .file(let state)? = FileKind.of(path: path) { state } else { nil }
                }
            return state?.device == device && state?.inode == inode
        }
    }
}

/// One file of a feed.
public struct FeedEntry: Sendable {
    /// The name below the feed's root folder: `stops.txt`, `extra/notes.txt`; as written, `STOPS.TXT` included.
    public let name: String
    /// The path in the container: `gtfs/stops.txt`, or `stop_times.zip#stop_times.txt` where a single file was packed
    /// once more.
    public let path: String
    /// Bytes of its content.
    public let size: UInt64
    /// The CRC-32 an archive has for it; `nil` in a folder.
    public let checksum: UInt32?

    /// Bytes that it takes in its archive; nil in a folder.
    public var packedSize: UInt64? {
        if case .member(_, let member) = source { member.compressedSize } else { nil }
    }

    let source: EntrySource
    /// The container for messages.
    let place: String

    init(_ item: Container.Item, name: String, path: String, place: String) {
        self.name = name
        self.path = path
        size = item.size
        checksum = item.checksum
        source = item.source
        self.place = place
    }
}
