extension StoreSchema {
    /// A table that does not stand for one file of the feed. From this follow the statement that creates it and its
    /// section of schema/tables.md.
    struct SupportingTable: Sendable {
        let name: String
        let meaning: String
        let columns: [DerivedColumn]
        /// What the declaration has after the columns.
        var constraints: [String] = []
        var hasRowids = false
        var hasUniqueColumns = false

        var definition: Definition {
            let parts = columns.map(\.declaration) + constraints
            return .table(
                name, parts.joined(separator: ", "), hasRowids: hasRowids, hasUniqueColumns: hasUniqueColumns)
        }
    }

    static let supportingTables = [
        shape, searchTerm, serviceDay, frequencyCall, searchSpelling, stopDepartures, feed, feedFile, emptyColumn,
        notice, noticeTotal, extraFile,
    ]

    // Shapes have no file of their own: a shape exists because its points name it.
    private static let shape = SupportingTable(
        name: "shape", meaning: "The paths that trips follow, one row each; `shape_point` has their points.",
        columns: [
            DerivedColumn("id", "INTEGER PRIMARY KEY", "The key, which `trip.shape` and `shape_point.shape` hold."),
            DerivedColumn("shape_id", "TEXT", "The feed's name for the path."),
        ], hasRowids: true)

    private static let searchTerm = SupportingTable(
        name: "search_term",
        meaning: "The distinct words of the stops' names and of their translations, for searching.",
        columns: [
            DerivedColumn("normalized_word", "TEXT NOT NULL", "The word without accents and in lower case."),
            DerivedColumn("stop", "INTEGER NOT NULL", to: "stop", "The stop whose name or translation has the word."),
        ], constraints: ["PRIMARY KEY(normalized_word, stop)"])

    private static let serviceDay = SupportingTable(
        name: "service_day", meaning: "The days on which services run.",
        columns: [
            DerivedColumn("date", "INTEGER NOT NULL", "The day, as YYYYMMDD."),
            // No reference: programs that join by references would join `service.id`, and lose the other services.
            DerivedColumn(
                "day_set", "INTEGER NOT NULL",
                "The set of days; the services with this `service.day_set` run. Do not join it with `service.id`."),
        ], constraints: ["PRIMARY KEY(date, day_set)"])

    private static let frequencyCall = SupportingTable(
        name: "frequency_call", meaning: "The calls of the trips that frequencies.txt repeats.",
        columns: [
            DerivedColumn("stop", "INTEGER NOT NULL", to: "stop", "The stop of the call."),
            DerivedColumn("trip", "INTEGER NOT NULL", to: "trip", "The trip that is repeated."),
            DerivedColumn("stop_sequence", "INTEGER NOT NULL", "The call's place in the trip, as in `stop_time`."),
            DerivedColumn("arrival", "INTEGER NOT NULL", "Seconds from the start of a run to this arrival."),
            DerivedColumn("departure", "INTEGER NOT NULL", "Seconds from the start of a run to this departure."),
        ], constraints: ["PRIMARY KEY(stop, trip, stop_sequence)"])

    private static let searchSpelling = SupportingTable(
        name: "search_spelling",
        meaning:
            "Words that people may type although the name is written differently, such as `strasse` for Straße, and "
            + "letters of scripts without blanks as they stand together. No row is in `search_term` as well.",
        columns: [
            DerivedColumn("normalized_word", "TEXT NOT NULL", "The word without accents and in lower case."),
            DerivedColumn("stop", "INTEGER NOT NULL", to: "stop", "The stop that the word may mean."),
        ], constraints: ["PRIMARY KEY(normalized_word, stop)"])

    private static let stopDepartures = SupportingTable(
        name: "stop_departures",
        meaning: "How often trips call at a stop, to rank search results. A stop where no trip calls has no row.",
        columns: [
            // Django refuses a key that may be NULL.
            DerivedColumn("stop", "INTEGER PRIMARY KEY NOT NULL", to: "stop", "The stop."),
            DerivedColumn(
                "departures", "INTEGER NOT NULL",
                "The calls of trips at the stop or at any stop below it, over all service days of the feed; the last "
                    + "call of a trip and calls without pickup count, too."),
        ], hasRowids: true)

    private static let feedFile = SupportingTable(
        name: "feed_file", meaning: "The files of the feed, one row each.",
        columns: [
            DerivedColumn("name", "TEXT PRIMARY KEY", "The file's name in the feed."),
            DerivedColumn("table", "TEXT", "The table that has its rows; empty for a file that is not a table."),
            DerivedColumn("view", "TEXT", "The view that gives the file back; empty for a file that is not a table."),
            DerivedColumn(
                "encoding", "TEXT",
                "The encoding in which it was read, for values that are not UTF-8; empty for a file that is not text."),
            DerivedColumn(
                "row_count", "INTEGER NOT NULL",
                "The rows after the header, stored or kept, without those that a filter left out."),
            DerivedColumn(
                "kept_row_count", "INTEGER NOT NULL", "How many of them could not be stored; `kept_row` has them."),
            DerivedColumn("left_out_count", "INTEGER NOT NULL", "The rows that a filter left out."),
            DerivedColumn("bytes", "INTEGER NOT NULL", "The size of the file, uncompressed."),
        ])

