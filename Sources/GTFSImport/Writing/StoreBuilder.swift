// Unsafe only where the text of a row is lent to the table of kept rows.

import GTFSSchema
import Glibc
import KeySorting
import SQLite
import SQLitePages
import SystemFiles

/// The writing stage: turns a private database file into a store, from the events of the reading stage.
final class StoreBuilder {
    let connection: Connection
    let sideRows: SideRowWriter
    let kept: KeptRecords
    let searchTerms: SearchTerms
    let options: ImportOptions
    private(set) var files: [FileSummary] = []
    /// The plans of GTFS tables, by the table.
    private(set) var plans: [String: TablePlan] = [:]
    /// The plans of tables that GTFS does not know. Swift may take the names of two of them for equal.
    private(set) var unknownPlans: [TablePlan] = []
    /// Duplicates found when all rows of a table were sorted.
    private(set) var lateDuplicates: [LateDuplicates] = []
    /// Tables of files that the feed lacks or that have no header. The store has them too, so that no query fails.
    var emptyTables: Set<String> = []
    /// First pages of the indexes that were sorted beside their table, by their names.
    var roots: [String: UInt32] = [:]
    /// Rows that repeat an earlier key, by table, where they are known.
    private(set) var repeatedKeys: [String: RepeatedKeys] = [:]
    /// What the reading stage found out about translations, once it has ended.
    var translatedRecords: TranslatedRecords?
    let place: StorePlace
    private var loader: (any TableLoading)?
    private(set) var emptyColumns = EmptyColumns()
    let watches: RowWatches
    /// The names of the shapes in shapes.txt. The reading stage fills the map. The builder holds it so that it outlives
    /// that stage, and reads it once all files have been read.
    private(set) var shapes: IdentifierMap?
    private var dwell: (longest: Int64, shortest: Int64) = (0, 0)
    /// When the last vehicle of a frequency has ended its ride.
    var latestRide: Int64?
    var earliestRide: Int64 = 0
    /// The time zone of trips without a route.
    var timezone = "UTC"
    private var rowsInTransaction = 0

    init(at place: StorePlace, options: ImportOptions) throws {
        self.options = options
        self.place = place
        connection = try Connection(file: place.file)
        connection.stopStatements(when: place.isOver)
        try Self.begin(connection, in: place)
        try connection.execute("BEGIN")
        sideRows = try SideRowWriter(connection)
        kept = KeptRecords(place)
        searchTerms = SearchTerms(place)
        watches = RowWatches(place, options)
    }

    /// Makes the tables of every store. The file is private until it is published, and is thrown away on any failure.
    /// So it needs neither a journal nor flushing.
    private static func begin(_ connection: Connection, in place: StorePlace) throws {
        try connection.execute(
            """
            PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            PRAGMA cache_size = -\(place.memory.cacheKibibytes); PRAGMA temp_store = FILE;
            PRAGMA foreign_keys = OFF; PRAGMA encoding = 'UTF-8';
            PRAGMA application_id = \(StoreSchema.applicationID); PRAGMA user_version = \(StoreSchema.version);
            BEGIN
            """)
        for definition in StoreSchema.supportingDefinitions where definition.hasUniqueColumns {
            try connection.execute(definition.sql)
        }
        try connection.execute("COMMIT")
        var entries = SchemaEntries(StoreSchema.supportingDefinitions.filter { !$0.hasUniqueColumns })
        for file in Specification.gtfs.files where StoreSchema.tablesWithOtherRows.contains(file.table) {
            entries.add(.table(of: file))
        }
        try entries.enter(connection, in: place)
    }

    func handle(_ event: ReadingEvent) throws {
        switch event {
        case .begin(let plan): try begin(plan)
        case .block(let block): try load(block)
        case .lastName(let hasTranslationsByValue):
            try searchTerms.endNames(hasTranslationsByValue: hasTranslationsByValue)
        case .end(let summary): try end(summary)
        case .bytes(let file, let part, let bytes):
            try sideRows.write(file: file, part: part, bytes: bytes)
            try count(100)
        case .location(let location):
            try sideRows.write(location)
            try count(1)
        case .keptRow(let file, let number, let reason, var text):
            try text.withUTF8 {
                try kept.keep(row: number, of: file, reason: reason, text: UnsafeRawBufferPointer($0))
            }
        case .extraCell(let file, let row, let position, let value):
            try kept.keep(cell: value, at: position, row: row, of: file)
        case .failure: break
        }
    }

    private func load(_ block: ParsedBlock) throws {
        guard let loader else { return }
        try loader.load(block)
        try watches.look(at: block)
        emptyColumns.look(at: block)
        sideRows.add(block.lateReferences)
        try kept.add(block, of: loader.plan)
        try searchTerms.add(block)
        try count(block.cells.rowCount)
    }

