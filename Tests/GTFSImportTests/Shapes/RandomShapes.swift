import Foundation
import TestSupport

/// Random shapes, trips along them, and the files that hold both.
enum RandomShapes {
    enum Map: CaseIterable {
        /// Few streets, so that shapes cross and turn back, and stops lie on corners and between them.
        case streets
        /// Few stations, mostly far apart, with a point of the shape at each. Shapes go there and back and in loops,
        /// and most stops lie near a point.
        case stations
    }

    /// Turns steps on the map into degrees.
    private struct Ground {
        let latitude: Double
        let longitude: Double

        func place(north: Double, east: Double) -> SlowShapeMatching.Place {
            (latitude + north, longitude + east / cos(latitude * .pi / 180))
        }
    }

    static func feed(of map: Map, _ random: inout SeededGenerator) -> SlowShapeMatching {
        let latitude: Double = [0, 47.3, -61.7][Int.random(in: 0..<3, using: &random)]
        let isAtMeridian = map == .streets && Bool.random(using: &random)
        let ground = Ground(latitude: latitude, longitude: isAtMeridian ? 179.9 : 8)
        return map == .streets ? streets(ground, &random) : stations(ground, &random)
    }

    // MARK: Streets

    private static func street(_ random: inout SeededGenerator, isFine: Bool) -> Double {
        let street = Double(Int.random(in: 0..<4, using: &random)) * 0.002
        return isFine ? street + Double.random(in: -0.0012...0.0012, using: &random) : street
    }

    private static func streets(_ ground: Ground, _ random: inout SeededGenerator) -> SlowShapeMatching {
        var feed = SlowShapeMatching()
        for stop in 0..<8 {
            let isFine = Bool.random(using: &random)
            let (north, east) = (street(&random, isFine: isFine), street(&random, isFine: isFine))
            let hasPlace = stop > 0 || Int.random(in: 0..<4, using: &random) > 0
            feed.stops.append(hasPlace ? ground.place(north: north, east: east) : nil)
        }
        for _ in 0..<3 { feed.shapes.append(walk(ground, &random)) }
        let hasDistances = Int.random(in: 0..<3, using: &random) > 0
        for _ in 0..<12 {
            var distance = 0.0
            let calls = (0..<Int.random(in: 1...6, using: &random)).map { _ -> SlowShapeMatching.Call in
                distance += Double(Int.random(in: -1...12, using: &random))
                let isBlank = !hasDistances || Int.random(in: 0..<5, using: &random) == 0
                return (Int.random(in: 0..<8, using: &random), isBlank ? 0 : max(0, distance))
            }
            add(calls, along: Int.random(in: 0..<3, using: &random), to: &feed, &random)
        }
        return feed
    }

    private static func walk(_ ground: Ground, _ random: inout SeededGenerator) -> [SlowShapeMatching.Point] {
        let isDense = Bool.random(using: &random)
        var (north, east, distance) = (0.0, 0.0, 0.0)
        return (0..<Int.random(in: 1...(isDense ? 60 : 12), using: &random)).map { _ in
            if isDense {
                north += Double.random(in: -0.0006...0.0008, using: &random)
                east += Double.random(in: -0.0006...0.0008, using: &random)
            } else if Int.random(in: 0..<5, using: &random) > 0 {
                north = street(&random, isFine: false)
                east = street(&random, isFine: Int.random(in: 0..<3, using: &random) == 0)
            }
            distance += Double(Int.random(in: 0...10, using: &random))
            let isBlank = Int.random(in: 0..<6, using: &random) == 0
            let place = ground.place(north: north, east: east)
            return (place.latitude, place.longitude, isBlank ? nil : distance)
        }
    }

    private static func add(
        _ calls: [SlowShapeMatching.Call], along shape: Int, to feed: inout SlowShapeMatching,
        _ random: inout SeededGenerator
    ) {
        feed.trips.append((shape, Int.random(in: 0..<3, using: &random) == 0, calls))
        if Int.random(in: 0..<4, using: &random) == 0 { feed.trips.append(feed.trips[feed.trips.count - 1]) }
    }

    // MARK: Stations

