/// The kind of vehicle of a route (`route_type`): the types of GTFS, and the extended types that many feeds use
/// (<https://developers.google.com/transit/gtfs/reference/extended-route-types>).
///
///     print(RouteType.nightBus, RouteType.nightBus.isBus)     // nightBus true
///     let buses = FetchRequest<Route>(where: #Predicate { $0.routeType?.isBus == true })   // with coaches
///     let plain = FetchRequest<Route>(where: #Predicate { $0.routeType == 3 })
public struct RouteType: GTFSEnumeration {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    // The types of GTFS.
    public static let tram = RouteType(rawValue: 0)
    public static let metro = RouteType(rawValue: 1)
    public static let rail = RouteType(rawValue: 2)
    public static let bus = RouteType(rawValue: 3)
    public static let ferry = RouteType(rawValue: 4)
    /// A tram that is pulled by a cable in the street.
    public static let cableTram = RouteType(rawValue: 5)
    /// Cabins or chairs that hang from a cable.
    public static let aerialLift = RouteType(rawValue: 6)
    public static let funicular = RouteType(rawValue: 7)
    public static let trolleybus = RouteType(rawValue: 11)
    public static let monorail = RouteType(rawValue: 12)

    // The extended types.
    public static let railwayService = RouteType(rawValue: 100)
    public static let highSpeedRail = RouteType(rawValue: 101)
    public static let longDistanceRail = RouteType(rawValue: 102)
    public static let interRegionalRail = RouteType(rawValue: 103)
    public static let carTransportRail = RouteType(rawValue: 104)
    public static let sleeperRail = RouteType(rawValue: 105)
    public static let regionalRail = RouteType(rawValue: 106)
    public static let touristRailway = RouteType(rawValue: 107)
    public static let railShuttle = RouteType(rawValue: 108)
    public static let suburbanRailway = RouteType(rawValue: 109)
    public static let replacementRail = RouteType(rawValue: 110)
    public static let specialRail = RouteType(rawValue: 111)
    public static let lorryTransportRail = RouteType(rawValue: 112)
    public static let allRailServices = RouteType(rawValue: 113)
    public static let crossCountryRail = RouteType(rawValue: 114)
    public static let vehicleTransportRail = RouteType(rawValue: 115)
    public static let rackRailway = RouteType(rawValue: 116)
    public static let additionalRail = RouteType(rawValue: 117)
    public static let coachService = RouteType(rawValue: 200)
    public static let internationalCoach = RouteType(rawValue: 201)
    public static let nationalCoach = RouteType(rawValue: 202)
    public static let shuttleCoach = RouteType(rawValue: 203)
    public static let regionalCoach = RouteType(rawValue: 204)
    public static let specialCoach = RouteType(rawValue: 205)
    public static let sightseeingCoach = RouteType(rawValue: 206)
    public static let touristCoach = RouteType(rawValue: 207)
    public static let commuterCoach = RouteType(rawValue: 208)
    public static let allCoachServices = RouteType(rawValue: 209)
    public static let urbanRailwayService = RouteType(rawValue: 400)
    public static let metroService = RouteType(rawValue: 401)
    public static let underground = RouteType(rawValue: 402)
    public static let urbanRailway = RouteType(rawValue: 403)
    public static let allUrbanRailwayServices = RouteType(rawValue: 404)
    public static let monorailService = RouteType(rawValue: 405)
    public static let busService = RouteType(rawValue: 700)
    public static let regionalBus = RouteType(rawValue: 701)
    public static let expressBus = RouteType(rawValue: 702)
    public static let stoppingBus = RouteType(rawValue: 703)
    public static let localBus = RouteType(rawValue: 704)
    public static let nightBus = RouteType(rawValue: 705)
    public static let postBus = RouteType(rawValue: 706)
    public static let specialNeedsBus = RouteType(rawValue: 707)
    public static let mobilityBus = RouteType(rawValue: 708)
    public static let mobilityBusForRegisteredDisabled = RouteType(rawValue: 709)
    public static let sightseeingBus = RouteType(rawValue: 710)
    public static let shuttleBus = RouteType(rawValue: 711)
    public static let schoolBus = RouteType(rawValue: 712)
    public static let schoolAndPublicServiceBus = RouteType(rawValue: 713)
    public static let railReplacementBus = RouteType(rawValue: 714)
    public static let demandResponsiveBus = RouteType(rawValue: 715)
    public static let allBusServices = RouteType(rawValue: 716)
    public static let trolleybusService = RouteType(rawValue: 800)
    public static let tramService = RouteType(rawValue: 900)
    public static let cityTram = RouteType(rawValue: 901)
    public static let localTram = RouteType(rawValue: 902)
    public static let regionalTram = RouteType(rawValue: 903)
    public static let sightseeingTram = RouteType(rawValue: 904)
    public static let shuttleTram = RouteType(rawValue: 905)
    public static let allTramServices = RouteType(rawValue: 906)
    public static let waterTransport = RouteType(rawValue: 1_000)
    public static let airService = RouteType(rawValue: 1_100)
    public static let ferryService = RouteType(rawValue: 1_200)
    public static let aerialLiftService = RouteType(rawValue: 1_300)
    public static let telecabin = RouteType(rawValue: 1_301)
    public static let cableCar = RouteType(rawValue: 1_302)
    public static let elevator = RouteType(rawValue: 1_303)
    public static let chairLift = RouteType(rawValue: 1_304)
    public static let dragLift = RouteType(rawValue: 1_305)
    public static let smallTelecabin = RouteType(rawValue: 1_306)
    public static let allTelecabinServices = RouteType(rawValue: 1_307)
    public static let funicularService = RouteType(rawValue: 1_400)
    public static let taxiService = RouteType(rawValue: 1_500)
    public static let communalTaxi = RouteType(rawValue: 1_501)
    public static let waterTaxi = RouteType(rawValue: 1_502)
    public static let railTaxi = RouteType(rawValue: 1_503)
    public static let bikeTaxi = RouteType(rawValue: 1_504)
    public static let licensedTaxi = RouteType(rawValue: 1_505)
    public static let privateHireVehicle = RouteType(rawValue: 1_506)
    public static let allTaxiServices = RouteType(rawValue: 1_507)
    public static let miscellaneous = RouteType(rawValue: 1_700)
    public static let horseDrawnCarriage = RouteType(rawValue: 1_702)

