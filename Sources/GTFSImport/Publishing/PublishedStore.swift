import GTFSSchema
import Glibc
import SQLite
import SQLitePages
import SystemFiles

/// The existing store: what it was made from, by its own record, and whether it is still as it was published.
struct PublishedStore {
    private let contentHash: String
    private let options: String
    private let tool: String

    /// Nil if the file is not a store of this version, or is damaged; it is then to be replaced. Throws `inputOutput`
    /// if the machine cannot read it.
    static func find(_ path: String) throws(ImportError) -> PublishedStore? {
        try reading(path) { connection in try PublishedStore(connection) }
    }

    private init?(_ connection: Connection) throws(SQLiteError) {
        guard try connection.integer("PRAGMA user_version") == Int64(StoreSchema.version),
            try Self.hasLayout(connection), let hash = try connection.text("SELECT content_hash FROM feed"),
            let options = try connection.text("SELECT options FROM feed"),
            let tool = try connection.text("SELECT tool_version FROM feed")
        else { return nil }
        (contentHash, self.options, self.tool) = (hash, options, tool)
    }

    /// What `read` finds in the store at a path; nil if there is none, or if it is damaged.
    ///
    /// A damaged store must not stop the import that replaces it. But a disk that fails, or a machine that is short of
    /// memory or of open files, says nothing about the store: then it throws `inputOutput`.
    static func reading<Result>(
        _ path: String, _ read: (Connection) throws -> Result?
    ) throws(ImportError) -> Result? {
        do {
            return try read(open(path))
        } catch let error as SystemError {
            if error.number == ENOENT { return nil }
            throw .system(at: path, "cannot be opened", .inputOutput, error)
        } catch let error as SQLiteError where error.isOutOfMemory || error.isCannotOpen || error.isInputOutput {
            let number = error.systemFailure?.number ?? (error.isOutOfMemory ? ENOMEM : EIO)
            throw .system(at: path, "cannot be read", .inputOutput, number)
        } catch {
            return nil
        }
    }

    /// Whether the store has the tables of every store, column for column. A development version may have made it with
    /// the same version number: readers would refuse it and advise importing again.
    private static func hasLayout(_ connection: Connection) throws(SQLiteError) -> Bool {
        let found = try connection.prepare("SELECT 1 FROM sqlite_schema WHERE sql = ?1")
        for sql in StoreSchema.supportingStatements {
            found.bind(1, sql)
            guard try found.step() else { return false }
            found.reset()
        }
        return true
    }

    /// Opens a store by file descriptor: SQLite accepts no path above 512 bytes and no path that is not UTF-8. Throws
    /// if the file is not a store, of whatever layout.
    static func open(_ path: String) throws -> Connection {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.last }
        let connection = try Connection(file: ImmutableFile(descriptor: descriptor, path: path, isMemoryMapped: false))
        guard try connection.integer("PRAGMA application_id") == Int64(StoreSchema.applicationID) else {
            throw ImportError(.inputOutput, at: path, " is not a store of import-gtfs")
        }
        return connection
    }

    /// Whether importing again would give the same store.
    func isMade(from log: ImportLog, _ options: ImportOptions) -> Bool {
        contentHash == log.report.contentHash && self.options == options.recorded && tool == ToolVersion.number
    }

    /// Describes the damage to the store at a path; nil if every byte is as it was published.
    ///
    /// Reads the whole file, which takes a fiftieth of the CPU time of an import. If the file does not show that it
    /// ever was a store, `isOfStore` is false. Throws `ImportError` when cancelled, and `inputOutput` if the file
    /// cannot be read.
    static func damage(path: String, _ cancellation: CancellationFlag) throws(ImportError) -> Damage? {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be opened", .inputOutput, errno) }
        defer { close(descriptor) }
        do throws(PageFileError) {
            let damage = try PageTrailer.damage(in: descriptor, isCancelled: { cancellation.isSet })
            return damage.map { Damage(words: $0.description, isOfStore: $0.kind == .pages || $0.kind == .sums) }
        } catch {
            try cancellation.check()
            if error.kind == .inputOutput { throw ImportError(.inputOutput, at: path, ": \(error)") }
            return Damage(words: "\(error)", isOfStore: true)
        }
    }

    struct Damage {
        let words: String
        /// Whether the file shows that import-gtfs once published it, even if its tables are destroyed.
        let isOfStore: Bool

        /// What the report says about a store that is replaced because of it.
        func replacing(_ path: String) -> String { "\(path) was damaged and is replaced: \(words)" }
    }
}
