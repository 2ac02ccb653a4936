import GTFSSchema
import Glibc
import SQLite
import SystemFiles

/// The store that is there already, as far as it says what it was made from.
struct PublishedStore {
    private let contentHash: String
    private let options: String
    private let tool: String

    /// Nil when the file is no store of this version, or cannot be read: then it is to be replaced.
    init?(path: String) {
        guard let connection = try? Self.open(path),
            (try? connection.integer("PRAGMA application_id")) == Int64(StoreSchema.applicationID),
            (try? connection.integer("PRAGMA user_version")) == Int64(StoreSchema.version),
            let hash = try? connection.text("SELECT content_hash FROM feed"),
            let options = try? connection.text("SELECT options FROM feed"),
            let tool = try? connection.text("SELECT tool_version FROM feed")
        else { return nil }
        (contentHash, self.options, self.tool) = (hash, options, tool)
    }

    /// By its descriptor: SQLite takes no path of more than 512 bytes, and none that is not UTF-8.
    private static func open(_ path: String) throws -> Connection {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.last }
        return try Connection(file: ImmutableFile(descriptor: descriptor, path: path, isMemoryMapped: false))
    }

    /// Whether importing again would give the same store.
    func isMade(from log: ImportLog, _ options: ImportOptions) -> Bool {
        contentHash == log.report.contentHash && self.options == options.recorded && tool == ToolVersion.number
    }
}
