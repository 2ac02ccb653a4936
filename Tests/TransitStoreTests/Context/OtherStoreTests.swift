import Foundation
import Testing
import TransitStore

/// Ids and stops in contexts of several stores, and in stores that they do not belong to.
@Suite struct OtherStoreTests {
    private let one = Result { try ImportedStore.sample.get().open() }
    private let other = Result { try TestStore.berlin() }
    private let from = Instant(unixSeconds: 1_777_870_000)

    private func stores() throws -> (one: TransitStore, other: TransitStore) {
        (try one.get(), try other.get().open())
    }

    private func request(_ place: DepartureRequest.Place) -> DepartureRequest {
        DepartureRequest(place, from: from, within: .seconds(86_400))
    }

    @Test func `departures at a stop that one of the stores has`() throws {
        let (one, other) = try stores()
        let expected = try one.makeContext().departures(request(.stops(["markt"]))).map(\.instant)
        #expect(!expected.isEmpty)
        for order in [[one, other], [other, one]] {
            let context = StoreCoordinator(order).makeContext()
            #expect(try context.departures(request(.stops(["markt"]))).map(\.instant) == expected)
            #expect(try context.departures(request(.stops(["markt", "s7"]))).map(\.instant) == expected)
            #expect(context.departures(lazily: request(.stops(["markt"]))).map(\.instant) == expected)
            let nowhere = #expect(throws: StoreError.self) {
                try context.departures(request(.stops(["markt", "nowhere"])))
            }
            #expect(nowhere?.code == .unknownRow)
            var ofOther = request(.stops(["markt"]))
            ofOther.affectedStores = [other]
            #expect(#expect(throws: StoreError.self) { try context.departures(ofOther) }?.code == .unknownRow)
        }
    }

    /// A store that has none of the requested lines still checks whether it has the stop.
    @Test func `departures of lines of one store at a stop that no store has`() throws {
        let (one, other) = try stores()
        let line = try #require(try one.makeContext().fetchFirst(FetchRequest<Route>())).objectID
        for stores in [[one], [one, other], [other, one]] {
            let context = StoreCoordinator(stores).makeContext()
            for routes in [[line], []] {
                var nowhere = request(.stops(["nowhere"]))
                nowhere.routes = routes
                #expect(#expect(throws: StoreError.self) { try context.departures(nowhere) }?.code == .unknownRow)
                nowhere.place = .objects([ObjectID(Stop.entity, row: 99_999)])
                #expect(#expect(throws: StoreError.self) { try context.departures(nowhere) }?.code == .unknownRow)
                // Stops that only the other store has.
                for place in [DepartureRequest.Place.stops(["s7"]), .stops(["markt"])] where stores.count == 2 {
                    nowhere.place = place
                    #expect(throws: Never.self) { try context.departures(nowhere) }
                }
            }
        }
    }

    @Test func `departures at an id that no row has`() throws {
        let (one, _) = try stores()
        let known = try #require(try one.makeContext().object(Stop.self, id: 1)).objectID
        let unknown = ObjectID(Stop.entity, row: 99_999)
        for isChanged in [false, true] {
            let context = one.makeContext()
            if isChanged { try context.fetch(FetchRequest<Stop>())[1].set(\.name, to: "Kai") }
            for ids in [[unknown], [known, unknown]] {
                for start in [from, Instant(unixSeconds: 0)] {
                    let request = DepartureRequest(.objects(ids), from: start, within: .seconds(86_400))
                    let error = #expect(throws: StoreError.self) { try context.departures(request) }
                    #expect(error?.code == .unknownRow, "\(ids) \(start) \(isChanged)")
                }
            }
            #expect(throws: Never.self) { try context.departures(request(.objects([known]))) }
        }
    }

    @Test func `ids of another store match no row`() throws {
        let (one, other) = try stores()
        let stop = try #require(
            try one.makeContext().fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" })))
        let (id, ids) = (stop.objectID, [stop.objectID])
        let conditions: [(condition: Condition<Stop>, isNegated: Bool)] = [
            (Condition(#Predicate { $0.objectID == id }), false), (Condition(#Predicate { $0 == stop }), false),
            (Condition(#Predicate { ids.contains($0.objectID) }), false),
            (Condition(#Predicate { $0.objectID != id }), true), (Condition(#Predicate { !($0 == stop) }), true),
        ]
        let again = try one.reopened()
        for isChanged in [false, true] {
            for stores in [[one], [other], [again], [one, other], [other, one], [again, one]] {
                let context = StoreCoordinator(stores).makeContext()
                if isChanged { for stop in try context.fetch(FetchRequest<Stop>()) { try stop.set(\.code, to: "x") } }
                let all = try context.fetchCount(FetchRequest<Stop>())
                let own = stores.contains(one) ? 1 : 0
                for (condition, isNegated) in conditions {
                    let request = FetchRequest<Stop>(where: condition)
                    #expect(try context.fetchCount(request) == (isNegated ? all - own : own), "\(request)")
                    let found = try context.fetch(request)
                    #expect(found.count == (isNegated ? all - own : own), "\(request)")
                    if !isNegated { #expect(found.allSatisfy { $0.objectID == id }) }
                }
                let calls = FetchRequest<StopTime>(where: #Predicate { $0.stop == stop })
                #expect(try context.fetchCount(calls) == (own == 1 ? stop.stopTimes.count : 0))
            }
        }
    }

    /// Requests for ids of two stores ask for different rows, although their SQL is the same.
    @Test func `requests for ids of different stores are not equal`() throws {
        let (one, other) = try stores()
        let requests = try [one, other].map { store in
            let id = try #require(try store.makeContext().object(Stop.self, id: 1)).objectID
            return FetchRequest<Stop>(where: #Predicate { $0.objectID == id })
        }
        #expect(requests[0].description == requests[1].description)
        #expect(requests[0] != requests[1])
        let context = StoreCoordinator([one, other]).makeContext()
        for _ in 0..<2 {
            let names = try requests.map { try context.fetch($0).map(\.name) }
            #expect(try names[0] == [#require(try one.makeContext().object(Stop.self, id: 1)).name])
            #expect(try names[1] == [#require(try other.makeContext().object(Stop.self, id: 1)).name])
        }
    }

    @Test func `an id made by hand means a row of the context's first store`() throws {
        let (one, other) = try stores()
        let id = ObjectID(Stop.entity, row: 1)
        let request = FetchRequest<Stop>(where: #Predicate { $0.objectID == id })
        for _ in 0..<2 {
            for stores in [[one, other], [other, one], [one], [other]] {
                let found = try StoreCoordinator(stores).makeContext().fetch(request)
                #expect(found.map(\.name) == [try stores[0].makeContext().object(Stop.self, id: 1)?.name])
            }
        }
    }

    @Test func `all kinds of fetches find an id made by hand in the first store only`() async throws {
        let (one, other) = try stores()
        let id = ObjectID(Stop.entity, row: 1)
        var request = FetchRequest<Stop>(where: #Predicate { $0.objectID == id })
        let context = StoreCoordinator([one, other]).makeContext()
        for (affected, count) in [([one], 1), ([other], 0), ([one, other], 1)] {
            request.affectedStores = affected
            #expect(try context.fetch(request).count == count)
            #expect(try context.fetchIDs(request).count == count)
            #expect(try context.fetchRows(request).count == count)
            #expect(try context.fetchBatches(request).count == count)
            #expect(try FetchedResults(request, sectionedBy: \.name, in: context).sections.count == count)
            #expect(try await context.fetchInBackground(request).count == count)
            #expect(try await context.fetchIDsInBackground(request).count == count)
            #expect(try await context.fetchRowsInBackground(request).count == count)
            #expect(try await context.fetchCountInBackground(request) == count)
            var rows = 0
            for try await _ in context.rowsInBackground(of: request) { rows += 1 }
            for try await batch in context.batchesInBackground(request) { rows += batch.count }
            #expect(rows == 2 * count)
        }
    }
}
