import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// A filtered store holds the same rows as a filter in Python leaves (Tests/Filters), and records its filter.
@Suite struct FilterTests {
    private static let sample = CommandLineProgram.packageRoot + "/pipelines/sample-feed"

    /// The differences between the two, one per line.
    private static func differences(_ feed: String, tries: Int, choice: String? = nil) throws -> String {
        let folder = try TemporaryFolder()
        let seed = ProcessInfo.processInfo.environment["RANDOM_SEED"] ?? "1"
        let result = try CommandLineProgram.run(
            [
                "python3", "-B", CommandLineProgram.packageRoot + "/Tests/Filters/compare.py",
                CommandLineProgram.path, feed, folder.path("tries"), "--tries=\(tries)", "--seed=\(seed)",
            ] + (choice.map { ["--choice=" + $0] } ?? []), executable: "/usr/bin/env")
        #expect(result.exitCode == 0 && result.output.hasSuffix("\(tries) tries, 0 differences\n"), "\(feed)")
        return result.output.split(separator: "\n").dropLast().joined(separator: "\n") + result.error
    }

    @Test(
        arguments: [
            #"{"routes": ["1"]}"#, #"{"routes": ["f1", "n1"]}"#, #"{"agencies": ["zoria"]}"#, #"{"routes": ["ruf"]}"#,
            #"{"dates": ["20260101", "20260101"]}"#, #"{"dates": ["20271231", "20281231"]}"#,
            #"{"box": [-90, -180, 90, 180]}"#, #"{"box": [0, 0, 1, 1]}"#,
        ])
    func theSampleFeedIsFilteredAsInPython(choice: String) throws {
        #expect(try Self.differences(Self.sample, tries: 1, choice: choice) == "")
    }

    @Test func randomFiltersOfTheSampleFeedAgreeWithPython() throws {
        #expect(try Self.differences(Self.sample, tries: 12) == "")
    }

