import Foundation
import Testing

@testable import TransitStore

/// The services of dates that are asked for often are kept, and the answers stay the same.
@Suite struct RunningServicesTests {
    @Test func aBitForEachService() throws {
        let running = try #require(RunningServices(date: 20_261_024, services: [0, 63, 64, 1_000]))
        let found = (-70...2_000).filter { running.contains($0) }
        #expect(found == [0, 63, 64, 1_000])
        #expect(try #require(RunningServices(date: 1, services: [])).contains(0) == false)
    }

    /// A store of ours has no such keys; another one shall not take the memory.
    @Test func keysOfAnotherStoreAreRefused() {
        #expect(RunningServices(date: 1, services: [-1, 2]) == nil)
        #expect(RunningServices(date: 1, services: [1 << 40]) == nil)
    }

    @Test func aDateIsReadWhenItHasBeenAskedForOften() throws {
        let cache = RunningServicesCache()
        #expect(!cache.isWorthReading(1, found: 10, services: 10))
        #expect(!cache.isWorthReading(2, found: 10, services: 10))
        #expect(cache.isWorthReading(1, found: 1, services: 10))
        for date in 1...20 as ClosedRange<Int64> {
            let services = try #require(RunningServices(date: date, services: [date]))
            cache.keep(services)
            cache.keep(services)
        }
        // The last sixteen.
        #expect((1...20).filter { cache.services(on: $0) != nil } == Array(5...20))
    }

    @Test func aConnectionKnowsTheDatesOfItsStore() throws {
        let (cache, known) = (RunningServicesCache(), KnownServiceDates())
        #expect(!known.knows(7, cache) && known.runs(3, on: 7) == nil)
        for date in 1...7 as ClosedRange<Int64> {
            cache.keep(try #require(RunningServices(date: date, services: [date])))
            #expect(known.knows(date, cache))
        }
        for date in 1...7 as ClosedRange<Int64> {
            #expect(known.runs(Int(date), on: date) == true && known.runs(0, on: date) == false)
        }
    }

    /// First by lookups, then by the bits of the date; and with the same departures as a store that was just opened.
    @Test func laterStatementsAskTheConnection() throws {
        let imported = try ImportedStore.sample.get()
        let log = Lines()
        let context = try imported.open { log.append($0) }.makeContext()
        let request = DepartureRequest(
            .stops(["bahnhof"]), from: try #require(Instant("2026-10-05T04:00:00Z")), within: .seconds(43_200))
        let first = try context.departures(request)
        try #require(!first.isEmpty)
        #expect(log.all.contains { $0.contains("service_day AS d") && !$0.contains("service_runs") })
        for _ in 0..<20 { #expect(try context.departures(request) == first) }
        #expect(log.all.last { $0.contains("stop_time AS c") }?.contains("service_runs(t1.service, ") == true)
        // Departures of two open stores are never equal: their texts are.
        #expect(try imported.context().departures(request).map(TimetableModel.line) == first.map(TimetableModel.line))
    }
}
