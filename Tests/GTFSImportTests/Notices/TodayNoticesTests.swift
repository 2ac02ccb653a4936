import Foundation
import TestSupport
import Testing

/// The notices that depend on the day, by schema/notices_today.sql.
///
/// The small feed is valid, and its service w runs on workdays, from 2026-01-01, a Thursday, to 2026-12-31, a Thursday.
@Suite struct TodayNoticesTests {
    private static let week =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    private static let exceptions = "service_id,date,exception_type\n"

    /// The code, row, field, value and message of each notice on a day.
    private func notices(on today: String, of changed: [String: String] = [:]) throws -> String {
        let (store, _folder) = try SmallFeed.store(changed)
        defer { withExtendedLifetime(_folder) {} }
        let recipe = try String(
            contentsOfFile: CommandLineProgram.packageRoot + "/schema/notices_today.sql", encoding: .utf8)
        let query = recipe.replacing(";", with: "").replacing(":today", with: today)
        return try SmallFeed.all(
            "SELECT code || ':', ifnull(row_number, '-'), ifnull(value, '-'), message FROM (\(query))", store)
    }

    @Test(arguments: ["20260101", "20260102", "20261201", "'20260601'", "20260601.0"])
    func feedThatIsValidTodayHasNone(_ today: String) throws {
        #expect(try notices(on: today) == "")
    }

    @Test(arguments: [
        ("20261202", "feed_expiration_date30_days: 2 20261231 the feed ends in less than 30 days"),
        ("20261224", "feed_expiration_date30_days: 2 20261231 the feed ends in less than 30 days"),
        (
            "20261225",
            "feed_expiration_date7_days: 2 20261231 the feed ends in less than 7 days; "
                + "trip_coverage_not_active_for_next7_days: - - most trips run from 20260101 to 20261231 only"
        ),
        (
            "20270101",
            "expired_calendar: 2 w runs on no day after 20261231; "
                + "feed_expiration_date7_days: 2 20261231 the feed has ended; "
                + "trip_coverage_not_active_for_next7_days: - - most trips run from 20260101 to 20261231 only"
        ),
    ])
    func feedThatEndsSoonOrHasEnded(_ today: String, _ expected: String) throws {
        #expect(try notices(on: today) == expected)
    }

    @Test func feedThatBeginsTomorrow() throws {
        #expect(
            try notices(on: "20251231")
                == "future_calendar: - - no trip runs before 20260101; "
                + "future_feed: - 20260101 the feed begins after today; "
                + "trip_coverage_not_active_for_next7_days: - - most trips run from 20260101 to 20261231 only")
    }

    /// 2028-12-31 is 730 days after 2027-01-01, which is not more than two years.
    @Test(arguments: [
        ("20270101", ""),
        ("20261231", "service_extends_far_in_the_future: 3 v runs until 20281231, more than two years from today"),
    ])
    func serviceThatEndsInMoreThanTwoYears(_ today: String, _ expected: String) throws {
        let long = [
            "calendar.txt": Self.week + "w,1,1,1,1,1,1,1,20260101,20280101\nv,1,1,1,1,1,1,1,20260101,20281231\n"
        ]
        let found = try notices(on: today, of: long).split(separator: "; ").filter { $0.hasPrefix("service") }
        #expect(found.joined() == expected)
    }

    /// Without rows in calendar.txt, services that have ended are no fault as long as another one runs.
    @Test(arguments: [
        ("20260302", ""),
        (
            "20260303",
            "expired_calendar: 2 v runs on no day after 20260302, nor does any other service run; "
                + "expired_calendar: 3 w runs on no day after 20260105, nor does any other service run"
        ),
    ])
    func servicesOfCalendarDatesEndTogether(_ today: String, _ expected: String) throws {
        let dates = [
            "calendar.txt": Self.week,
            "calendar_dates.txt": Self.exceptions + "v,20260302,1\nw,20260105,1\n",
        ]
        let found = try notices(on: today, of: dates).split(separator: "; ").filter { $0.hasPrefix("expired") }
        #expect(found.joined(separator: "; ") == expected)
    }

    /// A trip that repeats every ten minutes for an hour counts six times. So on days with the other trip alone, most
    /// trips do not run.
    @Test func tripsThatRepeatCountForEachRide() throws {
        let feed = [
            "calendar.txt": Self.week + "w,1,1,1,1,1,1,1,20260101,20260131\nv,1,1,1,1,1,1,1,20260101,20260228\n",
            "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,v,u,x\n",
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,06:00:00,07:00:00,600\n",
        ]
        #expect(
            try notices(on: "20260128", of: feed).contains("most trips run from 20260101 to 20260131 only"))
    }

    /// 1,440 minutes too few: the trip counts less than nothing.
    @Test func aFrequencyThatEndsBeforeItBeginsHidesNothing() throws {
        let feed = [
            "calendar.txt": Self.week + "w,1,1,1,1,1,1,1,20260101,20260131\n",
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,30:00:00,06:00:00,60\n",
        ]
        #expect(
            try notices(on: "20260128", of: feed).contains("most trips run from 20260101 to 20260131 only"))
    }

    @Test func todayIsThatOfTheClockUnlessItIsBound() throws {
        let ended = ["calendar.txt": Self.week + "w,1,1,1,1,1,1,1,20010101,20010131\n"]
        #expect(try notices(on: "NULL", of: ended).hasPrefix("expired_calendar: 2 w runs on no day after 20010131"))
    }
}
