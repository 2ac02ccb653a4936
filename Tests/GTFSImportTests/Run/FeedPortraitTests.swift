import CivilTime
import ReportPage
import TestSupport
import Testing

@testable import GTFSImport

/// What the report page shows of feeds that no agency has; DrawingTests compares usual ones with Python.
@Suite struct FeedPortraitTests {
    /// 2,600 rows repeat a trip every second for 953 hours. It has 2,601 calls and runs on 400,000 days.
    @Test func `more departures than a number can count are as many as it can`() throws {
        let first = try #require(CivilDay(number: 1000_01_01))
        let feed = try LayeredFeed([
            "calendar.txt": nil,
            "calendar_dates.txt": "service_id,date,exception_type\n"
                + (0..<400_000).map { "w,\(first.adding(days: $0).number),1\n" }.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + (0...2_600).map { "t,06:00:00,06:00:00,s1,\($0)\n" }.joined(),
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\n"
                + (0..<2_600).map { "t,47:\(10 + $0 / 60):\(10 + $0 % 50),999:59:59,1\n" }.joined(),
        ])
        feed.options.gathersDetails = true
        let (report, error) = feed.run()
        #expect(error == nil)
        #expect(report.details.portrait?.departures == [Int](repeating: 0, count: 47) + [.max])
    }
}
