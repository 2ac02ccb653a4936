import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Makes the same random changes in a model and in a context that has its store.
struct TimetableChanger {
    var model: TimetableModel
    let context: StoreContext
    var random: SeededGenerator
    /// The model's store, if the context has others too.
    private let store: TransitStore?
    /// How many things were made or named so far, for names that nothing has yet.
    var inserted = 0

    init(
        _ model: TimetableModel, _ context: StoreContext, _ random: SeededGenerator, store: TransitStore? = nil
    ) {
        (self.model, self.context, self.random, self.store) = (model, context, random, store)
    }

    func found<Entity: StoreEntity>(_ type: Entity.Type, _ predicate: Predicate<Entity>) throws -> Entity? {
        var request = FetchRequest<Entity>(where: predicate)
        request.affectedStores = store.map { [$0] }
        return try context.fetchFirst(request)
    }

    func object<Entity: StoreEntity>(_ type: Entity.Type, _ predicate: Predicate<Entity>) throws -> Entity {
        try #require(try found(type, predicate))
    }

    func trip(_ id: String) throws -> Trip { try object(Trip.self, #Predicate { $0.tripID == id }) }
    func stop(_ id: String) throws -> Stop? { try found(Stop.self, #Predicate { $0.stopID == id }) }
    func route(_ id: String) throws -> Route? { try found(Route.self, #Predicate { $0.routeID == id }) }
    func service(_ id: String) throws -> Service? { try found(Service.self, #Predicate { $0.serviceID == id }) }

    private func call(_ trip: Trip, _ sequence: Int) throws -> StopTime {
        try #require(trip.stopTimes.objects.first { $0.stopSequence == sequence })
    }

    mutating func change() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...2: try delay()
        case 3: try cancel()
        case 4: try addTrip()
        case 5: try skipCall()
        case 6, 7: try changeCall()
        case 8: try changeTrip()
        case 9: try changeBand()
        default: try changeSurroundings()
        }
    }

    /// A trip and the place of one of its calls.
    private mutating func someCall() -> (trip: Int, call: Int)? {
        guard let trip = model.trips.indices.randomElement(using: &random),
            let call = model.trips[trip].calls.indices.randomElement(using: &random)
        else { return nil }
        return (trip, call)
    }

    /// Makes a trip late at some of its calls.
    private mutating func delay() throws {
        guard let index = model.trips.indices.randomElement(using: &random) else { return }
        let seconds = Int.random(in: 1...4_000, using: &random)
        let object = try trip(model.trips[index].id)
        for place in model.trips[index].calls.indices where Bool.random(using: &random) {
            let call = try call(object, model.trips[index].calls[place].sequence)
            if let time = model.trips[index].calls[place].arrival {
                model.trips[index].calls[place].arrival = time + seconds
                try call.setValue(ServiceTime(seconds: time + seconds), for: "arrivalTime")
            }
            if let time = model.trips[index].calls[place].departure {
                model.trips[index].calls[place].departure = time + seconds
                try call.setValue(ServiceTime(seconds: time + seconds), for: "departureTime")
            }
        }
    }

    private mutating func cancel() throws {
        // A feed without any stop time is refused.
        guard model.trips.count > 1, let index = model.trips.indices.randomElement(using: &random) else { return }
        context.delete(try trip(model.trips[index].id))
        model.trips.remove(at: index)
    }

    private mutating func addTrip() throws {
        inserted += 1
        let added = TimetableModel.trip(1_000 + inserted, &random)
        let object = context.insert(Trip.self)
        try object.setValue(added.id, for: "tripID")
        if let direction = Int(added.direction) { try object.setValue(direction, for: "directionID") }
        if !added.headsign.isEmpty { try object.setValue(added.headsign, for: "headsign") }
        try object.setValue(try route(added.route), for: "route")
        try object.setValue(try service(added.service), for: "service")
        for call in added.calls { try add(call, to: object) }
        for band in added.bands { try add(band, to: object) }
        model.trips.append(added)
    }

    private mutating func add(_ call: TimetableModel.Call, to trip: Trip) throws {
        let row = context.insert(StopTime.self)
        try row.setValue(trip, for: "trip")
        try row.setValue(try stop(call.stop), for: "stop")
        try row.setValue(call.sequence, for: "stopSequence")
        if let time = call.arrival { try row.setValue(ServiceTime(seconds: time), for: "arrivalTime") }
        if let time = call.departure { try row.setValue(ServiceTime(seconds: time), for: "departureTime") }
        try row.setValue(call.pickup, for: "pickupType")
        try row.setValue(call.dropOff, for: "dropOffType")
        if !call.headsign.isEmpty { try row.setValue(call.headsign, for: "stopHeadsign") }
        if let distance = call.distance { try row.setValue(distance, for: "shapeDistTraveled") }
        if call.window { try makeOnDemand(row) }
    }

    private func add(_ band: TimetableModel.Band, to trip: Trip) throws {
        let row = context.insert(Frequency.self)
        try row.setValue(trip, for: "trip")
        try set(band, in: row)
    }

    private func set(_ band: TimetableModel.Band, in row: Frequency) throws {
        try row.setValue(ServiceTime(seconds: band.start), for: "startTime")
        try row.setValue(ServiceTime(seconds: band.end), for: "endTime")
        try row.setValue(band.headway, for: "headwaySecs")
        try row.setValue(band.exact, for: "exactTimes")
    }

    /// Each of these alone tells that a call has no instant.
    private mutating func makeOnDemand(_ row: StopTime) throws {
        if Bool.random(using: &random) {
            try row.setValue(ServiceTime(hours: 8), for: "startPickupDropOffWindow")
        } else {
            try row.setValue(ServiceTime(hours: 20), for: "endPickupDropOffWindow")
        }
    }

    private mutating func skipCall() throws {
        guard let (trip, place) = someCall() else { return }
        let call = try call(try self.trip(model.trips[trip].id), model.trips[trip].calls[place].sequence)
        context.delete(call)
        model.trips[trip].calls.remove(at: place)
    }

    /// Another platform, other rules for riders, another headsign, or no times.
    private mutating func changeCall() throws {
        guard let (trip, place) = someCall() else { return }
        var call = model.trips[trip].calls[place]
        let object = try self.call(try self.trip(model.trips[trip].id), call.sequence)
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2:
            call.stop = model.stops.randomElement(using: &random)?.id ?? ""
            try object.setValue(try stop(call.stop), for: "stop")
        case 3:
            (call.pickup, call.dropOff) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...3, using: &random))
            try object.setValue(call.pickup, for: "pickupType")
            try object.setValue(call.dropOff, for: "dropOffType")
        case 4:
            call.headsign = Bool.random(using: &random) ? "New" : ""
            try object.setValue(call.headsign.isEmpty ? .null : .text(call.headsign), for: "stopHeadsign")
        default:
            (call.arrival, call.departure) = (nil, nil)
            for column in ["arrivalTime", "departureTime"] { try object.setValue(.null, for: column) }
        }
        model.trips[trip].calls[place] = call
    }

    /// Another service, line, direction, headsign or name.
    private mutating func changeTrip() throws {
        guard let index = model.trips.indices.randomElement(using: &random) else { return }
        let object = try trip(model.trips[index].id)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            model.trips[index].service = model.services.randomElement(using: &random)?.id ?? ""
            try object.setValue(try service(model.trips[index].service), for: "service")
        case 1:
            model.trips[index].route = model.routes.randomElement(using: &random)?.id ?? ""
            try object.setValue(try route(model.trips[index].route), for: "route")
        case 2:
            model.trips[index].direction = Bool.random(using: &random) ? "1" : ""
            try object.setValue(model.trips[index].direction.isEmpty ? .null : 1, for: "directionID")
        case 3:
            model.trips[index].headsign = Bool.random(using: &random) ? "Changed" : ""
            try object.setValue(model.trips[index].headsign.isEmpty ? .null : "Changed", for: "headsign")
        default:
            inserted += 1
            model.trips[index].id = "renamed\(inserted)"
            try object.setValue(.text("renamed\(inserted)"), for: "tripID")
        }
    }

    /// Adds, changes or deletes a row of frequencies.txt.
    private mutating func changeBand() throws {
        guard let index = model.trips.indices.randomElement(using: &random) else { return }
        let object = try trip(model.trips[index].id)
        let band = TimetableModel.band(&random)
        guard let place = model.trips[index].bands.indices.randomElement(using: &random) else {
            model.trips[index].bands.append(band)
            return try add(band, to: object)
        }
        let row = object.frequencies.objects[place]
        if Bool.random(using: &random) {
            model.trips[index].bands[place] = band
            try set(band, in: row)
        } else {
            model.trips[index].bands.remove(at: place)
            context.delete(row)
        }
    }
}
