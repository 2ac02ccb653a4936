import Foundation
import Testing

@testable import TransitStore

/// Hand-made predicates over imported feeds: SQL, memory and Foundation's evaluation find the same rows.
@Suite struct HandMadePredicateTests {
    @Test func predicatesAgreeOnTheSampleFeed() throws { try compareAll(ImportedStore.sample.get()) }

    @Test(.enabled(if: !RealFeeds.paths.isEmpty, RealFeeds.absent), arguments: RealFeeds.paths.prefix(4))
    func predicatesAgreeOnRealFeeds(_ feed: String) throws { try compareAll(ImportedStore(feed: feed)) }

    private func compareAll(_ imported: ImportedStore) throws {
        let store = try imported.open()
        try compare(HandMadePredicates.ofStops, #Predicate { $0.id < 40 }, store)
        try compare(HandMadePredicates.ofTimes, #Predicate { $0.trip.id < 5 }, store)
        try compare(HandMadePredicates.ofTrips, #Predicate { $0.id < 40 }, store)
        try compare(HandMadePredicates.ofTransfers, #Predicate { $0.id < 40 }, store)
    }

    /// Only rows that match `first` are compared: long tables would take minutes.
    private func compare<Entity: StoreEntity>(
        _ predicates: [Predicate<Entity>], _ first: Predicate<Entity>, _ store: TransitStore
    ) throws {
        for isChanged in [false, true] {
            let context = store.makeContext()
            if isChanged { try change(context) }
            let rows = try context.fetch(FetchRequest<Entity>(where: first))
            for predicate in predicates {
                let wanted = Set(try rows.filter { try predicate.evaluate($0) }.map(\.objectID))
                let request = FetchRequest<Entity>(where: first && predicate)
                #expect(Set(try context.fetch(request).map(\.objectID)) == wanted, "\(request)")
                #expect(try context.fetchCount(request) == wanted.count, "\(request)")
                let query = try Condition(predicate).query()
                let held = try rows.filter { row in
                    var evaluator = ExpressionEvaluator(row)
                    return try evaluator.holds(query)
                }
                #expect(Set(held.map(\.objectID)) == wanted, "\(request)")
            }
            #expect(context.lastError == nil)
        }
    }

    /// Deletes a stop, empties some values and sets others.
    private func change(_ context: StoreContext) throws {
        for (position, stop) in try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id < 8 })).enumerated() {
            switch position {
            case 0: context.delete(stop)
            case 1: try stop.setValue(.null, for: "latitude")
            case 2: try stop.setValue(.null, for: "parentStation")
            case 3: try stop.setValue("", for: "platformCode")
            case 4: try stop.setValue("", for: "name")
            case 5: try stop.setValue(9, for: "locationType")
            default: try stop.setValue(.null, for: "code")
            }
        }
        for (position, trip) in try context.fetch(FetchRequest<Trip>(where: #Predicate { $0.id < 5 })).enumerated() {
            let property = ["route", "service", "headsign", "shape", "directionID"][position]
            try trip.setValue(.null, for: property)
        }
        for time in try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 2 })) {
            try time.setValue(.null, for: ["departureTime", "arrivalTime", "stop"][time.stopSequence % 3])
        }
    }
}
