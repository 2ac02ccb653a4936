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
}
