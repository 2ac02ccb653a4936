import GTFSSchema
import ICU
import SQLite
import SystemFiles

/// A connection to a store with its prepared statements, used by one borrower at a time.
final class StoreSession: @unchecked Sendable {
    // @unchecked: a store lends a session to one context or task at a time and hands it over under a lock.

    let connection: Connection
    let path: String
    let debug: SQLDebug
    private let file: ImmutableFile
    private let timeLimit: FetchTimeLimit?
    private var statements: [ExactText: Statement] = [:]
    /// Skeletons of recent requests, the most used first.
    private var skeletons: [PreparedSkeleton] = []
    private var standing: Statement?
    /// The locale that a statement named but ICU does not know.
    private var unknownLocale: String?
    private let functionFailure = FunctionFailure()
    /// Rows that were read over this connection recently. Two threads that use the store's shared cache wait for its
    /// lock and for each other's reference counts: together they run 1.5 times as fast as one. With a cache for each
    /// connection they run 1.9 to 2.0 times as fast.
    // Unchecked: every access ends within the table's own functions, which call no other code.
    @exclusivity(unchecked) private var recentRows = ObjectTable<PackedRow>()
    private let mostRecentRows: Int
    let keyStatements = KeyStatements()
    let departureStatements = DepartureStatements()
    let serviceDates = KnownServiceDates()
    private let ownFacts = TimetableFacts()
    /// The lines and stops of departures that the session knows. If it keeps no rows, each request begins with none.
    var timetableFacts: TimetableFacts { keepsFacts ? ownFacts : TimetableFacts() }
    var keepsFacts: Bool { mostRecentRows > 0 }

    /// At this number, all prepared statements are dropped: a program with so many different ones rarely repeats any of
    /// them.
    private static let mostStatements = 500
    /// A request is compared with one skeleton after the other, a tenth of a microsecond each.
    private static let mostSkeletons = 24
    private static let mostRows = 16_384
    /// Bound values up to this size stay in a prepared statement until its next use; longer ones are freed (`release`).
    private static let mostKeptBytes = 1_024

    /// The row, if it was read over this connection recently; always nil if rows may go stale.
    func recentRow(of id: ObjectID) -> PackedRow? { mostRecentRows > 0 ? recentRows[id] : nil }

    /// Keeps a row; when there are too many, drops all others.
    func keep(_ row: PackedRow, of id: ObjectID) {
        guard mostRecentRows > 0 else { return }
        if recentRows.count >= mostRecentRows { recentRows = ObjectTable() }
        recentRows[id] = row
    }

    init(file: StoreFile, configuration: TransitStore.Configuration) throws {
        path = file.path.readablePath
        self.file = file.contents
        debug = configuration.sqlDebug
        timeLimit = configuration.timeLimit.map(FetchTimeLimit.init)
        let mayGoStale = configuration.stalenessInterval != nil
        mostRecentRows = mayGoStale ? 0 : min(configuration.rowCacheCapacity, Self.mostRows)
        do {
            connection = try Connection(file: file.contents)
            try connection.distrustSchema()
            // SQLite does not keep mapped pages, so it would check all cells of a page at each use, half of a fetch's
            // work. Without a map, it checks a page once, when it reads it. A program that maps a store trusts the
            // store's writer.
            if configuration.isMemoryMapped { try connection.execute("PRAGMA cell_size_check = OFF") }
            try connection.setCacheSize(bytes: configuration.pageCacheBytes)
            if let timeLimit { connection.stopStatements { timeLimit.isOver } }
            try StoreFunctions.register(on: connection, serviceDates, functionFailure)
            connection.provideCollations { [unowned self] in collation(named: $0) }
        } catch {
            throw StoreError(error, path: file.path.readablePath)
        }
    }

