/// What the importer knows about the feed and the store: one row.
public final class Feed: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, content_hash, source, options, start_date, end_date, stop_count, route_count, trip_count
        case stop_time_count, latest_time, earliest_time, longest_dwell, shortest_dwell, timezone, notice_count,
            tool_version
        case schema_version, specification, sqlite_version, icu_version
    }

    public static let entity = EntityDescription(
        Feed.self, name: "Feed", table: "feed",
        columns: [
            .key("id"), .text("content_hash"), .text("source"), .text("options"), .date("start_date"),
            .date("end_date"), .integer("stop_count"), .integer("route_count"), .integer("trip_count"),
            .integer("stop_time_count"), .time("latest_time"), .integer("earliest_time"), .integer("longest_dwell"),
            .integer("shortest_dwell"), .text("timezone"), .integer("notice_count"), .text("tool_version"),
            .integer("schema_version"), .text("specification"), .text("sqlite_version"), .text("icu_version"),
        ])

    /// The row’s key.
    public var id: Int { key(Column.id.rawValue) }
    /// `content_hash` of the table `feed`.
    public var contentHash: String { text(Column.content_hash.rawValue) }
    /// `source` of the table `feed`.
    public var source: String { text(Column.source.rawValue) }
    /// `options` of the table `feed`.
    public var options: String { text(Column.options.rawValue) }
    /// `start_date` of the table `feed`.
    public var startDate: ServiceDate? { date(Column.start_date.rawValue) }
    /// `end_date` of the table `feed`.
    public var endDate: ServiceDate? { date(Column.end_date.rawValue) }
    /// `stop_count` of the table `feed`.
    public var stopCount: Int { integer(Column.stop_count.rawValue) }
    /// `route_count` of the table `feed`.
    public var routeCount: Int { integer(Column.route_count.rawValue) }
    /// `trip_count` of the table `feed`.
    public var tripCount: Int { integer(Column.trip_count.rawValue) }
    /// `stop_time_count` of the table `feed`.
    public var stopTimeCount: Int { integer(Column.stop_time_count.rawValue) }
    /// `latest_time` of the table `feed`.
    public var latestTime: ServiceTime? { time(Column.latest_time.rawValue) }
    /// 0, or less where times of a repeated trip go backwards: seconds of the service day (`earliest_time`).
    public var earliestTime: Int { integer(Column.earliest_time.rawValue) }
    /// The longest time between a call's arrival and departure, in seconds (`longest_dwell`).
    public var longestDwell: Int { integer(Column.longest_dwell.rawValue) }
    /// The shortest one, in seconds; below 0 where a call departs before it arrives (`shortest_dwell`).
    public var shortestDwell: Int { integer(Column.shortest_dwell.rawValue) }
    /// The time zone of trips without a route: the first agency's, UTC where that does not exist (`timezone`).
    public var timezone: String { text(Column.timezone.rawValue) }
    /// `notice_count` of the table `feed`.
    public var noticeCount: Int { integer(Column.notice_count.rawValue) }
    /// `tool_version` of the table `feed`.
    public var toolVersion: String { text(Column.tool_version.rawValue) }
    /// `schema_version` of the table `feed`.
    public var schemaVersion: Int { integer(Column.schema_version.rawValue) }
    /// `specification` of the table `feed`.
    public var specification: String { text(Column.specification.rawValue) }
    /// `sqlite_version` of the table `feed`.
    public var sqliteVersion: String { text(Column.sqlite_version.rawValue) }
    /// `icu_version` of the table `feed`.
    public var icuVersion: String { text(Column.icu_version.rawValue) }
}
