import GTFSSchema

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

    /// The row's number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the place, unique also among location groups and GeoJSON locations (`stop_id`). Empty when
    /// missing.
    public var stopID: String { text(Column.stop_id.rawValue) }
    /// The short code riders see on the sign or type into a telephone service (`stop_code`).
    public var code: String? { optionalText(Column.code.rawValue) }
    /// The name on the sign; stops, stations and entrances must have one (`stop_name`). Empty when missing.
    public var name: String { text(Column.name.rawValue) }
    /// The name spelled so that a computer voice says it well, with abbreviations written out (`tts_stop_name`).
    public var ttsName: String? { optionalText(Column.tts_name.rawValue) }
    /// A sentence that helps to find the place and says more than the name (`stop_desc`).
    public var description: String? { optionalText(Column.description.rawValue) }
    /// WGS 84 latitude of the place in degrees, -90 to 90; only nodes and boarding areas may lack it (`stop_lat`).
    public var latitude: Double? { degrees(Column.latitude.rawValue) }
    /// WGS 84 longitude of the place in degrees, -180 to 180; only nodes and boarding areas may lack it (`stop_lon`).
    public var longitude: Double? { degrees(Column.longitude.rawValue) }
    /// The fare zone the stop lies in, which fare_rules.txt refers to; of no effect on stations and entrances
    /// (`zone_id`).
    public var zoneID: String? { optionalText(Column.zone_id.rawValue) }
    /// A web page about this one place (`stop_url`).
    public var url: String? { optionalText(Column.url.rawValue) }
    /// What kind of place it is: 0 or empty a stop or platform, 1 a station, 2 an entrance, 3 a node of the footways, 4
    /// a boarding area on a platform (`location_type`).
    public var locationType: LocationType { enumeration(Column.location_type.rawValue) }
    /// The place that contains this one: the station of a platform, entrance or node, the platform of a boarding area;
    /// empty for a station (`parent_station`).
    public var parentStation: Stop? { optionalToOne(Column.parent_station.rawValue) }
    /// The time zone clocks show at this place where it differs from the agency's; a place within a station takes the
    /// station's (`stop_timezone`).
    public var timezone: String? { optionalText(Column.timezone.rawValue) }
    /// Whether a wheelchair user can board here: 0 or empty not known or as at the station, 1 yes at least in part, 2
    /// no (`wheelchair_boarding`).
    public var wheelchairBoarding: Availability { enumeration(Column.wheelchair_boarding.rawValue) }
    /// The storey of the station on which the place lies (`level_id`).
    public var level: Level? { optionalToOne(Column.level.rawValue) }
    /// The platform's number or letter alone, such as 3 or G, without the word platform (`platform_code`).
    public var platformCode: String? { optionalText(Column.platform_code.rawValue) }
    /// How a platform of a station is reached: 0 only by the station's footways, 1 straight from the street; empty
    /// where it is not known (`stop_access`).
    public var access: StopAccess? { optionalEnumeration(Column.access.rawValue) }
    /// The name without case and diacritics, as `String.folded` makes it.
    public var normalizedName: String { text(Column.normalized_name.rawValue) }

    /// Every call at this stop, by departure time.
    public var stopTimes: Related<StopTime> { toMany(0) }

    /// The platforms, entrances and other parts of this station.
    public var childStops: Related<Stop> { toMany(1) }

    /// The words of the stop's name and of its translations, each once.
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

/// A word of a stop's name or of its translation, for searching by prefix.
public final class SearchTerm: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case normalized_word, stop
    }

    public static let entity = EntityDescription(
        SearchTerm.self, name: "SearchTerm", table: "search_term",
        key: .values([Column.normalized_word.rawValue, Column.stop.rawValue]),
        columns: [
            .text("normalized_word"), .reference("stop", to: "stop", required: true),
        ])

    /// The word without case and diacritics, as `String.folded` makes it.
    public var normalizedWord: String { text(Column.normalized_word.rawValue) }
    /// The stop whose name or translation has the word.
    public var stop: Stop { toOne(Column.stop.rawValue) }
}

/// The sub-entities of stop, told apart by location_type (GTFS reference, stops.txt).
///
///     let stations = FetchRequest<Stop>(kind: .station)      // WHERE t0.location_type = 1
extension LocationType {
    /// The sub-entity's name, such as `Station`; nil for a number that GTFS does not know.
    public var entityName: String? { isKnown ? description.prefix(1).uppercased() + description.dropFirst() : nil }

    init?(entityName: String) {
        guard let kind = Self.knownValues.first(where: { $0.entityName == entityName }) else { return nil }
        self = kind
    }
}

extension FetchRequest where Entity == Stop {
    /// A request for the stops of one sub-entity.
    ///
    ///     let stations = FetchRequest<Stop>(kind: .station, where: .name(hasWords: "bahn"))
    public init(kind: LocationType, where predicate: Condition<Stop> = .all) {
        guard let name = kind.entityName else {
            let isOfKind: QueryExpression = .comparison(
                .equal, .property(.root, ["locationType"]), .value(kind.queryValue))
            self.init(where: Condition(isOfKind) && predicate)
            return
        }
        self.init(entity: name, where: predicate)
    }
}

extension Stop {
    /// The topmost parent, as unsaved changes have it.
    var topmost: Stop { Self.topmost(of: self) { $0.parentStation } }

    /// The topmost parent of a place, which may be an object or a row. The place itself if it has too many levels of
    /// parents, as in a feed whose parents form a cycle. `parent` returns nil for a place without a parent, and for one
    /// whose parent the store does not have.
    static func topmost<Place>(of place: Place, parent: (Place) throws -> Place?) rethrows -> Place {
        var top = place
        for _ in 0..<StoreSchema.mostParentLevels {
            guard let next = try parent(top) else { return top }
            top = next
        }
        return place
    }
}