    public static var names: KeyValuePairs<Self, String> {
        [
            .tram: "tram", .metro: "metro", .rail: "rail", .bus: "bus", .ferry: "ferry", .cableTram: "cableTram",
            .aerialLift: "aerialLift", .funicular: "funicular", .trolleybus: "trolleybus", .monorail: "monorail",
            .railwayService: "railwayService", .highSpeedRail: "highSpeedRail", .longDistanceRail: "longDistanceRail",
            .interRegionalRail: "interRegionalRail", .carTransportRail: "carTransportRail",
            .sleeperRail: "sleeperRail", .regionalRail: "regionalRail", .touristRailway: "touristRailway",
            .railShuttle: "railShuttle", .suburbanRailway: "suburbanRailway", .replacementRail: "replacementRail",
            .specialRail: "specialRail", .lorryTransportRail: "lorryTransportRail",
            .allRailServices: "allRailServices", .crossCountryRail: "crossCountryRail",
            .vehicleTransportRail: "vehicleTransportRail", .rackRailway: "rackRailway",
            .additionalRail: "additionalRail", .coachService: "coachService",
            .internationalCoach: "internationalCoach", .nationalCoach: "nationalCoach", .shuttleCoach: "shuttleCoach",
            .regionalCoach: "regionalCoach", .specialCoach: "specialCoach", .sightseeingCoach: "sightseeingCoach",
            .touristCoach: "touristCoach", .commuterCoach: "commuterCoach", .allCoachServices: "allCoachServices",
            .urbanRailwayService: "urbanRailwayService", .metroService: "metroService", .underground: "underground",
            .urbanRailway: "urbanRailway", .allUrbanRailwayServices: "allUrbanRailwayServices",
            .monorailService: "monorailService", .busService: "busService", .regionalBus: "regionalBus",
            .expressBus: "expressBus", .stoppingBus: "stoppingBus", .localBus: "localBus", .nightBus: "nightBus",
            .postBus: "postBus", .specialNeedsBus: "specialNeedsBus", .mobilityBus: "mobilityBus",
            .mobilityBusForRegisteredDisabled: "mobilityBusForRegisteredDisabled", .sightseeingBus: "sightseeingBus",
            .shuttleBus: "shuttleBus", .schoolBus: "schoolBus",
            .schoolAndPublicServiceBus: "schoolAndPublicServiceBus", .railReplacementBus: "railReplacementBus",
            .demandResponsiveBus: "demandResponsiveBus", .allBusServices: "allBusServices",
            .trolleybusService: "trolleybusService", .tramService: "tramService", .cityTram: "cityTram",
            .localTram: "localTram", .regionalTram: "regionalTram", .sightseeingTram: "sightseeingTram",
            .shuttleTram: "shuttleTram", .allTramServices: "allTramServices", .waterTransport: "waterTransport",
            .airService: "airService", .ferryService: "ferryService", .aerialLiftService: "aerialLiftService",
            .telecabin: "telecabin", .cableCar: "cableCar", .elevator: "elevator", .chairLift: "chairLift",
            .dragLift: "dragLift", .smallTelecabin: "smallTelecabin", .allTelecabinServices: "allTelecabinServices",
            .funicularService: "funicularService", .taxiService: "taxiService", .communalTaxi: "communalTaxi",
            .waterTaxi: "waterTaxi", .railTaxi: "railTaxi", .bikeTaxi: "bikeTaxi", .licensedTaxi: "licensedTaxi",
            .privateHireVehicle: "privateHireVehicle", .allTaxiServices: "allTaxiServices",
            .miscellaneous: "miscellaneous", .horseDrawnCarriage: "horseDrawnCarriage",
        ]
    }
}

extension RouteType {
    /// The GTFS type that an extended type belongs to: `.bus` for `.nightBus`. Nil for aircraft, taxis, miscellaneous
    /// types and numbers that are in neither list.
    public var basic: RouteType? {
        guard isKnown else { return nil }
        return rawValue <= 12 ? self : Self.extended.first { $0.numbers.contains(rawValue) }?.basic
    }

    // Kinds of vehicles, including the extended types: `isBus` also holds for a night bus.
    public var isTram: Bool { basic == .tram }
    public var isMetro: Bool { basic == .metro }
    public var isRail: Bool { basic == .rail }
    public var isBus: Bool { basic == .bus }
    public var isFerry: Bool { basic == .ferry }
    public var isCableTram: Bool { basic == .cableTram }
    public var isAerialLift: Bool { basic == .aerialLift }
    public var isFunicular: Bool { basic == .funicular }
    public var isTrolleybus: Bool { basic == .trolleybus }
    public var isMonorail: Bool { basic == .monorail }

    /// The GTFS type for each range of extended numbers.
    fileprivate static let extended: [(numbers: ClosedRange<Int>, basic: RouteType)] = [
        (100...199, .rail), (200...299, .bus), (400...404, .metro), (405...405, .monorail), (700...799, .bus),
        (800...800, .trolleybus), (900...999, .tram), (1_000...1_000, .ferry), (1_200...1_200, .ferry),
        (1_300...1_399, .aerialLift), (1_400...1_499, .funicular),
    ]
}
