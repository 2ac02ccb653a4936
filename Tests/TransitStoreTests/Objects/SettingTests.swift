import FoundationEssentials
import Testing
import TransitStore

/// The values to which properties may be set in memory.
@Suite struct SettingTests {
    let fixture = Result { try TestStore.berlin() }

    private func stop(_ id: Int = 7) throws -> Stop {
        try #require(try fixture.get().context().object(Stop.self, id: id))
    }

    private func expect(_ message: String, _ body: () throws -> Void) {
        #expect(throws: StoreError(.unsuitableValue, message)) { try body() }
    }

    @Test func valuesOfOtherTypesAreRefused() throws {
        let context = try fixture.get().context()
        let stop = try #require(try context.object(Stop.self, id: 7))
        let call = try #require(try context.fetch(FetchRequest<StopTime>()).first)
        let trip = try #require(try context.object(Trip.self, id: 3))
        expect("Stop.name takes a text or nil, not the number 5") { try stop.setValue(5, for: "name") }
        expect("Stop.latitude takes a number or nil, not the text 'abc'") { try stop.setValue("abc", for: "latitude") }
        expect("Stop.locationType takes a whole number or nil, not the number 1.5") {
            try stop.setValue(1.5, for: "location_type")
        }
        expect("Stop.name takes a text or nil, not the time 08:00:00") {
            try stop.setValue(ServiceTime(hours: 8), for: "name")
        }
        expect("Stop.id is the row's key, which cannot be set") { try stop.setValue(nil, for: "id") }
        expect("Stop.id is the row's key, which cannot be set") { try stop.setValue(8, for: "id") }
        expect("StopTime.departureTime takes a time, or seconds as a whole number, or nil, not the text '8:00'") {
            try call.setValue("8:00", for: "departureTime")
        }
        expect("StopTime.departureTime takes a time, or seconds as a whole number, or nil, not the date 20260427") {
            try call.setValue(ServiceDate(20_260_427), for: "departureTime")
        }
        expect("StopTime.stop takes a row of stop, or its id, or nil, not trip/3") {
            try call.setValue(trip, for: "stop")
        }
        expect("StopTime.stop takes a row of stop, or its id, or nil, not the text 's7'") {
            try call.setValue("s7", for: "stop")
        }
        expect("StopTime.trip takes a row of trip, or its id, not nil") { try call.setValue(nil, for: "trip") }
        expect("Stop.name takes a text or nil, not stop/7") { try stop.setValue(stop, for: "name") }
        #expect(!context.hasChanges)
        #expect(stop.name == "Zoo")
    }

    @Test func computedValuesCannotBeSet() throws {
        let context = try fixture.get().context()
        let call = try #require(try context.fetch(FetchRequest<StopTime>()).first)
        let service = try #require(try context.fetch(FetchRequest<Service>()).first)
        let stop = try stop()
        expect("Stop.normalizedName is a value that the import computes, which cannot be set") {
            try stop.set(\.normalizedName, to: "kai")
        }
        expect("Route.timezone is a value that the import computes, which cannot be set") {
            try context.insert(Route.self).set(\.timezone, to: "Europe/Berlin")
        }
        expect("Service.daySet is a value that the import computes, which cannot be set") {
            try service.setValue(nil, for: "day_set")
        }
        expect("StopTime.filledTimes is a value that the import computes, which cannot be set") {
            try call.set(\.filledTimes, to: 3)
        }
        try stop.set(\.timezone, to: "Europe/Berlin")
        #expect(stop.timezone == "Europe/Berlin")
    }

