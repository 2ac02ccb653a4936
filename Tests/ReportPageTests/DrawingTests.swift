import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import ReportPage

/// Maps and charts: how much is drawn, what is said in words, and that the numbers are right.
@Suite struct DrawingTests {
    // MARK: The map

    private func dots(_ html: String) -> Int { html.matches(of: /M[0-9.]+ [0-9.]+h0/).count }

    /// Stops at scattered places, which are the same each time.
    private static func stops(_ count: Int) -> [(latitude: Double, longitude: Double)] {
        var state: UInt64 = 7
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        return (0..<count).map { _ in (48 + next() * 6, 7 + next() * 7) }
    }

    @Test func eachOfFewStopsIsADot() {
        let html = StopMap(Self.stops(100)).html
        #expect(dots(html) == 100)
        #expect(html.contains("aria-label=\"Map of 100 stops, from 48.") && html.contains("° north and from 7."))
        #expect(dots(StopMap(Self.stops(1)).html) == 1)
    }

    /// People read the page on phones, so its size does not grow with the feed.
    @Test func manyStopsAreSquares() {
        let html = StopMap(Self.stops(500_000)).html
        #expect(html.utf8.count < 400_000 && (2_000..<30_000).contains(dots(html)))
        #expect(html.contains("Map of 500,000 stops") && html.contains("Larger dots stand for more stops"))
    }

    @Test func stopsFarAwayDoNotShrinkTheRest() {
        let far = [
            (latitude: -33.9, longitude: 151.2), (latitude: 0.0, longitude: 0.0), (latitude: 91.0, longitude: 7.0),
        ]
        let html = StopMap(Self.stops(300) + far).html
        #expect(dots(html) == 300 && html.contains("1 stop far away from the others is left out."))
        #expect(StopMap([(.infinity, 7), (.nan, 7), (0, 0)]).html == "<p>No stop has a place to show.</p>")
    }

    /// Only 0, 0 stands for an unknown place.
    @Test(arguments: [(0, 32.6), (51.5, 0), (-0.02, 0), (0, 0.02)])
    func `places on the equator and on the meridian of Greenwich are shown`(latitude: Double, longitude: Double) {
        #expect(dots(StopMap([(latitude, longitude)]).html) == 1)
    }

    @Test func aFeedOnBothSidesOfTheDateLineIsOnePlace() {
        let html = StopMap([(-17, 179.5), (-17.5, -179.8), (-18, 178.4)]).html
        #expect(dots(html) == 3)
        #expect(html.contains("from 18.000° south to 17.000° south and from 178.400° east to 179.800° west"))
    }

    @Test func numbersAreDrawnShort() {
        #expect([0, 1.25, -0.04, 12.96, -3.5, 1e99].map(drawn) == ["0", "1.3", "0", "13", "-3.5", "1000000000000000"])
    }

    // MARK: Trips by date

    private func words(_ days: [(day: Int, count: Int)], today: Int) -> String {
        let html = DayChart(days, today: today).html
        let caption = html.firstMatch(of: /<figcaption>(.*)<\/figcaption>/)?.1
        return caption.map { String($0) } ?? html
    }

