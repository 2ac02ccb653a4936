import Foundation

/// The rules about stops along shapes, worked out slowly: each stop of each trip against each edge of the shape, with
/// vectors and sines.
struct SlowShapeMatching {
    typealias Place = (latitude: Double, longitude: Double)
    typealias Point = (latitude: Double, longitude: Double, distance: Double?)
    /// A distance of 0 is none.
    typealias Call = (stop: Int, distance: Double)
    private typealias Vector = SIMD3<Double>

    /// A place on the shape: how far along it lies, and how far the stop is away, in meters.
    private struct Choice {
        let along: Double
        let away: Double
        /// Whether a distance along the shape names it.
        var isMeasured = false
    }

    var stops: [Place?] = []
    var shapes: [[Point]] = []
    var trips: [(shape: Int, isOnRails: Bool, calls: [Call])] = []

    private static func vector(_ latitude: Double, _ longitude: Double) -> Vector {
        let (y, x) = (latitude * .pi / 180, longitude * .pi / 180)
        return Vector(cos(y) * cos(x), cos(y) * sin(x), sin(y))
    }

    private static func cross(_ a: Vector, _ b: Vector) -> Vector {
        Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    private static func length(_ a: Vector) -> Double { (a * a).sum().squareRoot() }

    private static func meters(_ a: Vector, _ b: Vector) -> Double {
        6_371_010 * atan2(length(cross(a, b)), (a * b).sum())
    }

    private static func nearest(_ stop: Vector, _ a: Vector, _ b: Vector) -> Vector {
        let normal = cross(a + b, b - a)
        if length(normal) > 0 {
            let foot = stop - normal * ((stop * normal).sum() / (normal * normal).sum())
            if (cross(foot, normal) * a).sum() > 0, (cross(normal, foot) * b).sum() > 0 { return foot / length(foot) }
        }
        return meters(stop, a) <= meters(stop, b) ? a : b
    }

    // MARK: Choices

    /// Nil if only rounding decides which of two places is nearer.
    private static func choices(_ stop: Vector, _ path: [Vector], within limit: Double) -> [Choice]? {
        var (choices, best): ([Choice], Choice?) = ([], nil)
        var (along, wasLeaving) = (0.0, false)
        for (a, b) in zip(path, path.dropFirst()) {
            let place = nearest(stop, a, b)
            let away = meters(stop, place)
            if let found = best, away > limit || wasLeaving && away < meters(stop, a) {
                choices.append(found)
                best = nil
            }
            let choice = Choice(along: along + meters(a, place), away: away)
            if let best, abs(best.away - away) < 1e-6, choice.along - best.along > 1e-6 { return nil }
            if away <= limit, away < best?.away ?? .infinity { best = choice }
            wasLeaving = meters(stop, b) > away
            along += meters(a, b)
        }
        return choices + [best].compactMap { $0 }
    }

    /// The place that a distance along the shape names.
    private static func choice(
        _ stop: Vector, _ path: [Vector], _ distances: [Double], _ distance: Double, _ from: inout Int
    ) -> Choice {
        while from + 1 < path.count, distance >= distances[from + 1] { from += 1 }
        var (place, along) = (path[from], 0.0)
        for (a, b) in zip(path[...from], path[...from].dropFirst()) { along += meters(a, b) }
        if from + 1 < path.count, distance > distances[from], distances[from + 1] > distances[from] {
            let (part, next) = ((distance - distances[from]) / (distances[from + 1] - distances[from]), path[from + 1])
            let angle = meters(place, next) / 6_371_010
            along += part * meters(place, next)
            if angle > 0 { place = (place * sin((1 - part) * angle) + next * sin(part * angle)) / sin(angle) }
        }
        return Choice(along: along, away: meters(stop, place / length(place)), isMeasured: true)
    }

    /// The best choices, or the first step that lies before the one before it. Tries all of them.
    private static func best(_ steps: [[Choice]]) -> (chosen: [Choice], failing: Int?) {
        var sums: [(chosen: [Choice], sum: Double)] = [([], 0)]
        for (number, step) in steps.enumerated() {
            var next: [(chosen: [Choice], sum: Double)] = []
            for choice in step {
                let possible = sums.filter { ($0.chosen.last?.along ?? 0) <= choice.along + 1e-7 }
                guard let least = possible.min(by: { $0.sum < $1.sum }) else { continue }
                next.append((least.chosen + [choice], least.sum + choice.away))
            }
            if next.isEmpty { return ([], number) }
            sums = next
        }
        return (sums.min { $0.sum < $1.sum }?.chosen ?? [], nil)
    }

    // MARK: Findings

    /// Such as `stop_too_far_from_shape t3 1`, in no order. Without the trips of shapes for which only rounding decides
    /// what is found.
    func findings() -> (lines: [String], trips: Set<Int>) {
        var found: (lines: [String], trips: Set<Int>) = ([], [])
        for shape in shapes.indices {
            guard let lines = findings(ofShape: shape) else { continue }
            found.lines += lines
            found.trips.formUnion(trips.indices.filter { trips[$0].shape == shape })
        }
        return found
    }

    /// Whether a distance leads to just the place where the shape passes the stop of the call before or after.
    private static func hasTies(_ steps: [[Choice]]) -> Bool {
        zip(steps, steps.dropFirst()).contains { before, after in
            before.contains { one in
                after.contains { $0.isMeasured != one.isMeasured && abs($0.along - one.along) < 1e-6 }
            }
        }
    }

    /// Nil if only rounding decides.
    func findings(ofShape shape: Int) -> [String]? {
        let path = shapes[shape].map { Self.vector($0.latitude, $0.longitude) }
        let distances = shapes[shape].indices.map { end in shapes[shape][...end].compactMap(\.distance).max() ?? 0 }
        var (findings, seen, far): ([String], [[Call]], Set<Int>) = ([], [], [])
        for (number, trip) in trips.enumerated() where trip.shape == shape {
            let calls = trip.calls
            if seen.contains(where: { $0.elementsEqual(calls, by: ==) }) { continue }
            seen.append(calls)
            func note(_ code: String, _ call: Int) { findings.append("\(code) t\(number) \(call)") }
            func nearby(_ call: Int) -> [Choice]? {
                guard let stop = stops[calls[call].stop] else { return [] }
                let isTerminus = trip.isOnRails && (call == 0 || call == calls.count - 1)
                let limit = isTerminus ? 400.0 : 100
                let vector = Self.vector(stop.latitude, stop.longitude)
                guard let choices = Self.choices(vector, path, within: limit) else { return nil }
                let isNearPoint = path.count == 1 && Self.meters(vector, path[0]) <= limit
                if choices.isEmpty, !isNearPoint, far.insert(calls[call].stop).inserted {
                    note("stop_too_far_from_shape", call)
                }
                if choices.count > 20 { note("stop_has_too_many_matches_for_shape", call) }
                return choices
            }
            let steps = calls.indices.compactMap(nearby)
            guard steps.count == calls.count else { return nil }
            if !steps.contains(where: \.isEmpty), let failing = Self.best(steps).failing {
                note("stops_match_shape_out_of_order", failing)
            }
            guard distances.last ?? 0 > 0, calls.last?.distance ?? 0 > 0 else { continue }
            var (from, mixed): (Int, [[Choice]]) = (0, [])
            for (number, call) in calls.enumerated() {
                let stop = stops[call.stop].map { Self.vector($0.latitude, $0.longitude) } ?? Vector(1, 0, 0)
                let choices =
                    call.distance > 0
                    ? [Self.choice(stop, path, distances, call.distance, &from)] : nearby(number) ?? []
                mixed.append(choices)
                if choices.isEmpty { break }
            }
            if mixed.last?.isEmpty ?? true { continue }
            if Self.hasTies(mixed) { return nil }
            let (chosen, failing) = Self.best(mixed)
            if let failing { note("stops_match_shape_out_of_order", failing) }
            for (call, choice) in chosen.enumerated()
            where choice.away > 100 && stops[calls[call].stop] != nil && far.insert(calls[call].stop).inserted {
                note("stop_too_far_from_shape_using_user_distance", call)
            }
        }
        return findings
    }
}
