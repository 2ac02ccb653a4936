import Foundation
import Testing

@testable import TransitStore

/// Requests with any numbers, compared with what a plain search through all rows finds.
struct EdgeRequestTests {
    private let integers = EdgeNumbers.integers
    private let store: TestStore
    private let context: StoreContext

    init() throws {
        store = try TestStore.berlin()
        context = try store.context()
    }

    /// What a limit and an offset leave of all rows: 0 and less mean none.
    private func cut<Row>(_ rows: [Row], _ limit: Int, _ offset: Int) -> [Row] {
        let rest = rows.dropFirst(max(offset, 0))
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }

    @Test(arguments: [false, true]) func `limits, offsets and batch sizes may be any number`(hasChanges: Bool) throws {
        let order = FetchRequest<Stop>(sortedBy: .ascending(\.id))
        if hasChanges {
            try context.fetch(order)[3].set(\.name, to: "Kai")
            context.delete(try context.fetch(order)[5])
        }
        let all = try context.fetch(order)
        for limit in integers {
            for offset in integers {
                var request = order.limit(limit, offset: offset)
                let expected = cut(all.map(\.id), limit, offset)
                #expect(try context.fetch(request).map(\.id) == expected)
                #expect(try context.fetchCount(request) == expected.count)
                #expect(try context.fetchIDs(request) == cut(all.map(\.objectID), limit, offset))
                var rows = request
                rows.propertiesToFetch = [.attribute(\.name)]
                #expect(try context.fetchRows(rows).count == expected.count)
                for size in integers {
                    request.fetchBatchSize = size
                    let batches = try context.fetchBatches(request)
                    #expect(batches.map(\.id) == expected)
                }
            }
        }
    }

    @Test func `a batch refuses any number past its end`() throws {
        let batches = try context.fetchBatches(FetchRequest<Stop>())
        for index in integers where !batches.indices.contains(index) {
            #expect(throws: StoreError.self) { try batches.object(at: index) }
            #expect(throws: StoreError.self) { try batches.objectID(at: index) }
        }
    }

    @Test func `an object exists only for numbers of rows`() throws {
        let (stops, trips) = (
            try context.fetchCount(FetchRequest<Stop>()), try context.fetchCount(FetchRequest<Trip>())
        )
        for id in integers {
            #expect(try context.object(Stop.self, id: id)?.id == ((0..<stops).contains(id) ? id : nil))
            #expect(try context.object(Trip.self, id: id)?.id == ((0..<trips).contains(id) ? id : nil))
            for entity in [Stop.entity, StopTime.entity, Trip.entity] {
                let strange = ObjectID(entity, row: Int64(id))
                #expect(strange == ObjectID(entity, row: Int64(id)) && !"\(strange)".isEmpty)
            }
        }
    }

