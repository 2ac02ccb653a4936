import CivilTime
import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// What a policy refuses and what it allows. A refused feed changes nothing.
@Suite struct PolicyTests {
    /// Three errors, two in routes.txt and one in agency.txt. The notice about capital letters is a warning.
    private static let faulty = [
        "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color\n"
            + "r,a,1,ALL CAPITALS,3,red,white\n",
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Mars\n",
    ]

    private func bytes(_ feed: LayeredFeed) throws -> Data { try Data(contentsOf: URL(filePath: feed.options.store)) }

    /// Publishes the small feed, then imports other files under a policy.
    private func second(
        _ files: [String: String], _ policy: (inout PublicationPolicy) -> Void
    ) throws -> (feed: LayeredFeed, report: ImportReport, error: ImportError?) {
        let feed = try LayeredFeed()
        feed.run()
        let before = try bytes(feed)
        for (name, text) in files { try feed.write(name, Array(text.utf8)) }
        policy(&feed.options.policy)
        let (report, error) = feed.run()
        if error != nil {
            #expect(error?.code == .feedRefused)
            #expect(try bytes(feed) == before)
            #expect(try feed.folder.contents().keys.sorted() == ["feed", "store.sqlite"])
        }
        return (feed, report, error)
    }

    // MARK: Numbers of notices

    @Test(
        arguments: [
            ([ErrorLimit(.all, maximum: 3)], nil),
            ([ErrorLimit(.all, maximum: 2)], "has 3 notices of severity ERROR, and --max-errors allows 2"),
            ([ErrorLimit(.file("routes.txt"), maximum: 2), ErrorLimit(.file("stops.txt"), maximum: 0)], nil),
            (
                [ErrorLimit(.file("agency.txt"), maximum: 0)],
                "agency.txt has 1 notice of severity ERROR, and --max-errors allows 0"
            ),
            (
                [ErrorLimit(.code("invalid_color"), maximum: 1), ErrorLimit(.code("invalid_timezone"), maximum: 1)],
                "has 2 notices invalid_color, and --max-errors allows 1"
            ),
            (
                [ErrorLimit(.code("mixed_case_recommended_field"), maximum: 0)],
                "has 1 notice mixed_case_recommended_field, and --max-errors allows 0"
            ),
            (
                [ErrorLimit(.file("routes.txt"), maximum: 1), ErrorLimit(.all, maximum: 0)],
                "routes.txt has 2 notices of severity ERROR, and --max-errors allows 1; "
                    + "has 3 notices of severity ERROR, and --max-errors (or --strict) allows 0"
            ),
        ] as [([ErrorLimit], String?)])
    func moreNoticesThanAllowedRefuseTheFeed(limits: [ErrorLimit], fault: String?) throws {
        let (feed, report, error) = try second(Self.faulty) { $0.errorLimits = limits }
        #expect(error?.message == fault.map { "\(feed.options.feed): \($0)" })
        // The last two are about the trip without calls.
        #expect(report.notices.map(\.count) == [2, 1, 1, 1, 1])
        #expect(report.status == (fault == nil ? .published : .failed))
    }

