import Glibc
import SQLite
import Synchronization
import SystemFiles

/// A published store, open for reading.
///
///     let store = try TransitStore(path: "berlin.sqlite")
///     let context = store.makeContext()
///     let stops = try context.fetch(FetchRequest<Stop>())
///
/// Any number of tasks may share a store and make their own contexts. Each context reads over its own connection, so
/// contexts read in parallel. The file is opened once, as immutable, and never written. All contexts go on reading it
/// even after another store has been published at the path; open the store again to read that one.
public final class TransitStore: Sendable {
    /// How a store is opened.
    ///
    ///     var configuration = TransitStore.Configuration()
    ///     configuration.timeLimit = 2         // seconds for each statement
    ///     let store = try TransitStore(path: "berlin.sqlite", configuration: configuration)
    public struct Configuration: Sendable {
        /// The row cache keeps at least this many of the rows that were read last.
        public var rowCacheCapacity = 20_000
        /// After how many seconds a cached row is read again. Nil for never, because a published store does not change.
        public var stalenessInterval: Double?
        /// Whether pages are read through a memory map, which all contexts share.
        ///
        /// If the store is cut in place or its disk fails, reading a mapped page that is gone ends the process
        /// (SIGBUS). If another program writes over the file in place, fetches may mix old and new data. Without a map,
        /// a fetch throws `readFailed` in both cases. import-gtfs never changes a store: it publishes by renaming. Set
        /// this if nobody else writes to the disk and speed counts. A damaged page is then found when it is used, not
        /// when it is read. Mapped pages count as the process's memory, although the system may take them back at any
        /// time.
        public var isMemoryMapped = false
        /// How many bytes of the file each connection keeps in memory if the file is not mapped.
        public var pageCacheBytes = 2 << 20
        /// After how many seconds a statement is stopped; the fetch then throws `timedOut`. Nil for never. Testing and
        /// sorting rows in memory, as with unsaved changes, may take as long once more.
        public var timeLimit: Double?
        /// How many unused connections are kept for later contexts. Further ones are closed when their context ends.
        ///
        /// A connection takes 280 kB. One that has read much also keeps pages, up to `pageCacheBytes`, and 16,384 rows:
        /// about 6 MB together.
        public var mostIdleConnections = 2 * Self.processorCount
        /// The most threads that the store uses for background fetches. Each runs one statement; other statements wait.
        /// Threads begin when there is work and end when there is none.
        public var mostBackgroundFetches = Self.processorCount
        /// What is logged about every statement; by default what TRANSIT_STORE_SQL_DEBUG says.
        public var sqlDebug = SQLDebug.fromEnvironment

        /// The defaults: no time limit, no memory map, 20,000 cached rows.
        public init() {}

        private static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    }

    /// The path that the store was opened with.
    public let path: String
    /// The configuration that the store was opened with.
    public let configuration: Configuration
    /// The number of the store in its objects' ids; unique within the process. Counts from 1.
    let number: Int32
    let file: StoreFile
    let rowCache: RowCache
    let traits: StoreTraits
    let threads: BackgroundThreads
    private let idleSessions = Mutex<[StoreSession]>([])
    private let knownModel = Mutex<StoreModel?>(nil)
    private let knownColumns = Mutex<[ExactText: [String]]>([:])
    let knownTimetable = Mutex<Timetable?>(nil)
    let runningServices = RunningServicesCache()
    private static let lastNumber = Atomic<Int32>(0)

    /// Opens the store at `path`.
    ///
    /// Reads the file's header and opens one connection, in about a tenth of a millisecond. The file stays open as long
    /// as the store or one of its contexts exists, with one descriptor for all contexts. Throws `StoreError`:
    /// `missing`, `unreadable`, `notAStore`, `otherVersion`, `truncated`, `corrupt` or `readFailed`.
    public init(path: String, configuration: Configuration = Configuration()) throws(StoreError) {
        self.path = path
        number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        self.configuration = configuration
        threads = BackgroundThreads(most: configuration.mostBackgroundFetches)
        let place = StoreError.Place(path.readablePath)
        let file = try StoreError.only(at: place) {
            try StoreFile(path: path, isMemoryMapped: configuration.isMemoryMapped)
        }
        self.file = file
        rowCache = RowCache(capacity: configuration.rowCacheCapacity, staleness: configuration.stalenessInterval)
        let session = try StoreError.only(at: place) { try StoreSession(file: file, configuration: configuration) }
        var traits = try StoreError.only(at: place) { try session.readTraits() }
        traits.store.number = number
        self.traits = traits
        idleSessions.withLock { $0.append(session) }
    }