    private static func stations(_ ground: Ground, _ random: inout SeededGenerator) -> SlowShapeMatching {
        let size = [0.001, 0.003, 0.02, 0.2][Int.random(in: 0..<4, using: &random)]
        let stations = (0..<10).map { _ in
            (Double.random(in: 0..<size, using: &random), Double.random(in: 0..<size, using: &random))
        }
        /// A place off a station, by up to 24, 90 or 150 m in either direction.
        func place(_ station: Int, _ random: inout SeededGenerator) -> SlowShapeMatching.Place {
            let spread = [0, 0, 0, 0.00022, 0.0008, 0.0013][Int.random(in: 0..<6, using: &random)]
            return ground.place(
                north: stations[station].0 + Double.random(in: -spread...spread, using: &random),
                east: stations[station].1 + Double.random(in: -spread...spread, using: &random))
        }
        var feed = SlowShapeMatching()
        for stop in 0..<14 { feed.stops.append(place(stop % 10, &random)) }
        for shape in 0..<4 {
            let line = line(&random)
            var distance = 0.0
            let measures = Int.random(in: 0..<4, using: &random)
            feed.shapes.append(
                line.map { station in
                    defer { distance += Double(Int.random(in: 0...5, using: &random)) / 4 }
                    let place = place(station, &random)
                    let isBlank = measures == 0 || measures == 1 && Int.random(in: 0..<3, using: &random) == 0
                    return (place.latitude, place.longitude, isBlank ? nil : distance)
                })
            for _ in 0..<5 {
                let calls = calls(along: line, feed.shapes[shape], &random)
                add(calls, along: shape, to: &feed, &random)
            }
        }
        return feed
    }

    /// Stations of a shape: any, or there and back, or round in a circle, or two of them in turns. Some are repeated at
    /// once.
    private static func line(_ random: inout SeededGenerator) -> [Int] {
        var line = Array((0..<10).shuffled(using: &random).prefix(Int.random(in: 1...10, using: &random)))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: line += line.reversed()
        case 1: line += line.dropLast().reversed()
        case 2: line += line + line
        case 4: line += (0..<24).map { line[$0 % min(2, line.count)] }
        case 3: line.append(line[Int.random(in: 0..<line.count, using: &random)])
        default: break
        }
        return line
    }

    /// Most calls at the stations of a shape, with distances in all, some or none of them.
    private static func calls(
        along line: [Int], _ points: [SlowShapeMatching.Point], _ random: inout SeededGenerator
    ) -> [SlowShapeMatching.Call] {
        let kind = Int.random(in: 0..<5, using: &random)
        var calls: [SlowShapeMatching.Call] = []
        for (station, point) in zip(line, points) where Int.random(in: 0..<6, using: &random) > 0 {
            let isOther = Int.random(in: 0..<40, using: &random) == 0
            let isSecond = station < 4 && Bool.random(using: &random)
            let stop = isOther ? Int.random(in: 0..<14, using: &random) : isSecond ? station + 10 : station
            let isBlank = kind == 0 || kind == 1 && Int.random(in: 0..<3, using: &random) == 0
            let step = kind < 3 && Bool.random(using: &random) ? Double.random(in: -1...1, using: &random) : 0
            calls.append((stop, isBlank ? 0 : max(0, (point.distance ?? 0) + step)))
        }
        return calls.isEmpty ? [(line[0], 0)] : calls
    }

    // MARK: Files

    /// The files of a feed, some of them with rows in any order.
    static func layer(_ feed: SlowShapeMatching, shuffled random: inout SeededGenerator) -> [String: String?] {
        var points = feed.shapes.enumerated().flatMap { shape, points in
            points.enumerated().map { number, point in
                "x\(shape),\(point.latitude),\(point.longitude),\(number),\(point.distance.map { "\($0)" } ?? "")\n"
            }
        }
        var calls = feed.trips.enumerated().flatMap { trip, value in
            value.calls.enumerated().map { number, call in
                let time = "\(6 + number / 10):0\(number % 10):00"
                let distance = call.distance > 0 ? "\(call.distance)" : ""
                return "t\(trip),\(time),\(time),s\(call.stop),\(number),\(distance)\n"
            }
        }
        if Bool.random(using: &random) { points.shuffle(using: &random) }
        if Bool.random(using: &random) { calls.shuffle(using: &random) }
        let stops = feed.stops.enumerated().map { stop, place in
            "s\(stop),\(stop),\(place.map { "\($0.latitude),\($0.longitude)" } ?? ",")\n"
        }
        let trips = feed.trips.enumerated().map { "\($1.isOnRails ? "q" : "r"),w,t\($0),x\($1.shape)\n" }
        return [
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,2\n",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(),
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                + points.joined(),
            "trips.txt": "route_id,service_id,trip_id,shape_id\n" + trips.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + calls.joined(),
        ]
    }
}
