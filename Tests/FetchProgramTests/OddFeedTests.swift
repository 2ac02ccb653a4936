import Foundation
import GTFSImport
import SQLite
import TestSupport
import Testing

/// Feeds, stores and requests that are odd in one respect.
@Suite struct OddFeedTests {
    private static let usual = [
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Berlin\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,A,50,8\nB,B,50.1,8.1\n",
        "trips.txt": "route_id,service_id,trip_id\nr,w,t\n",
        "calendar_dates.txt": "service_id,date,exception_type\nw,20260401,1\n",
        "stop_times.txt":
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,A,1\nt,09:00:00,09:00:00,B,2\n",
    ]

    private func store(_ folder: TemporaryFolder, _ files: [String: String] = [:]) throws -> String {
        for (name, text) in Self.usual.merging(files, uniquingKeysWith: { $1 }) {
            try folder.write("feed/" + name, text)
        }
        if let error = Importer(ImportOptions(feed: folder.path("feed"), store: folder.path("s.sqlite"))).run().error {
            throw error
        }
        return folder.path("s.sqlite")
    }

    private static let frequencies =
        "trip_id,start_time,end_time,headway_secs,exact_times\nt,06:00:00,10:00:00,3600,1\n"

    /// The first call leaves before it arrives, or the last one arrives after it leaves.
    @Test(arguments: [
        ("t,02:00:00,00:00:00,A,1\nt,03:00:00,03:00:00,B,2\n", "11:30", "12:00:00"),
        ("t,00:00:00,00:00:00,A,1\nt,04:00:00,01:00:00,B,2\n", "12:30", "13:00:00"),
    ])
    func theLastRideOfARepeatedTripIsFoundByAnyWindow(calls: String, from: String, time: String) throws {
        let folder = try TemporaryFolder()
        let head = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        let path = try store(folder, ["stop_times.txt": head + calls, "frequencies.txt": Self.frequencies])
        let result = try FetchProgram.run([
            path, "departures", "B", "--arrivals", "--from", "2026-04-01T" + from, "--within", "1h", "--format", "csv",
        ])
        #expect(result.output.contains(time), "\(result.output)")
    }

    @Test(arguments: ["ANY PATH.name = 'a'", "'a' IN PATH.name", "SUBQUERY(PATH, $x, $x.id = 1).@count > 0"])
    func aLongPathThroughManyIsRefused(form: String) throws {
        let long = Array(repeating: "childStops", count: 5_500).joined(separator: ".")
        let result = try FetchProgram.run(
            "fetch", "Stop", "--count", "--where", form.replacingOccurrences(of: "PATH", with: long))
        #expect(result.exitCode == 65, "\(result.exitCode) \(result.error.prefix(200))")
        #expect(result.error.contains("the path leads through more than 50 to-many relationships"))
    }

    @Test func aPatternOfTheFeedIsNoBugOfTheProgram() throws {
        let folder = try TemporaryFolder()
        let path = try store(folder, ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,[,50,8\nB,B,50.1,8.1\n"])
        let result = try FetchProgram.run([path, "fetch", "Stop", "--where", "'x' MATCHES name", "--count"])
        #expect(
            result.exitCode == 65 && result.error == "fetch-gtfs: MATCHES '[': a [ is not closed\n", "\(result.error)")
    }

    @Test func aDamagedSchemaFormatIsNoBugOfTheProgram() throws {
        let folder = try TemporaryFolder()
        let path = try store(folder)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[47] = 5
        try bytes.write(to: URL(filePath: path))
        let result = try FetchProgram.run([path, "info"])
        #expect(result.exitCode == 65, "\(result.error)")
    }

    @Test func aMissingIndexIsNoBugOfTheProgram() throws {
        let folder = try TemporaryFolder()
        let path = try store(folder)
        try Connection(path: path, mode: .create).execute("DROP INDEX stop_time_stop_departure_time")
        let result = try FetchProgram.run([path, "departures", "A", "--from", "2026-04-01"])
        let words = "is damaged or not made by import-gtfs: there is no index stop_time_stop_departure_time"
        #expect(result.exitCode == 65 && result.error.contains(words), "\(result.error)")
    }

    @Test(arguments: ["usf", "fletcher usf", "suncoast"])
    func aWordAfterAnAtSignIsFound(text: String) throws {
        let folder = try TemporaryFolder()
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon\nA,Fletcher Ave @USF Banyan Cir,50,8\nB,Hillsborough@Suncoast,50.1,8.1\n"
        let path = try store(folder, ["stops.txt": stops])
        let result = try FetchProgram.run([path, "search", text, "--format", "csv"])
        #expect(result.output.split(separator: "\n").count == 2, "\(result.output)")
    }

    @Test(arguments: [
        ("properties = stopID", ["--ids"], "--ids excludes the properties of the template a"),
        ("group-by = name", ["--ids"], "--ids excludes the group-by of the template a"),
        (
            "properties = stopID", ["--prefetch", "stopTimes", "--format", "jsonl"],
            "--prefetch excludes the properties of the template a"
        ),
    ])
    func optionsThatATemplateContradictsAreRefused(setting: String, options: [String], message: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("t.ini", "[a]\nentity = Stop\n\(setting)\n")
        let result = try FetchProgram.run(
            [try store(folder), "fetch", "--templates", file, "--template", "a"] + options)
        #expect(result.exitCode == 64 && result.error.contains(message), "\(result.error)")
    }

    @Test func aLimitOfZeroMeansAllInTemplatesToo() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("t.ini", "[a]\nentity = Stop\nlimit = 0\n")
        let result = try FetchProgram.run([
            try store(folder), "fetch", "--templates", file, "--template", "a", "--count",
        ])
        #expect(result.output == "2\n", "\(result.error)")
    }

    /// At 00:30 in Berlin it is still the day before in UTC.
    @Test func theFirstMinutesOfTheFirstDayAreWithinTheDaysOfService() throws {
        let folder = try TemporaryFolder()
        let result = try FetchProgram.run([
            try store(folder), "departures", "A", "--from", "2026-04-01T00:30", "--within", "1m",
        ])
        #expect(result.output == "nothing leaves then\n")
    }
}
