import Foundation
import GTFSSchema
import TestSupport
import Testing

@testable import GTFSImport
@testable import SQLitePages

/// Stops along shapes against `SlowShapeMatching`. `NoticeCases` has a feed for each code.
@Suite struct ShapeRulesTests {
    private static func found(_ store: AskedStore) throws -> [String] {
        try store.rows(
            """
            SELECT code || ' ' || substr(message, instr(message, 'trip_id "') + 9,
                instr(message, '", stop_sequence') - instr(message, 'trip_id "') - 9)
                || ' ' || CAST(substr(message, instr(message, 'stop_sequence ') + 14, 5) AS INTEGER)
            FROM notice WHERE code LIKE 'stop%shape%' ORDER BY 1
            """)
    }

    @Test(arguments: RandomShapes.Map.allCases)
    func stopsAlongShapesAgreeWithASlowTwin(_ map: RandomShapes.Map) throws {
        var random = SeededGenerator(seed: 21)
        var (totals, trips): ([String: Int], Int) = ([:], 0)
        for round in 0..<120 {
            let feed = RandomShapes.feed(of: map, &random)
            let store = try LayeredFeed(RandomShapes.layer(feed, shuffled: &random)).imported()
            let expected = feed.findings()
            trips += expected.trips.count
            let found = try Self.found(store).filter { line in
                expected.trips.contains { line.contains(" t\($0) ") }
            }
            #expect(found == expected.lines.sorted(), "round \(round): \(feed)")
            for finding in found { totals[String(finding.prefix { $0 != " " }), default: 0] += 1 }
        }
        #expect(trips > 1_200 && totals.values.count { $0 > 20 } >= 3, "\(trips): \(totals)")
    }

    /// The same without files. Many trips are so plain that a walk from point to point proves that nothing is wrong.
    @Test func plainTripsAreSound() {
        var random = SeededGenerator(seed: 8)
        var (proofs, findings) = (0, 0)
        for round in 0..<500 {
            let feed = RandomShapes.feed(of: .stations, &random)
            for (shape, points) in feed.shapes.enumerated() {
                guard let expected = feed.findings(ofShape: shape) else { continue }
                let found = Self.found(along: shape, points, of: feed, &proofs)
                #expect(found.sorted() == expected.sorted(), "round \(round), shape \(shape): \(feed)")
                findings += found.count
            }
        }
        #expect(proofs > 700 && findings > 5_000, "\(proofs), \(findings)")
    }

    private static func found(
        along shape: Int, _ points: [SlowShapeMatching.Point], of feed: SlowShapeMatching, _ proofs: inout Int
    ) -> [String] {
        let rows = NumberRows(columns: (2, 3, 4))
        for (number, point) in points.enumerated() {
            rows.append(
                NumberRows.Row(
                    sequence: Int64(number), first: point.latitude, second: point.longitude,
                    third: point.distance ?? .nan))
        }
        var places = StopPlaces()
        for (stop, place) in feed.stops.enumerated() {
            places.add(stop, latitude: place?.latitude ?? .nan, longitude: place?.longitude ?? .nan)
        }
        var found: [String] = []
        let path = ShapePath(rows)
        let matching = PatternMatching(of: path, places, isWanted: { _ in false }) { fault, trip, call, _ in
            found.append("\(code(of: fault)) t\(trip) \(call.sequence)")
        }
        matching.beginShape()
        for (number, trip) in feed.trips.enumerated() where trip.shape == shape {
            let calls = trip.calls.enumerated().map {
                PatternMatching.Call(stop: $1.stop, sequence: Int64($0), distance: $1.distance)
            }
            try? matching.compare(.init(id: Int64(number), isOnRails: trip.isOnRails, hasRoute: true), calls)
            var walk = PointWalk(path, places, limits: PatternMatching.limits, mostWork: 1_000_000)
            let areMeasured = path.length > 0 && calls.last?.distance ?? 0 > 0
            if walk.proves(calls, isOnRails: trip.isOnRails, areMeasured: areMeasured) { proofs += 1 }
        }
        return found
    }

    private static func code(of fault: ShapeFault) -> String {
        FeedRules.all.rules.first { $0.comparison == fault.rawValue }?.code ?? ""
    }

