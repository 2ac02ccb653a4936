import GTFSSchema
import Testing

@testable import TransitStore

/// Calls without times get the same times from the importer and, once their trip was changed, in memory.
@Suite struct UntimedCallTests {
    private static func departures(_ context: StoreContext) throws -> [Departure] {
        let day = try #require(ClockReading("2026-01-01T00:00")?.instant(in: .utc))
        return try context.departures(DepartureRequest(.stops(["a", "b"]), from: day, within: .seconds(172_800)))
    }

    /// A trip of one timed call, the given rows, and two timed calls.
    private static func context(_ rows: [String]) throws -> StoreContext {
        let header =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,start_pickup_drop_off_window,"
            + "end_pickup_drop_off_window\n"
        return try context(
            stopTimes: header + "t,00:00:00,00:00:00,a,1,,\n" + rows.joined()
                + "t,10:00:00,10:00:00,a,80000,,\nt,,,b,80001,,\nt,11:00:00,11:00:00,a,80002,,\n")
    }

    private static func context(stopTimes: String) throws -> StoreContext {
        let files = [
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,UTC",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\na,A,1,1\nb,B,1,1",
            "routes.txt": "route_id,route_short_name,route_type\nr,1,3",
            "trips.txt": "route_id,service_id,trip_id\nr,s,t",
            "calendar_dates.txt": "service_id,date,exception_type\ns,20260101,1",
            "stop_times.txt": stopTimes,
        ]
        return try ImportedStore(files: files).context()
    }

    /// Compares each departure before and after a change that moves no call.
    private static func expectSame(_ rows: [String], count: Int) throws {
        let context = try context(rows)
        let stored = try departures(context)
        #expect(stored.count == count)
        for trip in try context.fetch(FetchRequest<Trip>()) { try trip.set(\.shortName, to: "changed") }
        let filled = try departures(context)
        #expect(filled.map(\.stopSequence) == stored.map(\.stopSequence))
        #expect(filled.map(\.instant) == stored.map(\.instant))
        #expect(filled.map(\.isInterpolated) == stored.map(\.isInterpolated))
    }

    /// The other time was interpolated and no longer counts: the call takes no time.
    @Test(arguments: ["arrivalTime", "departureTime"]) func aTimeThatIsSetReplacesBothInterpolatedOnes(property: String)
        throws
    {
        let context = try Self.context([])
        func middle() throws -> Departure? { try Self.departures(context).first { $0.stopSequence == 80_001 } }
        #expect(try middle()?.serviceTime == ServiceTime(hours: 10, minutes: 30) && middle()?.isInterpolated == true)
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        let call = try #require(trip.stopTimes.objects.first { $0.stopSequence == 80_001 })
        try call.setValue(ServiceTime(hours: 10, minutes: 20), for: property)
        #expect(try middle()?.serviceTime == ServiceTime(hours: 10, minutes: 20) && middle()?.isInterpolated == false)
    }

    @Test(arguments: [0, 1]) func untimedCallsAreFilledUpToTheImportersLimit(more: Int) throws {
        let rows = (0..<CallGap.mostCalls + more).map { "t,,,b,\($0 + 2),,\n" }
        try Self.expectSame(rows, count: more == 0 ? CallGap.mostCalls + 3 : 3)
    }

    /// Calls on demand have no times, but wait in memory as well.
    @Test(arguments: [0, 1]) func callsOnDemandCountAsWaiting(more: Int) throws {
        let rows = (0..<CallGap.mostCalls + more).map { place in
            place.isMultiple(of: 2) ? "t,,,b,\(place + 2),,\n" : "t,,,b,\(place + 2),08:00:00,20:00:00\n"
        }
        try Self.expectSame(rows, count: more == 0 ? CallGap.mostCalls / 2 + 3 : 3)
    }

    /// A product of the time and the distance would be greater than any number.
    @Test(arguments: ["1e300", "1.7e308"]) func distancesMayBeAsLargeAsNumbersGo(distance: String) throws {
        let context = try Self.context(
            stopTimes: """
                trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
                t,10:00:00,10:00:00,a,1,0
                t,,,b,2,\(distance)
                t,12:00:00,12:00:00,a,3,\(distance)
                t,13:00:00,13:00:00,a,4,
                """)
        let stored = try Self.departures(context)
        #expect(stored.map(\.stopSequence) == [1, 2, 3])
        try context.fetchFirst(FetchRequest<Trip>())?.set(\.shortName, to: "changed")
        #expect(try Self.departures(context).map(\.instant) == stored.map(\.instant))
    }

    /// If they counted, the sequence would be too long and the untimed call would get no time.
    @Test func callsOnDemandBeforeTheFirstUntimedCallDoNotCount() throws {
        let demand = (0..<CallGap.mostCalls).map { "t,,,b,\($0 + 2),08:00:00,20:00:00\n" }
        try Self.expectSame(demand + ["t,,,b,70000,,\n"], count: 4)
    }
}