    /// The limit counts all errors of a file, not only those that are kept.
    @Test func limitsErrorsBeyondThoseKept() throws {
        let rows = (0..<50).map { "s\($0),Name,50.1,8.1,http:\n" }.joined()
        let feed = try LayeredFeed(["stops.txt": "stop_id,stop_name,stop_lat,stop_lon,stop_url\n" + rows])
        feed.options.noticesKeptPerCode = 1
        feed.options.policy.errorLimits = [ErrorLimit(.file("stops.txt"), maximum: 49)]
        #expect(
            feed.run().error?.message
                == "\(feed.options.feed): stops.txt has 50 notices of severity ERROR, and --max-errors allows 49")
    }

    // MARK: Shrinking

    /// A feed with `count` trips of two calls each.
    private static func trips(_ count: Int) -> [String: String] {
        let times = (0..<count).map { "t\($0),06:00:00,06:00:00,s1,1\nt\($0),06:10:00,06:10:00,s2,2\n" }.joined()
        return [
            "trips.txt": "route_id,service_id,trip_id\n" + (0..<count).map { "r,w,t\($0)\n" }.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + times,
        ]
    }

    @Test(arguments: [(8, 20, false), (7, 20, true), (10, 0, false), (9, 0, true), (12, 0, false), (1, 100, false)])
    func aFeedThatShrankByMoreThanAllowedIsRefused(trips: Int, percent: Int, isRefused: Bool) throws {
        let feed = try LayeredFeed(Self.trips(10))
        feed.options.policy.maximumShrink = percent
        #expect(feed.run().error == nil)  // no earlier store to compare with
        let before = try bytes(feed)
        for (name, text) in Self.trips(trips) { try feed.write(name, Array(text.utf8)) }
        let error = feed.run().error
        #expect((error?.code == .feedRefused) == isRefused)
        #expect(try (bytes(feed) == before) == (isRefused || trips == 10))
        guard isRefused else { return }
        let gone = "\(Double(10 - trips) * 10) % fewer, and --max-shrink allows \(percent) %"
        #expect(
            error?.message == "\(feed.options.feed): has \(2 * trips) stop times, the live store 20: \(gone); "
                + "has \(trips) trips, the live store 10: \(gone)")
    }

    /// Rows that the store keeps aside are no stop times.
    @Test func refusedStopTimesCountAsGone() throws {
        let feed = try LayeredFeed(Self.trips(10))
        feed.options.policy.maximumShrink = 20
        #expect(feed.run().error == nil)
        let stopTimes = try #require(Self.trips(10)["stop_times.txt"])
        try feed.write("stop_times.txt", Array(stopTimes.replacing("s2,2", with: "s2,soon").utf8))
        let gone = "50.0 % fewer, and --max-shrink allows 20 %"
        #expect(
            feed.run().error?.message == "\(feed.options.feed): has 10 stop times, the live store 20: \(gone)")
    }

    @Test func whatCannotBeReadIsNotComparedAndSaid() throws {
        let feed = try LayeredFeed()
        feed.run()
        try Connection(path: feed.options.store, mode: .create).execute("DROP TABLE feed")
        feed.options.policy.maximumShrink = 0
        let (report, error) = feed.run()
        #expect(error == nil)
        #expect(
            report.warnings == ["\(feed.options.store) cannot be read, so --max-shrink had nothing to compare with"])
    }

    // MARK: Coverage

    /// The small feed runs from Monday to Friday in 2026; 2026-08-01 is a Saturday.
    @Test(
        arguments: [
            (20_260_801, 2, "from 2026-08-01 to 2026-08-02"), (20_260_801, 1, "on 2026-08-01"), (20_260_801, 3, nil),
            (20_260_803, 1, nil), (20_251_231, 1, "on 2025-12-31"), (20_251_231, 2, nil), (20_261_231, 1, nil),
            (20_270_101, 36_500, "from 2027-01-01 to 2126-12-07"),
        ] as [(Int, Int, String?)])
    func aFeedWithoutServiceInTheNextDaysIsRefused(date: Int, days: Int, missing: String?) throws {
        let change = ["feed_info.txt": SmallFeed.feedInfo("B,http://b.example,de")]
        let (feed, _, error) = try second(change) { ($0.date, $0.serviceWithinDays) = (date, days) }
        let covered = "its trips run from 2026-01-01 to 2026-12-31"
        #expect(
            error?.message
                == missing.map {
                    "\(feed.options.feed): no trip runs \($0), which --service-within asks for; \(covered)"
                })
    }

    /// Days on which only services without trips run do not count.
    @Test func servicesWithoutTripsDoNotCount() throws {
        let calendar =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "w,1,1,1,1,1,0,0,20260101,20261231\nidle,1,1,1,1,1,1,1,20260101,20271231\n"
        let (_, _, error) = try second(["calendar.txt": calendar]) { ($0.date, $0.serviceWithinDays) = (20_270_101, 9) }
        let covered = "--service-within asks for; its trips run from 2026-01-01 to 2026-12-31"
        #expect(error?.message.hasSuffix("no trip runs from 2027-01-01 to 2027-01-09, which \(covered)") == true)
        let (feed, _, _) = try second(["calendar.txt": calendar]) { _ in }
        let days = try #require(DaysWithTrips(storeAt: feed.options.store))
        #expect(days.first.number == 20_260_101 && days.last.number == 20_261_231)
    }

    /// A feed whose stop_times.txt was cut off still has all trips, but nobody can ride those without calls.
    @Test func tripsWithoutCallsDoNotCount() throws {
        let calendar =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "w,1,1,1,1,1,0,0,20260101,20261231\ncut,1,1,1,1,1,1,1,20260101,20271231\n"
        let trips = "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,cut,u,x\n"
        let change = ["calendar.txt": calendar, "trips.txt": trips]
        let (_, _, error) = try second(change) { ($0.date, $0.serviceWithinDays) = (20_270_101, 9) }
        let covered = "--service-within asks for; its trips run from 2026-01-01 to 2026-12-31"
        #expect(error?.message.hasSuffix("no trip runs from 2027-01-01 to 2027-01-09, which \(covered)") == true)
        let (feed, _, _) = try second(change) { _ in }
        let days = try #require(DaysWithTrips(storeAt: feed.options.store))
        #expect(days.first.number == 20_260_101 && days.last.number == 20_261_231)
    }

    @Test func todayIsTheDayInUTC() {
        let now = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date())
        let number = (now.year ?? 0) * 10_000 + (now.month ?? 0) * 100 + (now.day ?? 0)
        let today = CivilDay.today
        #expect(today.number == number || today.adding(days: -1).number == number)
        #expect(CivilDay(number: 20_240_228)?.adding(days: 2).number == 20_240_301)
    }
}
