/// A context makes objects and holds them weakly, one per row. It reads over its own connection.
///
///     let context = store.makeContext()
///     for stop in try context.fetch(request) { print(stop.name, stop.stopTimes.count) }
///
/// A context and its objects belong to one isolation (a task or an actor); they are not Sendable. Contexts are cheap:
/// make one per task. In Swift 5 mode the compiler does not check that only one task uses a context. Debug builds then
/// stop a program whose threads use one context at the same time.
public final class StoreContext {
    /// The stores that the context reads, in the order in which they were given.
    public let stores: [TransitStore]
    /// The last error that made a property read as missing, or ended a lazy loop. It stays until the next one: set it
    /// to nil before you read what you want to check.
    ///
    ///     context.lastError = nil
    ///     print(stop.name, stop.stopTimes.count)
    ///     if let error = context.lastError { throw error }
    public var lastError: StoreError?
    /// How many statements have run, and how many faults have been filled.
    ///
    ///     _ = try context.fetch(request)
    ///     print(context.statistics.statements)
    @exclusivity(unchecked) public internal(set) var statistics = Statistics()
    /// The first error since `evaluating` began that made a property or relationship read as missing although its row
    /// may exist.
    var failedRead: StoreError?
    /// Throws if the result of a background fetch is not wanted any more.
    var checkCancellation: () throws -> Void = {}
    /// The time limit while rows are tested, sorted and grouped in memory; nil without one.
    var timeLimit: FetchTimeLimit?
    let check = ThreadCheck()
    let registry: ObjectRegistry
    let changes = PendingChanges()
    var loweredExpressions: [LoweredExpression] = []
    /// Set while objects are tested or sorted in memory.
    var recentOwners: RecentOwners?
    private var sessions: [StoreSession?]
    private let allStores: [Int]
    /// The row cache of the first store, in which nearly all objects are; an empty cache without a store. Reading it
    /// from `stores`, or as an optional, would count references for each object, and threads would wait for each
    /// other's counts.
    let firstRowCache: RowCache
    /// The number of the first store, which is in nearly all ids; 0 without a store.
    let firstNumber: Int32

    /// What a context has done so far.
    public struct Statistics: Sendable, Hashable {
        /// Statements that were run.
        public var statements = 0
        /// Faults that were filled.
        public var faultsFilled = 0
        /// Faults that were filled without a statement: by the row that their fetch read, or from the row cache.
        public var faultsFilledFromCache = 0
    }

    init(stores: [TransitStore]) {
        self.stores = stores
        registry = ObjectRegistry(check)
        allStores = Array(stores.indices)
        firstRowCache = stores.first?.rowCache ?? RowCache(capacity: 0, staleness: nil)
        firstNumber = stores.first?.number ?? 0
        sessions = Array(repeating: nil, count: stores.count)
        changes.belong(to: self)
    }

    deinit {
        for (store, session) in zip(stores, sessions) {
            if let session { store.giveBack(session) }
        }
    }

    /// The connection to a store; made when it is first needed.
    func session(_ store: Int) throws -> StoreSession {
        if let session = sessions[store] { return session }
        let session = try stores[store].borrowSession()
        sessions[store] = session
        return session
    }

    /// Called again and again while rows are tested, sorted and grouped in memory. Throws if the result is not wanted
    /// any more, or if it takes too long.
    func checkWanted() throws {
        try checkCancellation()
        if let timeLimit, timeLimit.isOver { throw timeLimit.error }
    }

    /// The position of the store with this number among the context's; nil if the context does not have it.
    func storePosition(_ number: Int32) -> Int? {
        if number == firstNumber || number == 0 { return stores.isEmpty ? nil : 0 }
        return stores.firstIndex { $0.number == number }
    }

    /// The position of an id's store among the context's. Throws `StoreError.unknownStore` if it is not there.
    func storePosition(of id: ObjectID) throws -> Int {
        guard let position = storePosition(id.store) else { throw StoreError.unknownStore(id) }
        return position
    }

    /// The store that an object's references lead into. Throws `StoreError.unknownStore`.
    func homeStore(of id: ObjectID) throws -> TransitStore {
        guard let position = storePosition(changes.home(of: id)) else { throw StoreError.unknownStore(id) }
        return stores[position]
    }

    /// Where an object comes among equal ones of several stores: in the order of the context's stores, inserted ones
    /// last.
    func storeRank(of id: ObjectID) -> Int { id.isTemporary ? .max : storePosition(id.store) ?? .max }

    /// The id with the number of its store, so that a row has only one id. A decoded id of a table without a class does
    /// not know which columns the store's feed has added.
    func named(_ id: ObjectID) -> ObjectID {
        guard id.store == 0 else { return id }
        return ObjectID(entity(id.entity, store: firstNumber), id.key, store: firstNumber)
    }

    /// The id of a row that a row of this store refers to. Inserted objects have keys below 0 and are in no store:
    /// their ids name the context's first one.
    func id(_ entity: EntityDescription, _ key: Int64, referredToFrom store: Int32) -> ObjectID {
        ObjectID(entity, .row(key), store: key < 0 ? firstNumber : store)
    }

    /// The description of a table in one of the stores. Tables without a class have the columns that the store's feed
    /// has added.
    func entity(_ entity: EntityDescription, store: Int32) -> EntityDescription {
        guard entity.objectType == StoredRow.self else { return entity }
        return self.entity(named: entity.table, store: store) ?? entity
    }

    /// The positions of the stores that a request is for. Throws `StoreError` for a store that the context does not
    /// have.
    func affectedStores<Entity>(_ request: FetchRequest<Entity>) throws -> [Int] {
        try positions(of: request.affectedStores)
    }

    /// The positions of these stores; nil stands for all.
    func positions(of affected: [TransitStore]?) throws -> [Int] {
        guard let affected else { return allStores }
        if let strange = affected.first(where: { !stores.contains($0) }) {
            throw StoreError(
                .unknownStore,
                "affectedStores names a store of \(strange.path) that the context does not have; a store that was opened "
                    + "again is another one")
        }
        return stores.indices.filter { affected.contains(stores[$0]) }
    }
}

@available(*, unavailable)
extension StoreContext: Sendable {}
