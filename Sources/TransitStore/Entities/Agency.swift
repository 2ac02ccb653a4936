/// A company that runs vehicles: a row of agency.txt.
public final class Agency: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, agency_id, name, url, timezone, language, phone, fare_url, email, cemv_support
    }

    public static let entity = EntityDescription(
        Agency.self, name: "Agency", table: "agency",
        columns: [
            .key("id"), .text("agency_id"), .text("name"), .text("url"), .text("timezone"),
            .optionalText("language"), .optionalText("phone"), .optionalText("fare_url"), .optionalText("email"),
            .integer("cemv_support"),
        ],
        toMany: [
            ToManyDescription("routes", to: "route", inverse: "agency")
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `agency_id` of agency.txt.
    public var agencyID: String { text(Column.agency_id.rawValue) }
    /// `agency_name` of agency.txt.
    public var name: String { text(Column.name.rawValue) }
    /// `agency_url` of agency.txt.
    public var url: String { text(Column.url.rawValue) }
    /// `agency_timezone` of agency.txt.
    public var timezone: String { text(Column.timezone.rawValue) }
    /// `agency_lang` of agency.txt.
    public var language: String? { optionalText(Column.language.rawValue) }
    /// `agency_phone` of agency.txt.
    public var phone: String? { optionalText(Column.phone.rawValue) }
    /// `agency_fare_url` of agency.txt.
    public var fareURL: String? { optionalText(Column.fare_url.rawValue) }
    /// `agency_email` of agency.txt.
    public var email: String? { optionalText(Column.email.rawValue) }
    /// `cemv_support` of agency.txt.
    public var cemvSupport: Int { integer(Column.cemv_support.rawValue) }

    /// The agency’s routes.
    public var routes: Related<Route> { toMany(0) }
}
