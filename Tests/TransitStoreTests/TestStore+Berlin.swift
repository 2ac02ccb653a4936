import SQLite
import TransitStore

extension TestStore {
    /// Where the article looks for stops: in front of "U Kottbusser Tor".
    static let pointOfInterest = Coordinate(latitude: 52.499_249_0, longitude: 13.418_167_0)

    /// Eight stops of Berlin, three routes, six trips: small enough to know by heart.
    static func berlin(
        indexes: [String] = [], changedBy change: @escaping (Connection) throws -> Void = { _ in }
    ) throws -> TestStore {
        try TestStore(indexes: indexes) { connection in
            try connection.insert(
                "agency", "id, agency_id, name, url, timezone",
                ["0, 'bvg', 'Berliner Verkehrsbetriebe', 'https://bvg.de', 'Europe/Berlin'"])
            try connection.insert(
                "level", "id, level_id, level_index, name", ["0, 'l0', 0, 'Straße'", "1, 'l1', -1, 'Bahnsteig'"])
            try stops(connection)
            try connection.insert(
                "route", "id, route_id, agency, short_name, long_name, route_type",
                ["0, 'u1', 0, 'U1', NULL, 1", "1, 'm29', 0, 'M29', 'Kreuzberg', 3", "2, 'n1', NULL, 'N1', '', 3"])
            try connection.insert(
                "service",
                "id, service_id, monday, tuesday, wednesday, thursday, friday, saturday, sunday, start_date, end_date",
                [
                    "0, 'week', 1, 1, 1, 1, 1, 0, 0, 20260101, 20261231",
                    "1, 'end', 0, 0, 0, 0, 0, 1, 1, 20260101, 20261231",
                ])
            try connection.insert("service_exception", "id, service, date, exception_type", ["0, 0, 20260501, 2"])
            try connection.insert(
                "trip", "id, route, service, trip_id, headsign, direction_id",
                [
                    "0, 0, 0, 't0', 'Warschauer Straße', 0", "1, 0, 0, 't1', 'Uhlandstraße', 1",
                    "2, 0, 1, 't2', 'Warschauer Straße', 0", "3, 1, 0, 't3', 'Hermannplatz', 0",
                    "4, 1, 1, 't4', NULL, NULL", "5, 2, 0, 't5', 'Zoo', 1",
                ])
            try stopTimes(connection)
            try connection.insert(
                "frequency", "id, trip, start_time, end_time, headway_secs", ["0, 5, 3600, 18000, 1800"])
            try connection.insert(
                "transfer", "id, from_stop, to_stop, transfer_type, min_transfer_time", ["0, 1, 0, 2, 300"])
            try change(connection)
        }
    }

    private static func stops(_ connection: Connection) throws {
        try connection.insertStop(0, "U Görlitzer Bahnhof (Berlin)", 52.499_036, 13.428_180)
        try connection.insertStop(1, "U Kottbusser Tor (Berlin)", 52.499_249, 13.418_167, type: 1)
        try connection.insertStop(
            2, "U Kottbusser Tor (Berlin)", 52.499_300, 13.418_250, type: 0, parent: 1, platform: "1")
        try connection.insertStop(3, "Gedenkstätte Dt. Widerstand (Berlin)", 52.507_000, 13.363_000)
        try connection.insertStop(4, "S+U Warschauer Str. (Berlin)", 52.505_200, 13.449_000)
        try connection.insertStop(5, nil, nil, nil, type: 3, parent: 1)
        try connection.insertStop(6, "Ölmühle", 52.600_000, 13.400_000)
        try connection.insertStop(7, "Zoo", 52.507_500, 13.332_500, type: 0)
    }

    private static func stopTimes(_ connection: Connection) throws {
        try connection.insert(
            "stop_time", "trip, stop_sequence, stop, arrival_time, departure_time",
            [
                "0, 1, 2, 28500, 28560", "0, 2, 0, 28800, 28860", "0, 3, 4, 29100, 29160",
                "1, 1, 4, 30000, 30060", "1, 2, 0, 30300, 30360", "1, 3, 2, 30600, 30660",
                "2, 1, 2, 36000, 36000", "2, 2, 4, 36600, 36600",
                "3, 1, 3, 28000, 28000", "3, 5, 2, NULL, NULL", "3, 9, 7, 29500, 29500",
                "4, 1, 3, 61200, 61260",
                "5, 1, 7, 90000, 90600", "5, 2, 2, 92100, 92100",
            ])
    }
}
