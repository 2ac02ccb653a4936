import Testing

@testable import GTFSImport

/// Which calls, stops and areas lie in a box.
@Suite struct FilterBoxTests {
    /// The store keeps the second row with a stop_sequence aside, so the trip does not call there. The late rows make
    /// the file be read again.
    @Test(arguments: [
        (calls: "t,,,s1,200\nt,06:00:00,06:00:00,s2,100\n", trips: ["t"]),
        (calls: "t,,,s1,200\nt,06:00:00,06:00:00,s1,100\nt,06:10:00,06:10:00,s2,200\n", trips: []),
        (calls: "t,,,s2,-1\nt,06:00:00,06:00:00,s1,-2\nt,06:10:00,06:10:00,s2,-2\n", trips: ["t"]),
        (calls: "t,,,s1,-1\nt,06:00:00,06:00:00,s1,-2\nt,06:10:00,06:10:00,s2,-2\n", trips: []),
        (calls: "t,,,s1,2\nt,06:00:00,06:00:00,s2,1\n", trips: ["t"]),
        (calls: "t,,,s1,1\nt,06:10:00,06:10:00,s2,2\nt,06:10:00,06:10:00,s2,1\n", trips: ["t"]),
        (calls: "t,,,s1,2\nt,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n", trips: []),
        (calls: "t,,,s1,2\nt,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2.0\n", trips: []),
        (calls: "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,\n", trips: []),
        (calls: "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,x\n", trips: []),
    ])
    func onlyStoredCallsCountForTheBox(calls: String, trips: [String]) throws {
        let feed = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls
                + "u,06:10:00,06:10:00,s2,1\n"
        ])
        feed.options.filter.box = FilterBox(south: 50.15, west: 8, north: 50.25, east: 9)
        let store = try feed.imported()
        #expect(try store.rows("SELECT trip_id FROM gtfs_trips") == trips + ["u"])
    }

    /// RFC 7946 allows further members (section 6.1), here with numbers around 0, 0.
    @Test(arguments: [
        (#"{"type":"Polygon","coordinates":[[[13,52],[14,52],[14,53],[13,52]]],"width":[0,0]}"#, false),
        (#"{"width":[[0,0],1],"type":"Polygon","coordinates":[[[13,52],[14,52],[14,53],[13,52]]]}"#, false),
        (#"{"bbox":[0,0,14,53],"name":"coordinates","list":[0,0],"coordinates":[[[13,52],[14,53]]]}"#, false),
        (#"{"type":"Polygon" , "coordinates" : [ [ [13,52], [0.5,0.5], [14,53] ] ]}"#, true),
        (
            #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[9,9]},"#
                + #"{"a":[3],"coordinates":[[0,0],[1,1]]}]}"#, true
        ),
        (#"{"a\"coordinates":[0,0],"coordinates":[[13,52]]}"#, false), (#"{"coordinates":"[0,0]"}"#, false),
        (#"{"a\"b":1,"coordinates":[[0.5,0.5]]}"#, true), (#"{"a\\":1,"coordinates":[[0.5,0.5]]}"#, true),
    ]) func onlyCoordinatesCountForTheBox(geometry: String, isThere: Bool) {
        let box = FilterBox(south: -1, west: -1, north: 1, east: 1)
        #expect(box.meets(outline: geometry) == isThere)
    }

    @Test func aBoxMayReachAcrossThe180thMeridian() {
        let pacific = FilterBox(south: -20, west: 170, north: 20, east: -170)
        #expect(pacific.contains(latitude: 0, longitude: 175) && pacific.contains(latitude: 0, longitude: -175))
        #expect(!pacific.contains(latitude: 0, longitude: 0) && !pacific.contains(latitude: 21, longitude: 175))
        func outline(_ points: String) -> String { #"{"type":"Polygon","coordinates":[[\#(points)]]}"# }
        #expect(pacific.meets(outline: outline("[160,0],[171.5,1e0],[165,5,99],[160,0]")))
        #expect(pacific.meets(outline: outline("[-175,0],[-171,1],[-160,5],[-175,0]")))
        #expect(!pacific.meets(outline: outline("[-169,0],[-165,1],[-160,5],[-169,0]")))
        #expect(!pacific.meets(outline: outline("[160,0],[169,1],[165,5,172],[160,0]")))
        #expect(!pacific.meets(outline: outline("[171,30],[172,31],[173,30],[171,30]")))
        #expect(!pacific.meets(outline: #"{"type":"Polygon","[171,0]":[]}"#))
    }

    /// The command line refuses such a box, but a caller of the library can make one.
    @Test(arguments: [(200.0, -200.0), (.nan, 0), (0, .nan), (.infinity, -.infinity)])
    func aBoxOffTheEarthMeetsNothing(west: Double, east: Double) {
        let box = FilterBox(south: -90, west: west, north: 90, east: east)
        #expect(!box.meets(outline: #"{"type":"Point","coordinates":[10,50]}"#))
        #expect(!box.contains(latitude: 50, longitude: 10))
    }
}
