/// How large a feed may be before it is treated as a mistake or an attack.
///
///     let feed = try OpenedFeed.open("feed.zip", limits: FeedLimits(maximumFeedBytes: 4 << 30))
///
/// The defaults lie far above every known feed: the largest have 100 million stop times, 6 GB of text. The sizes that
/// an archive declares are checked before any byte is inflated. They can be relied on, because an entry that yields
/// more than it declares is refused as damaged.
public struct FeedLimits: Sendable, Equatable {
    /// Entries in one archive or folder; 100,000.
    public var maximumFiles: Int
    /// Uncompressed bytes of all entries together; 64 GiB.
    public var maximumFeedBytes: UInt64
    /// Uncompressed bytes of one entry; 32 GiB.
    public var maximumFileBytes: UInt64
    /// Uncompressed bytes per compressed byte, for one entry and for all together; 200. Deflate cannot exceed 1,032;
    /// the highest ratio in agencies' feeds is 65. The importer also applies it to the size of the store.
    public var maximumRatio: UInt64
    /// Uncompressed size up to which the ratio is not checked; 64 MiB. Short runs of equal rows compress well and are
    /// harmless.
    public var ratioAppliesAbove: UInt64
    /// Bytes of a central directory, which is held in memory while it is read; 64 MiB.
    public var maximumDirectoryBytes: UInt64
    /// Bytes copied to temporary files, from standard input and out of archives within archives; 4 GiB.
    public var maximumSpooledBytes: UInt64
    /// Archives within archives; 3.
    public var maximumNesting: Int
    /// Rows of all files together, blank ones included; 1,000,000,000. The importer checks it, not this module.
    public var maximumRows: Int
    /// Bytes of one field; 1 MiB. The importer checks it, not this module.
    public var maximumFieldBytes: Int

    /// The defaults, with any of them replaced.
    public init(
        maximumFiles: Int = 100_000,
        maximumFeedBytes: UInt64 = 64 << 30,
        maximumFileBytes: UInt64 = 32 << 30,
        maximumRatio: UInt64 = 200,
        ratioAppliesAbove: UInt64 = 64 << 20,
        maximumDirectoryBytes: UInt64 = 64 << 20,
        maximumSpooledBytes: UInt64 = 4 << 30,
        maximumNesting: Int = 3,
        maximumRows: Int = 1_000_000_000,
        maximumFieldBytes: Int = 1 << 20
    ) {
        self.maximumFiles = maximumFiles
        self.maximumFeedBytes = maximumFeedBytes
        self.maximumFileBytes = maximumFileBytes
        self.maximumRatio = maximumRatio
        self.ratioAppliesAbove = ratioAppliesAbove
        self.maximumDirectoryBytes = maximumDirectoryBytes
        self.maximumSpooledBytes = maximumSpooledBytes
        self.maximumNesting = maximumNesting
        self.maximumRows = maximumRows
        self.maximumFieldBytes = maximumFieldBytes
    }

    /// Where a record is cut: 1 MiB, or more if a single field may have more.
    package var maximumRecordBytes: Int { max(1 << 20, maximumFieldBytes) }

    /// A limit's name in messages: the option of `import-gtfs` that raises it.
    public enum Name: String, Sendable {
        case files = "--max-files"
        case feedBytes = "--max-size"
        case fileBytes = "--max-file-size"
        case ratio = "--max-ratio"
        case spooledBytes = "--max-spool"
        case nesting = "--max-depth"
        case rows = "--max-rows"
        case fieldBytes = "--max-field"
        case storeBytes = "--max-store"
        case growth = "--max-growth"
        case time = "--max-time"

        /// The end of a sentence that states the value found: ", more than the limit of 21 (--max-size raises it)".
        public func exceeded(_ limit: some BinaryInteger) -> String {
            ", more than the limit of \(limit) (\(rawValue) raises it)"
        }
    }

    /// Throws when all files together have too many bytes; `.max` stands for any greater number too.
    func checkSize(_ size: UInt64, at place: String) throws(FeedError) {
        guard size < .max, size <= maximumFeedBytes else {
            throw FeedError(
                .overLimit, "holds \(size) bytes when unpacked" + Name.feedBytes.exceeded(maximumFeedBytes), at: place)
        }
    }

    /// Throws when `packed` bytes unpack to more than the ratio allows.
    func checkRatio(from packed: UInt64, to size: UInt64, of name: String, at place: String) throws(FeedError) {
        guard size > ratioAppliesAbove else { return }
        let (most, overflow) = packed.multipliedReportingOverflow(by: maximumRatio)
        guard overflow || size <= most else {
            let growth = size / max(packed, 1)
            throw FeedError(
                .overLimit,
                "\(name)grows from \(packed) to \(size) bytes when unpacked, \(growth)-fold"
                    + Name.ratio.exceeded(maximumRatio), at: place)
        }
    }
}

extension Container {
    /// Checks the items, and the container as a whole, against the limits.
    func check(_ limits: FeedLimits) throws(FeedError) {
        var (total, packed): (UInt64, UInt64) = (0, 0)
        for item in items {
            total = total.addingSaturated(item.size)
            guard item.size <= limits.maximumFileBytes else {
                throw FeedError(
                    .overLimit,
                    "\(item.path) has \(item.size) bytes when unpacked"
                        + FeedLimits.Name.fileBytes.exceeded(limits.maximumFileBytes), at: place)
            }
            guard case .member(_, let member) = item.source else { continue }
            packed = packed.addingSaturated(member.compressedSize)
            try limits.checkRatio(from: member.compressedSize, to: item.size, of: item.path + " ", at: place)
        }
        try limits.checkSize(total, at: place)
        if !isFolder { try limits.checkRatio(from: packed, to: total, of: "", at: place) }
    }
}

extension FeedError {
    static func tooManyEntries(_ limits: FeedLimits, at place: String) -> FeedError {
        FeedError(
            .overLimit,
            "holds \(limits.maximumFiles + 1) files or more"
                + FeedLimits.Name.files.exceeded(limits.maximumFiles),
            at: place)
    }
}

extension UInt64 {
    func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
