import Foundation
import GTFSImport
import TestSupport
import Testing

/// Options of any number, as programs may set that do not read them from a command line.
struct EdgeOptionTests {
    private static let integers = [Int.min, -(1 << 40), -1, 0, 1, 1 << 40, .max]
    private static let feed = CommandLineProgram.sampleFeed

    /// Each option that takes a number, and how to set it.
    static let numbers: [(String, @Sendable (Int, inout ImportOptions) -> Void)] = [
        ("batchRows", { $1.batchRows = $0 }),
        ("maximumFeedBytes", { $1.maximumFeedBytes = UInt64(bitPattern: Int64($0)) }),
        ("maximumFieldBytes", { $1.maximumFieldBytes = $0 }),
        ("maximumFileBytes", { $1.maximumFileBytes = UInt64(bitPattern: Int64($0)) }),
        ("maximumFiles", { $1.maximumFiles = $0 }),
        ("maximumGrowth", { $1.maximumGrowth = $0 }),
        ("maximumMemoryBytes", { $1.maximumMemoryBytes = $0 }),
        ("maximumNesting", { $1.maximumNesting = $0 }),
        ("maximumRatio", { $1.maximumRatio = UInt64(bitPattern: Int64($0)) }),
        ("maximumRows", { $1.maximumRows = $0 }),
        ("maximumSeconds", { $1.maximumSeconds = $0 }),
        ("maximumSpooledBytes", { $1.maximumSpooledBytes = UInt64(bitPattern: Int64($0)) }),
        ("maximumStoreBytes", { $1.maximumStoreBytes = UInt64(bitPattern: Int64($0)) }),
        ("noticesKeptPerCode", { $1.noticesKeptPerCode = $0 }),
        ("previousStoresKept", { $1.previousStoresKept = $0 }),
        ("serviceWithinDays", { ($1.policy.date, $1.policy.serviceWithinDays) = (20_261_122, $0) }),
        ("maximumShrink", { $1.policy.maximumShrink = $0 }),
        ("errorLimits", { $1.policy.errorLimits = [ErrorLimit(.all, maximum: $0)] }),
        ("dates", { $1.filter.dates = min(Int64($0), 20_261_122)...max(Int64($0), 20_261_122) }),
    ]

    @Test(arguments: 0..<numbers.count)
    func `an import ends with a store, or with a reason and the old store`(number: Int) throws {
        let (name, set) = Self.numbers[number]
        let folder = try TemporaryFolder()
        let out = folder.path + "/store.sqlite"
        #expect(Importer(ImportOptions(feed: Self.feed, store: out)).run().error == nil)
        for value in Self.integers {
            let before = try Data(contentsOf: URL(fileURLWithPath: out))
            var options = ImportOptions(feed: Self.feed, store: out)
            options.force = true
            set(value, &options)
            let (report, error) = Importer(options).run()
            if let error {
                #expect(!error.message.isEmpty && report.status == .failed, "\(name) \(value)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == before, "\(name) \(value)")
            } else {
                #expect(report.status == .published, "\(name) \(value)")
            }
            if value == .max { #expect(error == nil, "\(name) without a limit: \(error?.description ?? "")") }
        }
    }

    @Test(arguments: [Int.min, -1, 0, 20_261_301, 20_260_230, .max])
    func `a policy as of a day that does not exist refuses the feed`(date: Int) throws {
        let folder = try TemporaryFolder()
        var options = ImportOptions(feed: Self.feed, store: folder.path + "/store.sqlite")
        (options.policy.date, options.policy.serviceWithinDays) = (date, 7)
        let error = Importer(options).run().error
        #expect(error?.code == .feedRefused)
        #expect(
            error?.description
                == "\(Self.feed): --date \(date) is not a date, so --service-within cannot be checked")
    }
}
