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

    /// The row's number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the agency; it may be empty only where the feed has a single agency (`agency_id`). Empty
    /// when missing.
    public var agencyID: String { text(Column.agency_id.rawValue) }
    /// The agency's full name as riders know it (`agency_name`). Empty when missing.
    public var name: String { text(Column.name.rawValue) }
    /// The agency's web page, a full address beginning with http:// or https:// (`agency_url`). Empty when missing.
    public var url: String { text(Column.url.rawValue) }
    /// The time zone all times of the feed are told in, by its tz database name such as Europe/Berlin; the same for
    /// every agency (`agency_timezone`). Empty when missing.
    public var timezone: String { text(Column.timezone.rawValue) }
    /// The agency's main language as a BCP 47 tag such as de or zh-Hant (`agency_lang`).
    public var language: String? { optionalText(Column.language.rawValue) }
    /// A telephone number that a person answers, written as is usual in the region (`agency_phone`).
    public var phone: String? { optionalText(Column.phone.rawValue) }
    /// A web page that sells or explains the agency's tickets (`agency_fare_url`).
    public var fareURL: String? { optionalText(Column.fare_url.rawValue) }
    /// An address that the agency's customer service reads (`agency_email`).
    public var email: String? { optionalText(Column.email.rawValue) }
    /// Whether a bank card or phone held to the validator pays on this agency's vehicles, where the line does not say:
    /// 0 or empty not known, 1 yes, 2 no (`cemv_support`).
    public var cemvSupport: Availability { enumeration(Column.cemv_support.rawValue) }

    /// The agency's routes.
    public var routes: Related<Route> { toMany(0) }
}
