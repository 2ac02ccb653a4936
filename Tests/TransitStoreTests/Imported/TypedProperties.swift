import TransitStore

/// The typed properties of an entity that stand for columns. The tests compare their values with the store, row by row.
/// `TypedValueTests.everyColumnHasAProperty` fails if one is missing.
protocol TypedProperties: StoreEntity {
    static var typedProperties: [PartialKeyPath<Self>] { get }
}

let typedEntities: [any TypedProperties.Type] = [
    Agency.self, Feed.self, FeedInfo.self, Frequency.self, Level.self, Pathway.self, Route.self, SearchTerm.self,
    Service.self,
    ServiceException.self, Shape.self, ShapePoint.self, Stop.self, StopTime.self, Transfer.self, Translation.self,
    Trip.self,
]

extension Agency: TypedProperties {
    static var typedProperties: [PartialKeyPath<Agency>] {
        [
            \.id, \.agencyID, \.name, \.url, \.timezone, \.language, \.phone, \.fareURL, \.email, \.cemvSupport,
        ]
    }
}

extension Feed: TypedProperties {
    static var typedProperties: [PartialKeyPath<Feed>] {
        [
            \.id, \.contentHash, \.source, \.options, \.startDate, \.endDate, \.stopCount, \.routeCount, \.tripCount,
            \.stopTimeCount, \.latestTime, \.earliestTime, \.longestDwell, \.shortestDwell, \.timezone, \.noticeCount,
            \.toolVersion, \.schemaVersion, \.specification, \.sqliteVersion, \.icuVersion,
        ]
    }
}

extension FeedInfo: TypedProperties {
    static var typedProperties: [PartialKeyPath<FeedInfo>] {
        [
            \.id, \.publisherName, \.publisherURL, \.language, \.defaultLanguage, \.startDate, \.endDate, \.version,
            \.contactEmail, \.contactURL,
        ]
    }
}

extension Frequency: TypedProperties {
    static var typedProperties: [PartialKeyPath<Frequency>] {
        [
            \.id, \.trip, \.startTime, \.endTime, \.headwaySecs, \.exactTimes,
        ]
    }
}

extension Level: TypedProperties {
    static var typedProperties: [PartialKeyPath<Level>] {
        [
            \.id, \.levelID, \.levelIndex, \.name,
        ]
    }
}

extension Pathway: TypedProperties {
    static var typedProperties: [PartialKeyPath<Pathway>] {
        [
            \.id, \.pathwayID, \.fromStop, \.toStop, \.mode, \.isBidirectional, \.length, \.traversalTime, \.stairCount,
            \.maxSlope, \.minWidth, \.signpostedAs, \.reversedSignpostedAs,
        ]
    }
}

extension Route: TypedProperties {
    static var typedProperties: [PartialKeyPath<Route>] {
        [
            \.id, \.routeID, \.agency, \.shortName, \.longName, \.description, \.routeType, \.url, \.color, \.textColor,
            \.sortOrder, \.continuousPickup, \.continuousDropOff, \.networkID, \.cemvSupport, \.timezone,
        ]
    }
}

extension SearchTerm: TypedProperties {
    static var typedProperties: [PartialKeyPath<SearchTerm>] {
        [
            \.normalizedWord, \.stop,
        ]
    }
}

extension Service: TypedProperties {
    static var typedProperties: [PartialKeyPath<Service>] {
        [
            \.id, \.serviceID, \.monday, \.tuesday, \.wednesday, \.thursday, \.friday, \.saturday, \.sunday,
            \.startDate, \.endDate, \.inCalendar, \.daySet,
        ]
    }
}

extension ServiceException: TypedProperties {
    static var typedProperties: [PartialKeyPath<ServiceException>] {
        [
            \.id, \.service, \.date, \.exceptionType,
        ]
    }
}

extension Shape: TypedProperties {
    static var typedProperties: [PartialKeyPath<Shape>] {
        [
            \.id, \.shapeID,
        ]
    }
}

extension ShapePoint: TypedProperties {
    static var typedProperties: [PartialKeyPath<ShapePoint>] {
        [
            \.shape, \.latitude, \.longitude, \.sequence, \.shapeDistTraveled,
        ]
    }
}

extension Stop: TypedProperties {
    static var typedProperties: [PartialKeyPath<Stop>] {
        [
            \.id, \.stopID, \.code, \.name, \.ttsName, \.description, \.latitude, \.longitude, \.zoneID, \.url,
            \.locationType, \.parentStation, \.timezone, \.wheelchairBoarding, \.level, \.platformCode, \.access,
            \.normalizedName,
        ]
    }
}

extension StopTime: TypedProperties {
    static var typedProperties: [PartialKeyPath<StopTime>] {
        [
            \.trip, \.arrivalTime, \.departureTime, \.stop, \.locationGroup, \.location, \.stopSequence, \.stopHeadsign,
            \.startPickupDropOffWindow, \.endPickupDropOffWindow, \.pickupType, \.dropOffType, \.continuousPickup,
            \.continuousDropOff, \.shapeDistTraveled, \.timepoint, \.pickupBookingRule, \.dropOffBookingRule,
            \.filledTimes,
        ]
    }
}

extension Transfer: TypedProperties {
    static var typedProperties: [PartialKeyPath<Transfer>] {
        [
            \.id, \.fromStop, \.toStop, \.fromRoute, \.toRoute, \.fromTrip, \.toTrip, \.transferType, \.minTransferTime,
        ]
    }
}

extension Translation: TypedProperties {
    static var typedProperties: [PartialKeyPath<Translation>] {
        [
            \.id, \.tableName, \.fieldName, \.language, \.translation, \.recordID, \.recordSubID, \.fieldValue,
        ]
    }
}

extension Trip: TypedProperties {
    static var typedProperties: [PartialKeyPath<Trip>] {
        [
            \.id, \.route, \.service, \.tripID, \.headsign, \.shortName, \.directionID, \.blockID, \.shape,
            \.wheelchairAccessible, \.bikesAllowed, \.carsAllowed, \.safeDurationFactor, \.safeDurationOffset,
        ]
    }
}
