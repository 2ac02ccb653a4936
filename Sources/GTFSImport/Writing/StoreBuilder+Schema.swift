import GTFSSchema
import SQLite

/// Tables, indexes and views of a store beyond the tables that a feed's own files fill.
extension StoreBuilder {
    /// Services and locations may be stored before or without their file.
    static let earlyTables = ["service", "location"]
    private static let properties = StoreSchema.ExtraColumn(column: "properties", viewColumn: "properties")

    /// Fills the tables that waited while pages were written, and makes those of the files that the feed lacks: a query
    /// must not fail because of them.
    func completeTables() throws {
        try sideRows.settleShapes()
        for file in Specification.gtfs.files where plans[file.table] == nil && !Self.earlyTables.contains(file.table) {
            try connection.execute(StoreSchema.createTable(of: file, present: [], extra: []))
        }
        timezone = try RouteTimezones(connection: connection).set()
        try connection.execute("COMMIT")
        try kept.write(connection)
        if plans["stop_time"] == nil { try serviceDays.write(connection, adding: sideRows.takeServices()) }
        try writeDepartures()
    }

    private func writeDepartures() throws {
        if !finishedIndexes.contains(DepartureIndex.name) { try departures.addAll(connection) }
        if plans["frequency"] != nil, let plan = plans["stop_time"] {
            let calls = FrequencyCalls(
                plan, repeating: repetitions, connection, in: place, counting: departures)
            try calls.write()
            (latestRide, earliestRide) = (calls.latest, calls.earliest)
        }
        try departures.write(connection, in: place)
    }

    func buildIndexes() throws {
        let missing = StoreSchema.indexes.filter { !finishedIndexes.contains($0.name) }
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
        let sortedIndexes = try sortedIndexes + serviceIndexes()
        guard !sortedIndexes.isEmpty || placeIndexes != nil || keptIndex != nil || hasManyTerms else { return [:] }
        let file = try DatabaseFile(path: path, sums: sums)
        try file.writeAhead()
        var roots: [String: UInt32] = [:]
        for sorted in sortedIndexes {
            roots[sorted.index.name] = try sorted.write(to: file)
            if let keys = sorted as? IndexKeys { noteRepeatedKeys(keys) }
        }
        if let placeIndexes { try roots.merge(placeIndexes.write(to: file)) { $1 } }
        if let keptIndex { roots[KeptValueIndex.name] = try keptIndex.write(to: file) }
        if hasManyTerms { roots[SearchTerms.indexName] = try searchTerms.writeIndex(to: file) }
        try file.settle()
        return roots
    }

    func createViews() throws {
        try connection.execute("BEGIN")
        for file in Specification.gtfs.files {
            let extra = file.table == "location" ? [Self.properties] : plans[file.table]?.extra ?? []
            try connection.execute(
                StoreSchema.createView(of: file, extra: extra, kept: kept.keptColumns[file.table]))
        }
        for plan in plans.values.sorted(by: { $0.table < $1.table }) where plan.definition == nil {
            try connection.execute(
                StoreSchema.createView(
                    unknown: plan.view, table: plan.table, columns: plan.extra,
                    kept: kept.keptColumns[plan.table]))
        }
        try connection.execute("COMMIT")
        try DatabaseFile(path: path, sums: sums).forgetChanges()
    }
}