    @Test func gapsAreSaidInWords() {
        let days = (20_779...20_800).map { (day: $0, count: 3) }
        #expect(
            words(days, today: 20_780)
                == "Trips by date, from 2026-11-22 to 2026-12-13, 3 on the busiest day. Trips run on every day. "
                + "It covers 20 days after 2026-11-23.")
        let holes = days.filter { ![20_785, 20_790, 20_791].contains($0.day) }
        #expect(
            words(holes, today: 20_780).contains("Red: no trip runs on 3 days: 2026-11-28, 2026-12-03 to 2026-12-04."))
        let weekly = (0..<40).map { (day: 20_779 + 7 * $0, count: 1) }
        #expect(
            words(weekly, today: 20_779).contains(
                "Red: no trip runs on 234 days: 39 gaps, the longest 2026-11-23 to 2026-11-28."))
        // Five gaps are named.
        #expect(words(Array(weekly.prefix(6)), today: 20_779).contains("30 days: 2026-11-23 to 2026-11-28, 2026-11-30"))
        #expect(words(Array(weekly.prefix(7)), today: 20_779).contains("36 days: 6 gaps"))
    }

    @Test func whatHasEndedOrNotBegunIsSaid() {
        let days = [(day: 20_779, count: 1), (day: 20_780, count: 1)]
        #expect(
            words(days, today: 20_781).contains("<strong class=\"down\">The timetable ended on 2026-11-23.</strong>"))
        #expect(
            words(days, today: 20_778).contains("<strong class=\"down\">The timetable begins on 2026-11-22.</strong>"))
        #expect(
            words(days, today: 20_779).contains("<strong class=\"down\">It covers 1 day after 2026-11-22.</strong>"))
        let weeks = (0...15).map { (day: 20_779 + $0, count: 1) }
        #expect(words(weeks, today: 20_781).contains("<strong class=\"down\">It covers 13 days"))
        #expect(!words(weeks, today: 20_780).contains("strong"))
    }

    /// Right of the line, the date of a day in the last two months would be cut off at the drawing's edge.
    @Test(arguments: [(0, "dx=\"4\">2026-11-22"), (99, "dx=\"-4\" text-anchor=\"end\">2027-03-01")])
    func `the date of today stands within the drawing`(place: Int, label: String) {
        let days = (0..<100).map { (day: 20_779 + $0, count: 1) }
        #expect(DayChart(days, today: 20_779 + place).html.contains(label))
    }

    /// Seven letters of 22 pixels take some 90, as browsers draw them on phones.
    @Test(arguments: [40, 100, 365, 800]) func `months have room for the large letters of phones`(count: Int) {
        let html = DayChart((0..<count).map { (day: 20_779 + $0, count: 1) }, today: 0).html
        let places = html.matches(of: /<text x="([0-9.]+)" y="186">/).compactMap { Double($0.1) }
        #expect(!places.isEmpty && places.allSatisfy { $0 < 900 - 90 })
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 90 })
    }

    @Test func aDayHas24Hours() {
        let html = HourChart([0, 3, 5] + [Int](repeating: 0, count: 45)).html
        #expect(html.contains("<th scope=\"row\">23:00</th>") && !html.contains("24:00"))
    }

    @Test func aCalendarWithoutEndIsCut() {
        let days = (0..<27_000).map { (day: 20_000 + $0, count: 1) }
        let html = DayChart(days, today: 20_779).html
        #expect(
            html.contains("from 2026-09-23 to 2028-11-30") && html.contains("The timetable goes on beyond these days."))
        #expect(html.utf8.count < 60_000)
        #expect(!html.contains("It covers"))
        #expect(DayChart([(0, 1), (3_000_000, 1)], today: 20_779).html.contains("from 1970-01-01 to 1972-03-10"))
    }

    @Test func theEndIsSaidOfLongCalendarsToo() {
        let days = (0..<900).map { (day: 20_000 + $0, count: 1) }
        #expect(
            words(days, today: 20_895).contains("<strong class=\"down\">It covers 4 days after 2027-03-18.</strong>"))
        #expect(!words([(0, 1), (3_000_000, 1)], today: 20_779).contains("ended"))
    }

    // MARK: Against Python

    /// Compares departures by hour and trips by date with a program that expands the feed without a store.
    @Test func theNumbersAreThoseOfBruteForce() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portrait-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let feed = CommandLineProgram.sampleFeed
        var options = ImportOptions(feed: feed, store: folder + "/store.sqlite")
        options.gathersDetails = true
        let portrait = try #require(Importer(options).run().report.details.portrait)
        let answer = try Browser.python("portrait.py", [feed, "2025-12-01", "2028-01-31"])
        let truth = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        #expect(portrait.trips.map { [$0.day, $0.count] } == truth["trips"] as? [[Int]])
        #expect(portrait.departures == truth["departures"] as? [Int])
        #expect(portrait.departures.reduce(0, +) > 10_000)
    }

    /// Counted are calls where riders may board, on the 261 days from Monday to Friday. The trip u starts at 14:00 and
    /// 14:30, and once on the second night. The trip v has no calls, so it does not run. The map shows stops and
    /// stations.
    @Test func theNumbersAreThoseOfASmallFeed() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [
            ("agency", "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Berlin\n"),
            ("routes", "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n"),
            (
                "calendar",
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "w,1,1,1,1,1,0,0,20260101,20261231\n"
            ),
            ("trips", "route_id,service_id,trip_id\nr,w,t\nr,w,u\nr,w,v\n"),
            (
                "stops",
                "stop_id,stop_name,stop_lat,stop_lon,location_type\ns1,One,50.1,8.1,\ns2,Two,50.2,8.2,0\n"
                    + "z,Station,50.3,8.3,1\ne,Entrance,50.3,8.3,2\nn,Nowhere,,,\n"
            ),
            (
                "stop_times",
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type\nt,06:00:00,06:00:00,s1,1,0\n"
                    + "t,07:00:00,07:00:00,s2,2,1\nt,08:00:00,08:00:00,s1,3,\nt,09:00:00,09:00:00,s2,4,0\n"
                    + "u,10:00:00,10:00:00,s1,1,0\nu,11:30:00,11:30:00,s2,2,0\nu,12:00:00,12:00:00,s1,3,0\n"
            ),
            (
                "frequencies",
                "trip_id,start_time,end_time,headway_secs\nu,14:00:00,15:00:00,1800\nu,48:00:00,48:01:00,600\n"
            ),
        ] { try folder.write("feed/\(name).txt", text) }
        var options = ImportOptions(feed: folder.path("feed"), store: folder.path("store.sqlite"))
        options.gathersDetails = true
        let portrait = try #require(Importer(options).run().report.details.portrait)
        var hours = [Int](repeating: 0, count: 48)
        for (hour, count) in [(6, 1), (8, 1), (14, 2), (15, 1), (16, 1), (47, 2)] { hours[hour] = count * 261 }
        #expect(portrait.departures == hours)
        #expect(portrait.trips.count == 261 && portrait.trips.allSatisfy { $0.count == 2 })
        #expect(portrait.stops.map(\.latitude) == [50.1, 50.2, 50.3] && portrait.stopsWithoutPlace == 1)
    }
}
