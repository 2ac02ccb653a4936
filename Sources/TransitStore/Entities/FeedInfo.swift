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

    /// The row’s number in its file minus 1; the key that references hold.
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
