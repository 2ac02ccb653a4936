import TestSupport
import Testing

@testable import GTFSImport

/// Trips to zones that overlap while riders may board, or alight, in both. `AreaOverlapTests` has the areas.
@Suite struct ZoneRulesTests {
    private static let code = "overlapping_zone_and_pickup_drop_off_window"
    private static let header =
        "trip_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"

    /// A square of a degree, from its south-western corner on.
    private static func square(_ longitude: Double, _ latitude: Double, side: Double = 1) -> String {
        let (east, north) = (longitude + side, latitude + side)
        let corners = [(longitude, latitude), (east, latitude), (east, north), (longitude, north)]
        let ring = (corners + corners.prefix(1)).map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
        return "[[\(ring)]]"
    }

    private static func feature(_ id: String, _ coordinates: String, type: String = "Polygon") -> String {
        #"{"type":"Feature","id":"\#(id)","properties":{},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
    }

    /// `a` and `b` overlap, and `b` and `d`. `c` is apart, `e` lies within `a`, `f` touches `a`. `x` crosses itself,
    /// and `y` has no area.
    private static let zones = [
        feature("a", square(8, 50)), feature("b", square(8.5, 50.5)), feature("c", square(20, 50)),
        feature("d", "[\(square(9.25, 51.25)),\(square(30, 50))]", type: "MultiPolygon"),
        feature("e", square(8.25, 50.1, side: 0.25)), feature("f", square(7, 50)),
        feature("x", "[[[8,50],[9,51],[9,50],[8,51],[8,50]]]"), feature("y", "[8.5,50.5]", type: "Point"),
    ]
    private static let overlapping: Set = ["ab", "ba", "bd", "db"]

    private static func notices(_ rows: [String], zones: [String] = zones) throws -> [String] {
        try LayeredFeed([
            "locations.geojson": #"{"type":"FeatureCollection","features":[\#(zones.joined(separator: ","))]}"#,
            "stop_times.txt": header + rows.map { $0 + "\n" }.joined(),
        ]).imported().rows("SELECT message FROM notice WHERE code = '\(code)' ORDER BY id")
    }

    @Test(arguments: [
        ("a,1,08:00:00,09:00:00,2,1", "b,2,08:30:00,10:00:00,2,1", true),
        ("a,1,08:00:00,09:00:00,2,1", "b,2,08:59:59,10:00:00,1,1", true),
        ("a,1,08:00:00,09:00:00,2,1", "b,2,08:59:59,10:00:00,1,2", false),
        ("a,1,08:00:00,09:00:00,2,1", "b,2,09:00:00,10:00:00,2,1", false),
        ("a,1,25:00:00,26:00:00,,2", "b,7,25:30:00,25:31:00,0,1", true),
        ("a,1,08:00:00,09:00:00,2,1", "c,2,08:30:00,10:00:00,2,1", false),
        ("b,1,08:00:00,09:00:00,2,1", "d,2,08:30:00,10:00:00,2,1", true),
        ("a,1,08:00:00,09:00:00,2,1", "e,2,08:30:00,10:00:00,2,1", false),
        ("a,1,08:00:00,09:00:00,2,1", "f,2,08:30:00,10:00:00,2,1", false),
        ("a,1,08:00:00,09:00:00,2,1", "x,2,08:30:00,10:00:00,2,1", false),
        ("a,1,08:00:00,09:00:00,2,1", "y,2,08:30:00,10:00:00,2,1", false),
        ("a,1,08:00:00,09:00:00,2,1", "nowhere,2,08:30:00,10:00:00,2,1", false),
        ("a,1,08:00:00,,2,1", "b,2,08:30:00,10:00:00,2,1", false),
        ("a,1,08:00:00,09:00:00,7,1", "b,2,08:30:00,10:00:00,7,1", false),
        ("a,1,08:00:00,09:00:00,-1,1", "b,2,08:30:00,10:00:00,-1,1", false),
        ("a,1,08:00:00,09:00:00,2,-1", "b,2,08:30:00,10:00:00,2,-1", false),
    ])
    func twoCallsOfATrip(first: String, second: String, isNoted: Bool) throws {
        #expect(try Self.notices(["t,\(first)", "t,\(second)"]).count == (isNoted ? 1 : 0))
        #expect(try Self.notices(["t,\(first)", "u,\(second)"]).isEmpty)
    }

