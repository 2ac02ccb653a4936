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
    /// Imports even if the store already holds this content, and replaces a file that is not a store of import-gtfs.
    public var force = false
    /// How many earlier stores stay beside the new one, as `.1` (the youngest) to `.N`.
    public var previousStoresKept = 0
    /// Rows in one transaction.
    public var batchRows = 500_000
    /// Memory limit in bytes: the import fails rather than use more; nil means no limit. Only the identifiers grow with
    /// the feed. Caches and sorters each get a share of the limit.
    public var maximumMemoryBytes: Int?
    /// How many notices of each code are kept with all details. All notices are counted.
    public var noticesKeptPerCode = 1_000
    /// The part of the feed to store.
    public var filter = FeedFilter()
    /// What a feed must be like to be published.
    public var policy = PublicationPolicy()
    /// Whether to gather the contents of a report page. The import then takes one and a half times as long.
    package var gathersDetails = false
    /// Files that earlier runs wrote about the import, such as a report page. If they lie in the feed's folder, they
    /// are not part of the feed.
    package var earlierReports: [String] = []
    /// How many out-of-order rows are sorted in memory at a time; tests make it small.
    var rowsPerRun = RecordSorter.usualChunkRecords
    /// If a table's first block has at least this many rows, the importer writes the indexes itself, and usually the
    /// rows' pages too; tests make it small.
    var rowsOfLongTable = 100
    /// Calendars of more than ten years end early if all day sets together have more days than this; tests make it
    /// small.
    var mostServiceDays = 5_000_000
    /// Bounds on the contents of a container. The properties below make most of them public.
    package var limits = FeedLimits()
    /// Largest total size of the store and the temporary files beside it, in bytes; 64 GiB.
    public var maximumStoreBytes: UInt64 = 64 << 30
    /// Most store bytes for each uncompressed byte of the feed; 10. Applies to stores above 256 MiB. Feeds of agencies
    /// need up to 3. Less than 0 counts as 0.
    public var maximumGrowth = 10
    /// Up to this many store bytes, growth is not checked: small feeds have many tables with little in them.
    package var growthAppliesAbove: UInt64 = 256 << 20
    /// Longest duration of the import in seconds; 4 hours. Less than 0 counts as 0.
    public var maximumSeconds = 4 * 3_600

    /// The import of a feed into a store, with the defaults of the command line.
    public init(feed: String, store: String) {
        self.feed = feed
        self.store = store
    }

    /// The options that change the store's content. The store records them in this form.
    var recorded: String {
        let isUsual = maximumFieldBytes == FeedLimits().maximumFieldBytes
        return "notices-per-code=\(noticesKeptPerCode)" + (isUsual ? "" : " max-field=\(maximumFieldBytes)")
            + (filter.isEmpty ? "" : " filter=\(filter.recorded)")
    }
}

/// How large a feed may be before it is refused. The defaults are larger than every known feed. A limit below 0 counts
/// as 0.
extension ImportOptions {
    /// Files in the feed; 100,000.
    public var maximumFiles: Int {
        get { limits.maximumFiles }
        set { limits.maximumFiles = max(newValue, 0) }
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
    /// Uncompressed bytes, or bytes of the store, for each byte of the zip; 200. Applies above 64 and 256 MiB.
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
        set { limits.maximumNesting = max(newValue, 0) }
    }
    /// Rows of all files together, blank ones included; 1,000,000,000, and never more than `mostRows`.
    public var maximumRows: Int {
        get { limits.maximumRows }
        set { limits.maximumRows = min(max(newValue, 0), Self.mostRows) }
    }
    /// 2,000,000,000: keys of rows are their numbers in the file, in 32 bits.
    package static let mostRows = 2_000_000_000
    /// Bytes of one field; 1 MiB.
    public var maximumFieldBytes: Int {
        get { limits.maximumFieldBytes }
        set { limits.maximumFieldBytes = max(newValue, 0) }
    }
}
