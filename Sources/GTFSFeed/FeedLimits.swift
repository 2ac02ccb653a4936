/// How large a feed may be before it is taken for a mistake or an attack.
///
///     let feed = try Feed.open("feed.zip", limits: FeedLimits(maximumTotalBytes: 4 << 30))
///
/// The defaults lie far above every known feed. Sizes are checked where an archive declares them, before a byte is inflated, and hold because
/// an entry that yields more than it declares is refused as damaged.
public struct FeedLimits: Sendable, Equatable {
    /// Entries in one archive or folder; 100,000.
    public var maximumEntries: Int
    /// Uncompressed bytes of all entries together; 256 GiB.
    public var maximumTotalBytes: UInt64
    /// Uncompressed bytes for each compressed byte; 1,000. Deflate itself ends at 1,032.
    public var maximumRatio: UInt64
    /// Uncompressed size up to which the ratio of an entry does not matter; 64 MiB. Short runs of equal rows compress well and harm no one.
    public var ratioAppliesAbove: UInt64
    /// Bytes of a central directory, which is held in memory while it is read; 64 MiB.
    public var maximumDirectoryBytes: UInt64
    /// Bytes copied to temporary files, from standard input and out of archives within archives; 16 GiB.
    public var maximumSpooledBytes: UInt64
    /// Archives within archives; 3.
    public var maximumNesting: Int

    /// The defaults, with any of them replaced.
    public init(
        maximumEntries: Int = 100_000,
        maximumTotalBytes: UInt64 = 256 << 30,
        maximumRatio: UInt64 = 1_000,
        ratioAppliesAbove: UInt64 = 64 << 20,
        maximumDirectoryBytes: UInt64 = 64 << 20,
        maximumSpooledBytes: UInt64 = 16 << 30,
        maximumNesting: Int = 3
    ) {
        self.maximumEntries = maximumEntries
        self.maximumTotalBytes = maximumTotalBytes
        self.maximumRatio = maximumRatio
        self.ratioAppliesAbove = ratioAppliesAbove
        self.maximumDirectoryBytes = maximumDirectoryBytes
        self.maximumSpooledBytes = maximumSpooledBytes
        self.maximumNesting = maximumNesting
    }
}