    private func begin(_ plan: TablePlan) throws {
        if plan.definition == nil { unknownPlans.append(plan) } else { plans[plan.table] = plan }
        emptyColumns.begin(plan)
        watches.begin(plan)
        searchTerms.begin(plan)
        if plan.table == "shape_point" { shapes = plan.definedIdentifiers }
        if plan.isClustered, let definition = plan.definition {
            let isOfCalls = plan.table == "stop_time"
            if isOfCalls { try writeServiceDays() }
            return loader = try ClusteredLoader(
                plan, definition: definition, place: place, connection: connection,
                watch: watches.beginSequences(plan), departures: isOfCalls ? watches.departures : nil)
        }
        try createTable(plan)
        loader = TableLoader(plan, connection: connection, place: place, rowsOfLongTable: options.rowsOfLongTable)
    }

    /// The calendars and trips are read before the stop times, so that stop times can be counted by days.
    private func writeServiceDays() throws {
        try connection.execute("COMMIT")
        try watches.serviceDays.write(connection, keepingDays: watches.trips.blocks.hasBlocks)
        try connection.execute("BEGIN")
    }

    private func createTable(_ plan: TablePlan) throws(SQLiteError) {
        if plan.table == "service" {
            for extra in plan.extra {
                try connection.execute("ALTER TABLE service ADD COLUMN \(StoreSchema.quoted(extra.column)) TEXT")
            }
        } else if let definition = plan.definition {
            try connection.execute(StoreSchema.createTable(of: definition, present: plan.present, extra: plan.extra))
        } else {
            try connection.execute(StoreSchema.createTable(unknown: plan.table, columns: plan.extra))
        }
    }

    private func end(_ summary: FileSummary) throws {
        files.append(summary)
        guard let loader, summary.table == loader.plan.table else { return }
        let duplicates = try loader.finish()
        if let duplicates { lateDuplicates.append(duplicates) }
        let references = try sideRows.settle(afterRowsOf: loader.plan)
        watches.end(loader.plan, lateReferences: references)
        try kept.end(loader.plan, duplicates: duplicates)
        try searchTerms.end()
        if let rows = loader as? TableLoader {
            try rows.add(references)
            try writeIndexes(of: rows)
            repeatedKeys[rows.plan.table] = try rows.repeatedKeys()
        }
        let clustered = loader as? ClusteredLoader
        if let clustered { roots.merge(clustered.roots) { $1 } }
        if let clustered, clustered.plan.table == "stop_time" { dwell = clustered.times.dwell }
        emptyColumns.end(filled: clustered?.filledColumns ?? [])
        self.loader = nil
    }

    /// Counts rows of a file that turned out not to be storable after the file was read.
    func countKept(_ rows: Int, in file: String) {
        guard let index = files.firstIndex(where: { $0.file == file }) else { return }
        files[index].keptRows += rows
    }

    /// Commits in batches, to limit what SQLite holds in memory before it writes.
    private func count(_ rows: Int) throws(SQLiteError) {
        rowsInTransaction += rows
        guard rowsInTransaction >= options.batchRows else { return }
        rowsInTransaction = 0
        try connection.execute("COMMIT; BEGIN")
        Failpoint.reach("batch")
    }

    // MARK: After the rows

    /// How many rows are stored of a table that one file fills; nil for other tables.
    func storedRows(of table: String) -> Int? {
        guard !StoreSchema.tablesWithOtherRows.contains(table) else { return nil }
        let file = files.first { $0.table?.utf8.elementsEqual(table.utf8) == true }
        return file.map { $0.rows - $0.keptRows }
    }

    /// Writes what the store says about itself. The rest of the schema comes last, as SQLite would read all of it for
    /// any later statement.
    func finish(_ log: ImportLog, source: String) throws {
        try place.check()
        place.size.beginNotices()
        let notices = NoticeRows(connection: connection, place: place)
        try notices.write(log.notices.kept)
        try connection.execute("BEGIN")
        try notices.writeTotals(of: log.notices)
        let noticeCount = log.notices.totals.reduce(0) { $0 + $1.count }
        try FeedRow(
            connection: connection, contentHash: log.report.contentHash, source: source, options: options.recorded,
            noticeCount: noticeCount, dwell: dwell, timezone: timezone, latestRide: latestRide,
            hasLateDuplicates: lateDuplicates.contains { $0.plan.table == "stop_time" }, earliestRide: earliestRide,
            days: watches.serviceDays.days,
            rows: (storedRows(of: "stop") ?? 0, storedRows(of: "route") ?? 0, storedRows(of: "trip") ?? 0)
        ).write(files: files)
        try writeEmptyColumns()
        try connection.execute("COMMIT")
        if log.notices.kept.count >= Self.manyRows { try connection.execute("ANALYZE notice") }
        try completeSchema()
        try DatabaseFile(of: place).forgetChanges()
    }

    private func writeEmptyColumns() throws(SQLiteError) {
        for duplicates in lateDuplicates { try emptyColumns.lookAgain(at: duplicates.plan, connection) }
        if files.contains(where: { $0.table == "location" }) { try emptyColumns.lookAtLocations(connection) }
        for (table, column) in [("service", "day_set"), ("route", "timezone")] where plans[table] != nil {
            try emptyColumns.look(at: [column], of: table, connection)
        }
        try emptyColumns.write(to: connection)
    }
}
