import Foundation
import Testing

@testable import TransitStore

/// Objects and ids in a `#Predicate`: the SQL, the rows, and the same rows by Foundation's own evaluation.
@Suite struct ObjectPredicateTests {
    private let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func objectsAreComparedByTheirKeys() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        let station = try context.object(Stop.self, id: 1)
        let none: Stop? = nil
        let calls = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 }))
        let ofZoo = calls.map(\.objectID.description)
        #expect(ofZoo.count > 1)
        try expect(#Predicate<StopTime> { $0.stop == zoo }, becomes: "t0.stop = 7", finds: ofZoo, in: context)
        try expect(#Predicate<Stop> { $0 == zoo }, becomes: "t0.id = 7", finds: ["stop/7"], in: context)
        try expect(
            #Predicate<Stop> { $0.parentStation == station }, becomes: "t0.parent_station = 1",
            finds: ["stop/2", "stop/5"], in: context)
        try expect(
            #Predicate<Stop> { $0.parentStation != station && $0.parentStation != none },
            becomes: "(t0.parent_station = 1) IS NOT TRUE AND t0.parent_station IS NOT NULL", finds: [], in: context)
        let both = [zoo]
        try expect(
            #Predicate<StopTime> { both.contains($0.stop) }, becomes: "t0.stop IN (7)", finds: ofZoo, in: context)
    }

    @Test func idsAreComparedByTheirEntityAndKey() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7)).objectID
        let call = try #require(try context.fetchFirst(FetchRequest<StopTime>())).objectID
        let route = try #require(try context.object(Route.self, id: 1)).objectID
        let others: Set = [zoo, route]
        try expect(
            #Predicate<Stop> { $0.objectID == zoo }, becomes: "t0.id = 7", finds: ["stop/7"], in: context)
        // Keys of two columns.
        try expect(
            #Predicate<StopTime> { $0.objectID == call }, becomes: "t0.trip = 0 AND t0.stop_sequence = 1",
            finds: ["stop_time/0/1"], in: context)
        try expect(
            #Predicate<Stop> { $0.stopTimes.contains { $0.objectID == call } },
            becomes:
                "EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id AND t1.trip = 0 AND t1.stop_sequence = 1)",
            finds: ["stop/\(context.object(with: call).value(of: "stop") ?? .null)"], in: context)
        // An id of another entity never matches a stop, whatever its number.
        try expect(#Predicate<Stop> { $0.objectID == route }, becomes: "0", finds: [], in: context)
        try expect(
            #Predicate<Stop> { $0.parentStation?.objectID == route }, becomes: "0", finds: [], in: context)
        try expect(
            #Predicate<Stop> { others.contains($0.objectID) }, becomes: "t0.id IN (7)", finds: ["stop/7"], in: context)
    }

    @Test func objectsAreComparedAlikeWithUnsavedChanges() throws {
        let context = try context()
        let extra = context.insert(Stop.self)
        let zoo = try #require(try context.object(Stop.self, id: 7))
        let call = try #require(try context.fetchFirst(FetchRequest<StopTime>(where: #Predicate { $0.stop != zoo })))
        try call.set(\.stop, to: extra)
        #expect(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop == extra })) == [call])
        #expect(try context.fetch(FetchRequest<Stop>(where: #Predicate { $0 == extra })) == [extra])
        try call.setValue(zoo.objectID, for: "stop")
        #expect(call.stop == zoo)
        #expect(throws: StoreError.self) { try call.setValue(call.trip.objectID, for: "stop") }
    }

    @Test func encodedIDsLeadToTheSameObjects() throws {
        let context = try context()
        let ids = try [
            context.fetchIDs(FetchRequest<Stop>()), context.fetchIDs(FetchRequest<StopTime>()),
            context.fetchIDs(FetchRequest<SearchTerm>()),
        ].flatMap { $0 }
        let data = try JSONEncoder().encode(ids)
        let decoded = try JSONDecoder().decode([ObjectID].self, from: data)
        #expect(decoded.map(\.description) == ids.map(\.description))
        // In the same context, decoded ids lead to the same objects.
        #expect(decoded.map { context.object(with: $0) } == ids.map { context.object(with: $0) })
        let one = try #require(ids.first)
        let text = String(decoding: try JSONEncoder().encode(one), as: UTF8.self)
        #expect(text.contains("\"table\":\"stop\""), "\(text)")
        for wrong in [
            #"{"table":"boat","key":[{"integer":{"_0":1}}]}"#, #"{"table":"stop","key":[]}"#,
            #"{"table":"stop_time","key":[{"integer":{"_0":1}}]}"#, #"{"table":"stop","key":[{"text":{"_0":"x"}}]}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(ObjectID.self, from: Data(wrong.utf8)) }
        }
    }
}
