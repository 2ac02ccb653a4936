import GTFSImport
import Console
import GTFSFeed

/// The options that limit a feed's size and cost. A feed that exceeds one of them is refused.
extension ImportArguments {
    static let limits: [OptionDefinition] = {
        let (options, limits) = (ImportOptions.standard, ImportOptions.standard.limits)
        func size(_ bytes: UInt64) -> String { ByteSize.text(bytes) }
        func option(_ name: FeedLimits.Name, _ value: String, _ meaning: String, _ standard: String) -> OptionDefinition
        {
            OptionDefinition(name.rawValue, value: value, "refuse \(meaning) (\(standard))")
        }
        return [
            option(.feedBytes, "SIZE", "a feed with more bytes when unpacked", size(limits.maximumFeedBytes)),
            option(.fileBytes, "SIZE", "a file with more bytes when unpacked", size(limits.maximumFileBytes)),
            option(
                .ratio, "N",
                "what unpacks to N times its size and over \(size(limits.ratioAppliesAbove)), or becomes a store of N times "
                    + "the zip and over \(size(options.growthAppliesAbove))", "\(limits.maximumRatio)"),
            option(.files, "N", "an archive or folder with more files", "\(limits.maximumFiles)"),
            option(.nesting, "N", "more archives within archives", "\(limits.maximumNesting)"),
            option(
                .spooledBytes, "SIZE", "more bytes in temporary copies of standard input and inner archives",
                size(limits.maximumSpooledBytes)),
            option(.rows, "N", "more rows in all files together", "\(limits.maximumRows)"),
            option(
                .fieldBytes, "SIZE", "a field with more bytes; a row is cut at SIZE, or at 1M if that is more",
                size(UInt64(limits.maximumFieldBytes))),
            option(
                .storeBytes, "SIZE", "a feed whose store becomes larger, temporary files beside it included",
                size(options.maximumStoreBytes)),
            option(
                .growth, "N",
                "a feed whose store has N times the bytes of its files and over \(size(options.growthAppliesAbove))",
                "\(options.maximumGrowth)"),
            option(.time, "SECONDS", "a feed whose import takes longer", "\(options.maximumSeconds)"),
        ]
    }()
}

extension ImportOptions {
    /// Reads the limits that were given.
    mutating func readLimits(_ parsed: OptionTable.Arguments) throws(UsageError) {
        func size(_ name: FeedLimits.Name) throws(UsageError) -> UInt64? { try parsed.size(name.rawValue) }
        func number(_ name: FeedLimits.Name, atLeast least: Int = 1, atMost most: Int = .max) throws(UsageError) -> Int?
        {
            try parsed.number(name.rawValue, atLeast: least, atMost: most)
        }
        limits.maximumFeedBytes = try size(.feedBytes) ?? limits.maximumFeedBytes
        limits.maximumFileBytes = try size(.fileBytes) ?? limits.maximumFileBytes
        limits.maximumRatio = try number(.ratio).map(UInt64.init) ?? limits.maximumRatio
        limits.maximumFiles = try number(.files, atMost: 1 << 30) ?? limits.maximumFiles
        limits.maximumNesting = try number(.nesting, atLeast: 0, atMost: 100) ?? limits.maximumNesting
        limits.maximumSpooledBytes = try size(.spooledBytes) ?? limits.maximumSpooledBytes
        limits.maximumRows = try number(.rows, atMost: Self.mostRows) ?? limits.maximumRows
        // Positions within a block of records are 32 bits.
        limits.maximumFieldBytes =
            try parsed.size(FeedLimits.Name.fieldBytes.rawValue, atMost: 256 << 20).map { Int($0) }
            ?? limits.maximumFieldBytes
        maximumStoreBytes = try size(.storeBytes) ?? maximumStoreBytes
        maximumGrowth = try number(.growth) ?? maximumGrowth
        // 23 days, longer than any import takes.
        maximumSeconds = try number(.time, atMost: 2_000_000) ?? maximumSeconds
    }
}
