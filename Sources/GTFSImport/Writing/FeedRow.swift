import GTFSSchema
import ICU
import SQLite

/// The one row of `feed` and the rows of `feed_file`: what this store is made of.
struct FeedRow {
    let connection: Connection
    let contentHash: String
    let source: String
    let options: String
    let noticeCount: Int
    let dwell: (longest: Int64, shortest: Int64)
    /// The time zone of trips without a route.
    let timezone: String

    /// When the last vehicle of a frequency has ended its ride.
    let latestRide: Int64?
    /// Whether rows of stop_times.txt turned out to be duplicates when all were sorted.
    let hasLateDuplicates: Bool
    /// The least time of a call of a frequency's rides, if that is before the service day begins; else 0.
    let earliestRide: Int64

    /// The first and the last day on which any trip can run, by the ranges of calendars and the days that
    /// calendar_dates.txt adds; nil if there is none.
    let days: ClosedRange<Int64>?
    let rows: (stops: Int, routes: Int, trips: Int)

    func write(files: [FileSummary]) throws(SQLiteError) {
        let file = files.first { $0.table == "stop_time" }
        let stopTimes = file.map { $0.rows - $0.keptRows } ?? 0
        let latest = [try latestTime(file?.greatestTime), latestRide].compactMap(\.self).max()
        let values = values(stopTimes: stopTimes, latestTime: latest)
        let columns = values.map { StoreSchema.quoted($0.key) }.joined(separator: ", ")
        let places = repeatElement("?", count: values.count).joined(separator: ", ")
        let statement = try connection.prepare("INSERT INTO feed (\(columns)) VALUES (\(places))")
        for (index, column) in values.enumerated() { statement.bind(index + 1, column.value) }
        try statement.run()
        try write(files)
    }

    /// The row of `feed`, each value with its column.
    private func values(stopTimes: Int, latestTime: Int64?) -> KeyValuePairs<String, SQLiteValue> {
        [
            "id": .integer(1),
            "content_hash": .text(contentHash),
            "source": .text(source),
            "options": .text(options),
            "start_date": days.map { .integer($0.lowerBound) } ?? .null,
            "end_date": days.map { .integer($0.upperBound) } ?? .null,
            "stop_count": .integer(Int64(rows.stops)),
            "route_count": .integer(Int64(rows.routes)),
            "trip_count": .integer(Int64(rows.trips)),
            "stop_time_count": .integer(Int64(stopTimes)),
            "latest_time": latestTime.map(SQLiteValue.integer) ?? .null,
            "earliest_time": .integer(earliestRide),
            "longest_dwell": .integer(dwell.longest),
            "shortest_dwell": .integer(dwell.shortest),
            "timezone": .text(timezone),
            "notice_count": .integer(Int64(noticeCount)),
            "tool_version": .text(ToolVersion.number),
            "schema_version": .integer(Int64(StoreSchema.version)),
            "specification": .text(Specification.revision),
            "sqlite_version": .text(Connection.libraryVersion),
            "icu_version": .text(ICULibrary.version),
        ]
    }

    /// The greatest time of the stored calls. The table is queried only if that time may belong to a duplicate.
    private func latestTime(_ times: GreatestTime?) throws(SQLiteError) -> Int64? {
        guard let times else { return nil }
        guard hasLateDuplicates, times.ofDoubtful > times.ofStored else {
            let greatest = max(times.ofStored, times.ofDoubtful)
            return greatest < 0 ? nil : greatest
        }
        let fields = Specification.gtfs.file(ofTable: "stop_time")?.fields.filter { $0.type == .time } ?? []
        let greatest = fields.map { "max(\(StoreSchema.quoted($0.column)))" }.joined(separator: ", ")
        let row = try connection.prepare("SELECT \(greatest) FROM stop_time")
        guard try row.step() else { return nil }
        return fields.indices.compactMap { row.isNull($0) ? nil : row.integer($0) }.max()
    }

    private func write(_ files: [FileSummary]) throws(SQLiteError) {
        let statement = try connection.prepare(
            """
            INSERT INTO feed_file (name, "table", view, encoding, row_count, kept_row_count, left_out_count, bytes) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for file in files {
            statement.bind(1, file.file)
            statement.bind(2, file.table)
            statement.bind(3, file.view)
            statement.bind(4, file.encoding)
            statement.bind(5, Int64(file.rows))
            statement.bind(6, Int64(file.keptRows))
            statement.bind(7, Int64(file.leftOut))
            statement.bind(8, Int64(clamping: file.bytes))
            try statement.run()
        }
    }
}
