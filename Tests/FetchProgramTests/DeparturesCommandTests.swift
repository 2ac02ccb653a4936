import Foundation
import GTFSImport
import Testing

/// The exact output of `departures`, `near --departures` and `trips --on`.
@Suite struct DeparturesCommandTests {
    @Test func aTableAcrossMidnightHasALineForEachDay() throws {
        try expect(
            ["departures", "faehrhafen", "--from", "2026-07-31T17:00", "--within", "10h", "--limit", "2"],
            prints: """
                min   time  line  to                 from
                Friday 2026-07-31 (Europe/Berlin)
                  2  17:02  1     Mohnstadt Bahnhof  Fährhafen, Gleis
                Saturday 2026-08-01 (Europe/Berlin)
                490  01:10  N1    Mohnstadt Bahnhof  Fährhafen, Gleis

                """)
        try expect(
            ["departures", "faehrhafen", "--from", "2026-08-01T02:00", "--within", "60"],
            prints: "nothing leaves then\n")
    }

    @Test func anEmptyAnswerSaysWhyThereIsNothing() throws {
        for year in [2020, 2031] {
            try expect(
                ["departures", "faehrhafen", "--from", "\(year)-08-01T02:00", "--arrivals"],
                prints: "nothing arrives then: services run from 2026-01-01 to 2027-12-31\n")
        }
        try expect(
            ["near", "53.4312,12.6215", "--departures", "--from", "2031-07-31T23:45"],
            prints: "nothing leaves then: services run from 2026-01-01 to 2027-12-31\n")
        // The days of service are named only if none of the time asked for is one.
        try expect(["trips", "sternwarte", "--on", "2026-01-20", "--route", "F1"], prints: "nothing leaves then\n")
        try expect(["trips", "sternwarte", "--on", "2026-07-20", "--route", "F1"], prints: "nothing leaves then\n")
        try expect(
            ["trips", "sternwarte", "--on", "2028-01-20", "--route", "F1"],
            prints: "nothing leaves then: services run from 2026-01-01 to 2027-12-31\n")
        try expect(
            ["departures", "sternwarte", "--from", "2025-12-31T23:30", "--within", "90d", "--route", "F1"],
            prints: "nothing leaves then\n")
        try expect(["near", "10,10", "--departures", "--meters", "70"], prints: "no stop within 70 m\n")
        try expect(["near", "10,10"], prints: "no stop within 500 m\n")
        try expect(["near", " 10, 10"], prints: "no stop within 500 m\n")
        // A distance that no integer holds.
        try expect(
            ["near", "10,10", "--where", "FALSEPREDICATE", "--meters", "1e30"],
            prints: "no such stop within 1e+30 m\n")
        try expect(["near", "10,10", "--limit", "1", "--sort", "name"], prints: "no stop within 500 m\n")
        try expect(["near", "10,10", "--limit", "1", "--distinct"], prints: "no stop within 500 m\n")
        try expect(["near", "10,10", "--format", "json"], prints: "[]\n")
        try expect(["near", "10,10", "--limit", "1", "--where", "name = ''"], prints: "no such stop\n")
        let all = try FetchProgram.run("fetch", "Stop", "--where", "latitude != NIL AND longitude != NIL", "--count")
        try expect(["near", "10,10", "--limit", "0", "--count"], prints: all.output)
        try expect(["search", "qqqqqqq"], prints: "no such stop\n")
        for order in [[], ["--sort", "name"]] {
            try expect(
                ["search", "Bahnhof", "--where", "FALSEPREDICATE"] + order,
                prints: "no stop that the text finds meets --where\n")
        }
        try expect(["search", "qqqqqqq", "--format", "json"], prints: "[]\n")
    }

