import CivilTime
import KeySorting
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// `service_day`, `service.day_set` and the time zones of routes.
@Suite struct ServiceDayTests {
    private static let week =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    private static let dates = "service_id,date,exception_type\n"

    private static func days(of service: String, _ store: AskedStore) throws -> [String] {
        try store.rows(
            "SELECT date FROM service_day JOIN service USING (day_set) WHERE service_id = '\(service)' ORDER BY date")
    }

    @Test func aServiceRunsOnItsWeekdaysBetweenItsDates() throws {
        let store = try LayeredFeed(["calendar.txt": Self.week + "w,1,0,0,0,0,0,1,20261227,20270111\n"]).imported()
        #expect(
            try Self.days(of: "w", store) == ["20261227", "20261228", "20270103", "20270104", "20270110", "20270111"])
    }

    /// The days equal those of SQLite's own calendar, over two leap years and over 1900, which is not a leap year.
    @Test func daysOfManyYearsAreThoseThatSQLiteComputes() throws {
        let store = try LayeredFeed([
            "calendar.txt": Self.week + "w,0,1,0,0,0,1,0,18990101,19040401\nx,1,1,1,1,1,1,1,20230227,20240301\n"
        ]).imported()
        let expected = """
            WITH RECURSIVE day(d) AS (VALUES ('1899-01-01') UNION ALL SELECT date(d, '+1 day') FROM day WHERE d < '1904-04-01')
            SELECT replace(d, '-', '') FROM day WHERE strftime('%w', d) IN ('2', '6')
            """
        #expect(try Self.days(of: "w", store) == store.rows(expected))
        #expect(try Self.days(of: "x", store).count == 369)
        #expect(try Self.days(of: "x", store).contains("20240229"))
    }

    @Test(arguments: [
        ("w,1,1,1,1,1,1,1,20260301,20260101\n", ""), ("w,1,1,1,1,1,1,1,20260301,\n", ""),
        ("w,1,1,1,1,1,1,1,20260301,20260101\nx,1,1,1,1,1,1,1,20260201,20260202\n", "20260201|20260202"),
    ])
    func aCalendarThatEndsBeforeItStartsIsNoneOfTheFeedsDays(rows: String, days: String) throws {
        let store = try LayeredFeed(["calendar.txt": Self.week + rows]).imported()
        let feed = try store.rows("SELECT start_date, end_date FROM feed WHERE start_date IS NOT NULL")
        #expect(feed == (days.isEmpty ? [] : [days]))
    }

    /// A weekday without a column, or with a value that is none, is a day without service.
    @Test(arguments: [
        ("start_date,end_date,sunday,service_id,monday\n20261227,20261229,1,w,1\n", ["20261227", "20261228"]),
        ("service_id,sunday,monday,tuesday,start_date,end_date\nw,x,1,2,20261227,20261229\n", ["20261228"]),
        ("service_id,sunday,monday,start_date\nw,1,1,20261227\n", []),
        (
            "service_id,sunday,monday,start_date,end_date\nv,1,0,20261227,20261227\n\nw,1,1,20261226,20261227\n",
            ["20261227"]
        ),
    ])
    func columnsOfCalendarsMayBeMissingOrElsewhere(calendar: String, days: [String]) throws {
        let store = try LayeredFeed(["calendar.txt": calendar]).imported()
        #expect(try Self.days(of: "w", store) == days)
    }

    @Test func exceptionsAddAndTakeAway() throws {
        let store = try LayeredFeed([
            "calendar.txt": Self.week + "w,1,1,1,1,1,1,1,20260803,20260805\n",
            "calendar_dates.txt": Self.dates
                + "w,20260804,2\nw,20260804,1\nw,20260810,1\nw,20260810,2\nw,20260801,1\nd,20260901,1\n"
                + "d,20260831,1\nw,20260803,1\nw,20260811,2\nw,20260805,3\n",
        ]).imported()
        #expect(try Self.days(of: "w", store) == ["20260801", "20260803", "20260805", "20260810"])
        #expect(try Self.days(of: "d", store) == ["20260831", "20260901"])
    }

    @Test func servicesWithTheSameDaysShareThem() throws {
        let store = try LayeredFeed([
            "calendar.txt": Self.week + "a,1,1,1,1,1,0,0,20260803,20260807\nb,1,1,1,1,1,0,0,20260803,20260807\n"
                + "c,1,1,1,1,1,0,0,20260803,20260807\nn,0,0,0,0,0,0,0,20260803,20260807\n",
            "calendar_dates.txt": Self.dates
                + "b,20260804,1\nc,20260804,2\nx,20260804,1\ny,20260804,1\nz,20260804,2\nb,20260809,2\n",
        ]).imported()
        #expect(
            try store.rows("SELECT service_id, day_set FROM service ORDER BY id")
                == ["a|1", "b|1", "c|3", "n|-", "x|6", "y|6", "z|-"])
        #expect(try store.rows("SELECT count(*) FROM service_day") == ["10"])
        try store.expectSound()
    }

    /// Only the days that are added count, whatever the dates of the calendar. A service whose exceptions only remove
    /// days that it does not have never runs.
    @Test func `calendars without weekdays share the days that are added`() throws {
        let store = try LayeredFeed([
            "calendar.txt": Self.week + "a,0,0,0,0,0,0,0,20260803,20260807\nb,0,0,0,0,0,0,0,20270101,20271231\n"
                + "c,1,0,0,0,0,0,0,20260803,20260807\nd,1,0,0,0,0,0,0,20260803,20260808\n"
                + "e,0,0,0,0,0,0,0,20260803,20260807\n",
            "calendar_dates.txt": Self.dates + "a,20260804,1\nb,20260804,1\nx,20260804,1\ne,20260804,2\n",
        ]).imported()
        let sets = try store.rows("SELECT service_id, day_set FROM service ORDER BY id")
        #expect(sets == ["a|1", "b|1", "c|3", "d|4", "e|-", "x|1"])
        #expect(try ["a", "b", "x"].allSatisfy { try Self.days(of: $0, store) == ["20260804"] })
        #expect(try ["c", "d"].allSatisfy { try Self.days(of: $0, store) == ["20260803"] })
        try store.expectSound()
    }

    /// Weekdays that are not between the dates, dates that run backward, and days that are all removed.
    @Test(arguments: [1, 1_000]) func `services that never run have no set`(rowsOfLongTable: Int) throws {
        let feed = try LayeredFeed([
            "calendar.txt": Self.week + "a,0,0,0,0,0,1,1,20260803,20260807\nb,0,0,0,0,0,1,1,20260803,20260807\n"
                + "c,1,1,1,1,1,1,1,20260807,20260803\nd,1,1,0,0,0,0,0,20260803,20260807\n"
                + "e,1,1,0,0,0,0,0,20260803,20260807\nf,1,1,0,0,0,0,0,20260803,20260807\n",
            "calendar_dates.txt": Self.dates + "d,20260803,2\nd,20260804,2\ne,20260803,2\ne,20260804,2\n"
                + "f,20260803,2\nx,20260803,1\nx,20260804,2\n",
        ])
        feed.options.rowsOfLongTable = rowsOfLongTable
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT service_id, day_set FROM service ORDER BY id")
                == ["a|-", "b|-", "c|-", "d|-", "e|-", "f|6", "x|8"])
        #expect(try store.rows("SELECT date, day_set FROM service_day") == ["20260803|8", "20260804|6"])
        try store.expectSound()
    }

    /// The rows of services without a calendar follow those of calendar.txt, which may take none, one or many pages.
    @Test(arguments: [0, 3, 3_000], [0, 1, 5_000])
    func servicesWithoutCalendarHaveRowsOfTheirOwn(stored: Int, named: Int) throws {
        let weeks = (0..<stored).map { "week\($0),0,0,0,0,0,0,1,20260\(1 + $0 % 9)01,20261231,note\($0)\n" }
        let names = (0..<named).map { "day\($0)" + String(repeating: "é", count: $0 % 100 == 7 ? 3_000 : $0 % 40) }
        let days = names.indices.flatMap { [$0, ($0 + 1) % named] }.map { "\(names[$0]),202612\(10 + $0 % 20),1\n" }
        let noteHeader = Self.week.dropLast() + ",note\n"
        let feed = try LayeredFeed([
            "calendar.txt": noteHeader + weeks.joined() + ",1,1,1,1,1,1,1,20270101,20270102,no name\n",
            "calendar_dates.txt": Self.dates + "week0,20260102,1\n" + days.joined() + ",20260101,1\n",
        ])
        feed.options.rowsOfLongTable = 1_000
        let store = try feed.imported()
        try store.expectSound()
        // Without a calendar, week0 is the first service of calendar_dates.txt.
        let later = (stored == 0 ? ["week0"] : []) + names
        let expected =
            (0..<stored).map { "\($0 + 1)|week\($0)|1|note\($0)" } + ["\(stored + 1)|-|1|no name"]
            + later.enumerated().map { "\(stored + 3 + $0)|\($1)|0|-" }
        #expect(try store.rows("SELECT id, service_id, in_calendar, note FROM service ORDER BY id") == expected)
        for (place, name) in Array(later.enumerated()).prefix(20) + Array(later.enumerated()).suffix(20) {
            let found = try store.rows(
                "SELECT id FROM service INDEXED BY service_service_id WHERE service_id = '\(name)'")
            #expect(found == ["\(stored + 3 + place)"])
        }
        let sets = "SELECT count(*) FROM service WHERE in_calendar = 0 AND day_set IS NOT NULL"
        #expect(try store.rows(sets) == ["\(later.count)"])
        if let last = names.last {
            let day = 10 + (named - 1) % 20
            #expect(try Self.days(of: last, store) == ["202612\(day)"])
        }
        #expect(try store.rows("SELECT end_date FROM feed") == ["20270102"])
    }

    @Test func rangesMayRunBackwardOrForever() throws {
        let store = try LayeredFeed([
            "calendar.txt": Self.week + "i,1,1,1,1,1,1,1,20260805,20260803\ne,1,0,0,0,0,0,0,19000101,99991231\n"
                + "n,1,1,1,1,1,1,1,,20260805\n"
        ]).imported()
        #expect(try Self.days(of: "i", store).isEmpty && Self.days(of: "n", store).isEmpty)
        let days = try Self.days(of: "e", store)
        #expect(days.first == "20000103" && days.last == "20991228" && days.count == 5218)
    }

    /// Compares the sweep with a loop over all days, each of which looks at its weekday's bit.
    @Test func theSetsOfEachDateAreThoseOfTheCalendarsAndExceptions() throws {
        var random = SeededGenerator(seed: 7)
        // 2026-12-20, a Sunday, and the 40 days after it.
        let dates = (0...40).map { Int64(CivilDay(daysSince1970: 20_807 + $0).number) }
        func day() -> Int { .random(in: dates.indices, using: &random) }
        for _ in 0..<200 {
            let sweep = DaySweep(in: SortingSpace(folder: "/tmp"))
            var expected: [[Int64]: Bool] = [:]
            for service in 1...Int64.random(in: 1...9, using: &random) {
                let (one, other) = (day(), day())
                let weekdays = Int.random(in: 0...127, using: &random)
                let calendar = WeekCalendar(
                    service: service, weekdays: weekdays, start: dates[min(one, other)], end: dates[max(one, other)])
                sweep.add(calendar)
                // Monday has the lowest bit.
                let days = (min(one, other)...max(one, other)).filter { weekdays >> (($0 + 6) % 7) & 1 == 1 }
                for day in days { expected[[dates[day], service]] = true }
                #expect(calendar.dayCount == days.count)
                for day in Set((0..<Int.random(in: 0...5, using: &random)).map { _ in day() }) {
                    let isAdded = !days.contains(day)
                    try sweep.add(DayChange(date: dates[day], isAdded: isAdded, of: calendar), to: service)
                    expected[[dates[day], service]] = isAdded ? true : nil
                }
            }
            var found: [[Int64]] = []
            try sweep.forEachDate { _, date, sets in found += sets.map { [date, Int64($0)] } }
            #expect(found == expected.keys.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }

    @Test func withoutAnyCalendarNoServiceRuns() throws {
        let store = try LayeredFeed(["calendar.txt": nil]).imported()
        #expect(try store.rows("SELECT count(*) FROM service_day") == ["0"])
        #expect(
            try store.rows("SELECT code, file FROM notice WHERE severity = 'ERROR' ORDER BY id")
                == [
                    "missing_calendar_and_calendar_date_files|-", "foreign_key_violation|trips.txt",
                    "foreign_key_violation|trips.txt",
                ])
    }

    @Test func aRouteHasTheZoneOfItsAgencyOrOfTheFirst() throws {
        let store = try LayeredFeed([
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\n"
                + "b,B,http://b.example,Asia/Tokyo\na,A,http://a.example,Europe/Berlin\nz,Z,http://z.example,Europe/Zag\n"
                + "e,E,http://e.example,\n",
            "routes.txt":
                "route_id,agency_id,route_short_name,route_type\nr,a,1,3\ns,,2,3\nt,who,3,3\nu,z,4,3\nv,b,5,3\nw,e,6,3\n",
        ]).imported()
        #expect(
            try store.rows("SELECT route_id, timezone FROM route ORDER BY id") == [
                "r|Europe/Berlin", "s|Asia/Tokyo", "t|Asia/Tokyo", "u|UTC", "v|Asia/Tokyo", "w|UTC",
            ])
        #expect(try store.rows("SELECT value FROM notice WHERE code = 'invalid_timezone'") == ["Europe/Zag"])
    }

    @Test func callsOfTripsThatRepeatCountFromTheFirstDeparture() throws {
        let store = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nr,w,u\nr,w,v\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:01:00,s1,1\nt,,,s2,2\nt,06:09:00,06:11:00,s1,3\nu,07:00:00,07:00:00,s1,1\nu,07:01:00,07:01:00,s2,2\n"
                + "v,,,s2,1\nv,05:00:00,05:00:00,s1,2\n",
            "frequencies.txt":
                "trip_id,start_time,end_time,headway_secs\nt,08:00:00,09:00:00,600\nt,10:00:00,11:00:00,300\n"
                + "u,08:00:00,08:00:00,600\nu,08:00:00,09:00:00,0\nv,08:00:00,09:00:00,600\n",
        ]).imported()
        #expect(
            try store.rows("SELECT stop, trip, stop_sequence, arrival, departure FROM frequency_call")
                == ["1|1|1|-60|0", "1|1|3|480|600", "1|3|2|0|0", "2|1|2|240|240"])
    }

    @Test func theLongestAndTheShortestDwellAreKnown() throws {
        let store = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "u,06:00:00,06:10:00,s1,1\nt,06:00:00,05:59:57,s1,3\nt,,07:00:00,s2,1\n"
        ]).imported()
        #expect(try store.rows("SELECT longest_dwell, shortest_dwell FROM feed") == ["600|-3"])
    }
}