    /// The statement of a request. Takes it from an earlier request with the same skeleton and binds the new values;
    /// otherwise calls `write`.
    func select<Entity>(
        _ request: FetchRequest<Entity>, _ form: RequestSkeleton.Form, traits: StoreTraits,
        write: () throws -> SelectStatement
    ) throws -> (select: SelectStatement, prepared: PreparedSkeleton?) {
        for position in skeletons.indices {
            let known = skeletons[position]
            guard let bindings = known.skeleton.bindings(of: request, form, traits: traits) else { continue }
            if position > 0 { skeletons.swapAt(position, position - 1) }
            var select = known.skeleton.select
            select.sql = SQLFragment(select.sql.text, bindings: bindings)
            return (select, known)
        }
        let select = try write()
        guard let skeleton = RequestSkeleton(request, form, select, traits: traits) else { return (select, nil) }
        let prepared = PreparedSkeleton(skeleton)
        if skeletons.count >= Self.mostSkeletons { skeletons.removeLast() }
        skeletons.append(prepared)
        return (select, prepared)
    }

    /// Runs a statement and hands it to `body`, which steps through its rows and returns their number.
    func run(_ sql: SQLFragment, prepared: PreparedStatement? = nil, _ body: (Statement) throws -> Int) throws {
        let start = debug.level > 0 ? MonotonicClock.seconds : 0
        try inTime {
            let statement = try prepared?.take() ?? take(sql.text)
            defer {
                if prepared?.keep(statement) != true { keep(statement, for: sql.text) }
                release(sql.bindings, of: statement)
            }
            bind(sql.bindings, to: statement)
            let rows = try body(statement)
            if debug.level > 0 { debug.report(sql, rows: rows, since: start) }
        }
    }

    /// Turns SQLite's error into ours, and finds the cause where we know more than SQLite.
    private func storeError(_ error: SQLiteError) -> StoreError {
        if file.isChangedInPlace { return .changedInPlace(path) }
        if let locale = unknownLocale {
            unknownLocale = nil
            return LocaleCollation.unknown(locale)
        }
        if let failure = functionFailure.take() { return failure }
        if error.isInterruption, let timeLimit, timeLimit.isOver { return timeLimit.error }
        let known = StoreError(error, path: path)
        // Our statements fit our schema, so if SQLite refuses one, the schema may be different.
        guard known.code == .failed, let difference = SchemaComparison(connection).difference else { return known }
        return .foreignSchema(path, difference)
    }

    /// Whether SQLite uses the same tables and indexes for both statements, so that rows come in the same order.
    func haveOneOrder(_ one: SQLFragment, _ other: SQLFragment) throws -> Bool {
        let plans = try [one, other].map { sql in
            try inTime {
                let explain = try connection.prepare("EXPLAIN QUERY PLAN " + sql.text)
                bind(sql.bindings, to: explain)
                var words: [Substring] = []
                while try explain.step() { words += (explain.text(3) ?? "").split(separator: " ") + ["\n"] }
                return words.filter { $0 != "COVERING" }
            }
        }
        return plans[0] == plans[1]
    }

