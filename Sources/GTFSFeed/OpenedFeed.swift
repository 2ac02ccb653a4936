import SystemFiles

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
    /// What was odd about the container and how it was handled, in words; empty for a plain feed.
    public let anomalies: [String]

    /// Size of the archive that was opened, including all archives in it; for a folder, the size of the feed's files.
    public let packedBytes: UInt64

    /// The limits on its size. The limits on rows and fields are left to the code that reads them.
    public let limits: FeedLimits

    /// The files of all archives that were opened to find it. An inner archive may have been copied out of one of them.
    private let archiveFiles: [FileStatus]

    init(
        place: String, entries: [FeedEntry], rootFolder: String?, anomalies: [String], packedBytes: UInt64,
        limits: FeedLimits, archiveFiles: [FileStatus]
    ) {
        self.place = place
        self.packedBytes = packedBytes
        self.entries = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.rootFolder = rootFolder
        self.anomalies = anomalies.map(\.onOneLine)
        self.limits = limits
        self.archiveFiles = archiveFiles
    }

    /// The same feed with more anomalies.
    func noting(_ more: [String]) -> OpenedFeed {
        copy(entries, anomalies + more)
    }

    private func copy(_ entries: [FeedEntry], _ anomalies: [String]) -> OpenedFeed {
        OpenedFeed(
            place: place, entries: entries, rootFolder: rootFolder, anomalies: anomalies, packedBytes: packedBytes,
            limits: limits, archiveFiles: archiveFiles)
    }

    /// Opens a feed for reading.
    ///
    /// - Parameters:
    ///   - argument: A zip file, a folder, `outer.zip#inner.zip`, `feed.zip#folder/`, or `-` for standard input; FIFOs
    ///     and `/dev/stdin` work the same way. An existing path may contain `#`. Without a part after `#`, the feed may
    ///     also lie in a sub-folder or an inner archive, if it is the only feed.
    ///   - limits: How large it may be.
    ///   - spoolFolder: The folder for unnamed temporary files, which pipes and compressed archives within archives
    ///     need.
    ///   - ownFiles: Absolute paths, without links, of files that are not part of the feed even if they lie in its
    ///     folder.
    ///   - isCancelled: Asked again and again while a pipe is read or an inner archive is unpacked. If it answers true,
    ///     opening ends with `readFailed`.
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
    public func entry(named name: String) -> FeedEntry? { entries.first { $0.name.utf8.elementsEqual(name.utf8) } }

    /// Starts reading an entry from its first byte; entries may be read at the same time and more than once.
    ///
    /// - Throws: `unsupported` when it is encrypted or its method unknown, `damaged` when its local header contradicts
    ///   the directory.
    public func read(_ entry: FeedEntry) throws(FeedError) -> EntryStream {
        try EntryStream(entry)
    }

    /// A hash of the files' names and contents, whatever their packing: 32 hexadecimal digits.
    ///
    /// The same files in a folder, stored, deflated or in a sub-folder have the same hash. It is SipHash-2-4-128 over
    /// the name, size and CRC-32 of every entry. A change that keeps a file's size goes unnoticed with a probability of
    /// one in 2³². The hash is not a signature: anyone can craft a file that fits.
    ///
    /// Costs nothing for archives, which contain the checksums; the files of a folder are read once. Throws as reading
    /// does, and `readFailed` if `isCancelled` answers true meanwhile.
    public func contentHash(isCancelled: () -> Bool = { false }) throws(FeedError) -> String {
        var hash = ContentHash()
        for entry in entries {
            let checksum = try checksum(of: entry, isCancelled)
            hash.add(name: entry.name, size: entry.size, checksum: checksum)
        }
        return hash.text
    }

    private func checksum(of entry: FeedEntry, _ isCancelled: () -> Bool) throws(FeedError) -> UInt32 {
        if let checksum = entry.checksum ?? entry.checksumBefore { return checksum }
        return try read(entry).finalChecksum(isCancelled: isCancelled)
    }

    /// The same feed, whose files in a folder have been read once. If one is replaced before it is read again, even by
    /// one of the same size, reading it throws `readFailed`, so the content is what `contentHash` describes.
    ///
    /// Costs nothing for archives. Throws as reading does, and `readFailed` if `isCancelled` answers true meanwhile.
    public func withChecksums(isCancelled: () -> Bool = { false }) throws(FeedError) -> OpenedFeed {
        var read: [FeedEntry] = []
        for var entry in entries {
            if entry.checksum == nil { entry.checksumBefore = try checksum(of: entry, isCancelled) }
            read.append(entry)
        }
        return copy(read, anomalies)
    }

    /// Whether the feed, or an archive in which it was looked for, is read from the file with this device and inode
    /// (stat(2)), whatever its name.
    public func reads(device: UInt64, inode: UInt64) -> Bool {
        let plainFiles = entries.lazy.compactMap { entry -> FileStatus? in
            if case .file(let path) = entry.source { FileStatus(path: path) } else { nil }
        }
        func isIt(_ file: FileStatus) -> Bool { file.isRegularFile && file.device == device && file.inode == inode }
        return archiveFiles.contains(where: isIt) || plainFiles.contains(where: isIt)
    }
}

/// One file of a feed.
public struct FeedEntry: Sendable {
    /// The name below the feed's root folder: `stops.txt`, `extra/notes.txt`; in its original case, such as
    /// `STOPS.TXT`.
    public let name: String
    /// The path in the container: `gtfs/stops.txt`, or `stop_times.zip#stop_times.txt` where a single file was zipped
    /// again.
    public let path: String
    /// Bytes of its content.
    public let size: UInt64
    /// The CRC-32 that its archive has for it; `nil` in a folder.
    public let checksum: UInt32?
    /// The CRC-32 that a file in a folder had when it was read before.
    var checksumBefore: UInt32?

    /// Its compressed size in the archive; nil in a folder.
    public var packedSize: UInt64? {
        if case .member(_, let member) = source { member.compressedSize } else { nil }
    }

    /// Whether its name is that of a table: `.txt` at the end, in no folder.
    package var isTable: Bool { name.lowercased().ends(with: ".txt") && !name.utf8.contains(UInt8(ascii: "/")) }

    /// The file in its container.
    var item: Container.Item { Container.Item(path: path, size: size, checksum: checksum, source: source) }

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
