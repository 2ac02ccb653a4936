import Foundation
import Testing

@testable import TransitStore

/// A weekday of calendar.txt that is neither 0 nor 1 is not a day of service, whoever is asked: the store's days, the
/// service, its trips, and departures with unsaved changes.
@Suite struct WeekdayValueTests {
    private static let monday = ServiceDate(20_260_105)

    private func context() throws -> StoreContext {
        let files = [
            "calendar.txt": """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            one,1,1,0,0,0,0,0,20260101,20260131
            two,2,1,0,0,0,0,0,20260101,20260131
            """,
            "calendar_dates.txt": "service_id,date,exception_type",
            "trips.txt": "route_id,service_id,trip_id\n1,one,t1\n1,two,t2",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            t1,08:00:00,08:00:00,markt,1
            t1,08:10:00,08:10:00,bahnhof,2
            t2,09:00:00,09:00:00,markt,1
            t2,09:10:00,09:10:00,bahnhof,2
            """,
        ]
        return try ImportedStore(files: files, over: ImportedStore.packageRoot + "/pipelines/sample-feed").context()
    }

    @Test func twoIsNoDayOfService() throws {
        let context = try context()
        let services = try context.fetch(FetchRequest<Service>(sortedBy: .ascending(\.id)))
        #expect(services.map(\.monday) == [true, false] && services.map(\.tuesday) == [true, true])
        #expect(try services.map { try $0.isRunning(on: Self.monday) } == [true, false])
        let trips = try context.fetch(FetchRequest<Trip>(sortedBy: .ascending(\.id)))
        #expect(try trips.map { try $0.runs(on: Self.monday).count } == [1, 0])
        for predicate in [#Predicate<Service> { $0.monday }, #Predicate { $0.monday == true }] {
            #expect(try context.fetch(FetchRequest<Service>(where: predicate)).map(\.serviceID) == ["one"])
        }
        let board = DepartureRequest(.stops(["markt"]), on: Self.monday)
        #expect(try context.departures(board).map(\.tripID) == ["t1"])
        try services[1].set(\.sunday, to: true)
        #expect(try context.departures(board).map(\.tripID) == ["t1"])
    }
    /// The store still has the 2. Requests read it as the property does, in SQL and over unsaved changes.
    @Test(arguments: [false, true]) func requestsReadTwoAsFalse(hasChanges: Bool) throws {
        let context = try context()
        if hasChanges { try #require(try context.fetch(FetchRequest<Service>()).last).set(\.endDate, to: Self.monday) }
        for predicate in [#Predicate<Service> { !$0.monday }, #Predicate { $0.monday == false }] {
            #expect(try context.fetch(FetchRequest<Service>(where: predicate)).map(\.serviceID) == ["two"])
        }
        // 2 is compared with 1 and with 2 in turn: each has its own statement.
        for (number, ids) in [(1, ["one"]), (2, []), (0, ["two"]), (1, ["one"])] {
            let condition = try Condition<Service>(format: "monday == %@", number)
            #expect(try context.fetch(FetchRequest(where: condition)).map(\.serviceID) == ids)
        }
        for condition in ["monday > 1", "monday < 0", "monday >= 2"] {
            #expect(try context.fetch(FetchRequest(where: Condition<Service>(format: condition))).isEmpty)
        }
        let trips = FetchRequest<Trip>(where: #Predicate { $0.service.monday != $0.service.tuesday })
        #expect(try context.fetch(trips).map(\.tripID) == ["t2"])
        let sections = try FetchedResults(FetchRequest<Service>(), sectionedBy: \.monday, in: context)
        #expect(sections.sections.map { "\($0.name)" } == ["0", "1"])
        #expect(sections.objects.map(\.serviceID) == ["two", "one"])
        var days = FetchRequest<Service>(sortedBy: .descending(\.monday))
        days.propertiesToFetch = [.attribute(\.monday), .attribute(\.serviceID)]
        #expect(try context.fetchRows(days).map { "\($0[0]) \($0[1])" } == ["1 'one'", "0 'two'"])
    }
}
