import Testing
import TransitStore

/// Objects of ids that name no row.
@Suite struct MissingRowTests {
    private static let message =
        "The store has no row stop/99 (Stop), so its properties read as missing; existingObject(with:) tells whether there "
        + "is one"

    @Test(arguments: [false, true]) func `a fault without a row says so`(hasChanges: Bool) throws {
        let context = try TestStore.berlin().context()
        if hasChanges { try context.object(Stop.self, id: 3)?.set(\.name, to: "Kai") }
        let id = ObjectID(Stop.entity, row: 99)
        let stop = try #require(context.object(with: id) as? Stop)
        #expect(context.lastError == nil)
        #expect(stop.id == 99 && context.lastError == nil)
        #expect(stop.name == "" && stop.latitude == nil)
        #expect(context.lastError?.code == .unknownRow)
        #expect(context.lastError?.message == Self.message)
        context.lastError = nil
        #expect(stop.value(of: "platformCode") == .null)
        #expect(context.lastError?.message == Self.message)
        context.lastError = nil
        #expect(stop.parentStation == nil)
        #expect(context.lastError?.message == Self.message)
        context.lastError = nil
        let error = #expect(throws: StoreError.self) { try context.fill(stop) }
        #expect(error?.code == .unknownRow)
        #expect(error?.message == Self.message)
        #expect(stop.isFault && context.lastError == nil)
        #expect(try context.existingObject(with: id) == nil && context.lastError == nil)
    }

    /// The statement finds no related rows. It does not check whether the row itself exists, so there is no error.
    @Test func `its to-many relationships are empty`() throws {
        let context = try TestStore.berlin().context()
        let stop = try #require(context.object(with: ObjectID(Stop.entity, row: 99)) as? Stop)
        #expect(stop.stopTimes.isEmpty && stop.stopTimes.objects.isEmpty && context.lastError == nil)
    }

    @Test func `a row that is missing by another key or in another table is named`() throws {
        let context = try TestStore.berlin().context()
        for (id, name) in [
            (ObjectID(StopTime.entity, row: 1), "stop_time/1 (StopTime)"),
            (ObjectID(Trip.entity, row: .max), "trip/9223372036854775807 (Trip)"),
        ] {
            let object = context.object(with: id)
            #expect(object.value(of: "stop") == nil || object.value(of: "stop") == .null)
            context.lastError = nil
            let error = #expect(throws: StoreError.self) { try context.fill(object) }
            #expect(error?.message.hasPrefix("The store has no row \(name), ") == true, "\(error?.message ?? "")")
        }
    }

    /// There is nothing to change, and nothing that a fetch could merge with.
    @Test func `its properties cannot be set`() throws {
        let context = try TestStore.berlin().context()
        let stop = try #require(context.object(with: ObjectID(Stop.entity, row: 99)) as? Stop)
        let error = #expect(throws: StoreError.self) { try stop.set(\.name, to: "Kai") }
        #expect(error?.code == .unknownRow)
        #expect(!context.hasChanges && stop.isFault)
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 8)
    }

    /// These have no row, and nobody did anything wrong.
    @Test func `placeholders and objects taken back are no errors`() throws {
        let store = try TestStore { connection in
            try connection.insert("route", "id, route_id, route_type", ["0, 'r', 3"])
            try connection.insert("trip", "id, route, service, trip_id", ["0, 0, NULL, 't'"])
        }
        let context = try store.context()
        let trip = try #require(try context.object(Trip.self, id: 0))
        #expect(trip.service.serviceID == "")
        try context.fill(trip.service)
        let inserted = context.insert(Stop.self)
        context.delete(inserted)
        _ = inserted.name
        #expect(context.lastError == nil)
    }
}
