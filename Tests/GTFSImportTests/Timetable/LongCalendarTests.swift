import TestSupport
import Testing

@testable import GTFSImport

/// Calendars that end early because all sets together have too many days.
@Suite struct LongCalendarTests {
    private static let week =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"

    /// The days by date and service, of a feed with five services up to 2099 and the rows given.
    private static func store(_ rows: [String], dates: String = "", mostDays: Int) throws -> AskedStore {
        let long = (1...5).map { "long\($0),1,1,1,1,1,1,\($0 % 2),2026010\($0),20991231\n" }
        let feed = try LayeredFeed([
            "calendar.txt": week + (rows + long).joined(),
            "calendar_dates.txt": "service_id,date,exception_type\n" + dates,
        ])
        feed.options.mostServiceDays = mostDays
        return try feed.imported()
    }

    private static func range(of service: String, _ store: AskedStore) throws -> [String] {
        try store.rows(
            "SELECT min(date), max(date) FROM service_day JOIN service USING (day_set) WHERE service_id = '\(service)'")
    }

    /// One calendar that is over, or that has a mistyped date, takes no days from the others.
    @Test(arguments: [
        ("", "20361231"), ("old,1,0,0,0,0,0,0,20150105,20151231\n", "20361231"),
        ("always,0,0,0,0,0,1,1,20000101,20991231\n", "20361231"),
        ("far,1,1,1,1,1,1,1,20350101,20350131\n", "20451231"),
        ("none,0,0,0,0,0,0,0,20350101,20350131\n", "20361231"),
    ])
    func longRangesEndEarly(row: String, last: String) throws {
        let store = try Self.store([row], mostDays: 100_000)
        #expect(try Self.range(of: "long1", store) == ["20260101|\(last)"])
        #expect(try Self.range(of: "far", store) == [row.hasPrefix("far") ? "20350101|20350131" : "-|-"])
        #expect(try Self.range(of: "old", store) == [row.hasPrefix("old") ? "20150105|20151228" : "-|-"])
        try store.expectSound()
    }

    /// All long ranges end on one day, in whatever order the rows are, and none does below the limit.
    @Test func theOrderOfRowsDoesNotMatter() throws {
        let rows = ["a,1,1,1,1,1,1,1,20260101,20260131\n", "b,1,1,1,1,1,1,1,20270101,20270131\n"]
        let days = "SELECT date, service_id FROM service_day JOIN service USING (day_set) ORDER BY 1, 2"
        let (one, other) = (
            try Self.store(rows, mostDays: 50_000).rows(days),
            try Self.store(rows.reversed(), mostDays: 50_000).rows(days)
        )
        #expect(one == other && one.last == "20371231|long5")
        #expect(try Self.store(rows, mostDays: 200_000).rows(days).last == "20991231|long5")
    }

    /// calendar_dates.txt counts as evidence of the present, and its days stay where the calendar ends early.
    @Test func exceptionsStay() throws {
        let store = try Self.store(
            [],
            dates:
                "long1,20280105,2\nlong1,20500101,2\nlong1,20500102,1\nlong2,20500102,1\nlong2,20500102,2\nlong1,20600102,1\n",
            mostDays: 0)
        #expect(try Self.range(of: "long1", store) == ["20260101|20701231"])
        let few = try Self.store([], dates: "long1,20270105,2\nlong1,20370102,1\n", mostDays: 0)
        #expect(try Self.range(of: "long1", few) == ["20260101|20471231"])
        let late = try Self.store([], dates: "long1,20250105,1\nlong1,20360102,2\nlong1,20350102,1\n", mostDays: 0)
        #expect(try Self.range(of: "long1", late) == ["20250105|20461231"])
    }

    /// A calendar of more than a century is cut to 2000 to 2099; days that are added outside it stay.
    @Test func addedDaysOutsideTheCenturyStay() throws {
        let store = try Self.store(
            ["e,1,0,0,0,0,0,0,19000101,99991231\n"], dates: "e,21000104,1\ne,19991227,1\ne,20000103,2\n",
            mostDays: 5_000_000)
        #expect(try Self.range(of: "e", store) == ["19991227|21000104"])
    }

    /// 36,525 days are no more than a century.
    @Test(arguments: [("19500101", "19500101|20491231"), ("19491231", "20000101|20491231")])
    func `a range of exactly a century is not cut`(start: String, range: String) throws {
        let store = try Self.store(["e,1,1,1,1,1,1,1,\(start),20491231\n"], mostDays: 5_000_000)
        #expect(try Self.range(of: "e", store) == [range])
    }

    @Test func eachCutIsANotice() throws {
        let store = try Self.store(["short,1,1,1,1,1,1,1,20260101,20260131\n"], mostDays: 10)
        let notices = try store.rows(
            "SELECT row_number, value, message FROM notice WHERE code = 'service_extends_far_in_the_future' ORDER BY id"
        )
        #expect(notices.count == 5)
        #expect(
            notices.first
                == "3|20991231|calendar.txt, row 3: the service runs from 20260101 to 20991231; service_day has its "
                + "days from 20260101 to 20361231 only")
    }

    /// A service that ended before 2000 has no days, which its notice says.
    @Test func aServiceThatEndedBefore2000HasNoDays() throws {
        let store = try Self.store(["e,1,1,1,1,1,1,1,18000101,19991231\n"], mostDays: 5_000_000)
        #expect(
            try store.messages.contains(
                "calendar.txt, row 2: the service runs from 18000101 to 19991231; service_day has none of its days"))
    }
}
