import GTFSSchema
import SQLite

/// What a published store records about itself, for comparing a new store with it and for reports.
///
///     LiveStore(path: "berlin.sqlite")?.counts.stopTimes
///
/// Reads few rows, whatever the size of the store. Also reads stores with another version of the layout, if they have
/// the same tables and columns.
package struct LiveStore {
    let counts: StoreCounts
    package let contentHash: String
    /// The days covered, as YYYYMMDD; nil where no service runs.
    package let firstDay: Int?
    package let lastDay: Int?
    /// Rows of each file, by name.
    package let rows: [(file: String, count: Int)]
    /// Worst first, then by code.
    package let notices: [ImportReport.NoticeCount]

    /// Nil if the file is not a store of import-gtfs, or cannot be read.
    package init?(path: String) {
        do {
            let connection = try PublishedStore.open(path)
            guard try connection.integer("PRAGMA application_id") == Int64(StoreSchema.applicationID) else {
                return nil
            }
            try self.init(connection)
        } catch {
            return nil
        }
    }

    private init(_ connection: Connection) throws {
        let feed = try connection.prepare(
            "SELECT stop_count, trip_count, stop_time_count, content_hash, start_date, end_date FROM feed")
        guard try feed.step() else { throw ImportError(.inputOutput, "the store has no row in feed") }
        counts = StoreCounts(
            stops: Int(feed.integer(0)), trips: Int(feed.integer(1)), stopTimes: Int(feed.integer(2)))
        contentHash = feed.text(3) ?? ""
        firstDay = feed.isNull(4) ? nil : Int(feed.integer(4))
        lastDay = feed.isNull(5) ? nil : Int(feed.integer(5))
        var rows: [(file: String, count: Int)] = []
        let files = try connection.prepare("SELECT name, row_count FROM feed_file ORDER BY name")
        while try files.step() { rows.append((files.text(0) ?? "", Int(files.integer(1)))) }
        self.rows = rows
        var notices: [ImportReport.NoticeCount] = []
        let totals = try connection.prepare(
            "SELECT code, severity, count FROM notice_total "
                + "ORDER BY severity <> 'ERROR', severity <> 'WARNING', code")
        while try totals.step() {
            notices.append(
                .init(code: totals.text(0) ?? "", severity: totals.text(1) ?? "", count: Int(totals.integer(2))))
        }
        self.notices = notices
    }
}

/// How many stops, trips and stop times a store has.
struct StoreCounts: Equatable {
    let stops: Int
    let trips: Int
    let stopTimes: Int

    /// With names for people, usually the largest count first.
    var named: [(name: String, count: Int)] {
        [("stop times", stopTimes), ("trips", trips), ("stops", stops)]
    }

    init(stops: Int, trips: Int, stopTimes: Int) {
        (self.stops, self.trips, self.stopTimes) = (stops, trips, stopTimes)
    }

    /// The counts of a store that is not finished. Stop times were counted while they were read, as for the row in
    /// `feed`.
    init(of connection: Connection, files: [FileSummary]) throws(SQLiteError) {
        let stopTimes = files.first { $0.table == "stop_time" }.map { $0.rows - $0.keptRows }
        self.init(
            stops: Int(try connection.integer("SELECT count(*) FROM stop") ?? 0),
            trips: Int(try connection.integer("SELECT count(*) FROM trip") ?? 0), stopTimes: stopTimes ?? 0)
    }
}
