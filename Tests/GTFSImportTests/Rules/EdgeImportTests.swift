import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Filters and rules at the edges of what they ask for.
@Suite struct EdgeImportTests {
    @Test func `a box has its edges`() {
        let box = FilterBox(south: 50, west: 8, north: 51, east: 9)
        for (latitude, longitude) in [(50, 8), (50, 9), (51, 8), (51, 9)] as [(Double, Double)] {
            #expect(box.contains(latitude: latitude, longitude: longitude))
        }
        let pacific = FilterBox(south: -20, west: 170, north: 20, east: -170)
        for longitude in [170, -170, 180, -180] as [Double] {
            #expect(pacific.contains(latitude: 20, longitude: longitude))
            #expect(pacific.contains(latitude: -20, longitude: longitude))
        }
        func square(_ west: Int, _ south: Int) -> String {
            let (east, north) = (west + 1, south + 1)
            let ring = "[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]"
            return #"{"type":"Polygon","coordinates":[[\#(ring)]]}"#
        }
        for (west, south) in [(7, 50), (9, 50), (8, 49), (8, 51), (7, 49), (9, 51)] {
            #expect(box.meets(outline: square(west, south)), "\(west) \(south)")
        }
        for (west, south) in [(169, 0), (-170, 0), (175, 20), (175, -21)] {
            #expect(pacific.meets(outline: square(west, south)), "\(west) \(south)")
        }
    }

    /// The store keeps the second row with a stop_sequence aside; 63 and 64 are held in different ways.
    @Test(arguments: [62, 63, 64, 65]) func `a row that repeats its sequence is no call in the box`(sequence: Int)
        throws
    {
        let feed = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,\(sequence)\nt,06:10:00,06:10:00,s2,\(sequence)\nu,06:10:00,06:10:00,s2,1\n"
        ])
        feed.options.filter.box = FilterBox(south: 50.15, west: 8, north: 50.25, east: 9)
        let store = try feed.imported()
        #expect(try store.rows("SELECT trip_id FROM gtfs_trips") == ["u"])
    }

    private static func count(_ code: String, _ layer: [String: String?]) throws -> Int {
        try LayeredFeed(layer).imported()
            .rows("SELECT count FROM notice_total WHERE code = '\(code)'").first.flatMap { Int($0) } ?? 0
    }

    /// The feed is valid from 2 January to 30 December.
    @Test(arguments: [("20260102", "20261230", 0), ("20260101", "20261230", 1), ("20260102", "20261231", 1)])
    func `a service may not run a day before or after the feed's dates`(first: String, last: String, count: Int) throws
    {
        let found = try Self.count(
            "service_window_outside_feed_period",
            [
                "feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date\n"
                    + "A,http://a.example,de,20260102,20261230\n",
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "w,1,1,1,1,1,1,1,\(first),\(last)\n",
            ])
        #expect(found == count)
    }

    @Test func `points five centimetres apart at one distance are noted`() throws {
        let points = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
        let layer = ["shapes.txt": points + "x,50.1,8.1,1,0\nx,50.2,8.2,2,9\nx,50.2000005,8.2,3,9\n"]
        #expect(try Self.count("equal_shape_distance_diff_coordinates_distance_below_threshold", layer) == 1)
    }

    @Test(arguments: ["feed_info", "FEED_INFO"]) func `a translation of feed_info has no record`(table: String) throws {
        let layer = [
            "translations.txt": "table_name,field_name,language,translation,record_id\n"
                + "\(table),feed_publisher_name,de,A,x\n"
        ]
        #expect(try Self.count("translation_unexpected_value", layer) == 1)
    }

    /// agency_id is required because the feed has two agencies, also if a filter keeps one of them.
    @Test func `a filter does not make an agency the only one`() throws {
        let feed = try LayeredFeed([
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Berlin\n"
                + "b,B,https://b.example,Europe/Berlin\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,b,2,3\n",
            "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,1,EUR,0,,\n",
        ])
        feed.options.filter.routes = ["r"]
        let store = try feed.imported()
        #expect(try store.rows("SELECT agency_id FROM agency") == ["a"])
        #expect(
            try store.rows("SELECT code, file FROM notice WHERE field = 'agency_id'")
                == ["missing_required_agency_id|fare_attributes.txt"])
    }

    private static let entrance =
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,0,z\ns2,Two,50.2,8.2,,\n"
        + "z,Station,50.3,8.3,1,\n"
    private static let products = "fare_product_id,rider_category_id,fare_media_id,amount,currency\n"
    private static let longName = "route_id,agency_id,route_short_name,route_long_name,route_type\n"

    @Test(
        arguments: [
            // Required for entrances, too (GTFS reference, stop_name, stop_lat); optional for nodes.
            ("stop_without_location", ["stops.txt": entrance + "e,Door,,,2,z\nn,Node,,,3,z\n"], 1),
            ("missing_stop_name", ["stops.txt": entrance + "e,,50.3,8.3,2,z\nn,,50.3,8.3,3,z\n"], 1),
            // At least one of the three must be 1.
            (
                "attribution_without_role",
                ["attributions.txt": "organization_name,is_producer,is_operator,is_authority\nO,0,0,0\nP,0,0,1\n"], 1
            ),
            // One default category at two prices is no second default category.
            (
                "fare_product_with_multiple_default_rider_categories",
                [
                    "rider_categories.txt": "rider_category_id,rider_category_name,is_default_fare_category\nd,All,1\n",
                    "fare_media.txt": "fare_media_id,fare_media_name,fare_media_type\nm,Card,2\nn,App,4\n",
                    "fare_products.txt": products + "p,d,m,1.00,EUR\np,d,n,2.00,EUR\n",
                ], 0
            ),
            (
                "forbidden_real_time_booking_field_value",
                ["booking_rules.txt": "booking_rule_id,booking_type,prior_notice_service_id\nb,0,w\nc,0,\n"], 1
            ),
            (
                "route_long_name_contains_short_name",
                ["routes.txt": longName + "r,a,U1,U1) Nord,3\nq,a,U2,U2( Nord,3\np,a,U3,U3/ Nord,3\n"], 2
            ),
            (
                "inconsistent_route_type_for_block_id",
                [
                    "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,12\nq,a,2,700\n",
                    "trips.txt": "route_id,service_id,trip_id,block_id,shape_id\nr,w,t,b,x\nq,w,u,b,x\n",
                ], 1
            ),
        ] as [(String, [String: String], Int)])
    func rules(code: String, files: [String: String], count: Int) throws {
        #expect(try Self.count(code, files) == count)
    }
}

@Suite struct PermissionsDuringImportTests {
    /// A store that only its owner may read stays so while the new one is written.
    @Test(arguments: [0o600, 0o640, 0o444] as [mode_t])
    func `the new store has the live one's permissions from its first byte`(permissions: mode_t) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.sqlite", "old")
        chmod(folder.path("a.sqlite"), permissions)
        let publication = try StorePublication(StoreTarget(folder.path("a.sqlite")))
        defer { publication.discard() }
        let name = try #require(folder.names.first { $0.hasSuffix(".importing") })
        #expect(try folder.permissions(name) == Int(permissions | 0o600))
    }
}
