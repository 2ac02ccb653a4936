import GTFSImport
import Glibc
import TransitStore

/// The store of the project's sample feed, on which the requests run.
struct SampleStore {
    private(set) var bytes: [UInt8] = []
    private(set) var store: TransitStore?

    /// Imports the feed that SAMPLE_FEED names.
    mutating func prepare() {
        let feed = getenv("SAMPLE_FEED").map { String(cString: $0) } ?? "pipelines/sample-feed"
        let path = "/dev/shm/fuzz-gtfs-\(getpid()).sqlite"
        let (_, error) = Importer(ImportOptions(feed: feed, store: path)).run()
        if let error { fatalError("the sample feed cannot be imported: \(error.message)") }
        bytes = Self.contents(of: path)
        store = try? TransitStore(path: path)
        unlink(path)
    }

    private static func contents(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        precondition(descriptor >= 0, "the sample store cannot be read")
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { $1 = max(0, pread(descriptor, $0.baseAddress, size, 0)) }
    }
}
