import GTFSSchema
import SQLite

/// Tables, indexes and views of a store beyond the tables that a feed's own files fill.
extension StoreBuilder {
    /// Services and locations may be stored before or without their file.
    static let earlyTables = ["service", "location"]
    /// What search terms, checks and the feed's own row ask, whether or not the feed has the file.
    private static let queriedTables: Set = [
        "agency", "stop", "route", "trip", "stop_time", "service_exception", "frequency", "translation",
        "fare_attribute", "location_group", "pathway", "level", "attribution",
    ]
    private static let properties = StoreSchema.ExtraColumn(column: "properties", viewColumn: "properties")

    /// What waited while pages were written, and those of the tables without a file that are asked before the end.
    func completeTables() throws {
        try sideRows.settleShapes()
        for file in Specification.gtfs.files where plans[file.table] == nil {
            guard Self.queriedTables.contains(file.table) else { continue }
            try connection.execute(StoreSchema.createTable(of: file, present: [], extra: []))
        }
        timezone = try RouteTimezones(connection: connection).set()
        try connection.execute("COMMIT")
        try kept.writePages(connection)
        if plans["stop_time"] == nil { try serviceDays.write(connection) }
        try writeDepartures()
    }

    private func writeDepartures() throws {
        if !finishedIndexes.contains(DepartureIndex.name) { try departures.addAll(connection) }
        if plans["frequency"] != nil, let plan = plans["stop_time"] {
            let calls = FrequencyCalls(plan, connection, in: place, counting: departures)
            try calls.write()
            (latestRide, earliestRide) = (calls.latest, calls.earliest)
        }
        try departures.write(connection, in: place)
    }

    func buildIndexes() throws {
        let missing = StoreSchema.indexes.filter { !finishedIndexes.contains($0.name) && !isEmpty($0) }
        let roots = try writeIndexes()
        let cache = MemoryLimit(bytes: options.maximumMemoryBytes).cacheKibibytes
        try IndexBuilding(connection: connection, indexes: missing, roots: roots, cacheKibibytes: cache).run()
        forgetSortedIndexes()
    }

    /// Writes the indexes whose keys are sorted, and answers their roots.
    private func writeIndexes() throws -> [String: UInt32] {
        let leastRows = options.rowsOfLongTable
        let keptIndex = kept.sortedIndex(leastValues: leastRows)
        let hasManyTerms = searchTerms.count >= leastRows
        guard !sortedIndexes.isEmpty || keptIndex != nil || hasManyTerms else { return [:] }
        let file = try DatabaseFile(path: path, sums: sums)
        var roots: [String: UInt32] = [:]
        for keys in sortedIndexes {
            roots[keys.index.name] = try keys.write(to: file)
            noteRepeatedKeys(keys)
        }
        if let keptIndex { roots[KeptValueIndex.name] = try keptIndex.write(to: file) }
        if hasManyTerms { roots[SearchTerms.indexName] = try searchTerms.writeIndex(to: file) }
        return roots
    }

    /// Whether no row can be in the index, because the feed does not have the file or the column.
    private func isEmpty(_ index: StoreSchema.Index) -> Bool {
        guard let plan = plans[index.table] else { return isWithoutFile(index.table) }
        return index.isForeignKey && !plan.columns.contains { $0.field?.column == index.leadingColumn }
    }

    /// Whether a file of the specification that fills the table is missing, and nothing else fills it.
    private func isWithoutFile(_ table: String) -> Bool {
        plans[table] == nil && !Self.earlyTables.contains(table) && Specification.gtfs.file(ofTable: table) != nil
    }

    /// Everything of the store that no row is in, and all views.
    func completeSchema() throws {
        var entries = SchemaEntries()
        for file in Specification.gtfs.files where isWithoutFile(file.table) {
            guard !Self.queriedTables.contains(file.table) else { continue }
            entries.add(table: file)
        }
        for index in StoreSchema.indexes where isEmpty(index) { entries.add(index) }
        try connection.execute("BEGIN")
        for file in Specification.gtfs.files {
            let keptColumns = kept.keptColumns[file.table] ?? []
            let extra = file.table == "location" ? [Self.properties] : plans[file.table]?.extra ?? []
            guard extra.isEmpty, keptColumns.isEmpty else {
                try connection.execute(StoreSchema.createView(of: file, extra: extra, keptColumns: keptColumns))
                continue
            }
            entries.add(view: file)
        }
        for plan in plans.values.sorted(by: { $0.table < $1.table }) where plan.definition == nil {
            try connection.execute(StoreSchema.createView(unknown: plan.view, table: plan.table, columns: plan.extra))
        }
        try connection.execute("COMMIT")
        let file = try DatabaseFile(path: path, sums: sums)
        try entries.write(to: file, connection)
        try file.forgetChanges()
    }
}