    private static let emptyColumn = SupportingTable(
        name: "empty_column",
        meaning: "The columns that are empty in every row, in tables that the feed has a file for; never `id`.",
        columns: [
            DerivedColumn("table", "TEXT NOT NULL", "The table."),
            DerivedColumn("column", "TEXT NOT NULL", "The column."),
        ], constraints: ["PRIMARY KEY(\"table\", \"column\")"])

    private static let notice = SupportingTable(
        name: "notice",
        meaning: "What is wrong with the feed: a limited number of rows for each code of [notices.tsv](notices.tsv).",
        columns: [
            DerivedColumn("id", "INTEGER PRIMARY KEY", "The number of the row."),
            DerivedColumn("code", "TEXT NOT NULL", "The kind of fault."),
            DerivedColumn("severity", "TEXT NOT NULL", "ERROR, WARNING or INFO."),
            DerivedColumn("file", "TEXT", "The file that has the fault; empty if no single file has it."),
            DerivedColumn(
                "row_number", "INTEGER",
                "The row of the file, where the header is row 1; for locations.geojson, the number of the feature."),
            DerivedColumn("field", "TEXT", "The field that has the fault; empty if no single field has it."),
            DerivedColumn("value", "TEXT", "The offending value."),
            DerivedColumn("message", "TEXT NOT NULL", "What is wrong and what the import did about it."),
        ], hasRowids: true)

    private static let noticeTotal = SupportingTable(
        name: "notice_total",
        meaning: "How many notices there are of each code, also those that `notice` does not have.",
        columns: [
            DerivedColumn("code", "TEXT PRIMARY KEY", "The kind of fault."),
            DerivedColumn("severity", "TEXT NOT NULL", "ERROR, WARNING or INFO."),
            DerivedColumn("count", "INTEGER NOT NULL", "All notices of the code."),
            DerivedColumn("kept", "INTEGER NOT NULL", "Those of them that are rows of `notice`."),
        ])

    private static let extraFile = SupportingTable(
        name: "extra_file", meaning: "Files that are not tables, in parts.",
        columns: [
            DerivedColumn("name", "TEXT NOT NULL", "The file's name in the feed."),
            DerivedColumn("part", "INTEGER NOT NULL", "The number of the part, from 0."),
            DerivedColumn("bytes", "BLOB NOT NULL", "The part's bytes; join the parts in their order."),
        ], constraints: ["PRIMARY KEY(name, part)"])
}

extension StoreSchema {
    private static let feed = SupportingTable(
        name: "feed", meaning: "What the import knows about the feed and the store: one row.",
        columns: [
            DerivedColumn("id", "INTEGER PRIMARY KEY CHECK(id = 1)", "Always 1."),
            DerivedColumn(
                "content_hash", "TEXT NOT NULL",
                "32 hexadecimal digits made from the names, sizes and checksums of the feed's files; the same for the same "
                    + "files."),
            DerivedColumn("source", "TEXT NOT NULL", "The feed's name without its folder."),
            DerivedColumn(
                "options", "TEXT NOT NULL",
                "The options that decide what the store holds, such as `notices-per-code=1000`, another `max-field` than usual, "
                    + "and those of a filter."),
            DerivedColumn(
                "start_date", "INTEGER",
                "The first day of any calendar or added day, as YYYYMMDD; empty if there is none."),
            DerivedColumn(
                "end_date", "INTEGER", "The last day of any calendar or added day, as YYYYMMDD; empty if there is none."
            ),
            DerivedColumn("stop_count", "INTEGER NOT NULL", "The rows of `stop`."),
            DerivedColumn("route_count", "INTEGER NOT NULL", "The rows of `route`."),
            DerivedColumn("trip_count", "INTEGER NOT NULL", "The rows of `trip`."),
            DerivedColumn("stop_time_count", "INTEGER NOT NULL", "The rows of `stop_time`."),
            DerivedColumn(
                "latest_time", "INTEGER",
                "The greatest of all times, in seconds since noon minus 12 h; empty if there is none. Trips that repeat "
                    + "count as if their last run began at `end_time`, so no run ends later. It tells how many earlier "
                    + "service days can still be running."),
            DerivedColumn(
                "earliest_time", "INTEGER NOT NULL",
                "0, or less if the times of a trip that repeats go backwards; in seconds since noon minus 12 h."),
            DerivedColumn(
                "longest_dwell", "INTEGER NOT NULL",
                "An upper bound for the seconds from a call's arrival to its departure. Rows that repeat a key may "
                    + "count."),
            DerivedColumn(
                "shortest_dwell", "INTEGER NOT NULL",
                "A lower bound for the same seconds: 0, or less if calls depart before they arrive. Rows that repeat "
                    + "a key may count."),
            DerivedColumn(
                "timezone", "TEXT NOT NULL",
                "The zone of trips without a route: that of the first agency, or UTC if it does not exist."),
            DerivedColumn("notice_count", "INTEGER NOT NULL", "All notices, as `notice_total` counts them."),
            DerivedColumn("tool_version", "TEXT NOT NULL", "The version of import-gtfs that made the store."),
            DerivedColumn(
                "schema_version", "INTEGER NOT NULL", "The version of the layout, as in `PRAGMA user_version`."),
            DerivedColumn("specification", "TEXT NOT NULL", "The date of the GTFS reference that the store follows."),
            DerivedColumn("sqlite_version", "TEXT NOT NULL", "The version of SQLite that made the store."),
            DerivedColumn("icu_version", "TEXT NOT NULL", "The version of ICU that made the search terms."),
        ], hasRowids: true)
}
