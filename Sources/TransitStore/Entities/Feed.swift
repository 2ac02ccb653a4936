/// What the importer knows about the feed and the store: one row.
///
/// Named after its table, as all entities are; it is not the feed that import-gtfs reads.
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

    /// The row's key: always 1.
    public var id: Int { key(Column.id.rawValue) }
    /// 32 hexadecimal digits; the same for feeds with the same files (`content_hash`).
    public var contentHash: String { text(Column.content_hash.rawValue) }
    /// The feed's name without its folder (`source`).
    public var source: String { text(Column.source.rawValue) }
    /// The options that decide what the store holds, such as `notices-per-code=1000` (`options`).
    public var options: String { text(Column.options.rawValue) }
    /// The first day of any calendar or added day; nil if there is none (`start_date`).
    public var startDate: ServiceDate? { date(Column.start_date.rawValue) }
    /// The last day of any calendar or added day; nil if there is none (`end_date`).
    public var endDate: ServiceDate? { date(Column.end_date.rawValue) }
    /// How many rows the table `stop` has (`stop_count`).
    public var stopCount: Int { integer(Column.stop_count.rawValue) }
    /// How many rows the table `route` has (`route_count`).
    public var routeCount: Int { integer(Column.route_count.rawValue) }
    /// How many rows the table `trip` has (`trip_count`).
    public var tripCount: Int { integer(Column.trip_count.rawValue) }
    /// How many rows the table `stop_time` has (`stop_time_count`).
    public var stopTimeCount: Int { integer(Column.stop_time_count.rawValue) }
    /// The greatest of all times; no ride of a repeated trip ends later; nil if there is none (`latest_time`).
    public var latestTime: ServiceTime? { time(Column.latest_time.rawValue) }
    /// 0, or less where times of a repeated trip go backwards: seconds of the service day (`earliest_time`).
    public var earliestTime: Int { integer(Column.earliest_time.rawValue) }
    /// An upper bound for the seconds from a call's arrival to its departure. Rows that repeat a key may count
    /// (`longest_dwell`).
    public var longestDwell: Int { integer(Column.longest_dwell.rawValue) }
    /// A lower bound for the same seconds: 0, or less if calls depart before they arrive. Rows that repeat a key may
    /// count (`shortest_dwell`).
    public var shortestDwell: Int { integer(Column.shortest_dwell.rawValue) }
    /// The time zone of trips without a route: the first agency's, UTC where that does not exist (`timezone`).
    public var timezone: String { text(Column.timezone.rawValue) }
    /// How many notices the import gave, with those that `notice` does not list (`notice_count`).
    public var noticeCount: Int { integer(Column.notice_count.rawValue) }
    /// The version of import-gtfs that made the store, such as 0.1.0 (`tool_version`).
    public var toolVersion: String { text(Column.tool_version.rawValue) }
    /// The version of the store's layout, as in `PRAGMA user_version` (`schema_version`).
    public var schemaVersion: Int { integer(Column.schema_version.rawValue) }
    /// The date of the GTFS reference that the store follows, as YYYY-MM-DD (`specification`).
    public var specification: String { text(Column.specification.rawValue) }
    /// The version of SQLite that made the store (`sqlite_version`).
    public var sqliteVersion: String { text(Column.sqlite_version.rawValue) }
    /// The version of ICU that made the search terms (`icu_version`).
    public var icuVersion: String { text(Column.icu_version.rawValue) }
}

/// What the feed says about itself: the row of feed_info.txt.
public final class FeedInfo: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, publisher_name, publisher_url, language, default_language, start_date, end_date, version, contact_email
        case contact_url
    }

    public static let entity = EntityDescription(
        FeedInfo.self, name: "FeedInfo", table: "feed_info",
        columns: [
            .key("id"), .text("publisher_name"), .text("publisher_url"), .text("language"),
            .optionalText("default_language"), .date("start_date"), .date("end_date"), .optionalText("version"),
            .optionalText("contact_email"), .optionalText("contact_url"),
        ])

    /// The row's number in its file minus 1.
    public var id: Int { key(Column.id.rawValue) }
    /// The publisher's full name, which may be the agency's (`feed_publisher_name`). Empty when missing.
    public var publisherName: String { text(Column.publisher_name.rawValue) }
    /// The publisher's web page (`feed_publisher_url`). Empty when missing.
    public var publisherURL: String { text(Column.publisher_url.rawValue) }
    /// The language of the feed's texts as a BCP 47 tag; mul where texts are in several (`feed_lang`). Empty when
    /// missing.
    public var language: String { text(Column.language.rawValue) }
    /// The language to show to riders whose own language is not known, as a BCP 47 tag (`default_lang`).
    public var defaultLanguage: String? { optionalText(Column.default_language.rawValue) }
    /// The first day for which the feed's timetable is complete, as YYYYMMDD (`feed_start_date`).
    public var startDate: ServiceDate? { date(Column.start_date.rawValue) }
    /// The last day for which the feed's timetable is complete, as YYYYMMDD (`feed_end_date`).
    public var endDate: ServiceDate? { date(Column.end_date.rawValue) }
    /// The publisher's own name for this edition of the feed (`feed_version`).
    public var version: String? { optionalText(Column.version.rawValue) }
    /// An address for questions about the data, not about travel (`feed_contact_email`).
    public var contactEmail: String? { optionalText(Column.contact_email.rawValue) }
    /// A web page for questions about the data, not about travel (`feed_contact_url`).
    public var contactURL: String? { optionalText(Column.contact_url.rawValue) }
}

/// A text in another language: a row of translations.txt.
public final class Translation: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, table_name, field_name, language, translation, record_id, record_sub_id, field_value
    }

    public static let entity = EntityDescription(
        Translation.self, name: "Translation", table: "translation",
        columns: [
            .key("id"), .text("table_name"), .text("field_name"), .text("language"), .text("translation"),
            .text("record_id"), .text("record_sub_id"), .text("field_value"),
        ])

    /// The row's number in its file minus 1.
    public var id: Int { key(Column.id.rawValue) }
    /// The file whose text is translated, without its ending, such as stops or routes (`table_name`). Empty when
    /// missing.
    public var tableName: String { text(Column.table_name.rawValue) }
    /// The field whose text is translated, such as stop_name (`field_name`). Empty when missing.
    public var fieldName: String { text(Column.field_name.rawValue) }
    /// The language of the translation as a BCP 47 tag such as en or zh-Hant (`language`). Empty when missing.
    public var language: String { text(Column.language.rawValue) }
    /// The text in that language (`translation`). Empty when missing.
    public var translation: String { text(Column.translation.rawValue) }
    /// The first key of the translated record, such as the stop_id; empty where field_value is given, and for feed_info
    /// (`record_id`). Empty when missing.
    public var recordID: String { text(Column.record_id.rawValue) }
    /// The second key of the translated record where one is not enough, such as the stop_sequence of a stop time
    /// (`record_sub_id`). Empty when missing.
    public var recordSubID: String { text(Column.record_sub_id.rawValue) }
    /// The original words, which are translated wherever the field holds them; empty where record_id is given, and for
    /// feed_info (`field_value`). Empty when missing.
    public var fieldValue: String { text(Column.field_value.rawValue) }
}
