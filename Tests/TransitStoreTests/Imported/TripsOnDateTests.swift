import FoundationEssentials
import Testing

@testable import TransitStore

/// The condition in words that the documentation shows finds the trips whose `isRunning(on:)` holds.
@Suite struct TripsOnDateTests {
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    private func condition(_ date: ServiceDate) throws -> Condition<Trip> {
        let weekday = Self.weekdays[try #require(date.weekday)]
        return try Condition<Trip>(
            format: """
                SUBQUERY(service.exceptions, $x, $x.date = $DATE AND $x.exceptionType = 1).@count > 0
                OR service.\(weekday) = TRUE AND service.startDate <= $DATE AND service.endDate >= $DATE
                  AND SUBQUERY(service.exceptions, $x, $x.date = $DATE AND $x.exceptionType = 2).@count = 0
                """
        ).substituting(["DATE": date])
    }

    @Test(arguments: [false, true])
    func `words find the trips of each date that the calendar has`(isChanged: Bool) throws {
        let context = try ImportedStore.sample.get().context()
        if isChanged {
            let christmas = FetchRequest<ServiceException>(where: try Condition(format: "date = '2026-12-25'"))
            for exception in try context.fetch(christmas) { context.delete(exception) }
            let service = try context.fetchFirst(FetchRequest<Service>(where: #Predicate { $0.serviceID == "nacht" }))
            try service?.set(\.endDate, to: ServiceDate(20_261_231))
        }
        let trips = try context.fetch(FetchRequest<Trip>(sortedBy: .ascending(\.id)))
        var counts: Set<Int> = []
        let first = try #require(ServiceDate(exactly: 20_251_228))
        for day in 0..<740 {
            let date = try #require(first.advanced(byDays: day))
            let wanted = try trips.filter { try $0.isRunning(on: date) }
            let found = try context.fetch(FetchRequest(where: condition(date), sortedBy: .ascending(\.id)))
            #expect(found == wanted, "\(date)")
            counts.insert(wanted.count)
        }
        #expect(counts.count > 3 && counts.contains(0), "\(counts)")
    }
}
