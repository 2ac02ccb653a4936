import GTFSSchema
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Filling in the times of calls for which the feed has none.
@Suite struct TimeFillingTests {
    private static let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"

    /// Arrival, departure and filled times of each call: first trip t, then trip u, by sequence.
    private static func filled(_ rows: [String], header: String = Self.header, rowsPerRun: Int = 100) throws -> [String]
    {
        let feed = try LayeredFeed(["stop_times.txt": header + rows.map { $0 + "\n" }.joined()])
        feed.options.rowsPerRun = rowsPerRun
        let store = try feed.imported()
        try store.expectSound()
        return try store.rows(
            "SELECT arrival_time, departure_time, filled_times FROM stop_time ORDER BY trip, stop_sequence")
    }

    @Test func withoutDistancesTimesAreFilledInEqualSteps() throws {
        #expect(
            try Self.filled([
                "t,,00:01:00,s1,1,", "t,,,s2,5,", "t,,,s1,6,", "t,00:01:10,,s2,9,", "u,00:00:00,00:00:09,s1,1,",
            ])
                == ["60|60|1", "63|63|3", "66|66|3", "70|70|2", "0|9|-"])
    }

    @Test func withDistancesTimesAreFilledInProportion() throws {
        #expect(
            try Self.filled([
                "t,00:00:00,00:01:00,s1,1,2", "t,,,s2,2,2.4", "t,,,s1,3,4.95", "t,00:02:40,00:03:00,s2,4,7",
            ])
                == ["0|60|-", "68|68|3", "119|119|3", "160|180|-"])
    }

    @Test func aDistanceThatDoesNotGrowIsNotUsed() throws {
        for distances in [
            ["5", "4", "5"], ["5", "6", "5"], ["", "1", "2"], ["1", "", "2"], ["1", "2", ""], ["1", "3", "2"],
        ] {
            #expect(
                try Self.filled([
                    "t,00:00:00,00:00:00,s1,1,\(distances[0])", "t,,,s2,2,\(distances[1])",
                    "t,00:01:41,00:01:41,s1,3,\(distances[2])",
                ]) == ["0|0|-", "50|50|3", "101|101|-"], "\(distances)")
        }
    }

    /// 0.1 of 0.3 is exactly a third, although not in binary.
    @Test func decimalDistancesHitTheSecond() throws {
        #expect(
            try Self.filled([
                "t,00:00:00,00:00:00,s1,1,0.1", "t,,,s2,2,0.2", "t,,,s2,3,0.3", "t,00:05:00,00:05:00,s1,4,0.4",
            ])
                == ["0|0|-", "100|100|3", "200|200|3", "300|300|-"])
    }

    @Test func endsOfATripStayBlank() throws {
        #expect(
            try Self.filled([
                "t,,,s1,1,", "t,00:01:00,00:01:00,s2,2,", "t,,,s1,3,", "u,,,s1,1,", "u,00:09:00,00:09:00,s2,2,",
            ])
                == ["-|-|-", "60|60|-", "-|-|-", "-|-|-", "540|540|-"])
    }

    @Test func callsOnDemandHaveNoInstant() throws {
        let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,start_pickup_drop_off_window\n"
        #expect(
            try Self.filled(
                [
                    "t,00:00:00,00:00:00,s1,1,", "t,,,s2,2,", "t,,,s2,3,08:00:00", "t,00:00:01,00:00:01,s2,4,08:00:00",
                    "t,,,s2,5,", "t,00:00:30,00:00:30,s1,6,",
                ], header: header)
                == ["0|0|-", "10|10|3", "-|-|-", "1|1|-", "20|20|3", "30|30|-"])
    }

    /// A call that comes late in the file has a time and belongs between two calls without times.
    @Test(arguments: [1, 2, 100]) func rowsOutOfOrderAreFilledAlike(rowsPerRun: Int) throws {
        let rows = [
            "u,00:10:00,00:10:00,s1,1,", "t,00:00:00,00:00:00,s1,1,", "t,,,s2,2,", "t,,,s2,4,",
            "t,00:01:30,00:01:30,s1,5,",
            "u,00:11:00,00:11:00,s1,3,", "t,00:00:40,00:00:40,s2,3,", "u,,,s2,2,", "u,,,s1,2,",
        ]
        let expected = ["0|0|-", "20|20|3", "40|40|-", "65|65|3", "90|90|-", "600|600|-", "630|630|3", "660|660|-"]
        #expect(try Self.filled(rows, rowsPerRun: rowsPerRun) == expected)
        #expect(try Self.filled(Array(rows.dropLast().reversed()), rowsPerRun: rowsPerRun) == expected)
    }

    @Test func oneColumnOfTimesFillsTheOther() throws {
        #expect(
            try Self.filled(
                ["t,00:00:10,s1,1", "t,,s2,2", "t,00:00:30,s1,3"],
                header: "trip_id,departure_time,stop_id,stop_sequence\n")
                == ["10|10|1", "20|20|3", "30|30|1"])
        #expect(
            try Self.filled(
                ["t,00:00:10,s1,1", "t,,s2,2", "t,00:00:30,s1,3"],
                header: "trip_id,arrival_time,stop_id,stop_sequence\n")
                == ["10|10|2", "20|20|3", "30|30|2"])
    }

    @Test func theViewsGiveBlanksBackAndTheIndexFindsTheCalls() throws {
        let store = try LayeredFeed([
            "stop_times.txt": Self.header
                + "t,00:00:00,00:00:00,s1,1,\nt,,,s2,2,\nt,soon,later,s2,3,\nt,00:01:30,,s1,4,\n"
        ]).imported()
        #expect(
            try store.rows("SELECT arrival_time, departure_time FROM gtfs_stop_times ORDER BY stop_sequence")
                == ["00:00:00|00:00:00", "-|-", "soon|later", "00:01:30|-"])
        #expect(
            try store.rows(
                "SELECT departure_time FROM stop_time INDEXED BY stop_time_stop_departure_time WHERE stop = 2 "
                    + "AND departure_time > 0 ORDER BY 1") == ["30", "60"])
        #expect(
            try store.rows(
                "SELECT \"column\" FROM empty_column WHERE \"column\" LIKE '%_time%' AND \"table\" = 'stop_time'"
            )
            .isEmpty)
    }

    @Test func aFeedWithAllItsTimesHasNoneFilled() throws {
        let store = try LayeredFeed().imported()
        #expect(try store.rows("SELECT count(filled_times) FROM stop_time") == ["0"])
        #expect(try store.rows("SELECT 1 FROM empty_column WHERE \"column\" = 'filled_times'") == ["1"])
    }

    @Test func moreCallsThanAreHeldStayBlank() throws {
        let calls = (2..<CallGap.mostCalls + 3).map { "t,,,s2,\($0),\n" }
        let store = try LayeredFeed([
            "stop_times.txt": Self.header + "t,00:00:00,00:00:00,s1,1,\n" + calls.joined()
                + "t,10:00:00,10:00:00,s1,20000,\n" + "t,,,s2,20001,\nt,10:00:10,10:00:10,s1,20002,\n"
        ]).imported()
        #expect(
            try store.rows("SELECT count(*), count(departure_time), count(filled_times) FROM stop_time")
                == ["\(calls.count + 4)|4|1"])
        try store.expectSound()
    }
}
