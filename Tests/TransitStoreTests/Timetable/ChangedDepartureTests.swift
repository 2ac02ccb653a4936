import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Departures with unsaved changes equal those of a feed that contains the changes.
@Suite struct ChangedDepartureTests {
    /// Makes the same changes in the model and in the context.
    private struct Changer {
        var model: TimetableModel
        let context: StoreContext
        var random: SeededGenerator
        private var inserted = 0

        init(_ model: TimetableModel, _ context: StoreContext, _ random: SeededGenerator) {
            (self.model, self.context, self.random) = (model, context, random)
        }

        private func object<Entity: StoreEntity>(_ type: Entity.Type, _ predicate: Predicate<Entity>) throws -> Entity {
            try #require(try context.fetchFirst(FetchRequest<Entity>(where: predicate)))
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
            var added = TimetableModel.trip(1_000 + inserted, &random)
            added.bands = []
            let object = context.insert(Trip.self)
            try object.setValue(added.id, for: "tripID")
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
                if call.window {
                    try row.setValue(ServiceTime(hours: 8), for: "startPickupDropOffWindow")
                    try row.setValue(ServiceTime(hours: 20), for: "endPickupDropOffWindow")
                }
            }
            model.trips.append(added)
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

    @Test func changesCountAsIfTheyWereInTheFeed() throws {
        var (compared, saved, original) = (0, 0, 0)
        for seed in 1...25 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed &* 7_919)
            let model = TimetableModel.random(&random)
            let imported = try DepartureTests.imported(model)
            let context = try imported.context()
            var changer = Changer(model, context, random)
            for _ in 0..<8 {
                try changer.change()
                compared += try #require(
                    try DepartureTests.compare(context, changer.model, seed, questions: 5, &random))
            }
            // The feed with the changes in it, imported anew.
            let anew = try DepartureTests.imported(changer.model).context()
            for _ in 0..<10 {
                let (from, seconds) = DepartureTests.window(&random)
                let request = DepartureRequest(.stops(["top", "x", "y", "z"]), from: from, within: .seconds(seconds))
                let found = try context.departures(request).map(TimetableModel.line)
                #expect(found == (try anew.departures(request).map(TimetableModel.line)), "seed \(seed)")
                saved += found.count
            }
            // If the request ignores the changes, or after a rollback, the departures are those of the original feed.
            var request = DepartureRequest(
                .stops(["top", "x"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(400_000))
            request.includesPendingChanges = false
            let before = try imported.context().departures(request).map(TimetableModel.line)
            #expect(try context.departures(request).map(TimetableModel.line) == before)
            context.rollback()
            request.includesPendingChanges = true
            #expect(try context.departures(request).map(TimetableModel.line) == before)
            original += before.count
        }
        #expect(compared > 1_000 && saved > 1_000 && original > 0, "\(compared), \(saved), \(original)")
    }

    /// A trip whose last stop was deleted shows the last stop that is left, as after an import without that stop.
    @Test func theNameOfADeletedLastStopIsNotShown() throws {
        var random = SeededGenerator(seed: 5)
        var model = TimetableModel.random(&random)
        for index in model.trips.indices { model.trips[index].headsign = "" }
        let context = try DepartureTests.imported(model).context()
        for id in ["p1", "x", "y", "z"] {
            let stop = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == id }))
            context.delete(try #require(stop))
            var changed = model
            changed.stops.removeAll { $0.id == id }
            let saved = try DepartureTests.imported(changed).context()
            let request = DepartureRequest(
                .stops(["top", "x", "y", "z"].filter { $0 != id }), from: Instant(unixSeconds: 1_792_800_000),
                within: .seconds(800_000))
            let found = try context.departures(request).map(TimetableModel.line)
            #expect(!found.isEmpty)
            #expect(found == (try saved.departures(request).map(TimetableModel.line)), "without \(id)")
            context.rollback()
        }
    }

    /// A line runs if one of its trips does, also in the second store of a context.
    @Test func linesAndTripsRunOnTheSameDays() throws {
        var random = SeededGenerator(seed: 5)
        let imported = try (0..<2).map { _ in try DepartureTests.imported(TimetableModel.random(&random)) }
        let stores = try imported.map { try $0.open() }
        let context = StoreCoordinator(stores).makeContext()
        var request = FetchRequest<Trip>(limit: 1)
        request.affectedStores = [stores[1]]
        let trip = try #require(try context.fetch(request).first)
        let monday = ServiceDate(20_270_104)
        #expect(try !trip.isRunning(on: monday) && !trip.route.isRunning(on: monday))
        let service = context.insert(Service.self)
        for property in ["inCalendar", "monday"] { try service.setValue(true, for: property) }
        try service.setValue(ServiceDate(20_270_101), for: "startDate")
        try service.setValue(ServiceDate(20_270_131), for: "endDate")
        try trip.setValue(service, for: "service")
        #expect(try trip.isRunning(on: monday) && trip.route.isRunning(on: monday))
        #expect(try trip.runs(on: monday).isEmpty == false)
        let line = context.insert(Route.self)
        try line.setValue("new", for: "routeID")
        try trip.setValue(line, for: "route")
        #expect(try line.isRunning(on: monday))
        context.delete(trip)
        #expect(try !trip.isRunning(on: monday) && trip.runs(on: monday).isEmpty && trip.serviceDays().isEmpty)
        #expect(try !line.isRunning(on: monday))
        context.delete(service)
        #expect(try !service.isRunning(on: monday) && service.days().isEmpty)
        #expect(context.lastError == nil)
    }

    @Test func departuresLeadToObjects() throws {
        var random = SeededGenerator(seed: 5)
        let context = try DepartureTests.imported(TimetableModel.random(&random)).context()
        let request = DepartureRequest(
            .stops(["top", "x"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(800_000))
        let departures = try context.departures(request)
        try #require(!departures.isEmpty)
        for departure in departures {
            #expect(departure.trip(in: context).tripID == departure.tripID)
            #expect(departure.stop(in: context).stopID == departure.stopID)
            #expect(departure.route(in: context)?.routeID == departure.routeID)
            let call = departure.stopTime(in: context)
            #expect(call.stopSequence == departure.stopSequence)
            #expect(call.trip.tripID == departure.tripID)
            let runs = try departure.trip(in: context).runs(on: departure.serviceDate)
            #expect(
                runs.contains {
                    $0.calls.contains { $0.departure == departure.instant && $0.stopSequence == departure.stopSequence }
                })
            #expect(try departure.trip(in: context).serviceDays().contains(departure.serviceDate))
            #expect(try departure.route(in: context)?.isRunning(on: departure.serviceDate) == true)
        }
    }
}