    /// Without an offset, --from is the local time at these stops, whatever zone the trips run in.
    @Test func departuresNearAPlaceAreToldByTheClocksOfTheStopsFound() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clocks-" + UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = [
            "agency": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Berlin\n",
            "routes": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
            "trips": "route_id,service_id,trip_id\nr,w,t\n",
            "calendar_dates": "service_id,date,exception_type\nw,20260601,1\n",
            "stops": "stop_id,stop_name,stop_lat,stop_lon,stop_timezone\n"
                + "x,X,50,10,\ny,Y,50.1,10,America/New_York\n",
            "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,14:00:00,14:00:00,y,1\nt,15:00:00,15:00:00,x,2\n"
                + "t,16:00:00,16:00:00,y,3\n",
        ]
        for (name, text) in files { try text.write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8) }
        let store = folder + "/clocks.sqlite"
        #expect(Importer(ImportOptions(feed: folder, store: store)).run().error == nil)
        let near = ["near", "50.1,10", "--departures", "--from", "2026-06-01T08:00"]
        let result = try FetchProgram.run([store] + near + ["--meters", "50"])
        #expect(
            result.output == """
                min   time  line  to  from
                Monday 2026-06-01 (America/New_York)
                  0  08:00  1     Y   Y

                """)
        let both = ["near", "50.1,10", "--departures", "--from", "2026-06-01T12:00Z", "--within", "2h"]
        #expect(
            try FetchProgram.run([store] + both + ["--meters", "50000"]).output == """
                min   time  line  to  from
                Monday 2026-06-01 (America/New_York)
                  0  08:00  1     Y   Y
                Monday 2026-06-01 (Europe/Berlin)
                 60  15:00  1     Y   X

                """)
        let wide = try FetchProgram.run([store] + near + ["--meters", "50000"])
        #expect(wide.exitCode == 64 && wide.error.contains("--from needs an offset"), "\(wide.error)")
    }

    @Test func aLimitOfZeroIsNoLimit() throws {
        let store = try FetchProgram.shared.get().store
        for command in [["search", "f"], ["near", "53.43,12.62", "--meters", "900"], ["fetch", "Stop"]] {
            let all = try FetchProgram.run([store] + command)
            #expect(try FetchProgram.run([store] + command + ["--limit", "0"]).output == all.output)
        }
        let others = try ["0", "\(Int.max)"].map {
            try FetchProgram.run([store, "near", "53.43,12.62", "--offset", "1", "--limit", $0]).output
        }
        #expect(others[0] == others[1] && others[0].contains("\n"))
    }

    /// The second tram leaves one hour after the first by the clock, but two hours later by its service time.
    @Test func theNightOnWhichClocksGoBackHasEachDepartureOnce() throws {
        try expect(
            ["departures", "faehrhafen", "--from", "2026-10-25T01:00+02:00", "--within", "3h", "--format", "jsonl"],
            prints: """
                {"instant":"2026-10-24T23:10:00Z","local":"2026-10-25T01:10:00+02:00","service_date":"20261024",\
                "service_time":"25:10:00","trip_id":"n1-heim","stop_sequence":1,"stop_id":"faehrhafen-gleis","route_id":"n1",\
                "route_short_name":"N1","headsign":"Mohnstadt Bahnhof","platform_code":"Gleis","pickup_type":0,\
                "interpolated":false,"frequency":null,"stop_name":"Fährhafen","route_long_name":"Mondlinie","drop_off_type":0}
                {"instant":"2026-10-25T01:10:00Z","local":"2026-10-25T02:10:00+01:00","service_date":"20261024",\
                "service_time":"27:10:00","trip_id":"n1-letzte","stop_sequence":1,"stop_id":"faehrhafen-gleis","route_id":"n1",\
                "route_short_name":"N1","headsign":"Mohnstadt Bahnhof","platform_code":"Gleis","pickup_type":0,\
                "interpolated":false,"frequency":null,"stop_name":"Fährhafen","route_long_name":"Mondlinie","drop_off_type":0}

                """)
    }

    @Test func jsonHasEveryColumn() throws {
        try expect(
            ["departures", "faehrhafen", "--from", "2026-08-01T01:10+02:00", "--within", "1", "--format", "json"],
            prints: """
                [
                {"instant":"2026-07-31T23:10:00Z","local":"2026-08-01T01:10:00+02:00","service_date":"20260731",\
                "service_time":"25:10:00","trip_id":"n1-heim","stop_sequence":1,"stop_id":"faehrhafen-gleis","route_id":"n1",\
                "route_short_name":"N1","headsign":"Mohnstadt Bahnhof","platform_code":"Gleis","pickup_type":0,\
                "interpolated":false,"frequency":null,"stop_name":"Fährhafen","route_long_name":"Mondlinie","drop_off_type":0}
                ]

                """)
        try expect(
            ["departures", "faehrhafen", "--from", "2026-08-01T01:11", "--within", "1", "--format", "json"],
            prints: "[]\n")
    }

    @Test func repeatedAndInterpolatedTripsAreMarked() throws {
        try expect(
            ["departures", "nachtigallen", "--from", "2026-07-31T05:00Z", "--within", "15m", "--format", "csv"],
            prints: """
                instant,local,service_date,service_time,trip_id,stop_sequence,stop_id,route_id,route_short_name,headsign,\
                platform_code,pickup_type,interpolated,frequency,stop_name,route_long_name,drop_off_type
                2026-07-31T05:13:30Z,2026-07-31T07:13:30+02:00,20260731,07:13:30,12-zurueck,2,nachtigallen,12,12,\
                Mohnstadt Bahnhof,,0,true,headway,Nachtigallenwäldchen,Bahnhof – Sternwarte – Hoher Bruch,0
                2026-07-31T05:14:30Z,2026-07-31T07:14:30+02:00,20260731,07:14:30,12-hin,5,nachtigallen,12,12,Hoher Bruch,\
                ,0,true,exact,Nachtigallenwäldchen,Bahnhof – Sternwarte – Hoher Bruch,0

                """)
        try expect(
            ["departures", "nachtigallen", "--from", "2026-07-31T05:00Z", "--within", "15m"],
            prints: """
                min    time  line  to                 from
                Friday 2026-07-31 (Europe/Berlin)
                 13  ~07:13  12    Mohnstadt Bahnhof  Nachtigallenwäldchen
                 14  ~07:14  12    Hoher Bruch        Nachtigallenwäldchen

                """)
    }

    @Test func arrivalsOfOneLineAreShown() throws {
        try expect(
            [
                "departures", "faehrhafen", "--from", "2026-07-31T17:00", "--within", "2h", "--arrivals", "--route",
                "F1",
                "--limit", "1",
            ],
            prints: """
                min   time  line  to         at
                Friday 2026-07-31 (Europe/Berlin)
                 38  17:38  F1    Fährhafen  Fährhafen, Steg

                """)
    }

    @Test func departuresNearAPlaceAndTripsOfADayAreShown() throws {
        try expect(
            [
                "near", "53.4312,12.6215", "--departures", "--from", "2026-07-31T23:45", "--within", "10m", "--meters",
                "800",
            ],
            prints: """
                min   time  line  to         from
                Friday 2026-07-31 (Europe/Berlin)
                  5  23:50  N1    Fährhafen  Mohnstadt Bahnhof, 1
                  7  23:52  N1    Fährhafen  Glockengießergasse

                """)
        try expect(
            ["trips", "faehrhafen-gleis", "--on", "2026-07-31", "--route", "n1"],
            prints: """
                 time  line  to                 from
                Saturday 2026-08-01 (Europe/Berlin)
                01:10  N1    Mohnstadt Bahnhof  Fährhafen, Gleis
                03:10  N1    Mohnstadt Bahnhof  Fährhafen, Gleis

                """)
    }

    /// The README shows what the program prints.
    ///
    ///     UPDATE_DOCUMENTATION=1 swift test --filter DeparturesCommandTests     // writes it there
    @Test func theReadmeShowsIt() throws {
        let path = FetchProgram.packageRoot + "/README.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let mark = "<!-- departures: compared by the tests -->\n"
        let result = try FetchProgram.run("departures", "faehrhafen", "--from", "2026-07-31T17:00", "--within", "10h")
        let parts = text.components(separatedBy: mark)
        try #require(parts.count == 2)
        let rest = parts[1].components(separatedBy: "```\n").dropFirst(parts[1].hasPrefix("```text\n") ? 1 : 0)
        let updated = parts[0] + mark + "```text\n" + result.output + "```\n" + rest.joined(separator: "```\n")
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == nil {
            #expect(text == updated, "README.md shows something else than the program prints")
        } else if text != updated {
            try updated.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    @Test func whatIsNotUnderstoodIsRefusedWithAnExample() throws {
        try expect(
            ["departures", "nix"], failsWith: 65,
            "The feed has no stop \"nix\" (stop_id); search for the stop's name to find its stop_id")
        try expect(
            ["departures", "markt", "--route", "99"], failsWith: 65,
            "The feed has no line \"99\" (route_id or route_short_name)")
        try expect(["departures"], failsWith: 64, "departures needs the stop_id of a stop or station")
        for from in ["soon", "2026-02-30", "2026-07-31T25:00", "08:00"] {
            try expect(
                ["departures", "markt", "--from", from], failsWith: 64,
                "--from takes a time such as 2026-10-25T02:30 or 2026-10-25T02:30+01:00, not \"\(from)\"")
        }
        let most = ["departures", "markt", "--within", "36600d", "--limit", "1"]
        #expect(try FetchProgram.run([FetchProgram.shared.get().store] + most).exitCode == 0)
        for within in ["", "m", "20min", "-5", "1.5h"] {
            try expect(
                ["departures", "markt", "--within", within], failsWith: 64,
                "--within takes seconds, or a number with s, m, h or d, such as 20m, not \"\(within)\"")
        }
        for within in ["99999999999999999999", "36601d", "878401h"] {
            try expect(
                ["departures", "markt", "--within", within], failsWith: 64,
                "--within takes 36600d (100 years) at most, not \"\(within)\"")
        }
        try expect(["trips", "markt"], failsWith: 64, "trips needs --on DATE, such as 2026-10-25")
        try expect(
            ["trips", "markt", "--on", "2026-02-30"], failsWith: 64,
            "--on takes a date such as 2026-10-25, not \"2026-02-30\"")
        try expect(["departures", "markt", "--where", "x"], failsWith: 64, "departures has no option --where")
        try expect(
            ["near", "1,2", "--within", "5m"], failsWith: 64, "near has no option --within without --departures")
        try expect(
            ["near", "1,2", "--departures", "--where", "x"], failsWith: 64, "near --departures has no option --where")
    }
}
