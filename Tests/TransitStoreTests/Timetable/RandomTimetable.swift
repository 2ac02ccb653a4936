import TransitStore

/// Random feeds that contain a little of everything.
extension TimetableModel {
    static func random(_ random: inout some RandomNumberGenerator) -> TimetableModel {
        var model = TimetableModel()
        let zones = [
            "Europe/Berlin", "Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "Europe/Zag",
        ]
        model.agencies = (0..<Int.random(in: 1...3, using: &random)).map {
            Agency(id: "a\($0)", zone: zones.randomElement(using: &random) ?? "")
        }
        model.routes = (0..<4).map {
            Route(id: "r\($0)", agency: ["a0", "a1", "a2", "", "none"].randomElement(using: &random) ?? "")
        }
        model.stops = [
            Stop(id: "top", kind: 1), Stop(id: "hall", kind: 1, parent: "top"),
            Stop(id: "p1", parent: "top", platform: "1"),
            Stop(id: "p2", parent: "hall", platform: "2"), Stop(id: "b1", kind: 4, parent: "p2"),
            // If no stop has a zone, connections that keep no rows read stops in another way.
            Stop(id: "x"), Stop(id: "y", zone: Bool.random(using: &random) ? "Asia/Tokyo" : ""), Stop(id: "z"),
        ]
        model.services = (0..<4).map { service($0, &random) }
        model.trips = (0..<Int.random(in: 1...14, using: &random)).map { trip($0, &random) }
        return model
    }

    static func service(_ number: Int, _ random: inout some RandomNumberGenerator) -> Service {
        let hasCalendar = Int.random(in: 0..<4, using: &random) > 0
        var service = Service(id: "s\(number)", weekdays: nil)
        if hasCalendar { service.weekdays = (0..<7).map { _ in Bool.random(using: &random) } }
        service.start = [20_261_001, 20_261_020, 20_261_025].randomElement(using: &random) ?? 0
        service.end = [20_261_024, 20_261_026, 20_261_101, 20_261_130].randomElement(using: &random) ?? 0
        let dates = days.filter { 20_261_018...20_261_104 ~= $0 }
        for _ in 0..<Int.random(in: hasCalendar ? 0...3 : 1...4, using: &random) {
            let date = dates.randomElement(using: &random) ?? 0
            // If two exceptions have the same date, the importer keeps the first.
            if !service.exceptions.contains(where: { $0.date == date }) {
                service.exceptions.append((date, Int.random(in: 1...2, using: &random)))
            }
        }
        return service
    }

    static func trip(_ number: Int, _ random: inout some RandomNumberGenerator) -> Trip {
        var trip = Trip(id: "t\(number)")
        trip.route = ["r0", "r1", "r2", "r3"].randomElement(using: &random) ?? ""
        trip.service = "s\(Int.random(in: 0...3, using: &random))"
        trip.direction = ["", "0", "1"].randomElement(using: &random) ?? ""
        trip.headsign = ["", "There"].randomElement(using: &random) ?? ""
        var time = [0, 7_000, 80_000, 86_000, 100_000, 200_000, 900_000].randomElement(using: &random) ?? 0
        let stops = ["p1", "p2", "x", "y", "z", "p1", "b1", "top"]
        let count = Int.random(in: 1...7, using: &random)
        for place in 0..<count {
            time += Int.random(in: 0...900, using: &random)
            var call = Call(
                sequence: place * 3 + Int.random(in: 0...2, using: &random),
                stop: stops.randomElement(using: &random) ?? "")
            if place == 0 || place == count - 1 || Int.random(in: 0..<5, using: &random) > 1 {
                call.arrival = time
                if Bool.random(using: &random) { time += Int.random(in: 0...300, using: &random) }
                call.departure = time
                switch Int.random(in: 0..<8, using: &random) {
                case 0: call.arrival = nil
                case 1: call.departure = nil
                default: break
                }
            }
            call.pickup = [0, 0, 0, 1, 2].randomElement(using: &random) ?? 0
            call.dropOff = [0, 0, 0, 1, 3].randomElement(using: &random) ?? 0
            call.headsign = ["", "", "Elsewhere"].randomElement(using: &random) ?? ""
            if Bool.random(using: &random) {
                call.distance = Double(place * 10 + Int.random(in: 0...9, using: &random))
            }
            if place > 0, place < count - 1, Int.random(in: 0..<8, using: &random) == 0 {
                call.window = true
                (call.arrival, call.departure) = (nil, nil)
            }
            trip.calls.append(call)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let start = Int.random(in: 0..<100_000, using: &random)
                trip.bands.append(
                    Band(
                        start: start, end: start + Int.random(in: 1..<8_000, using: &random),
                        headway: Int.random(in: 100..<3_000, using: &random),
                        exact: Int.random(in: 0...1, using: &random)))
            }
        }
        return trip
    }
}