    /// Edges of hundreds of kilometers, beyond the horizon of a stop and across the 180th meridian.
    @Test func longEdgesAreArcs() throws {
        func findings(_ shape: String, _ stop: String) throws -> [String] {
            try Self.found(
                LayeredFeed([
                    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,\(stop)\ns2,Two,\(stop)\n",
                    "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n\(shape)\n",
                ]).imported())
        }
        let far = ["stop_too_far_from_shape t 1", "stop_too_far_from_shape t 2"]
        // The arc's middle lies at 52.0031° N.
        #expect(try findings("x,52,0,1\nx,52,1.71,2", "52.0035,0.855").isEmpty)
        #expect(try findings("x,52,0,1\nx,52,1.71,2", "52.001,0.855") == far)
        #expect(try findings("x,0,-100,1\nx,0,0,2\nx,0,100,3", "0.0005,50").isEmpty)
        #expect(try findings("x,0,179.9,1\nx,0,-179.9,2", "0,-179.95").isEmpty)
        #expect(try findings("x,0,179.9,1\nx,0,-179.9,2", "0,179.85") == far)
        #expect(try findings("x,0,179.9997,1\nx,0,179,2", "0,-179.9998").isEmpty)
        #expect(try findings("x,89.9995,0,1\nx,89.9995,90,2", "89.9995,-135").isEmpty)
        #expect(try findings("x,50,8,1", "50.0005,8").isEmpty)
        #expect(try findings("x,50,8,1", "50.002,8") == far)
    }

    /// The stops lie between the other two points.
    @Test(arguments: [",8.01", "50,", ","])
    func `a point without a place is no part of its shape`(place: String) throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50,8.005\ns2,Two,50,8.015\n",
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,50,8,1\nx,\(place),2\nx,50,8.02,3\n",
        ]).imported()
        #expect(try store.rows("SELECT count(*) FROM shape_point") == ["3"])
        #expect(try Self.found(store).isEmpty)
    }

    /// A shape with as many points as can be compared is; one with more is not.
    @Test func shapesOfTooManyPointsAreLeftOut() throws {
        for count in [ShapePath.mostPoints, ShapePath.mostPoints + 1] {
            let points = (0..<count).map { "x,50,8,\($0)\n" }.joined()
            let store = try LayeredFeed([
                "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + points
            ]).imported()
            #expect(try Self.found(store).count == (count == ShapePath.mostPoints ? 2 : 0))
        }
    }

    /// Two calls along a shape on the equator, whose points lie at meters that are their distances as well. The first
    /// stop's call may have no distance; both lead to places near the stops.
    @Test(
        arguments: [
            ([0, 150], (0, "90"), (150, "75"), false), ([0, 150], (0, "75"), (150, "90"), true),
            // The shape passes the first stop at 1070, behind its point.
            ([0, 1_000, 1_175, 2_000], (1_070, ""), (1_105, "1010"), false),
            ([0, 1_000, 1_175, 2_000], (1_070, ""), (1_105, "1090"), true),
            // And here at 1060, behind the point after it.
            ([0, 1_000, 1_050, 2_000], (1_060, ""), (1_105, "1052"), false),
            ([0, 1_000, 1_050, 2_000], (1_060, ""), (1_105, "1090"), true),
            // The last point, at its distance and beyond it; then two points at one distance.
            ([0, 1_000], (960, ""), (1_000, "1000"), true), ([0, 1_000], (960, ""), (1_000, "5000"), true),
            ([0, 1_000], (960, ""), (1_000, "950"), false),
            ([0, 1_000, 1_000, 2_000], (1_040, ""), (1_080, "1000"), false),
            ([0, 1_000, 1_000, 2_000], (1_040, ""), (1_080, "1060"), true),
        ] as [([Int], (Int, String), (Int, String), Bool)])
    func distancesThatFallAreOutOfOrder(
        points: [Int], first: (meters: Int, distance: String), second: (meters: Int, distance: String), isInOrder: Bool
    ) throws {
        // A degree of the equator, on a sphere of 6,371,010 m.
        func longitude(_ meters: Int) -> Double { 8 + Double(meters) / 111_195.1 }
        let shape = points.enumerated().map { "x,0,\(longitude($1)),\($0),\($1)\n" }.joined()
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,0,\(longitude(first.meters))\n"
                + "s2,Two,0,\(longitude(second.meters))\n",
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n" + shape,
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + "t,06:00:00,06:00:00,s1,1,\(first.distance)\nt,06:10:00,06:10:00,s2,2,\(second.distance)\n",
        ]).imported()
        #expect(try Self.found(store) == (isInOrder ? [] : ["stops_match_shape_out_of_order t 2"]))
    }

    /// Trips of one pattern are noted once, whatever the order of their rows, and however many are kept.
    @Test func patternsCountOnce() throws {
        let trips = (0..<5_000)
        let feed = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id,shape_id\n" + trips.map { "r,w,t\($0),x\n" }.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + trips.map { trip in
                    let calls = ["s2,1", "s1,\(2 + trip % 7)"].map { "t\(trip),06:00:00,06:00:00,\($0)\n" }
                    return (trip % 2 == 0 ? calls : calls.reversed()).joined()
                }.joined(),
        ])
        let store = try feed.imported()
        #expect(try Self.found(store) == ["stops_match_shape_out_of_order t0 2"])
    }
}
