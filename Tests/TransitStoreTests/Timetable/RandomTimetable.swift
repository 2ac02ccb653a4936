import TransitStore

/// Random feeds that contain a little of everything.
extension TimetableModel {
    /// Dates around which clocks change: Europe and Beirut at the end of October, with Cairo at a midnight; Santiago at
    /// midnight of 6 September; Europe, Beirut, Lord Howe and Santiago in spring. Apia had no 30 December 2011.
    static let middles = [20_261_025, 20_260_906, 20_260_401, 20_111_229]

    private static let zones = [
        "Europe/Berlin", "Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "Europe/Zag",
        "America/Santiago", "Africa/Cairo", "Asia/Beirut", "Atlantic/Azores", "Pacific/Apia", "Pacific/Pago_Pago",
        "Pacific/Kiritimati", "Pacific/Chatham", "Asia/Kathmandu", "America/St_Johns",
    ]

    /// Some stops are a few metres apart, some on the other side of the date line.
    private static let places: [(latitude: Double, longitude: Double)?] = [
        (52.5, 13.4), (52.5, 13.4), (52.5001, 13.4), (52.51, 13.41), (-16.9, 179.999), (-16.9, -179.999), nil,
    ]

    static func random(_ random: inout some RandomNumberGenerator, around middle: Int = middles[0]) -> TimetableModel {
        var model = TimetableModel()
        model.middle = middle
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
        for stop in model.stops.indices { model.stops[stop].place = places.randomElement(using: &random) ?? nil }
        model.services = (0..<4).map { service($0, around: middle, &random) }
        model.trips = (0..<Int.random(in: 1...14, using: &random)).map { trip($0, &random) }
        return model
    }

    private static func service(
        _ number: Int, around middle: Int, _ random: inout some RandomNumberGenerator
    ) -> Service {
        let hasCalendar = Int.random(in: 0..<4, using: &random) > 0
        var service = Service(id: "s\(number)", weekdays: nil)
        if hasCalendar {
            let runs = Int.random(in: 0..<6, using: &random) > 0
            service.weekdays = (0..<7).map { _ in runs && Bool.random(using: &random) }
        }
        service.start = date([-24, -5, 0].randomElement(using: &random) ?? 0, after: middle)
        service.end = date([-1, 1, 7, 36].randomElement(using: &random) ?? 0, after: middle)
        for _ in 0..<Int.random(in: hasCalendar ? 0...3 : 1...4, using: &random) {
            // Also before the first and after the last date of the calendar.
            let days = [-34 ... -20, -7...10, -7...10, 37...45].randomElement(using: &random) ?? 0...0
            let date = date(Int.random(in: days, using: &random), after: middle)
            // If two exceptions have the same date, the importer keeps the first.
            if !service.exceptions.contains(where: { $0.date == date }) {
                service.exceptions.append((date, Int.random(in: 1...2, using: &random)))
            }
        }
        return service
    }

    static func trip(_ number: Int, _ random: inout some RandomNumberGenerator) -> Trip {
        var trip = Trip(id: "t\(number)")
        // "none" is in no other file, so the trip has no line, or never runs.
        trip.route = ["r0", "r1", "r2", "r3", "r0", "r1", "none"].randomElement(using: &random) ?? ""
        trip.service = "s\(Int.random(in: 0...3, using: &random))"
        if Int.random(in: 0..<20, using: &random) == 0 { trip.service = "none" }
        trip.direction = ["", "0", "1"].randomElement(using: &random) ?? ""
        trip.headsign = ["", "There"].randomElement(using: &random) ?? ""
        var time = [0, 7_000, 80_000, 86_000, 100_000, 200_000, 900_000].randomElement(using: &random) ?? 0
        let count = Int.random(in: 1...7, using: &random)
        for place in 0..<count { trip.calls.append(call(place, of: count, &time, &random)) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            trip.bands = (0..<Int.random(in: 1...2, using: &random)).map { _ in band(&random) }
        }
        return trip
    }

    private static func call(
        _ place: Int, of count: Int, _ time: inout Int, _ random: inout some RandomNumberGenerator
    ) -> Call {
        time += Int.random(in: 0...900, using: &random)
        let stops = ["p1", "p2", "x", "y", "z", "p1", "b1", "top"]
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
        if Bool.random(using: &random) { call.distance = Double(place * 10 + Int.random(in: 0...9, using: &random)) }
        if place > 0, place < count - 1, Int.random(in: 0..<8, using: &random) == 0 {
            call.window = true
            (call.arrival, call.departure) = (nil, nil)
        }
        return call
    }

    /// Some start no trip, because they end no later than they start or have a headway of 0.
    static func band(_ random: inout some RandomNumberGenerator) -> Band {
        let start = Int.random(in: 0..<100_000, using: &random)
        let length = Int.random(in: 0..<5, using: &random) > 0 ? Int.random(in: 1..<8_000, using: &random) : 0
        let headway = Int.random(in: 0..<8, using: &random) > 0 ? Int.random(in: 100..<3_000, using: &random) : 0
        let end = length > 0 ? start + length : Bool.random(using: &random) ? start : start / 2
        return Band(start: start, end: end, headway: headway, exact: Int.random(in: 0...1, using: &random))
    }
}