    @Test func theMessageNamesBothCalls() throws {
        let rows = ["t,b,4,08:30:00,10:00:00,2,1", "t,a,2,08:00:00,09:15:00,2,1"]
        #expect(
            try Self.notices(rows) == [
                "stop_times.txt, trip_id \"t\", stop_sequence 4, location_id: \"b\" overlaps location_id \"a\" at "
                    + "stop_sequence 2, and both are served between 08:30:00 and 09:15:00; stored as it is"
            ])
    }

    /// Rows in any order, also in thousands, for which the import stops looking at trips while they pass.
    @Test(arguments: [2, 400]) func randomTripsAgreeWithASlowTwin(fillers: Int) throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<(fillers > 2 ? 3 : 30) {
            var (rows, expected): ([String], Int) = ([], 0)
            for trip in ["t", "u"] {
                let calls = (1...5).map { sequence in
                    (
                        zone: "abcde".randomElement(using: &random) ?? "a", sequence: sequence,
                        hour: Int.random(in: 10..<14, using: &random), pickup: Int.random(in: 1...3, using: &random),
                        dropOff: Int.random(in: 1...3, using: &random)
                    )
                }
                for (place, call) in calls.enumerated() {
                    rows.append("\(trip),\(call.zone),\(call.sequence),\(call.hour):00:00,\(call.hour + 2):00:00")
                    rows[rows.count - 1] += ",\(call.pickup),\(call.dropOff)"
                    expected += calls[..<place].count {
                        Self.overlapping.contains("\(call.zone)\($0.zone)") && abs(call.hour - $0.hour) < 2
                            && (call.pickup == $0.pickup || call.dropOff == $0.dropOff)
                    }
                }
            }
            for number in 0..<fillers { rows += ["t", "u"].map { "\($0),,\(10 + number),,,," } }
            rows.shuffle(using: &random)
            #expect(try Self.notices(rows).count == expected, "\(rows.prefix(10))")
        }
    }

    /// Each zone overlaps the next one, and each trip goes to all of them.
    @Test func manyZonesAreComparedOnce() throws {
        let zones = (0..<40).map { Self.feature("z\($0)", Self.square(Double($0) * 0.75, 50)) }
        let rows = (0..<40).flatMap { number in
            ["t", "u"].map { "\($0),z\(number),\(number),08:00:00,09:00:00,2,1" }
        }
        #expect(try Self.notices(rows, zones: zones).count == 2 * 39)
    }

    /// A geometry that is no area is read once, not again for each zone beside it.
    @Test func aLongLineBesideManyZonesEnds() throws {
        let line = "[" + (0..<500_000).map { "[\(Double($0) / 10_000),50]" }.joined(separator: ",") + "]"
        let minutes = (0..<600).map { (zone: "z\($0)", start: "\(10 + $0 / 50):\(10 + $0 % 50)", sequence: $0 + 1) }
        let zones = minutes.map { Self.feature($0.zone, Self.square(8, 50)) }
        let rows = minutes.map { "t,\($0.zone),\($0.sequence),\($0.start):00,\($0.start):01,2,1" }
        let notices = try Self.notices(
            ["t,y,0,00:00:00,24:00:00,2,1"] + rows, zones: zones + [Self.feature("y", line, type: "LineString")])
        #expect(notices.isEmpty)
    }

    /// An area of many lines is sorted once, not again for each zone that crosses it.
    @Test func aLongCoastThatManyZonesCrossEnds() throws {
        let coast = (0..<100_000).map { "[\(Double($0) / 10_000),50]" } + ["[10,61]", "[0.0,61]", "[0.0,50]"]
        let numbers = 0..<1_000
        let zones = numbers.map { Self.feature("z\($0)", Self.square(-0.005, 50 + Double($0) / 100, side: 0.01)) }
        let rows = numbers.map { number in
            let start = "\(10 + number / 50):\(10 + number % 50)"
            return "t,z\(number),\(number + 1),\(start):00,\(start):01,2,1"
        }
        let notices = try Self.notices(
            ["t,coast,0,00:00:00,99:00:00,2,1"] + rows,
            zones: zones + [Self.feature("coast", "[[\(coast.joined(separator: ","))]]")])
        #expect(notices.count == 1_000)
    }

    /// The text is not read as the array that it spells.
    @Test func aTextOfCoordinatesIsNoArea() throws {
        let text = Self.feature("y", "\"\(Self.square(8, 50))\"")
        let rows = ["t,b,1,08:00:00,09:00:00,2,1", "t,y,2,08:00:00,09:00:00,2,1"]
        #expect(try Self.notices(rows, zones: [Self.feature("b", Self.square(8.5, 50.5)), text]).isEmpty)
    }
}
