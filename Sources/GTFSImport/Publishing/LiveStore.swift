import CivilTime
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
    /// Rows of each file, by name.
    package let rows: [(file: String, count: Int)]
    /// Worst first, then by code.
    package let notices: [ImportReport.NoticeCount]

    /// Nil if the file is not a store of import-gtfs, or is damaged. Throws `inputOutput` if the machine cannot read
    /// it.
    static func find(_ path: String) throws(ImportError) -> LiveStore? {
        try PublishedStore.reading(path) { connection in try LiveStore(connection) }
    }

    /// As `find`; nil also if the machine cannot read the file. For reports, which then say less.
    package init?(path: String) {
        guard let found = try? Self.find(path) else { return nil }
        self = found
    }

    private init?(_ connection: Connection) throws {
        // A damaged store may have any number. From counts that are not negative, any other can be subtracted.
        func count(_ row: Statement, _ column: Int) -> Int { Int(max(0, row.integer(column))) }
        let feed = try connection.prepare(
            "SELECT stop_count, trip_count, stop_time_count, content_hash FROM feed")
        guard try feed.step() else { return nil }
        counts = StoreCounts(
            stops: count(feed, 0), trips: count(feed, 1), stopTimes: count(feed, 2))
        contentHash = feed.text(3) ?? ""
        var rows: [(file: String, count: Int)] = []
        let files = try connection.prepare("SELECT name, row_count FROM feed_file ORDER BY name")
        while try files.step() { rows.append((files.text(0) ?? "", count(files, 1))) }
        self.rows = rows
        var notices: [ImportReport.NoticeCount] = []
        let totals = try connection.prepare(
            "SELECT code, severity, count FROM notice_total "
                + "ORDER BY severity <> 'ERROR', severity <> 'WARNING', code")
        while try totals.step() {
            notices.append(
                .init(code: totals.text(0) ?? "", severity: totals.text(1) ?? "", count: count(totals, 2)))
        }
        self.notices = notices
    }
}

/// The first and the last day on which a trip with calls runs. The dates in a store's `feed` also count services
/// without trips.
///
/// Looks for such a trip of each service, and goes through the days from both ends up to one with trips.
package struct DaysWithTrips {
    package let first: CivilDay
    package let last: CivilDay

    /// An SQL condition for the rows of `trip` that have calls. Nobody can ride the others: a feed whose stop times
    /// were cut off still has all its trips.
    static let tripHasCalls = "EXISTS (SELECT 1 FROM stop_time WHERE stop_time.trip = trip.id)"

    /// Nil if no trip runs on any day.
    init?(_ connection: Connection) throws(SQLiteError) {
        let days =
            "SELECT date FROM service_day WHERE day_set IN (SELECT day_set FROM service "
            + "WHERE EXISTS (SELECT 1 FROM trip WHERE trip.service = service.id AND \(Self.tripHasCalls))) ORDER BY date"
        guard let first = try connection.integer("\(days) LIMIT 1"),
            let last = try connection.integer("\(days) DESC LIMIT 1"),
            let first = CivilDay(number: Int(first)), let last = CivilDay(number: Int(last))
        else { return nil }
        (self.first, self.last) = (first, last)
    }

    /// Nil also if the store cannot be read.
    package init?(storeAt path: String) {
        guard let connection = try? PublishedStore.open(path), let days = try? Self(connection) else { return nil }
        self = days
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
