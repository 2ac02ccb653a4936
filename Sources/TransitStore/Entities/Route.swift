/// A line as riders know it: a row of routes.txt.
public final class Route: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, route_id, agency, short_name, long_name, description, route_type, url, color, text_color, sort_order
        case continuous_pickup, continuous_drop_off, network_id, cemv_support
    }

    public static let entity = EntityDescription(
        Route.self, name: "Route", table: "route",
        columns: [
            .key("id"), .text("route_id"), .reference("agency", to: "agency"), .text("short_name"),
            .text("long_name"), .optionalText("description"), .integer("route_type"), .optionalText("url"),
            .optionalText("color"), .optionalText("text_color"), .optionalInteger("sort_order"),
            .optionalInteger("continuous_pickup"), .optionalInteger("continuous_drop_off"),
            .optionalText("network_id"), .integer("cemv_support"),
        ],
        toMany: [
            ToManyDescription("trips", to: "trip", inverse: "route"),
            ToManyDescription("transfersFrom", to: "transfer", inverse: "from_route"),
            ToManyDescription("transfersTo", to: "transfer", inverse: "to_route"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `route_id` of routes.txt.
    public var routeID: String { text(Column.route_id.rawValue) }
    /// `agency_id` of routes.txt.
    public var agency: Agency? { optionalToOne(Column.agency.rawValue) }
    /// `route_short_name` of routes.txt.
    public var shortName: String { text(Column.short_name.rawValue) }
    /// `route_long_name` of routes.txt.
    public var longName: String { text(Column.long_name.rawValue) }
    /// `route_desc` of routes.txt.
    public var description: String? { optionalText(Column.description.rawValue) }
    /// `route_type` of routes.txt.
    public var routeType: Int { integer(Column.route_type.rawValue) }
    /// `route_url` of routes.txt.
    public var url: String? { optionalText(Column.url.rawValue) }
    /// `route_color` of routes.txt.
    public var color: String? { optionalText(Column.color.rawValue) }
    /// `route_text_color` of routes.txt.
    public var textColor: String? { optionalText(Column.text_color.rawValue) }
    /// `route_sort_order` of routes.txt.
    public var sortOrder: Int? { optionalInteger(Column.sort_order.rawValue) }
    /// `continuous_pickup` of routes.txt.
    public var continuousPickup: Int? { optionalInteger(Column.continuous_pickup.rawValue) }
    /// `continuous_drop_off` of routes.txt.
    public var continuousDropOff: Int? { optionalInteger(Column.continuous_drop_off.rawValue) }
    /// `network_id` of routes.txt.
    public var networkID: String? { optionalText(Column.network_id.rawValue) }
    /// `cemv_support` of routes.txt.
    public var cemvSupport: Int { integer(Column.cemv_support.rawValue) }

    /// The trips of this route.
    public var trips: Related<Trip> { toMany(0) }

    /// Transfers from this route.
    public var transfersFrom: Related<Transfer> { toMany(1) }

    /// Transfers to this route.
    public var transfersTo: Related<Transfer> { toMany(2) }
}