    /// Opens the store at a path of any bytes. Paths on Linux need not be UTF-8, but a String can only hold valid
    /// UTF-8.
    ///
    /// `path` has a private character (U+10FF80 to U+10FFFF) for each byte that is not UTF-8, and opens the same store.
    /// Throws the same errors as `init(path:configuration:)`.
    public convenience init(pathBytes: some Sequence<UInt8>, configuration: Configuration = Configuration())
        throws(StoreError)
    {
        try self.init(path: String(pathBytes: pathBytes), configuration: configuration)
    }

    /// A context with its own connection; use it from one task or actor.
    ///
    ///     let context = store.makeContext()
    ///     let stations = try context.fetch(FetchRequest<Stop>(kind: .station))
    public func makeContext() -> StoreContext { StoreContext(stores: [self]) }

    /// Whether another store has been published at the path since this one was opened, or the file was removed.
    ///
    /// Costs one system call. This store and all of its contexts, old and new, go on reading the file that was opened.
    public var isStale: Bool { file.isReplaced }

    /// Opens the store that is at the path now, with the same configuration.
    ///
    ///     let current = try store.isStale ? store.reopened() : store
    ///
    /// Throws the same errors as `init(path:configuration:)`: `missing`, for example, if the file was removed.
    public func reopened() throws(StoreError) -> TransitStore {
        try TransitStore(path: path, configuration: configuration)
    }

    /// The entities that can be fetched: the typed ones and every other table. Reads the schema the first time.
    ///
    ///     print(try store.model.entities.map(\.name))
    ///
    /// Throws `StoreError`: `corrupt`, `readFailed` or `timedOut` if the schema cannot be read.
    public var model: StoreModel {
        get throws(StoreError) {
            if let model = knownModel.withLock({ $0 }) { return model }
            let model = try withSession { StoreModel(others: try $0.readTables()) }
            knownModel.withLock { $0 = model }
            return model
        }
    }

    /// Whether a row that was read never has to be read again.
    var rowsNeverGoStale: Bool { configuration.stalenessInterval == nil }

    /// The names of a table's columns, read once.
    func columns(ofTable table: String) throws -> [String] {
        if let known = knownColumns.withLock({ $0[ExactText(table)] }) { return known }
        let sql = SQLFragment("SELECT name FROM pragma_table_info(?) ORDER BY cid", bindings: [.text(table)])
        let names = try withSession { try $0.rows(sql).compactMap { $0.text(0) } }
        knownColumns.withLock { $0[ExactText(table)] = names }
        return names
    }

    /// A model that has the entity. For an entity with a class, the schema is read only when a table without a class is
    /// asked for.
    func model(for entityName: String) throws -> StoreModel {
        let typed = StoreModel.typed.entity(named: entityName) != nil || LocationType(entityName: entityName) != nil
        return typed ? .typed(before: self) : try model
    }

    /// A connection that nobody else uses until it is given back.
    func borrowSession() throws -> StoreSession {
        if let session = idleSessions.withLock({ $0.popLast() }) { return session }
        return try StoreSession(file: file, configuration: configuration)
    }

    /// Takes a connection back. Closes it if `mostIdleConnections` are idle already.
    func giveBack(_ session: StoreSession) {
        // A connection that is not kept closes after the lock is released.
        idleSessions.withLock { if $0.count < configuration.mostIdleConnections { $0.append(session) } }
    }

    /// Lends a connection that nobody else uses meanwhile.
    func withSession<Value>(_ body: (StoreSession) throws -> Value) throws(StoreError) -> Value {
        try StoreError.only(at: StoreError.Place(path.readablePath)) {
            let session = try borrowSession()
            defer { giveBack(session) }
            return try body(session)
        }
    }

    /// How many connections wait for their next use.
    var idleConnectionCount: Int { idleSessions.withLock { $0.count } }
}

extension TransitStore: Equatable {
    public static func == (one: TransitStore, other: TransitStore) -> Bool { one === other }
}

extension TransitStore: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
