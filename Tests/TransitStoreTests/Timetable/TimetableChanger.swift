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
    private var inserted = 0

    init(
        _ model: TimetableModel, _ context: StoreContext, _ random: SeededGenerator, store: TransitStore? = nil
    ) {
        (self.model, self.context, self.random, self.store) = (model, context, random, store)
    }

    private func object<Entity: StoreEntity>(_ type: Entity.Type, _ predicate: Predicate<Entity>) throws -> Entity {
        var request = FetchRequest<Entity>(where: predicate)
        request.affectedStores = store.map { [$0] }
        return try #require(try context.fetchFirst(request))
    }

    private func trip(_ id: String) throws -> Trip { try object(Trip.self, #Predicate { $0.tripID == id }) }

    private func call(_ trip: Trip, _ sequence: Int) throws -> StopTime {
        try #require(trip.stopTimes.objects.first { $0.stopSequence == sequence })
    }

    mutating func change() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: try delay()
        case 3: try cancel()
        case 4: try addTrip()
        case 5: try skipCall()
        case 6: try changeService()
        case 7: try changePlatform()
        case 8: try renameStop()
        default: try changeTrip()
        }
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
        let (route, service) = (added.route, added.service)
        try object.setValue(try self.object(Route.self, #Predicate { $0.routeID == route }), for: "route")
        try object.setValue(try self.object(Service.self, #Predicate { $0.serviceID == service }), for: "service")
        for call in added.calls {
            let row = context.insert(StopTime.self)
            try row.setValue(object, for: "trip")
            let stop = call.stop
            try row.setValue(try self.object(Stop.self, #Predicate { $0.stopID == stop }), for: "stop")
            try row.setValue(call.sequence, for: "stopSequence")
            if let time = call.arrival { try row.setValue(ServiceTime(seconds: time), for: "arrivalTime") }
            if let time = call.departure { try row.setValue(ServiceTime(seconds: time), for: "departureTime") }
            try row.setValue(call.pickup, for: "pickupType")
            try row.setValue(call.dropOff, for: "dropOffType")
            if !call.headsign.isEmpty { try row.setValue(call.headsign, for: "stopHeadsign") }
            if let distance = call.distance { try row.setValue(distance, for: "shapeDistTraveled") }
            if call.window { try makeOnDemand(row) }
        }
        for band in added.bands {
            let row = context.insert(Frequency.self)
            try row.setValue(object, for: "trip")
            try row.setValue(ServiceTime(seconds: band.start), for: "startTime")
            try row.setValue(ServiceTime(seconds: band.end), for: "endTime")
            try row.setValue(band.headway, for: "headwaySecs")
            try row.setValue(band.exact, for: "exactTimes")
        }
        model.trips.append(added)
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
        guard let index = model.trips.indices.randomElement(using: &random),
            let place = model.trips[index].calls.indices.randomElement(using: &random)
        else { return }
        let object = try trip(model.trips[index].id)
        let call = try call(object, model.trips[index].calls[place].sequence)
        context.delete(call)
        model.trips[index].calls.remove(at: place)
    }

    private mutating func changeService() throws {
        let index = Int.random(in: model.services.indices, using: &random)
        let id = model.services[index].id
        let service = try object(Service.self, #Predicate { $0.serviceID == id })
        let date = TimetableModel.days.randomElement(using: &random) ?? 0
        if model.services[index].exceptions.contains(where: { $0.date == date }) { return }
        let type = Int.random(in: 1...2, using: &random)
        model.services[index].exceptions.append((date, type))
        let exception = context.insert(ServiceException.self)
        try exception.setValue(service, for: "service")
        try exception.setValue(ServiceDate(date), for: "date")
        try exception.setValue(type, for: "exceptionType")
    }

    private mutating func changePlatform() throws {
        guard let index = model.trips.indices.randomElement(using: &random),
            let place = model.trips[index].calls.indices.randomElement(using: &random)
        else { return }
        let call = try call(try trip(model.trips[index].id), model.trips[index].calls[place].sequence)
        let id = ["p1", "p2", "x"].randomElement(using: &random) ?? ""
        model.trips[index].calls[place].stop = id
        try call.setValue(try object(Stop.self, #Predicate { $0.stopID == id }), for: "stop")
    }

    /// Trips without a headsign show the name of their last stop.
    private mutating func renameStop() throws {
        let id = model.stops[Int.random(in: model.stops.indices, using: &random)].id
        let name = "Renamed \(Int.random(in: 0...9, using: &random))"
        model.names[id] = name
        try object(Stop.self, #Predicate { $0.stopID == id }).setValue(name, for: "name")
    }

    private mutating func changeTrip() throws {
        guard let index = model.trips.indices.randomElement(using: &random) else { return }
        let object = try trip(model.trips[index].id)
        let service = "s\(Int.random(in: 0...3, using: &random))"
        model.trips[index].service = service
        model.trips[index].headsign = "Changed"
        try object.setValue("Changed", for: "headsign")
        try object.setValue(try self.object(Service.self, #Predicate { $0.serviceID == service }), for: "service")
    }
}
