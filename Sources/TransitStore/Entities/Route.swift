/// A line as riders know it: a row of routes.txt.
public final class Route: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, route_id, agency, short_name, long_name, description, route_type, url, color, text_color, sort_order
        case continuous_pickup, continuous_drop_off, network_id, cemv_support, timezone
    }

    public static let entity = EntityDescription(
        Route.self, name: "Route", table: "route",
        columns: [
            .key("id"), .text("route_id"), .reference("agency", to: "agency"), .text("short_name"),
            .text("long_name"), .optionalText("description"), .optionalInteger("route_type"), .optionalText("url"),
            .optionalText("color"), .optionalText("text_color"), .optionalInteger("sort_order"),
            .optionalInteger("continuous_pickup"), .optionalInteger("continuous_drop_off"),
            .optionalText("network_id"), .integer("cemv_support"), .text("timezone"),
        ],
        toMany: [
            ToManyDescription("trips", to: "trip", inverse: "route"),
            ToManyDescription("transfersFrom", to: "transfer", inverse: "from_route"),
            ToManyDescription("transfersTo", to: "transfer", inverse: "to_route"),
        ])

    /// The row's number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the line (`route_id`). Empty when missing.
    public var routeID: String { text(Column.route_id.rawValue) }
    /// The agency that runs the line; it may be empty where the feed has a single agency (`agency_id`).
    /// `operatingAgency` fills that gap.
    public var agency: Agency? { optionalToOne(Column.agency.rawValue) }
    /// The line's number or letter, at best no more than 12 characters; either this or the long name must be given
    /// (`route_short_name`). Empty when missing.
    public var shortName: String { text(Column.short_name.rawValue) }
    /// The line's full name, often its two ends; either this or the short name must be given (`route_long_name`). Empty
    /// when missing.
    public var longName: String { text(Column.long_name.rawValue) }
    /// A sentence about the line that says more than its names (`route_desc`).
    public var description: String? { optionalText(Column.description.rawValue) }
    /// The kind of vehicle: 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry, 5 cable tram, 6 aerial lift, 7 funicular, 11
    /// trolleybus, 12 monorail (`route_type`).
    public var routeType: RouteType? { optionalEnumeration(Column.route_type.rawValue) }
    /// A web page about this one line (`route_url`).
    public var url: String? { optionalText(Column.url.rawValue) }
    /// The line's colour on maps and signs as six hexadecimal digits RRGGBB; empty means white, FFFFFF (`route_color`).
    public var color: String? { optionalText(Column.color.rawValue) }
    /// The colour of text that stays readable on route_color, six hexadecimal digits RRGGBB; empty means black, 000000
    /// (`route_text_color`).
    public var textColor: String? { optionalText(Column.text_color.rawValue) }
    /// The line's place in a list for riders, 0 or more, smallest first (`route_sort_order`).
    public var sortOrder: Int? { optionalInteger(Column.sort_order.rawValue) }
    /// Whether riders may board between stops on every trip of the line: 0 yes, 1 or empty no, 2 by phoning the agency,
    /// 3 by arrangement with the driver (`continuous_pickup`).
    public var continuousPickup: ContinuousStopping? { optionalEnumeration(Column.continuous_pickup.rawValue) }
    /// Whether riders may alight between stops on every trip of the line: 0 yes, 1 or empty no, 2 by phoning the
    /// agency, 3 by arrangement with the driver (`continuous_drop_off`).
    public var continuousDropOff: ContinuousStopping? { optionalEnumeration(Column.continuous_drop_off.rawValue) }
    /// The fare network the line belongs to; not used together with networks.txt or route_networks.txt (`network_id`).
    public var networkID: String? { optionalText(Column.network_id.rawValue) }
    /// Whether a bank card or phone held to the validator pays on this line, whatever the agency's row says: 0 or empty
    /// not known, 1 yes, 2 no (`cemv_support`).
    public var cemvSupport: Availability { enumeration(Column.cemv_support.rawValue) }

    /// The time zone that the route's trips run in: that of its agency, or of the first agency where it names none or
    /// an unknown one; UTC where that zone does not exist (`timezone`, made when importing).
    public var timezone: String { text(Column.timezone.rawValue) }

    /// The trips of this route.
    public var trips: Related<Trip> { toMany(0) }

    /// Transfers from this route.
    public var transfersFrom: Related<Transfer> { toMany(1) }

    /// Transfers to this route.
    public var transfersTo: Related<Transfer> { toMany(2) }

    /// The agency that runs the line: the one that the feed names, or the only one of a feed that names none. One feed
    /// in five leaves `agency_id` empty, which it may do if it has a single agency.
    ///
    ///     print(route.operatingAgency?.name ?? "several agencies")
    ///
    /// Runs a statement if the line names no agency. If the store cannot be read, this is nil and the context's
    /// `lastError` tells why. Requests refuse it, because no column holds it; they take `agency`, which is what the
    /// feed says.
    public var operatingAgency: Agency? {
        guard let context else { return nil }
        if let agency { return agency }
        do {
            var request = FetchRequest<Agency>(limit: 2)
            request.affectedStores = [try context.homeStore(of: objectID)]
            let agencies = try context.fetch(request)
            return agencies.count == 1 ? agencies[0] : nil
        } catch {
            context.lastError = StoreError(any: error)
            return nil
        }
    }
}
