import GTFSSchema
import SQLite

/// The store that is there already, as far as it says what it was made from.
struct PublishedStore {
    private let contentHash: String
    private let options: String
    private let tool: String

    /// Nil when the file is no store of this version, or cannot be read: then it is to be replaced.
    init?(path: String) {
        guard let connection = try? Connection(path: path, mode: .readOnly),
            (try? connection.integer("PRAGMA application_id")) == Int64(StoreSchema.applicationID),
            (try? connection.integer("PRAGMA user_version")) == Int64(StoreSchema.version),
            let hash = try? connection.text("SELECT content_hash FROM feed"),
            let options = try? connection.text("SELECT options FROM feed"),
            let tool = try? connection.text("SELECT tool_version FROM feed")
        else { return nil }
        (contentHash, self.options, self.tool) = (hash, options, tool)
    }

    /// Whether importing again would give the same store.
    func isMade(from log: ImportLog, _ options: ImportOptions) -> Bool {
        contentHash == log.report.contentHash && self.options == options.recorded && tool == ToolVersion.number
    }
}
