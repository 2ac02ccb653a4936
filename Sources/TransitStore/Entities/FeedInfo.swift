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
    /// `feed_publisher_name` of feed_info.txt.
    public var publisherName: String { text(Column.publisher_name.rawValue) }
    /// `feed_publisher_url` of feed_info.txt.
    public var publisherURL: String { text(Column.publisher_url.rawValue) }
    /// `feed_lang` of feed_info.txt.
    public var language: String { text(Column.language.rawValue) }
    /// `default_lang` of feed_info.txt.
    public var defaultLanguage: String? { optionalText(Column.default_language.rawValue) }
    /// `feed_start_date` of feed_info.txt.
    public var startDate: ServiceDate { date(Column.start_date.rawValue) }
    /// `feed_end_date` of feed_info.txt.
    public var endDate: ServiceDate { date(Column.end_date.rawValue) }
    /// `feed_version` of feed_info.txt.
    public var version: String? { optionalText(Column.version.rawValue) }
    /// `feed_contact_email` of feed_info.txt.
    public var contactEmail: String? { optionalText(Column.contact_email.rawValue) }
    /// `feed_contact_url` of feed_info.txt.
    public var contactURL: String? { optionalText(Column.contact_url.rawValue) }
}
