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
/// Sendable: any number of tasks may share a store and make contexts of their own; each context reads over its own
/// connection, so that they read in parallel. The file is opened once, immutable, and never written: every context
/// reads the same generation until the store is opened again, even when another has been published in its place.
public final class TransitStore: Sendable {
    /// How a store is opened.
    public struct Configuration: Sendable {
        /// How many rows the row cache keeps at least, if as many have been read.
        public var rowCacheCapacity = 20_000
        /// After how many seconds a cached row is read again; nil for never, as a published store does not change.
        public var stalenessInterval: Double?
        /// Whether pages are read through a memory map, which all contexts share.
        ///
        /// Where a store is cut in place, or its disk fails, a mapped page that is gone ends the process (SIGBUS);
        /// without a map, the fetch throws `readFailed`. import-gtfs never cuts a store: it publishes by renaming. Set
        /// this where nobody else writes to the disk and speed counts: a damaged page is found when it is used, not
        /// when it is read. Mapped pages count as the process's memory although the system may take them back at any
        /// time.
        public var isMemoryMapped = false
        /// How much of the file each connection keeps in memory, in bytes, where it is not mapped.
        public var pageCacheBytes = 2 << 20
        /// After how many seconds a statement is stopped; the fetch then throws `timedOut`. Nil for never.
        public var timeLimit: Double?
        /// How many connections that nobody uses are kept for the next context, about 280 kB each with their
        /// statements; a context that is given back beyond that closes its connection.
        public var mostIdleConnections = 2 * Self.processorCount
        /// How many threads of its own a store has at most for what runs in the background, each with a statement;
        /// other statements wait. Threads begin when there is work and end when there is none.
        public var mostBackgroundFetches = Self.processorCount
        /// What is told about every statement; from TRANSIT_STORE_SQL_DEBUG unless given.
        public var sqlDebug = SQLDebug.fromEnvironment

        public init() {}

        private static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    }

    public let path: String
    public let configuration: Configuration
    /// What ids name the store by: no other store of the process has it. Counts from 1.
    let number: Int32
    let file: StoreFile
    let rowCache: RowCache
    let indexes: StoreIndexes
    let threads: BackgroundThreads
    private let idleSessions = Mutex<[StoreSession]>([])
    private let knownModel = Mutex<StoreModel?>(nil)
    private let knownColumns = Mutex<[String: [String]]>([:])
    let knownTimetable = Mutex<Timetable?>(nil)
    let runningServices = RunningServicesCache()
    private static let lastNumber = Atomic<Int32>(0)

    /// Opens the store at `path`.
    ///
    /// Costs a look at the file's header and one connection: about a tenth of a millisecond. The file stays open, with
    /// one descriptor for all contexts, as long as the store or one of them is there. Throws `StoreError`: missing,
    /// unreadable, notAStore, otherVersion, truncated or corrupt.
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
        indexes = try StoreError.only(at: place) { try session.readIndexes() }
        idleSessions.withLock { $0.append(session) }
    }

    /// Opens the store at a path of any bytes. Paths need not be UTF-8 on Linux, and a String cannot hold one that is
    /// not.
    ///
    /// `path` has a private character (U+10FF80 to U+10FFFF) for each byte that is no UTF-8, and opens the same store.
    public convenience init(pathBytes: some Sequence<UInt8>, configuration: Configuration = Configuration())
        throws(StoreError)
    {
        try self.init(path: String(pathBytes: pathBytes), configuration: configuration)
    }

    /// A context of its own connection; use it from one task or actor.
    public func makeContext() -> StoreContext { StoreContext(stores: [self]) }

    /// Whether another store has been published at the path since this one was opened.
    ///
    /// Costs one system call. This store and all of its contexts, also those made from now on, go on reading what was
    /// opened.
    public var isStale: Bool { file.isReplaced }

    /// Opens what is published at the path now, with the same configuration.
    public func reopened() throws(StoreError) -> TransitStore {
        try TransitStore(path: path, configuration: configuration)
    }

    /// The entities that can be fetched: the typed ones and every other table. Reads the schema the first time.
    public var model: StoreModel {
        get throws(StoreError) {
            if let model = knownModel.withLock({ $0 }) { return model }
            let model = try withSession { StoreModel(others: try $0.readTables()) }
            knownModel.withLock { $0 = model }
            return model
        }
    }

    /// The names of a table's columns, read once.
    func columns(ofTable table: String) throws -> [String] {
        if let known = knownColumns.withLock({ $0[table] }) { return known }
        let sql = SQLFragment("SELECT name FROM pragma_table_info(?) ORDER BY cid", bindings: [.text(table)])
        let names = try withSession { try $0.rows(sql).compactMap { $0.text(0) } }
        knownColumns.withLock { $0[table] = names }
        return names
    }

    /// The model that suffices for an entity: reading the schema is put off until a table without a class is asked for.
    func model(for entityName: String) throws -> StoreModel {
        let typed = StoreModel.typed.entity(named: entityName) != nil || LocationType(entityName: entityName) != nil
        return typed ? .typed(before: self) : try model
    }

    /// A connection that nobody else uses until it is given back.
    func borrowSession() throws -> StoreSession {
        if let session = idleSessions.withLock({ $0.popLast() }) { return session }
        return try StoreSession(file: file, configuration: configuration)
    }

    /// Takes a connection back. Those beyond `mostIdleConnections` are closed.
    func giveBack(_ session: StoreSession) {
        // A connection that is not kept is closed after the lock.
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

/// Several stores as one: a store per feed, asked together.
///
///     let coordinator = StoreCoordinator([berlin, brandenburg])
///     let context = coordinator.makeContext()
///     request.affectedStores = [berlin]       // or nil for both
///
/// Rows are sorted, limited, counted and grouped across the stores as if they were in one. References stay within a
/// store. Each store is asked with one statement, for at most `fetchOffset + fetchLimit` rows.
public struct StoreCoordinator: Sendable {
    /// The stores, each once.
    public let stores: [TransitStore]

    /// A store that is given more than once counts once. Without any store, fetches find what was inserted.
    public init(_ stores: [TransitStore]) {
        var known = Set<TransitStore>()
        self.stores = stores.filter { known.insert($0).inserted }
    }

    /// A context over all stores.
    public func makeContext() -> StoreContext { StoreContext(stores: stores) }
}
