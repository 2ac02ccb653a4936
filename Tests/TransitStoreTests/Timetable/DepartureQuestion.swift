import Foundation

@testable import TransitStore

/// A question about departures, which both a context and a `TimetableModel` can answer.
struct DepartureQuestion {
    enum Place {
        case stops([String])
        case near(latitude: Double, longitude: Double, meters: Double)
        case anywhere
    }

    var place: Place
    var window: Range<Int64>
    /// A part of a second, which changes nothing.
    var fraction = Duration.zero
    var isArrivals = false
    /// Lines by id; nil for all.
    var routes: [String]?
    var direction: String?
    var date: Int?
    /// Whether stops are named by their objects' ids.
    var asksByObjects = false

    /// Trips may name a line that the feed lacks. A request for such a line finds nothing.
    func includes(_ trip: TimetableModel.Trip, of model: TimetableModel) -> Bool {
        guard direction == nil || direction == trip.direction else { return false }
        guard let routes else { return true }
        return routes.contains(trip.route) && model.routes.contains { $0.id == trip.route }
    }

    func request(_ context: StoreContext) throws -> DepartureRequest {
        var request = DepartureRequest(
            try place(context), from: Instant(unixSeconds: window.lowerBound),
            within: .seconds(window.upperBound - window.lowerBound) + fraction)
        request.event = isArrivals ? .arrivals : .departures
        request.routes = try routes?.flatMap { id in
            try context.fetchIDs(FetchRequest<Route>(where: #Predicate { $0.routeID == id }))
        }
        request.serviceDate = date.map { ServiceDate($0) }
        request.directionID = direction.flatMap { Int($0) }.flatMap(Direction.init(rawValue:))
        return request
    }

    private func place(_ context: StoreContext) throws -> DepartureRequest.Place {
        switch place {
        case .anywhere: .anywhere
        case .near(let latitude, let longitude, let meters):
            .near(Coordinate(latitude: latitude, longitude: longitude), meters: meters)
        case .stops(let ids) where asksByObjects:
            .objects(
                try ids.flatMap { id in
                    try context.fetchIDs(FetchRequest<Stop>(where: #Predicate { $0.stopID == id }))
                })
        case .stops(let ids): .stops(ids)
        }
    }
}

extension DepartureQuestion {
    static func random(_ model: TimetableModel, _ random: inout some RandomNumberGenerator) -> DepartureQuestion {
        let window = window(model, &random)
        var question = DepartureQuestion(place: place(model, &random), window: window)
        question.isArrivals = Bool.random(using: &random)
        question.asksByObjects = Bool.random(using: &random)
        question.fraction = .milliseconds([0, 0, 999].randomElement(using: &random) ?? 0)
        question.direction = [nil, nil, nil, nil, "0", "1"].randomElement(using: &random) ?? nil
        if Int.random(in: 0..<3, using: &random) == 0 {
            let routes = model.routes.map(\.id).shuffled(using: &random)
            question.routes = Array(routes.prefix(Int.random(in: 0...4, using: &random)) + routes.prefix(1))
        }
        if case .anywhere = question.place, question.routes == nil { question.routes = model.routes.map(\.id) }
        let date = ServiceDate(dayNumber: window.lowerBound / 86_400).number
        switch Int.random(in: 0..<8, using: &random) {
        case 0: question.date = date
        case 1: question.date = TimetableModel.date(Int.random(in: -8...12, using: &random), after: model.middle)
        default: break
        }
        return question
    }

    private static func place(_ model: TimetableModel, _ random: inout some RandomNumberGenerator) -> Place {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .anywhere
        case 1: return near(model, &random)
        default:
            let stops = model.stops.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
            return .stops(stops.map(\.id))
        }
    }

    /// A circle that is not so close to a stop that the shape of the earth decides.
    private static func near(_ model: TimetableModel, _ random: inout some RandomNumberGenerator) -> Place {
        let places = model.stops.compactMap { $0.place }
        let center = places.randomElement(using: &random) ?? (latitude: 0, longitude: 0)
        let meters: Double = [0.5, 30, 300, 3_000, 40_000, 2_000_000].randomElement(using: &random) ?? 0
        let isClear = model.stops.compactMap { $0.meters(from: center) }
            .allSatisfy { !((meters * 0.97)...(meters * 1.03)).contains($0) }
        return .near(latitude: center.latitude, longitude: center.longitude, meters: isClear ? meters : 0)
    }

    /// A window in the weeks around the model's middle. Half of them begin or end at the very instant of a call.
    private static func window(_ model: TimetableModel, _ random: inout some RandomNumberGenerator) -> Range<Int64> {
        let middle = (ServiceDate(model.middle).dayNumber ?? 0) * 86_400
        var from = middle + Int64.random(in: -700_000..<1_000_000, using: &random)
        if let call = instant(model, &random) { from = call + Int64.random(in: -1...1, using: &random) }
        var until = from + ([0, 1, 7_200, 86_400, 200_000, 800_000, 2_000_000].randomElement(using: &random) ?? 0)
        if let call = instant(model, &random), call > from { until = call + Int64.random(in: 0...1, using: &random) }
        return from..<until
    }

    /// The instant of a call near the middle; nil half of the time.
    private static func instant(_ model: TimetableModel, _ random: inout some RandomNumberGenerator) -> Int64? {
        guard Bool.random(using: &random), let trip = model.trips.randomElement(using: &random) else { return nil }
        let date = TimetableModel.date(Int.random(in: -2...3, using: &random), after: model.middle)
        let start = TimetableModel.start(of: date, model.zone(ofRoute: trip.route))
        return trip.calls.compactMap(\.departure).randomElement(using: &random).map { start + Int64($0) }
    }
}

extension TimetableModel.Stop {
    /// The distance on a sphere; nil for a stop without coordinates.
    func meters(from other: (latitude: Double, longitude: Double)) -> Double? {
        guard let place else { return nil }
        let radians = Double.pi / 180
        let (north, south) = (place.latitude * radians, other.latitude * radians)
        let up = sin((north - south) / 2)
        let along = sin((place.longitude - other.longitude) * radians / 2)
        return 2 * 6_371_009 * asin(min(1, (up * up + cos(north) * cos(south) * along * along).squareRoot()))
    }
}
