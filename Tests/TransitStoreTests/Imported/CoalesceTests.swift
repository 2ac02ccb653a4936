import Testing

@testable import TransitStore

/// `coalesce` gives its second value for an empty column, also of a property that then reads as 0 or ''.
@Suite struct CoalesceTests {
    private func context() throws -> StoreContext {
        let files = [
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,UTC",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type\nempty,,1,1,\nzero,T,1,1,0\none,U,1,1,1",
            "routes.txt": "route_id,route_short_name,route_type\nr,1,3",
            "trips.txt": "route_id,service_id,trip_id\nr,s,t",
            "calendar_dates.txt": "service_id,date,exception_type\ns,20260101,1",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            t,08:00:00,08:00:00,empty,1
            t,08:10:00,08:10:00,zero,2
            """,
        ]
        return try ImportedStore(files: files).context()
    }

    @Test(arguments: [
        ("coalesce(locationType, 9) = 0", ["zero"]), ("coalesce(locationType, 9) = 9", ["empty"]),
        ("coalesce(locationType, 9) IN {0}", ["zero"]), ("coalesce(locationType, 9) < 1", ["zero"]),
        ("coalesce(locationType, 9) != 0", ["empty", "one"]), ("coalesce(locationType, 0) = 0", ["empty", "zero"]),
        ("coalesce(name, 'x') = ''", []), ("coalesce(name, 'x') = 'x'", ["empty"]),
        ("coalesce(name, '') = ''", ["empty"]), ("coalesce(platformCode, 'x') = ''", []),
    ])
    func theSecondValueStandsForAnEmptyColumn(condition: String, ids: [String]) throws {
        let context = try context()
        let request = FetchRequest<Stop>(where: try Condition(format: condition), sortedBy: .ascending(\.stopID))
        #expect(try context.fetch(request).map(\.stopID) == ids)
        // The same over changed objects.
        for stop in try context.fetch(FetchRequest<Stop>()) { try stop.set(\.platformCode, to: nil) }
        #expect(try context.fetch(request).map(\.stopID) == ids)
    }
}