    @Test func theNormalizedNameFollowsTheName() throws {
        let context = try fixture.get().context()
        let stop = try #require(try context.object(Stop.self, id: 7))
        try stop.set(\.name, to: "Großer Zoo")
        #expect(stop.normalizedName == "Großer Zoo".folded)
        let named = FetchRequest<Stop>(where: #Predicate { $0.normalizedName.starts(with: "gro") })
        #expect(try context.fetch(named) == [stop])
        try stop.setValue(nil, for: "name")
        #expect(stop.normalizedName == "")
        context.rollback()
        #expect(stop.normalizedName == "zoo")
        let inserted = context.insert(Stop.self)
        try inserted.set(\.name, to: "Größe")
        #expect(inserted.normalizedName == "Größe".folded)
    }

    @Test func propertiesAreSetByKeyPath() throws {
        let context = try fixture.get().context()
        let (stop, other) = (
            try #require(try context.object(Stop.self, id: 7)), try #require(try context.object(Stop.self, id: 1))
        )
        let call = try #require(try context.fetchFirst(FetchRequest<StopTime>()))
        try stop.set(\.name, to: "Kai")
        try stop.set(\.platformCode, to: "2")
        try stop.set(\.parentStation, to: other)
        try call.set(\.departureTime, to: ServiceTime(hours: 8))
        try call.set(\.stop, to: stop)
        #expect(stop.name == "Kai" && stop.platformCode == "2" && stop.parentStation == other)
        #expect(call.departureTime == ServiceTime(hours: 8) && call.stop == stop)
        try stop.set(\.platformCode, to: nil)
        try stop.set(\.parentStation, to: nil)
        #expect(stop.platformCode == nil && stop.parentStation == nil)
        expect("Stop.id is the row's key, which cannot be set") { try stop.set(\.id, to: 5) }
        #expect(throws: StoreError.self) { try stop.set(\.name.count, to: 5) }
        let message = "stop.name is not a property of StopTime that can be set; set it on the object that stop leads to"
        #expect(throws: StoreError(.unknownProperty, message)) { try call.set(\.stop.name, to: "x") }
        #expect(throws: StoreError.self) { try stop.set(\.stopTimes.count, to: 5) }
    }

    @Test func toManyRelationshipsAreChangedFromTheirOtherSide() throws {
        let stop = try stop()
        let message =
            "Stop.stopTimes is a to-many relationship, which is changed from its other side: set stop of each StopTime"
        expect(message) { try stop.setValue(5, for: "stopTimes") }
        expect(message) { try stop.setValue(stop, for: "stopTimes") }
        #expect(throws: StoreError.self) { try stop.setValue(1, for: "colour") }
    }

    @Test func swiftValuesAreSetAsTheyAre() throws {
        let context = try fixture.get().context()
        let stop = try #require(try context.object(Stop.self, id: 7))
        let station = try #require(try context.object(Stop.self, id: 1))
        let name: String? = "Zoologischer Garten"
        try stop.setValue(name, for: "name")
        try stop.setValue(52, for: "latitude")
        try stop.setValue(13.5, for: "longitude")
        try stop.setValue(LocationType.platform, for: "locationType")
        try stop.setValue(2.0, for: "wheelchairBoarding")
        try stop.setValue(station, for: "parentStation")
        #expect(stop.name == "Zoologischer Garten" && stop.latitude == 52 && stop.longitude == 13.5)
        #expect(stop.value(of: "latitude") == .double(52))
        #expect(stop.locationType == .platform && stop.wheelchairBoarding == 2 && stop.parentStation === station)
        try stop.setValue(stop.parentStation?.parentStation, for: "parentStation")
        try stop.setValue(nil, for: "code")
        try stop.setValue(Double.nan, for: "latitude")
        #expect(stop.parentStation == nil && stop.code == nil && stop.coordinate == nil)
        let call = context.insert(StopTime.self)
        let extra = context.insert(Stop.self)
        try call.setValue(ServiceTime(hours: 25), for: "departureTime")
        try call.setValue(extra, for: "stop")
        #expect(call.departureTime?.seconds == 90_000 && call.stop === extra)
        try call.setValue(ServiceTime?.none, for: "departureTime")
        #expect(call.departureTime == nil)
    }

    /// No row was deleted: both objects were never stored.
    @Test func `a reference to an inserted object is missing once that is deleted`() throws {
        let context = try fixture.get().context()
        let (call, stop) = (context.insert(StopTime.self), context.insert(Stop.self))
        try call.set(\.stop, to: stop)
        #expect(call.value(of: "stop") != .null && call.stop === stop)
        context.delete(stop)
        #expect(call.value(of: "stop") == .null && call.stop !== stop)
    }

    @Test func objectsOfOtherContextsAndStoresAreRefused() throws {
        let (one, other) = (try fixture.get().open(), try fixture.get().open())
        let context = StoreCoordinator([one, other]).makeContext()
        let stops = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id == 1 }))
        expect("Stop.parentStation takes a row of stop, or its id, or nil, not stop/1 of another store") {
            try stops[0].setValue(stops[1], for: "parentStation")
        }
        let strange = one.makeContext().insert(Stop.self)
        let error = #expect(throws: StoreError.self) { try stops[0].setValue(strange, for: "parentStation") }
        #expect(error?.message.hasSuffix("of another context") == true)
    }

    /// An import would leave such a cell out.
    @Test func aDayThatDoesNotExistIsRefused() throws {
        let context = try fixture.get().context()
        let service = try #require(try context.object(Service.self, id: 0))
        let expected = "Service.startDate takes a date, or YYYYMMDD as a whole number, or nil, not the"
        for number in [20_261_399, 20_260_230, 0, -1, Int.max] {
            expect("\(expected) number \(number)") { try service.setValue(number, for: "startDate") }
            expect("\(expected) date \(number)") { try service.set(\.startDate, to: ServiceDate(number)) }
        }
        try service.setValue(20_240_229, for: "startDate")
        #expect(service.startDate == ServiceDate(20_240_229))
        try service.setValue(nil, for: "startDate")
        #expect(service.startDate == nil)
    }
}
