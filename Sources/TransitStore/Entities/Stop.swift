/// A place where vehicles stop, or a station, entrance or part of one: a row of stops.txt.
public final class Stop: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, stop_id, code, name, tts_name, description, latitude, longitude, zone_id, url, location_type
        case parent_station, timezone, wheelchair_boarding, level, platform_code, access, normalized_name
    }

    public static let entity = EntityDescription(
        Stop.self, name: "Stop", table: "stop",
        columns: [
            .key("id"), .text("stop_id"), .optionalText("code"), .text("name"), .optionalText("tts_name"),
            .optionalText("description"), .degrees("latitude"), .degrees("longitude"), .optionalText("zone_id"),
            .optionalText("url"), .integer("location_type"), .reference("parent_station", to: "stop"),
            .optionalText("timezone"), .integer("wheelchair_boarding"), .reference("level", to: "level"),
            .optionalText("platform_code"), .optionalInteger("access"), .text("normalized_name"),
        ],
        toMany: [
            ToManyDescription("stopTimes", to: "stop_time", inverse: "stop", orderedBy: "departure_time"),
            ToManyDescription("childStops", to: "stop", inverse: "parent_station"),
            ToManyDescription("searchTerms", to: "search_term", inverse: "stop"),
            ToManyDescription("transfersFrom", to: "transfer", inverse: "from_stop"),
            ToManyDescription("transfersTo", to: "transfer", inverse: "to_stop"),
            ToManyDescription("pathwaysFrom", to: "pathway", inverse: "from_stop"),
            ToManyDescription("pathwaysTo", to: "pathway", inverse: "to_stop"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `stop_id` of stops.txt.
    public var stopID: String { text(Column.stop_id.rawValue) }
    /// `stop_code` of stops.txt.
    public var code: String? { optionalText(Column.code.rawValue) }
    /// `stop_name` of stops.txt.
    public var name: String { text(Column.name.rawValue) }
    /// `tts_stop_name` of stops.txt.
    public var ttsName: String? { optionalText(Column.tts_name.rawValue) }
    /// `stop_desc` of stops.txt.
    public var description: String? { optionalText(Column.description.rawValue) }
    /// `stop_lat` of stops.txt.
    public var latitude: Double { degrees(Column.latitude.rawValue) }
    /// `stop_lon` of stops.txt.
    public var longitude: Double { degrees(Column.longitude.rawValue) }
    /// `zone_id` of stops.txt.
    public var zoneID: String? { optionalText(Column.zone_id.rawValue) }
    /// `stop_url` of stops.txt.
    public var url: String? { optionalText(Column.url.rawValue) }
    /// `location_type` of stops.txt.
    public var locationType: Int { integer(Column.location_type.rawValue) }
    /// `parent_station` of stops.txt.
    public var parentStation: Stop? { optionalToOne(Column.parent_station.rawValue) }
    /// `stop_timezone` of stops.txt.
    public var timezone: String? { optionalText(Column.timezone.rawValue) }
    /// `wheelchair_boarding` of stops.txt.
    public var wheelchairBoarding: Int { integer(Column.wheelchair_boarding.rawValue) }
    /// `level_id` of stops.txt.
    public var level: Level? { optionalToOne(Column.level.rawValue) }
    /// `platform_code` of stops.txt.
    public var platformCode: String? { optionalText(Column.platform_code.rawValue) }
    /// `stop_access` of stops.txt.
    public var access: Int? { optionalInteger(Column.access.rawValue) }
    /// The name without case and diacritics, as SearchText.normalize makes it.
    public var normalizedName: String { text(Column.normalized_name.rawValue) }

    /// Every call at this stop, by departure time.
    public var stopTimes: Related<StopTime> { toMany(0) }

    /// The platforms, entrances and other parts of this station.
    public var childStops: Related<Stop> { toMany(1) }

    /// The words of the stop’s name.
    public var searchTerms: Related<SearchTerm> { toMany(2) }

    /// Transfers that begin here.
    public var transfersFrom: Related<Transfer> { toMany(3) }

    /// Transfers that end here.
    public var transfersTo: Related<Transfer> { toMany(4) }

    /// Pathways that begin here.
    public var pathwaysFrom: Related<Pathway> { toMany(5) }

    /// Pathways that end here.
    public var pathwaysTo: Related<Pathway> { toMany(6) }
}
