// The values that GTFS enumerates (https://gtfs.org/documentation/schedule/reference/), except kinds of vehicles.

/// What kind of place a stop is (`location_type`); a platform if the feed does not say.
public struct LocationType: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A stop, or a platform within a station.
    public static let platform = LocationType(rawValue: 0)
    /// A station: platforms, entrances and nodes lie in it.
    public static let station = LocationType(rawValue: 1)
    /// Where a station is entered or left.
    public static let entrance = LocationType(rawValue: 2)
    /// A point within a station that footways lead through.
    public static let genericNode = LocationType(rawValue: 3)
    /// A part of a platform.
    public static let boardingArea = LocationType(rawValue: 4)

    public static var names: KeyValuePairs<Self, String> {
        [
            .platform: "platform", .station: "station", .entrance: "entrance", .genericNode: "genericNode",
            .boardingArea: "boardingArea",
        ]
    }

    public var isPlatform: Bool { self == .platform }
    public var isStation: Bool { self == .station }
    public var isEntrance: Bool { self == .entrance }
    public var isGenericNode: Bool { self == .genericNode }
    public var isBoardingArea: Bool { self == .boardingArea }
}

/// Whether something is possible (`wheelchair_boarding`, `wheelchair_accessible`, `bikes_allowed`, `cars_allowed`,
/// `cemv_support`).
public struct Availability: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The feed does not say.
    public static let unknown = Availability(rawValue: 0)
    public static let available = Availability(rawValue: 1)
    public static let unavailable = Availability(rawValue: 2)

    public static var names: KeyValuePairs<Self, String> {
        [.unknown: "unknown", .available: "available", .unavailable: "unavailable"]
    }

    public var isUnknown: Bool { self == .unknown }
    public var isAvailable: Bool { self == .available }
    public var isUnavailable: Bool { self == .unavailable }
}

/// How a platform of a station is reached (`stop_access`).
public struct StopAccess: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Only by the station's footways.
    public static let throughStation = StopAccess(rawValue: 0)
    /// Straight from the street.
    public static let fromStreet = StopAccess(rawValue: 1)

    public static var names: KeyValuePairs<Self, String> {
        [
            .throughStation: "throughStation", .fromStreet: "fromStreet",
        ]
    }

    public var isThroughStation: Bool { self == .throughStation }
    public var isFromStreet: Bool { self == .fromStreet }
}

/// In which of two directions a trip runs (`direction_id`). GTFS does not say which direction is which.
public struct Direction: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let outbound = Direction(rawValue: 0)
    public static let inbound = Direction(rawValue: 1)

    public static var names: KeyValuePairs<Self, String> { [.outbound: "outbound", .inbound: "inbound"] }

    public var isOutbound: Bool { self == .outbound }
    public var isInbound: Bool { self == .inbound }
}

/// How riders board or alight at a call (`pickup_type`, `drop_off_type`).
public struct BoardingType: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// As scheduled.
    public static let regular = BoardingType(rawValue: 0)
    /// Not at all.
    public static let notAvailable = BoardingType(rawValue: 1)
    /// By phoning the agency.
    public static let phoneAgency = BoardingType(rawValue: 2)
    /// By arrangement with the driver.
    public static let coordinateWithDriver = BoardingType(rawValue: 3)

    public static var names: KeyValuePairs<Self, String> {
        [
            .regular: "regular", .notAvailable: "notAvailable", .phoneAgency: "phoneAgency",
            .coordinateWithDriver: "coordinateWithDriver",
        ]
    }

    public var isRegular: Bool { self == .regular }
    public var isNotAvailable: Bool { self == .notAvailable }
    public var isPhoneAgency: Bool { self == .phoneAgency }
    public var isCoordinateWithDriver: Bool { self == .coordinateWithDriver }
}

/// Whether riders board or alight between calls (`continuous_pickup`, `continuous_drop_off`).
public struct ContinuousStopping: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Anywhere along the way.
    public static let continuous = ContinuousStopping(rawValue: 0)
    /// Not at all.
    public static let notAvailable = ContinuousStopping(rawValue: 1)
    /// By phoning the agency.
    public static let phoneAgency = ContinuousStopping(rawValue: 2)
    /// By arrangement with the driver.
    public static let coordinateWithDriver = ContinuousStopping(rawValue: 3)

    public static var names: KeyValuePairs<Self, String> {
        [
            .continuous: "continuous", .notAvailable: "notAvailable", .phoneAgency: "phoneAgency",
            .coordinateWithDriver: "coordinateWithDriver",
        ]
    }

    public var isContinuous: Bool { self == .continuous }
    public var isNotAvailable: Bool { self == .notAvailable }
    public var isPhoneAgency: Bool { self == .phoneAgency }
    public var isCoordinateWithDriver: Bool { self == .coordinateWithDriver }
}