    /// FILTER_TRIES=N tries N filters on each small feed; the default is one.
    @Test(
        .enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)),
        arguments: RealFeeds.zips(in: "real", upTo: 100_000))
    func randomFiltersOfRealFeedsAgreeWithPython(feed: String) throws {
        let tries = ProcessInfo.processInfo.environment["FILTER_TRIES"].flatMap(Int.init) ?? 1
        #expect(try Self.differences(feed, tries: tries) == "")
    }

    // MARK: Rules

    private func filtered(
        _ layer: [String: String?], _ change: (inout FeedFilter) -> Void
    ) throws -> (feed: LayeredFeed, store: AskedStore) {
        let feed = try LayeredFeed(layer)
        change(&feed.options.filter)
        let store = try feed.imported()
        try store.expectSound()
        return (feed, store)
    }

    @Test func aTripThatCallsInTheBoxKeepsItsCallsElsewhere() throws {
        let (_, store) = try filtered([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\nu,06:10:00,06:10:00,s2,1\n"
        ]) { $0.box = FilterBox(south: 50, west: 8, north: 50.15, east: 9) }
        #expect(try store.rows("SELECT trip_id, stop_id FROM gtfs_stop_times") == ["t|s1", "t|s2"])
        #expect(
            try store.rows("SELECT name, row_count, left_out_count FROM feed_file WHERE left_out_count > 0") == [
                "stop_times.txt|2|1", "trips.txt|1|1",
            ])
    }

    @Test func blankRowsAreNotLeftOutByTheFilter() throws {
        let (_, store) = try filtered([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\n,,,,\n\"\n\",,,,\nt,06:10:00,06:10:00,s2,2\nu,06:10:00,06:10:00,s2,1\n"
        ]) { $0.box = FilterBox(south: 50, west: 8, north: 50.15, east: 9) }
        let counts = "SELECT row_count, left_out_count FROM feed_file WHERE name = 'stop_times.txt'"
        #expect(try store.rows(counts) == ["2|1"])
        let notices = "SELECT code, row_number FROM notice WHERE file = 'stop_times.txt'"
        #expect(try store.rows(notices) == ["empty_row|3", "empty_row|4"])
    }

    /// A stop keeps its station and the station's entrance, but not the station's other platform.
    @Test func aStopBringsItsStation() throws {
        let (_, store) = try filtered([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                + "s1,One,50.1,8.1,,S\ns2,Two,50.2,8.2,,\nS,Station,50.1,8.1,1,\nE,Entrance,50.1,8.1,2,S\n"
                + "s3,Other,50.1,8.1,0,S\nB,Area,50.1,8.1,4,s1\nC,Area,50.1,8.1,4,s3\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT stop_id FROM stop ORDER BY id") == ["s1", "s2", "S", "E", "B"])
        #expect(try store.rows("SELECT route_id FROM route") == ["r"])
    }

    /// A vehicle should not stop at a boarding area, but a feed may say so.
    @Test func aBoardingAreaBringsItsPlatformAndStation() throws {
        let (_, store) = try filtered([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                + "s1,One,50.1,8.1,,S\ns2,Two,50.2,8.2,,\nS,Station,50.1,8.1,1,\nB,Area,50.1,8.1,4,s1\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nq,w,u\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,B,1\nu,06:10:00,06:10:00,s2,1\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT stop_id FROM stop ORDER BY id") == ["s1", "S", "B"])
    }

    /// Of several exceptions with one date, the first counts, and a day on which the service does not run anyway cannot
    /// be removed.
    @Test(arguments: [
        ("w,20260105,2\nw,20260105,1\n", ["u"]), ("w,20260105,1\nw,20260105,2\n", ["t", "u"]),
        ("w,20260106,2\n", ["t", "u"]), ("w,20260105,2\nw,20260105,2\nw,20260106,1\n", ["t", "u"]),
        ("w,20260105,3\n", ["t", "u"]), ("w,20260105,2\nw,20260112,1\n", ["u"]),
    ])
    func datesFollowTheExceptions(exceptions: String, trips: [String]) throws {
        let (_, store) = try filtered([
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "w,1,0,0,0,0,0,0,20260101,20261231\ny,1,1,1,1,1,1,1,20260101,20261231\n",
            "calendar_dates.txt": "service_id,date,exception_type\n" + exceptions,
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nr,y,u\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s2,1\n",
        ]) { $0.dates = 20_260_105...20_260_111 }
        #expect(try store.rows("SELECT trip_id FROM trip ORDER BY id") == trips)
    }

    /// The validator and the views read table names in any case, and so does the filter.
    @Test(arguments: ["routes", "ROUTES"]) func translationsOfRoutesGoWithThem(table: String) throws {
        let (_, store) = try filtered([
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nq,w,u\n",
            "translations.txt": "table_name,field_name,language,translation,record_id\n"
                + "\(table),route_short_name,de,Eins,r\n\(table),route_short_name,de,Zwei,q\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT record_id FROM translation") == ["r"])
    }

    /// Rows of transfers.txt have no ID of their own, so no filter can tell whether such a record is in the store.
    @Test func translationsOfRecordsWithoutIDsStay() throws {
        let (_, store) = try filtered([
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nq,w,u\n",
            "translations.txt": "table_name,field_name,language,translation,record_id\n"
                + "transfers,min_transfer_time,de,Eins,x\nroutes,route_short_name,de,Zwei,q\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT record_id FROM translation") == ["x"])
    }

    /// Only if the feed has one agency is a route without agency_id a route of that agency.
    @Test func aRouteWithoutAgencyIsOfNoneAmongSeveral() throws {
        let routes = "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,,2,3\n"
        let one = "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Berlin\n"
        for (agencies, kept) in [(one, ["r", "q"]), (one + ",B,https://b.example,Europe/Berlin\n", ["r"])] {
            let (_, store) = try filtered([
                "agency.txt": agencies, "routes.txt": routes,
                "trips.txt": "route_id,service_id,trip_id\nr,w,t\nq,w,u\n",
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                    + "t,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s2,1\n",
            ]) { $0.agencies = ["a"] }
            #expect(try store.rows("SELECT route_id FROM route ORDER BY id") == kept)
        }
    }

    /// Trips of a route without a known agency, and trips without a known route, run in the zone of the first agency.
    @Test(
        arguments: [
            (["known"], nil, ["b"], "America/New_York"), (["gone"], nil, ["a"], "Europe/Berlin"),
            (["gone", "known"], nil, ["a", "b"], "Europe/Berlin"), (["none"], nil, ["a", "b", "c"], "Europe/Berlin"),
            (nil, 2026_03_01, ["a"], "Europe/Berlin"), (nil, 2026_04_01, ["a"], "Europe/Berlin"),
            (nil, 2026_02_01, ["b"], "America/New_York"),
        ] as [([String]?, Int64?, [String], String)])
    func theFirstAgencyStaysIfItsZoneCounts(
        routes: [String]?, date: Int64?, agencies: [String], zone: String
    ) throws {
        let (_, store) = try filtered([
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Berlin\n"
                + "b,B,http://b.example,America/New_York\nc,C,http://c.example,Asia/Tokyo\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nknown,b,1,3\ngone,nobody,2,3\nnone,,3,3\n",
            "calendar.txt": nil,
            "calendar_dates.txt": "service_id,date,exception_type\nw,20260201,1\nx,20260301,1\ny,20260401,1\n",
            "trips.txt": "route_id,service_id,trip_id\nknown,w,t1\ngone,z,t2\nnone,z,t3\nlost,x,t4\n,y,t5\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + (1...5).map { "t\($0),06:00:00,06:00:00,s1,1\nt\($0),06:10:00,06:10:00,s2,2\n" }.joined(),
        ]) {
            $0.routes = routes
            $0.dates = date.map { $0...$0 }
        }
        #expect(try store.rows("SELECT agency_id FROM agency ORDER BY id") == agencies)
        #expect(try store.rows("SELECT timezone FROM feed") == [zone])
    }

    /// A fare goes if all its rules go, because without rules it would be valid everywhere. It also goes if one of its
    /// zones goes, because it would be valid in fewer zones.
    @Test func ticketsGoWithTheirRules() throws {
        let (_, store) = try filtered([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,zone_id\ns1,One,50.1,8.1,A\ns2,Two,50.2,8.2,B\n"
                + "s3,Three,50.3,8.3,C\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers,agency_id\n"
                + ["any", "two", "three", "other", "either"].map { "\($0),1,EUR,0,,a\n" }.joined(),
            "fare_rules.txt": "fare_id,route_id,origin_id,destination_id,contains_id\ntwo,,,,A\ntwo,,,,B\nthree,,,,A\n"
                + "three,,,,C\nother,q,,,\neither,q,,,\neither,r,,,\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT fare_id FROM fare_attribute ORDER BY id") == ["any", "two", "either"])
        #expect(
            try store.rows("SELECT fare_id, route_id, contains_id FROM gtfs_fare_rules") == [
                "two|-|A", "two|-|B", "either|r|-",
            ])
        #expect(try store.messages.isEmpty)
    }

    /// Of two rows for one ticket, the first counts. The other one would keep a ticket of an agency that is left out.
    @Test func theFirstRowOfATicketDecides() throws {
        let (_, store) = try filtered([
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Berlin\n"
                + "b,B,https://b.example,Europe/Berlin\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,b,2,3\n",
            "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers,agency_id\n"
                + "f,1,EUR,0,,b\nf,1,EUR,0,,a\ng,1,EUR,0,,a\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT fare_id, agency FROM fare_attribute") == ["g|1"])
    }

    /// The row of the rule is left out, because the feed has no such route.
    @Test func aTicketForARouteThatTheFeedLacksGoesWithItsRule() throws {
        let (_, store) = try filtered([
            "trips.txt": "route_id,service_id,trip_id\ngone,w,t\nr,w,u\n",
            "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers\nf,1,EUR,0,\ng,1,EUR,0,\n",
            "fare_rules.txt": "fare_id,route_id\nf,gone\ng,r\n",
        ]) { $0.dates = 20_000_101...20_991_231 }
        #expect(try store.rows("SELECT trip_id FROM trip ORDER BY id").contains("t"))
        #expect(try store.rows("SELECT fare_id FROM fare_attribute") == ["g"])
        #expect(try store.rows("SELECT fare_id, route_id FROM gtfs_fare_rules") == ["g|r"])
    }

    // MARK: What the store and the report say

    /// Numbers are read as for the store: "1.0" is 1.
    @Test func wholeNumbersMayHaveADecimalPoint() throws {
        let week = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        let added: [String: String?] = [
            "calendar.txt": week + "w,0,0,0,0,0,0,0,20260101,20261231\n",
            "calendar_dates.txt": "service_id,date,exception_type\nw,20260605,1.0\n",
        ]
        let store = try filtered(added) { $0.dates = 2026_06_05...2026_06_05 }.store
        #expect(try store.rows("SELECT count(*) > 0 FROM trip") == ["1"])
        let removed = try LayeredFeed([
            "calendar.txt": week + "w,1,1,1,1,1,1,1,20260101,20261231\n",
            "calendar_dates.txt": "service_id,date,exception_type\nw,20260605,2.0\n",
        ])
        removed.options.filter.dates = 2026_06_05...2026_06_05
        #expect(removed.run().error?.code == .feedRefused)
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nh,Hall,50.1,8.1,1,\n"
            + "s1,One,50.1,8.1,0,h\ns2,Two,50.2,8.2,,\ne,Door,50.1,8.1,2.0,h\n"
        let entrance = try filtered(["stops.txt": stops]) { $0.routes = ["r"] }.store
        #expect(try entrance.rows("SELECT stop_id FROM stop ORDER BY 1") == ["e", "h", "s1", "s2"])
    }

    /// Of several rows with one ID the store has the first, so only that one is chosen.
    @Test func theFirstOfSeveralRowsIsChosen() throws {
        let feed = try LayeredFeed([
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nq,w,t\nr,w,u\n",
        ])
        feed.options.filter.routes = ["q"]
        #expect(feed.run().error?.code == .feedRefused)
        let moved = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\ns1,Far,10,10\n"
        ])
        moved.options.filter.box = FilterBox(south: 9, west: 9, north: 11, east: 11)
        #expect(moved.run().error?.code == .feedRefused)
    }

    /// The store of the whole feed has the first row with an ID, so one with a filter must not have the second.
    @Test func theFirstOfSeveralPathwaysDecides() throws {
        let (_, store) = try filtered([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\ns3,Three,51,9\n",
            "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\n"
                + "p,s1,s3,1,0\np,s1,s2,1,0\nq,s2,s1,1,0\nq,s3,s1,1,0\n,s1,s3,1,0\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT pathway_id, from_stop_id FROM gtfs_pathways") == ["q|s2"])
        #expect(
            try store.rows("SELECT row_count, left_out_count FROM feed_file WHERE name = 'pathways.txt'") == ["1|4"])
    }

    @Test func anotherFilterMakesAnotherStore() throws {
        let feed = try LayeredFeed()
        #expect(feed.run().report.status == .published)
        feed.options.filter.routes = ["r"]
        #expect(feed.run().report.status == .published)
        #expect(feed.run().report.status == .unchanged)
        feed.options.filter.routes = ["r", "r"]
        #expect(feed.run().report.status == .unchanged)
        // Two IDs that Swift takes for equal.
        feed.options.filter.routes = ["r", "e\u{301}"]
        #expect(feed.run().report.status == .published)
        feed.options.filter.routes = ["r", "e\u{301}", "\u{E9}"]
        #expect(feed.run().report.status == .published)
        feed.options.filter.routes = ["r"]
        feed.options.filter.dates = 2026_01_01...2026_12_31
        feed.options.filter.box = FilterBox(south: 50, west: 8, north: 51, east: 9)
        #expect(feed.run().report.status == .published)
        #expect(
            try AskedStore(feed.options.store).rows("SELECT options FROM feed") == [
                #"notices-per-code=1000 filter={"routes":["r"],"dates":"20260101..20261231","box":"50.0,8.0,51.0,9.0"}"#
            ])
        feed.options.filter = FeedFilter()
        #expect(feed.run().report.status == .published)
    }

    @Test func saysWhatWasLeftOut() throws {
        let feed = try LayeredFeed(["trips.txt": "route_id,service_id,trip_id\nr,w,t\nx,w,u\n"])
        feed.options.filter.routes = ["r", "y", "z"]
        let (report, error) = feed.run()
        #expect(error == nil)
        #expect(report.leftOut.map { "\($0.file) \($0.count)" } == ["shapes.txt 2", "trips.txt 1"])
        #expect(report.warnings == [#"--routes: routes.txt has no "y", "z""#])
        // Rows that the filter leaves out are not checked.
        #expect(report.notices.isEmpty)
    }

    @Test func refusesAFilterThatLeavesNothing() throws {
        let feed = try LayeredFeed()
        feed.run()
        let before = try feed.folder.contents()
        feed.options.filter.routes = ["none"]
        feed.options.filter.dates = 2030_01_01...2030_01_02
        let (report, error) = feed.run()
        #expect(error?.code == .feedRefused)
        #expect(
            error?.message == "\(feed.options.feed): with --routes and --dates, no trip remains; "
                + #"--routes: routes.txt has no "none""#)
        #expect(try feed.folder.contents() == before && report.status == .failed)
    }

    /// The second trip of the small feed has no stop times.
    @Test func refusesTripsThatCallNowhere() throws {
        let feed = try LayeredFeed([
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nq,w,u\n",
        ])
        feed.options.filter.routes = ["q"]
        #expect(
            feed.run().error?.message == "\(feed.options.feed): with --routes, no trip with stop times remains")
    }

    /// Ids of services that only calendar_dates.txt names are beyond all rows of calendar.txt, those left out included.
    @Test func aServiceOfCalendarDatesAloneHasNoRowOfCalendar() throws {
        let week = "1,1,1,1,1,1,1,20260101,20261231\n"
        let (_, store) = try filtered([
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "w,\(week)x,\(week)y,\(week)",
            "calendar_dates.txt": "service_id,date,exception_type\nd,20260101,1\n",
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nr,d,v\nq,y,u\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s2,1\nv,07:10:00,07:10:00,s2,1\n",
        ]) { $0.routes = ["r"] }
        #expect(try store.rows("SELECT id > 3, service_id FROM service ORDER BY id") == ["0|w", "1|d"])
    }
}
