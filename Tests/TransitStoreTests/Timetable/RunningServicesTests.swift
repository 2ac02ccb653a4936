import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// A store keeps the services of dates that are often asked for. The answers stay the same.
@Suite struct RunningServicesTests {
    @Test func onlyTheGivenServicesRun() throws {
        let running = try #require(RunningServices(date: 20_261_024, services: [0, 63, 64, 1_000]))
        let found = (-70...2_000).filter { running.contains($0) }
        #expect(found == [0, 63, 64, 1_000])
        #expect(try #require(RunningServices(date: 1, services: [])).contains(0) == false)
    }

    /// Our stores have no such keys. Other stores must not make us allocate memory for them.
    @Test func keysOfAnotherStoreAreRefused() {
        #expect(RunningServices(date: 1, services: [-1, 2]) == nil)
        #expect(RunningServices(date: 1, services: [1 << 40]) == nil)
    }

    @Test func aDateIsReadWhenItHasBeenAskedForOften() throws {
        let cache = RunningServicesCache()
        #expect(!cache.isWorthReading(1, found: 10, services: 10))
        #expect(!cache.isWorthReading(2, found: 10, services: 10))
        #expect(cache.isWorthReading(1, found: 1, services: 10))
        // If the services of a date could not be kept, they are not read again at once.
        #expect(!cache.isWorthReading(1, found: 10, services: 10))
        for date in 1...20 as ClosedRange<Int64> {
            let services = try #require(RunningServices(date: date, services: [date]))
            cache.keep(services)
            cache.keep(services)
        }
        // Only the last sixteen dates are kept.
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

    /// A statement about several days needs all of them, so the connection must not drop one for the next.
    @Test func datesThatAreAskedForTogetherAreKnownTogether() throws {
        let (cache, known) = (RunningServicesCache(), KnownServiceDates())
        for date in 1...16 as ClosedRange<Int64> {
            cache.keep(try #require(RunningServices(date: date, services: [date])))
        }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let dates = (1...16).shuffled(using: &random).prefix(KnownServiceDates.most).map { Int64($0) }
            #expect(dates.allSatisfy { known.knows($0, cache) })
            #expect(dates.allSatisfy { known.runs(Int($0), on: $0) == true }, "\(dates)")
        }
    }

    /// Statements use lookups first and the date's bits later. The departures equal those of a newly opened store.
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
        // Departures of two open stores are never equal, so the test compares their texts.
        #expect(try imported.context().departures(request).map(TimetableModel.line) == first.map(TimetableModel.line))
    }

    /// Asks one store again and again, over a connection that keeps rows and one that keeps none. The expected answers
    /// come from a new store for each question, which does not know any services yet.
    @Test(.enabled(if: !RealFeeds.paths.isEmpty, RealFeeds.absent), arguments: RealFeeds.paths)
    func realFeedsAnswerTheSameHoweverOftenTheyAreAsked(feed: String) throws {
        var random = SeededGenerator(seed: 20_261_122)
        let imported = try ImportedStore(feed: feed)
        let contexts = try [1_000, 0].map { try Self.context(imported, rowCacheCapacity: $0) }
        let stops = try contexts[0].fetchIDs(FetchRequest<Stop>()).map(\.inAnyStore)
        let lines = try contexts[0].fetchIDs(FetchRequest<Route>()).map(\.inAnyStore)
        guard let days = try imported.open().timetableDates else {
            return #expect(try contexts[0].fetchCount(FetchRequest<Service>()) == 0)
        }
        var found = 0
        for _ in 0..<80 {
            let day = Int64.random(in: days.lowerBound...min(days.upperBound, days.lowerBound + 6), using: &random)
            let count = [1, 1, 1, 5].randomElement(using: &random) ?? 1
            var request = DepartureRequest(
                .objects((0..<count).compactMap { _ in stops.randomElement(using: &random) }),
                from: Instant(unixSeconds: day * 86_400 + Int64.random(in: 0..<86_400, using: &random)),
                within: .seconds([1_200, 43_200].randomElement(using: &random) ?? 0))
            if Bool.random(using: &random) { request.event = .arrivals }
            if let line = lines.randomElement(using: &random), Int.random(in: 0..<4, using: &random) == 0 {
                (request.place, request.routes) = (.anywhere, [line])
            }
            let expected = try imported.context().departures(request).map(TimetableModel.line)
            for context in contexts {
                #expect(try context.departures(request).map(TimetableModel.line) == expected, "\(request.place)")
            }
            found += expected.count
        }
        #expect(found > 0)
    }

    private static func context(_ imported: ImportedStore, rowCacheCapacity: Int) throws -> StoreContext {
        var configuration = TransitStore.Configuration()
        configuration.rowCacheCapacity = rowCacheCapacity
        return try TransitStore(path: imported.path, configuration: configuration).makeContext()
    }
}

extension TransitStore {
    /// Days since 1970-01-01 on which any service runs.
    fileprivate var timetableDates: ClosedRange<Int64>? {
        get throws {
            let session = try borrowSession()
            defer { giveBack(session) }
            return try timetable(session).dates
        }
    }
}