    @Test func `as many nearest stops are found as there are`() throws {
        let here = TestStore.pointOfInterest
        let all = try context.nearestStops(to: here, limit: 100).map(\.id)
        #expect(all.count > 3)
        let isNamed = Condition<Stop>(#Predicate<Stop> { $0.name != "" })
        for limit in integers {
            let expected = limit > 0 ? Array(all.prefix(limit)) : all
            #expect(try context.nearestStops(to: here, limit: limit).map(\.id) == expected)
            #expect(try context.nearestStops(to: here, limit: limit, where: isNamed).map(\.id) == expected)
        }
        for latitude in EdgeNumbers.doubles {
            for longitude in EdgeNumbers.doubles {
                let place = Coordinate(latitude: latitude, longitude: longitude)
                guard abs(latitude) <= 90, abs(longitude) <= 180 else {
                    #expect(throws: StoreError.self) { try context.nearestStops(to: place) }
                    continue
                }
                #expect(try context.nearestStops(to: place).count == all.count)
            }
        }
    }

    @Test func `no locale is no order`() throws {
        for context in [context, StoreCoordinator(context.stores + [try TestStore.berlin().open()]).makeContext()] {
            let request = FetchRequest<Stop>(sortedBy: .ascending(\.name, .locale("")))
            let error = #expect(throws: StoreError.self) { try context.fetch(request) }
            #expect(error?.message.contains("one is written as a language tag") == true)
        }
    }

    @Test func `descriptions of properties in predicates are refused, but for GTFS's own`() throws {
        let text = "A square"
        let stops = try context.fetch(FetchRequest<Stop>())
        try stops[0].set(\.description, to: text)
        defer { context.rollback() }
        #expect(try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.description == text })) == [stops[0]])
        let refused: [Predicate<Stop>] = [
            #Predicate { $0.id.description == text }, #Predicate { $0.stopID.description == text },
            #Predicate { $0.locationType.description == text }, #Predicate { $0.objectID.description == text },
            #Predicate { $0.stopTimes.contains { $0.departureTime?.description == text } },
        ]
        for predicate in refused {
            let error = #expect(throws: StoreError.self) { try Condition(predicate).validate() }
            #expect(error?.message.contains("key path") == true, "\(error?.message ?? "")")
        }
    }

    @Test func `stops are found within any distance of any place`() throws {
        let stops = try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.id)))
        for latitude in EdgeNumbers.doubles {
            for meters in EdgeNumbers.doubles {
                let place = Coordinate(latitude: latitude, longitude: 13.4)
                let near = FetchRequest<Stop>(
                    where: .within(meters: meters, of: place), sortedBy: .ascending(\.id))
                guard abs(latitude) <= 90, meters >= 0, meters.isFinite else {
                    #expect(throws: StoreError.self) { try context.fetch(near) }
                    continue
                }
                let expected = stops.filter { $0.coordinate.map { $0.distance(to: place) <= meters } ?? false }
                #expect(try context.fetch(near).map(\.id) == expected.map(\.id), "\(meters) of \(latitude)")
            }
        }
    }

    @Test func `a search finds as many stops as there are`() throws {
        let all = try context.searchStops("berlin", limit: 100).map(\.id)
        #expect(all.count > 2)
        for limit in integers {
            let expected = limit > 0 ? Array(all.prefix(limit)) : all
            #expect(try context.searchStops("berlin", limit: limit).map(\.id) == expected)
        }
    }

    @Test(arguments: [DepartureRequest.Event.departures, .arrivals])
    func `departures are found from any instant for any duration`(event: DepartureRequest.Event) throws {
        let context = try ImportedStore.sample.get().context()
        let place = DepartureRequest.Place.stops(["nachtigallen"])
        func departures(_ from: Int, _ seconds: Int, limit: Int = 0) throws -> [Int] {
            var request = DepartureRequest(
                place, from: Instant(unixSeconds: Int64(from)), within: .seconds(seconds))
            (request.event, request.limit) = (event, limit)
            return try context.departures(request).map { Int($0.instant.unixSeconds) }
        }
        let all = try departures(1_700_000_000, 200_000_000)
        #expect(all.count > 300)
        let spring = 1_777_870_000
        for from in integers + [spring] {
            for seconds in integers {
                let (end, isNever) = from.addingReportingOverflow(max(seconds, 0))
                let expected = all.filter { $0 >= from && (isNever || $0 < end) }
                #expect(try departures(from, seconds) == expected, "\(from) for \(seconds)")
            }
        }
        for limit in integers {
            #expect(try departures(spring, 86_400, limit: limit) == cut(try departures(spring, 86_400), limit, 0))
        }
    }

    @Test(arguments: [DepartureRequest.Event.departures, .arrivals])
    func `departures of a line named twice come once`(event: DepartureRequest.Event) throws {
        let imported = try ImportedStore.sample.get()
        let (plain, changed) = (try imported.context(), try imported.context())
        let trip = try #require(try changed.fetchFirst(FetchRequest<Trip>()))
        try trip.set(\.headsign, to: "Kai")
        let lines = try plain.fetch(FetchRequest<Route>()).map(\.objectID.inAnyStore)
        // The last list has more ids than SQLite takes as variables.
        let unknown = [255, 256, 257, 260_000].map { count in
            (0..<count).map { ObjectID(Route.entity, row: Int64(lines.count + $0)) }
        }
        for context in [plain, changed] {
            for place in [DepartureRequest.Place.anywhere, .stops(["markt", "nachtigallen"])] {
                for direction in [nil, 0, 1] as [Direction?] {
                    func departures(_ routes: [ObjectID]) throws -> [String] {
                        var request = DepartureRequest(
                            place, from: Instant(unixSeconds: 1_777_870_000), within: .seconds(86_400))
                        (request.event, request.routes, request.directionID) = (event, routes, direction)
                        return try context.departures(request).map { "\($0.instant) \($0.stopID) \($0.tripID)" }
                    }
                    let expected = try departures(lines)
                    #expect(direction != nil || !expected.isEmpty)
                    #expect(try departures(lines + lines) == expected)
                    for others in direction == nil ? unknown : unknown.dropLast() {
                        #expect(try departures(others + lines) == expected, "\(others.count)")
                        #expect(try departures(others) == [], "\(others.count)")
                    }
                }
            }
        }
    }

    @Test func `a service day of any number runs only if it is a date`() throws {
        let context = try ImportedStore.sample.get().context()
        let place = DepartureRequest.Place.stops(["markt"])
        for number in integers + [20_261_301, 20_260_431, 0, 10_101, 9_991_231] {
            let date = ServiceDate(number)
            let isDate = date.weekday != nil
            #expect(ServiceDate(date.description) == (isDate ? date : nil))
            for trip in try context.fetch(FetchRequest<Trip>()) {
                let runs = try trip.runs(on: date)
                #expect(runs.isEmpty == !(try trip.isRunning(on: date)))
                if !isDate { #expect(runs.isEmpty) }
            }
            let first = try context.firstDeparture(at: place, on: date)
            let last = try context.lastDeparture(at: place, on: date)
            #expect((first == nil) == (last == nil))
            if !isDate { #expect(first == nil) }
            #expect(try context.departures(DepartureRequest(place, on: date)).isEmpty == (first == nil))
        }
    }

    @Test func `times, dates and frequencies may be set to any number`() throws {
        let imported = try ImportedStore.sample.get()
        let routes = try imported.context().fetch(FetchRequest<Route>()).map(\.objectID.inAnyStore)
        var request = DepartureRequest(.anywhere, from: Instant(unixSeconds: 1_777_870_000), within: .seconds(86_400))
        request.routes = routes
        for number in integers {
            let fresh = try imported.context()
            for call in try fresh.fetch(FetchRequest<StopTime>()) {
                try call.set(\.arrivalTime, to: ServiceTime(seconds: number))
                try call.set(\.departureTime, to: ServiceTime(seconds: number))
            }
            for frequency in try fresh.fetch(FetchRequest<Frequency>()) {
                try frequency.set(\.startTime, to: ServiceTime(seconds: number))
                try frequency.set(\.endTime, to: ServiceTime(seconds: number))
            }
            for departure in try fresh.departures(request) {
                #expect(
                    request.from <= departure.instant && departure.instant < request.from.advanced(by: .seconds(86_400))
                )
            }
            for service in try fresh.fetch(FetchRequest<Service>()) {
                if ServiceDate(exactly: number) != nil {
                    try service.set(\.startDate, to: ServiceDate(number))
                } else {
                    let error = #expect(throws: StoreError.self) {
                        try service.set(\.startDate, to: ServiceDate(number))
                    }
                    #expect(error?.code == .unsuitableValue)
                }
                #expect(try service.days().allSatisfy { $0.weekday != nil })
            }
            for trip in try fresh.fetch(FetchRequest<Trip>()) { _ = try trip.runs(on: ServiceDate(20_260_504)) }
        }
    }
}
