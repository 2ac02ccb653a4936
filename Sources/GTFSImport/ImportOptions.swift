import GTFSFeed
import KeySorting

/// What one import is asked to do.
///
///     var options = ImportOptions(feed: "berlin.zip", store: "berlin.sqlite")
///     options.previousStoresKept = 2
///     let (report, error) = Importer(options).run()
public struct ImportOptions: Sendable {
    /// A zip, a folder, `outer.zip#inner.zip`, `feed.zip#folder/`, or `-` for standard input.
    public var feed: String
    /// The file that the store is published as.
    public var store: String
    /// Imports even when the store already holds this content, and replaces a file that is no store of ours.
    public var force = false
    /// How many earlier stores stay beside the new one, as `.1` (the youngest) to `.N`.
    public var previousStoresKept = 0
    /// Rows in one transaction.
    public var batchRows = 500_000
    /// Ends the import with an error rather than use more memory; nil: as much as it needs. What grows with a feed is
    /// its identifiers; caches and what sorts get shares of it.
    public var maximumMemoryBytes: Int?
    /// Notices kept with all details for each code; all are counted.
    public var noticesKeptPerCode = 1_000
    /// The part of the feed that the store shall hold.
    public var filter = FeedFilter()
    /// What a feed must be like to be published.
    public var policy = PublicationPolicy()
    /// Whether to gather what a report page shows; takes half as long again.
    package var gathersDetails = false
    /// Rows out of order that are sorted in memory at a time; tests make it small.
    var rowsPerRun = RecordSorter.usualChunkRecords
    /// Rows in a table's first block from which on its pages and indexes are written by the importer; tests make it
    /// small.
    var rowsOfLongTable = 100
    /// Bounds on what a container may hold; each is public below.
    package var limits = FeedLimits()
    /// Bytes of the store and of the temporary files beside it; 64 GiB.
    public var maximumStoreBytes: UInt64 = 64 << 30
    /// Bytes of the store for each uncompressed byte of the feed, where the store is larger than 256 MiB; 10. Feeds of
    /// agencies take up to 3.
    public var maximumGrowth = 10
    /// Store bytes up to which growth does not matter: small feeds have many tables with little in them.
    package var growthAppliesAbove: UInt64 = 256 << 20
    /// Seconds that the import may take; 4 hours.
    public var maximumSeconds = 4 * 3_600

    public init(feed: String, store: String) {
        self.feed = feed
        self.store = store
    }

    /// The options that change the store's content, as recorded in it.
    var recorded: String {
        "notices-per-code=\(noticesKeptPerCode)" + (filter.isEmpty ? "" : " filter=\(filter.recorded)")
    }
}

/// How large a feed may be before it is refused: beyond every known feed, unless told otherwise.
extension ImportOptions {
    /// Files in the feed; 100,000.
    public var maximumFiles: Int {
        get { limits.maximumFiles }
        set { limits.maximumFiles = newValue }
    }
    /// Uncompressed bytes of the whole feed; 64 GiB.
    public var maximumFeedBytes: UInt64 {
        get { limits.maximumFeedBytes }
        set { limits.maximumFeedBytes = newValue }
    }
    /// Uncompressed bytes of one file; 32 GiB.
    public var maximumFileBytes: UInt64 {
        get { limits.maximumFileBytes }
        set { limits.maximumFileBytes = newValue }
    }
    /// Uncompressed bytes for each compressed one; 200.
    public var maximumRatio: UInt64 {
        get { limits.maximumRatio }
        set { limits.maximumRatio = newValue }
    }
    /// Bytes copied to temporary files, from standard input and out of archives within archives; 4 GiB.
    public var maximumSpooledBytes: UInt64 {
        get { limits.maximumSpooledBytes }
        set { limits.maximumSpooledBytes = newValue }
    }
    /// Archives within archives; 3.
    public var maximumNesting: Int {
        get { limits.maximumNesting }
        set { limits.maximumNesting = newValue }
    }
    /// Rows of all files together; 1,000,000,000.
    public var maximumRows: Int {
        get { limits.maximumRows }
        set { limits.maximumRows = newValue }
    }
    /// Bytes of one field; 1 MiB.
    public var maximumFieldBytes: Int {
        get { limits.maximumFieldBytes }
        set { limits.maximumFieldBytes = newValue }
    }
}