/// Whether a vehicle keeps the times of a call (`timepoint`). If a feed does not say, GTFS considers them exact.
public struct Timepoint: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let approximate = Timepoint(rawValue: 0)
    public static let exact = Timepoint(rawValue: 1)

    public static var names: KeyValuePairs<Self, String> { [.approximate: "approximate", .exact: "exact"] }

    public var isApproximate: Bool { self == .approximate }
    public var isExact: Bool { self == .exact }
}

/// What happens on a date of calendar_dates.txt (`exception_type`).
public struct ExceptionType: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The service runs.
    public static let added = ExceptionType(rawValue: 1)
    /// The service does not run.
    public static let removed = ExceptionType(rawValue: 2)

    public static var names: KeyValuePairs<Self, String> { [.added: "added", .removed: "removed"] }

    public var isAdded: Bool { self == .added }
    public var isRemoved: Bool { self == .removed }
}

/// What a row of transfers.txt says about a change (`transfer_type`).
public struct TransferType: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A good place to change.
    public static let recommended = TransferType(rawValue: 0)
    /// The next vehicle waits.
    public static let timed = TransferType(rawValue: 1)
    /// The change takes at least `minTransferTime`.
    public static let minimumTime = TransferType(rawValue: 2)
    public static let notPossible = TransferType(rawValue: 3)
    /// Riders stay seated: one vehicle runs both trips.
    public static let inSeat = TransferType(rawValue: 4)
    /// One vehicle runs both trips, but riders must leave it in between.
    public static let reboard = TransferType(rawValue: 5)

    public static var names: KeyValuePairs<Self, String> {
        [
            .recommended: "recommended", .timed: "timed", .minimumTime: "minimumTime", .notPossible: "notPossible",
            .inSeat: "inSeat", .reboard: "reboard",
        ]
    }

    public var isRecommended: Bool { self == .recommended }
    public var isTimed: Bool { self == .timed }
    public var isMinimumTime: Bool { self == .minimumTime }
    public var isNotPossible: Bool { self == .notPossible }
    public var isInSeat: Bool { self == .inSeat }
    public var isReboard: Bool { self == .reboard }
}

/// How the trips of a row of frequencies.txt run (`exact_times`).
public struct ExactTimes: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// About every `headwaySecs` seconds.
    public static let frequencyBased = ExactTimes(rawValue: 0)
    /// Exactly every `headwaySecs` seconds from the start.
    public static let scheduleBased = ExactTimes(rawValue: 1)

    public static var names: KeyValuePairs<Self, String> {
        [
            .frequencyBased: "frequencyBased", .scheduleBased: "scheduleBased",
        ]
    }

    public var isFrequencyBased: Bool { self == .frequencyBased }
    public var isScheduleBased: Bool { self == .scheduleBased }
}

/// The kind of footway within a station (`pathway_mode`).
public struct PathwayMode: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let walkway = PathwayMode(rawValue: 1)
    public static let stairs = PathwayMode(rawValue: 2)
    public static let movingSidewalk = PathwayMode(rawValue: 3)
    public static let escalator = PathwayMode(rawValue: 4)
    public static let elevator = PathwayMode(rawValue: 5)
    /// A gate that riders pass with a ticket.
    public static let fareGate = PathwayMode(rawValue: 6)
    /// A gate that only leads out.
    public static let exitGate = PathwayMode(rawValue: 7)

    public static var names: KeyValuePairs<Self, String> {
        [
            .walkway: "walkway", .stairs: "stairs", .movingSidewalk: "movingSidewalk", .escalator: "escalator",
            .elevator: "elevator", .fareGate: "fareGate", .exitGate: "exitGate",
        ]
    }

    public var isWalkway: Bool { self == .walkway }
    public var isStairs: Bool { self == .stairs }
    public var isMovingSidewalk: Bool { self == .movingSidewalk }
    public var isEscalator: Bool { self == .escalator }
    public var isElevator: Bool { self == .elevator }
    public var isFareGate: Bool { self == .fareGate }
    public var isExitGate: Bool { self == .exitGate }
}