    /// All rows of a statement, or the first `columns` cells of each.
    func rows(_ sql: SQLFragment, columns: Int? = nil) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        try run(sql) { try $0.appendRows(to: &rows, columns: columns) }
        return rows
    }

    /// Prepares a statement whose rows are read piece by piece; `end` takes the statement back. Restarts the time
    /// limit.
    func begin(_ sql: SQLFragment) throws -> Statement {
        timeLimit?.begin()
        if debug.level > 0 { debug.reportStatement(sql) }
        return try mapped {
            let statement = try take(sql.text)
            bind(sql.bindings, to: statement)
            return statement
        }
    }

    func step(_ statement: Statement) throws -> Bool { try mapped { try statement.step() } }

    func end(_ statement: Statement, of sql: SQLFragment) {
        keep(statement, for: sql.text)
        release(sql.bindings, of: statement)
    }

    /// Starts a statement and leaves it on its row, so that it counts as running. Restarts the time limit.
    func startStanding() throws -> Statement {
        timeLimit?.begin()
        return try mapped {
            let statement = try standing ?? connection.prepare("SELECT 1")
            standing = statement
            _ = try statement.step()
            return statement
        }
    }

    /// Runs a whole statement within the time limit.
    private func inTime<Value>(_ body: () throws -> Value) throws -> Value {
        guard let timeLimit else { return try mapped(body) }
        return try timeLimit.within { try mapped(body) }
    }

    private func mapped<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SQLiteError { throw storeError(error) }
    }

    /// Takes a prepared statement out of the cache, or prepares it; `keep` puts it into the cache.
    private func take(_ sql: String) throws -> Statement {
        try statements.removeValue(forKey: ExactText(sql)) ?? connection.prepare(sql)
    }

    /// A running statement is not in the cache, so a fetch within a fetch gets its own statement.
    private func keep(_ statement: Statement, for sql: String) {
        statement.reset()
        if statements.count >= Self.mostStatements { statements.removeAll() }
        statements[ExactText(sql)] = statement
    }

    /// What `COLLATE locale_de` means. SQLite asks when it prepares a statement with an unknown collation.
    private func collation(named name: String) -> Connection.Collation? {
        guard let locale = LocaleCollation.locale(of: name) else { return nil }
        let order = LocaleCollation.order(of: locale)
        if order == nil { unknownLocale = locale }
        return order
    }

    private func bind(_ values: [QueryValue], to statement: Statement) {
        for (position, value) in values.enumerated() { statement.bind(position + 1, value.sqliteValue) }
    }

    /// Frees SQLite's copies of long texts and lists. A statement may wait for hours until it is used again.
    private func release(_ values: [QueryValue], of statement: Statement) {
        for (position, value) in values.enumerated() where value.isLonger(than: Self.mostKeptBytes) {
            statement.bindNull(position + 1)
        }
    }
}

extension StoreSession {
    /// The optional indexes and the empty columns of the store. Throws `StoreError.corrupt` if its schema has anything
    /// unexpected.
    func readTraits() throws -> StoreTraits {
        var traits = StoreTraits()
        var saysWhatIsEmpty = false
        try run(SQLFragment("SELECT type, name, tbl_name, sql FROM sqlite_schema")) { statement in
            var rows = 0
            while try statement.step() {
                rows += 1
                let (type, name) = (statement.text(0) ?? "", statement.text(1) ?? "")
                if let difference = SchemaComparison.difference(type: type, name: name, sql: { statement.text(3) }) {
                    throw StoreError.foreignSchema(path, difference)
                }
                if name == "empty_column" { saysWhatIsEmpty = true }
                if type == "index", name == LongitudeCell.indexName { traits.hasLongitudeCells = true }
            }
            return rows
        }
        if saysWhatIsEmpty { traits.emptyColumns = try readEmptyColumns() }
        return traits
    }

    private func readEmptyColumns() throws -> EmptyColumnList {
        var names: [ExactText: Set<ExactText>] = [:]
        for row in try rows(SQLFragment("SELECT \"table\", \"column\" FROM empty_column")) {
            guard let table = row.text(0), let column = row.text(1) else { continue }
            names[ExactText(table), default: []].insert(ExactText(column))
        }
        return EmptyColumnList(names)
    }

    /// Every table of the store with its columns, and the views that take the place of a table.
    func readTables() throws -> [EntityDescription] {
        let keysOfViews = Dictionary(uniqueKeysWithValues: StoreSchema.keptViews.map { ($0.name, $0.key) })
        let sql = """
            SELECT m.name, c.name, c.type, c.pk FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' \
            OR m.name IN (\(keysOfViews.keys.map(StoreSchema.literal).joined(separator: ", "))) ORDER BY m.name, c.cid
            """
        var columns: [ExactText: [(name: String, type: String, keyPosition: Int)]] = [:]
        for row in try rows(SQLFragment(sql)) {
            guard let table = row.text(0), let name = row.text(1) else { continue }
            let keyPosition =
                keysOfViews[table].map { ($0.firstIndex(of: name) ?? -1) + 1 } ?? Int(row.integer(3) ?? 0)
            columns[ExactText(table), default: []].append((name, row.text(2) ?? "", keyPosition))
        }
        return columns.map { EntityDescription.ofTable($0.key.text, columns: $0.value) }
    }
}
