import GTFSSchema
import SQLite
import SQLitePages

/// Tables, indexes and views of a store beyond the tables that a feed's own files fill.
extension StoreBuilder {
    private static let properties = StoreSchema.ExtraColumn(column: "properties", viewColumn: "properties")

    /// Fills the tables that waited while pages were written.
    func completeTables() throws {
        if let shapes { try sideRows.write(shapes: shapes, checking: place.check) }
        timezone = try RouteTimezones(connection: connection).set()
        try connection.execute("COMMIT")
        try kept.write(connection)
        if plans["stop_time"] == nil { try watches.serviceDays.write(connection) }
        try writeDepartures()
    }

    private func writeDepartures() throws {
        let departures = watches.departures
        if roots[DepartureIndex.name] == nil { try departures.addAll(connection) }
        if plans["frequency"] != nil, let plan = plans["stop_time"] {
            let calls = FrequencyCalls(
                plan, repeating: watches.repetitions, connection, in: place, counting: departures)
            try calls.write()
            (latestRide, earliestRide) = (calls.latest, calls.earliest)
        }
        try departures.write(connection, watches.parents, in: place)
    }

    /// Makes the indexes of the tables with rows, and the tables without rows.
    func buildIndexes() throws {
        emptyTables = Set(Specification.gtfs.files.map(\.table))
            .subtracting(StoreSchema.tablesWithOtherRows).subtracting(plans.keys)
        let indexes = StoreSchema.indexes.filter { !emptyTables.contains($0.table) }
        try writeLastIndexes()
        var entries = SchemaEntries()
        for index in indexes { entries.add(index.definition, root: roots[index.name]) }
        for file in Specification.gtfs.files where emptyTables.contains(file.table) {
            entries.addTable(withoutRows: file)
        }
        try entries.enter(connection, in: place)
        try fill(indexes.filter { roots[$0.name] == nil && mayHaveKeys($0) })
    }

    /// False if no row fills the index's column: SQLite would read the whole table to find that out.
    private func mayHaveKeys(_ index: StoreSchema.Index) -> Bool {
        StoreSchema.tablesWithOtherRows.contains(index.table) || !emptyColumns.hasNoEntries(index)
    }

    /// Has SQLite fill indexes that are in the schema. REINDEX does what CREATE INDEX does, except for the entry, for
    /// which SQLite would read the whole schema: for 20 indexes of short tables that took 1 of the 30 ms of a feed of 2
    /// MB (<https://sqlite.org/lang_reindex.html>).
    ///
    /// Runs that fit the processor's cache sort three times faster than one large one; two threads halve the rest.
    private func fill(_ indexes: [StoreSchema.Index]) throws(SQLiteError) {
        try connection.execute("PRAGMA cache_size = -2000; PRAGMA threads = 2; BEGIN")
        for index in indexes {
            Failpoint.reach("index")
            try connection.execute("REINDEX main.\(StoreSchema.quoted(index.name))")
        }
        try connection.execute("COMMIT; PRAGMA threads = 0; PRAGMA cache_size = -\(place.memory.cacheKibibytes)")
    }

    /// Writes the indexes that were sorted beside their table, while the reading stage goes on with the next one.
    func writeIndexes(of rows: TableLoader) throws {
        let (indexes, places) = (rows.sortedIndexes, rows.placeIndexes)
        guard !indexes.isEmpty || places != nil else { return }
        try connection.execute("COMMIT")
        try write(indexes, places)
        try connection.execute("BEGIN")
    }

    /// No transaction may be open.
    private func write(_ indexes: [any SortedIndex], _ places: PlaceIndexes? = nil) throws {
        try DatabaseFile.append(to: place) { file in
            for sorted in indexes { roots[sorted.index.name] = try sorted.write(to: file) }
            if let places { try roots.merge(places.write(to: file)) { $1 } }
        }
    }

    /// Writes the indexes of services, kept values and search terms, which do not belong to the table of one file
    /// alone.
    private func writeLastIndexes() throws {
        let ofServices = try serviceIndexes()
        if !ofServices.isEmpty { try write(ofServices) }
        let leastRows = options.rowsOfLongTable
        let keptIndex = kept.sortedIndex(leastValues: leastRows)
        let hasManyTerms = searchTerms.count >= leastRows
        guard keptIndex != nil || hasManyTerms else { return }
        try DatabaseFile.append(to: place) { file in
            if let keptIndex { roots[KeptValueIndex.name] = try keptIndex.write(to: file) }
            if hasManyTerms { roots[SearchTerms.indexName] = try searchTerms.writeIndex(to: file) }
        }
    }

    /// The indexes of services, if there are many services. Some come only with the rows of calendar_dates.txt, so
    /// `LongTableIndexes` does not make these indexes.
    private func serviceIndexes() throws -> [any SortedIndex] {
        let serviceDays = watches.serviceDays
        guard let daySets = serviceDays.index else { return [] }
        let name = StoreSchema.indexes.first { $0.table == "service" && $0.columns == ["service_id"] }
        guard let identifiers = serviceDays.identifiers, let name else { return [daySets] }
        let rows = try connection.prepare("SELECT id FROM service WHERE id <= ? AND service_id IS NULL ORDER BY id")
        rows.bind(1, serviceDays.lastOfCalendar)
        var without: [UInt32] = []
        while try rows.step() { without.append(UInt32(clamping: rows.integer(0))) }
        return [daySets, IdentifierIndex(name, identifiers, rowsWithout: without, in: place)]
    }

    /// Enters all views, and the indexes of tables without rows, which no statement of the import needs.
    func completeSchema() throws {
        var entries = SchemaEntries()
        for file in Specification.gtfs.files {
            if emptyTables.contains(file.table) { entries.addIndexes(withoutRows: file) }
            let extra = file.table == "location" ? [Self.properties] : plans[file.table]?.extra ?? []
            entries.addView(of: file, extra: extra, kept: kept.keptColumns(of: file.table))
        }
        for plan in unknownPlans.sorted(by: { $0.table.utf8.lexicographicallyPrecedes($1.table.utf8) }) {
            let sql = StoreSchema.createView(
                unknown: plan.view, table: plan.table, columns: plan.extra, kept: kept.keptColumns(of: plan.table))
            entries.add(StoreSchema.Definition(.view, plan.view, sql))
        }
        try entries.enter(connection, in: place)
    }
}
