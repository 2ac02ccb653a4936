import Foundation
import GTFSImport
import Testing

/// The exact output of the program.
@Suite struct FetchCommandTests {
    @Test func aTableAlignsItsColumns() throws {
        try expect(
            [
                "fetch", "Stop", "--where", "name BEGINSWITH[cd] 'gor' OR parentStation.name = 'Fährhafen'", "--sort",
                "name[cd], platformCode", "--properties", "stopID, name, platformCode AS platform, parentStation.name",
            ],
            prints: """
                stopID            name            platform  parentStation.name
                ----------------  --------------  --------  ------------------
                faehrhafen-gleis  Fährhafen       Gleis     Fährhafen
                faehrhafen-steg   Fährhafen       Steg      Fährhafen
                goerlitzer-ufer   Görlitzer Ufer

                """)
    }

    @Test func columnsThatAreEmptyAreLeftOutUnlessNamed() throws {
        try expect(
            ["fetch", "stop_time", "--where", "trip.tripID = '1-hin-0712'", "--limit", "2", "--sort", "stop_sequence"],
            prints: """
                trip  arrivalTime  departureTime  stop  stopSequence  shapeDistTraveled  timepoint
                ----  -----------  -------------  ----  ------------  -----------------  ---------
                   2     07:12:00       07:12:00     2             1                0.0          1
                   2     07:14:00       07:14:00     5             2               0.48          1

                """)
        try expect(
            ["fetch", "Stop", "--where", "id = 6", "--properties", "name, url"],
            prints: """
                name               url
                -----------------  ---
                Markt, Alte Waage

                """)
        // Without rows, all are named.
        try expect(
            ["fetch", "Level", "--where", "id < 0"],
            prints: "id  levelID  levelIndex  name\n--  -------  ----------  ----\n")
    }

    private static let three = [
        "fetch", "Stop", "--where", "stopID IN {'markt', 'zoria', 'bahnhof-uhrturm'}", "--sort", "stopID",
        "--properties",
        "stopID, name, description, latitude, zoneID",
    ]

    @Test func csvQuotesCommasAndEmptyTexts() throws {
        try expect(
            Self.three + ["--format", "csv"],
            prints: """
                stopID,name,description,latitude,zoneID
                bahnhof-uhrturm,Eingang Uhrturm,"Unter der großen Uhr, neben der Blumenfrau",53.43112,
                markt,"Markt, Alte Waage",Mittwochs und samstags Wochenmarkt vor der Waage,53.4289,A
                zoria,Пристань Зоря,,53.4152,C

                """)
        try expect(
            ["fetch", "Stop", "--where", "id = 5", "--properties", "parentStation.name", "--format", "csv"],
            prints: "parentStation.name\n\"\"\n")
        try expect(
            ["fetch", "Stop", "--where", "FALSEPREDICATE", "--properties", "name, #id", "--format", "csv"],
            prints: "name,id\n")
    }

    @Test func jsonIsOneArrayAndJSONLinesAreObjects() throws {
        let lines = [
            #"{"stopID":"bahnhof-uhrturm","name":"Eingang Uhrturm","description":"Unter der großen Uhr, neben der "#
                + #"Blumenfrau","latitude":53.43112,"zoneID":null}"#,
            #"{"stopID":"markt","name":"Markt, Alte Waage","description":"Mittwochs und samstags Wochenmarkt vor der Waage","#
                + #""latitude":53.4289,"zoneID":"A"}"#,
            #"{"stopID":"zoria","name":"Пристань Зоря","description":null,"latitude":53.4152,"zoneID":"C"}"#,
        ]
        try expect(Self.three + ["--format", "json"], prints: "[\n" + lines.joined(separator: ",\n") + "\n]\n")
        try expect(Self.three + ["--format", "jsonl"], prints: lines.map { $0 + "\n" }.joined())
        try expect(["fetch", "Stop", "--where", "id < 0", "--format", "json"], prints: "[]\n")
        try expect(["fetch", "Stop", "--where", "id < 0", "--format", "jsonl"], prints: "")
        let all = try FetchProgram.run("fetch", "Translation", "--format", "json").output
        let objects = try JSONSerialization.jsonObject(with: Data(all.utf8)) as? [[String: Any]]
        #expect(objects?.count == 35)
    }

    @Test func groupsAreFilteredSortedAndRowsMadeDistinct() throws {
        try expect(
            [
                "fetch", "StopTime", "--group-by", "stop.name", "--having", "@count > 10", "--sort",
                "@count DESC, stop.name",
                "--properties", "stop.name, @count AS calls, @min.departureTime", "--format", "csv",
            ],
            prints: """
                stop.name,calls,min(departureTime)
                Fährhafen,16,06:04:00
                Mohnstadt Bahnhof,13,05:52:00

                """)
        try expect(
            [
                "fetch", "Trip", "--properties", "route.shortName", "--distinct", "--sort", "route.shortName",
                "--format", "csv",
            ],
            prints: "route.shortName\n1\n12\n21\nF1\nN1\nRuf\n")
        try expect(
            ["fetch", "Trip", "--group-by", "route.shortName", "--limit", "1", "--format", "jsonl"],
            prints: #"{"route.shortName":"1","count":7}"# + "\n")
        try expect(
            [
                "fetch", "Trip", "--properties", "route.shortName AS line, @count AS n", "--group-by",
                "route.shortName",
                "--sort", "n DESC, line", "--limit", "3", "--format", "csv",
            ],
            prints: "line,n\n1,7\nF1,5\nN1,3\n")
    }

    @Test func countsHonourConditionsGroupsAndLimits() throws {
        try expect(["fetch", "Trip", "--count"], prints: "21\n")
        try expect(["fetch", "Trip", "--count", "--where", "route.shortName = '1'", "--format", "json"], prints: "7\n")
        try expect(["fetch", "Trip", "--count", "--group-by", "route.shortName"], prints: "6\n")
        try expect(["fetch", "Trip", "--count", "--limit", "3", "--offset", "18"], prints: "3\n")
        try expect(["search", "mohnstadt bahn", "--count"], prints: "1\n")
        try expect(["near", "53.4312,12.6215", "--meters", "30", "--count"], prints: "4\n")
        let most = "\(Int.max)"
        try expect(["near", "53.4312,12.6215", "--limit", most, "--offset", most, "--count"], prints: "0\n")
    }

    @Test func idsAreTheColumnsOfTheKey() throws {
        try expect(["fetch", "Station", "--ids", "--format", "csv"], prints: "id\n1\n9\n")
        try expect(
            ["fetch", "StopTime", "--ids", "--where", "trip.tripID = '1-hin-0712'", "--limit", "2", "--format", "csv"],
            prints: "trip,stopSequence\n2,1\n2,2\n")
    }

    @Test func tablesWithoutAClassAreFetchedByTheirName() throws {
        try expect(
            ["fetch", "fare_attribute", "--where", "price > 3", "--format", "csv"],
            prints: """
                id,fareID,price,currencyType,paymentMethod,transfers,agency,transferDuration
                2,umland,3.8,EUR,1,2,1,7200
                3,ueberfahrt,6.5,EUR,0,0,2,

                """)
    }

    @Test func stopsNearAPlaceComeWithTheirDistance() throws {
        try expect(
            ["near", "53.4312,12.6215", "--meters", "30"],
            prints: """
                stopID           name               platformCode  latitude  longitude  distance
                ---------------  -----------------  ------------  --------  ---------  --------
                bahnhof          Mohnstadt Bahnhof                 53.4312    12.6215       0.0
                bahnhof-1        Mohnstadt Bahnhof  1             53.43128    12.6217      16.0
                bahnhof-2        Mohnstadt Bahnhof  2             53.43105    12.6213      21.3
                bahnhof-uhrturm  Eingang Uhrturm                  53.43112    12.6219      28.0

                """)
        try expect(
            [
                "near", "53.4312,12.6215", "--limit", "1", "--where", "locationType = 0", "--properties", "stopID",
                "--format",
                "jsonl",
            ], prints: #"{"stopID":"bahnhof-1","distance":16.0}"# + "\n")
        try expect(["near", "-53.4312,-12.6215", "--format", "json"], prints: "[]\n")
    }

    @Test func aSearchNeedsAllItsWords() throws {
        try expect(
            ["search", "FÄHR", "st", "--format", "csv"], prints: "stopID,name,platformCode,latitude,longitude\n")
        try expect(
            ["search", "waage", "alt", "--properties", "name", "--format", "csv"],
            prints: "name\n\"Markt, Alte Waage\"\n")
    }

    @Test func explainShowsTheStatementAndItsPlan() throws {
        try expect(
            ["fetch", "Stop", "--where", "name BEGINSWITH[cd] 'Gör'", "--properties", "id", "--explain"],
            prints: """
                SELECT t0.id FROM stop AS t0 WHERE t0.normalized_name >= 'gor' AND t0.normalized_name < 'gos'
                  SEARCH t0 USING COVERING INDEX stop_normalized_name (normalized_name>? AND normalized_name<?)

                """)
        try expect(
            ["fetch", "Trip", "--count", "--explain"],
            prints: "SELECT count(*) FROM trip AS t0\n  SCAN trip USING COVERING INDEX trip_trip_id\n")
    }

    @Test func statementsAreTold() throws {
        let result = try FetchProgram.run(
            "fetch", "Stop", "--where", "name = 'Möwenhöft'", "--properties", "id", "--sql-debug")
        #expect(result.output == "id\n--\n17\n")
        let lines = result.error.split(separator: "\n")
        #expect(lines.contains("TransitStore: sql: SELECT t0.id FROM stop AS t0 WHERE t0.name = ?"))
        #expect(lines.contains("TransitStore: details: bind[1] = 'Möwenhöft'"))
        #expect(lines.last?.hasSuffix("for 1 rows.") == true)
    }

    @Test func relatedObjectsAreNested() throws {
        let result = try FetchProgram.run(
            "fetch", "Stop", "--where", "stopID = 'bahnhof'", "--prefetch", "childStops.level, parentStation",
            "--format",
            "json", "--sql-debug")
        let objects = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
        let children = objects?.first?["childStops"] as? [[String: Any]]
        #expect(objects?.count == 1)
        #expect(objects?.first?["parentStation"] is NSNull)
        #expect(children?.map { $0["stopID"] as? String } == ["bahnhof-1", "bahnhof-2", "bahnhof-uhrturm"])
        #expect(
            children?.map { ($0["level"] as? [String: Any])?["name"] as? String } == ["Straße", "Hochsteig", "Straße"])
        // The store's indexes and empty columns, the keys, the objects, and one for each relationship.
        #expect(result.error.split(separator: "\n").filter { $0.contains(" sql: ") }.count == 6)
    }

    /// JSON has each key once, even if the feed has a column with the name of the relationship.
    @Test func aRelationshipReplacesAColumnOfItsName() throws {
        let folder = NSTemporaryDirectory() + "own-column-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: FetchProgram.packageRoot + "/pipelines/sample-feed", toPath: folder)
        let path = folder + "/fare_attributes.txt"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        let longer = lines.enumerated().map { $1 + ($0 == 0 ? ",fareRules\n" : ",own\n") }.joined()
        try longer.write(toFile: path, atomically: true, encoding: .utf8)
        if let error = Importer(ImportOptions(feed: folder, store: folder + "/own.sqlite")).run().error { throw error }
        let fetch = [folder + "/own.sqlite", "fetch", "fare_attribute", "--format", "jsonl"]
        #expect(try FetchProgram.run(fetch).output.contains("\"fareRules\":\"own\""))
        let nested = try FetchProgram.run(fetch + ["--prefetch", "fareRules"]).output.split(separator: "\n")
        #expect(nested.count == lines.count - 1)
        for object in nested {
            #expect(object.split(separator: "\"fareRules\":", omittingEmptySubsequences: false).count == 2)
        }
        #expect(nested.allSatisfy { $0.contains("\"fareRules\":[") })
    }

    @Test func infoTellsOfFeedFilesAndNoticesInEachFormat() throws {
        let result = try FetchProgram.run("info")
        #expect(result.exitCode == 0)
        let lines = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["stopCount", "22"]))
        #expect(lines.contains(["latestTime", "27:21:00"]))
        #expect(lines.contains(["stop_times.txt", "96", "0", "gtfs_stop_times"]))
        #expect(lines.contains(["notice", "severity", "count"]))
        let json = try FetchProgram.run("info", "--format", "json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["tripCount"] as? Int == 21)
        #expect(object?["store"] as? String == (try FetchProgram.shared.get().store))
        let files = object?["files"] as? [[String: Any]]
        #expect(files?.count == 32)
        let stopTimes = files?.first { $0["file"] as? String == "stop_times.txt" }
        #expect(stopTimes?["rows"] as? Int == 96)
        #expect(stopTimes?["notStored"] as? Int == 0)
        #expect(stopTimes?["view"] as? String == "gtfs_stop_times")
        #expect((object?["notices"] as? [Any])?.isEmpty == true)
        #expect(try FetchProgram.run("info", "--format", "jsonl").output == json)
        let csv = try FetchProgram.run("info", "--format", "csv").output
        #expect(csv.contains("\nfiles.stop_times.txt.rows,96\nfiles.stop_times.txt.notStored,0\n"))
        #expect(csv.hasPrefix("name,value\nstore,"))
        #expect(csv.contains("\nrouteCount,6\n"))
    }

    @Test func entitiesAreListedAndEachCanBeFetched() throws {
        try expect(
            ["info", "--entities", "Level"],
            prints: """
                entity  table  property    type       file        field
                ------  -----  ----------  ---------  ----------  -----------
                Level   level  id          number
                Level   level  levelID     text       levels.txt  level_id
                Level   level  levelIndex  number     levels.txt  level_index
                Level   level  name        text       levels.txt  level_name
                Level   level  stops       many Stop  stops.txt   level_id

                """)
        let all = try FetchProgram.run("info", "--entities", "--format", "jsonl").output
        let lines = all.split(separator: "\n").map(String.init)
        for line in [
            #"{"entity":"StopTime","table":"stop_time","property":"departureTime","type":"time","file":"stop_times.txt","#
                + #""field":"departure_time"}"#,
            #"{"entity":"StopTime","table":"stop_time","property":"trip","type":"Trip","file":"stop_times.txt","#
                + #""field":"trip_id"}"#,
            #"{"entity":"Trip","table":"trip","property":"stopTimes","type":"many StopTime","file":"stop_times.txt","#
                + #""field":"trip_id"}"#,
            #"{"entity":"Station","table":"stop","property":null,"type":"Stop whose locationType is 1","file":null,"#
                + #""field":null}"#,
            #"{"entity":"fare_attribute","table":"fare_attribute","property":"price","type":"number","#
                + #""file":"fare_attributes.txt","field":"price"}"#,
            #"{"entity":"feed_file","table":"feed_file","property":"rowCount","type":"number","file":null,"field":null}"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        // Every name that is listed can be fetched.
        for name in Set(lines.compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) }) {
            #expect(try FetchProgram.run("fetch", name, "--count").exitCode == 0, "\(name)")
        }
    }

    @Test func distanceIsAName() throws {
        let near = ["near", "53.4312,12.6215", "--meters", "30", "--format", "csv", "--properties"]
        try expect(
            near + ["distance AS metres, stopID", "--where", "distance > 10", "--sort", "distance DESC"],
            prints: "metres,stopID\n28.0,bahnhof-uhrturm\n21.3,bahnhof-2\n16.0,bahnhof-1\n")
        try expect(near + ["stopID", "--limit", "1"], prints: "stopID,distance\nbahnhof,0.0\n")
    }

    @Test func meansOfTimesAreTimes() throws {
        let request = [
            "fetch", "StopTime", "--where", "stop.name BEGINSWITH 'Café'", "--properties",
            "@avg.departureTime AS mean, @min.departureTime AS first",
        ]
        for (format, output) in [
            ("csv", "mean,first\n11:35:17,05:59:00\n"),
            ("jsonl", #"{"mean":"11:35:17","first":"05:59:00"}"# + "\n"),
            ("table", "    mean     first\n--------  --------\n11:35:17  05:59:00\n"),
        ] {
            try expect(request + ["--format", format], prints: output)
        }
    }

    @Test func setTakesTextsListsAndNIL() throws {
        let count = ["fetch", "Trip", "--count", "--where", "route.shortName IN $L"]
        for list in ["{F1,12}", "{F1, 12}", "{'F1', '12'}", " {\"F1\" , 12 } "] {
            try expect(count + ["--set", "L=\(list)"], prints: "7\n")
        }
        try expect(count + ["--set", "L=F1"], prints: "5\n")
        let zones = ["fetch", "Stop", "--count", "--where", "zoneID = $Z"]
        let missing = try FetchProgram.run("fetch", "Stop", "--count", "--where", "zoneID = NIL").output
        try expect(zones + ["--set", "Z=NIL"], prints: missing)
        try expect(zones + ["--set", "Z='NIL'"], prints: "0\n")
        #expect(missing != "0\n")
        try expect(
            ["fetch", "Stop", "--where", "name IN $N", "--set", "N={'Markt, Alte Waage', x}", "--count"], prints: "1\n")
    }

    @Test func templatesTakeValuesAndNameTheirFaults() throws {
        let path = try FetchProgram.shared.get().folder + "/templates.ini"
        let text = """
            [departures]
            entity     = StopTime
            where      = stop.stopID IN $STOPS AND departureTime >= $AFTER
            sort       = departureTime
            limit      = 2
            properties = departureTime, trip.route.shortName AS line, trip.headsign AS to
            [busy]
            entity     = StopTime
            group-by   = stop.name
            sort       = stop.name

            """
        try Data(text.utf8).write(to: URL(filePath: path))
        let template = ["fetch", "--templates", path, "--template", "departures", "--format", "csv"]
        try expect(
            template + ["--set", "STOPS=markt", "--set", "AFTER=7:00"],
            prints: "departureTime,line,to\n07:17:00,1,Fährhafen\n09:07:00,1,Fährhafen\n")
        try expect(
            template + [
                "--set", "STOPS={markt,zoria}", "--set", "AFTER=7:00", "--limit", "1", "--where",
                "trip.route.routeType = 4",
            ],
            prints: "departureTime,line,to\n09:38:00,F1,Пристань Зоря\n")
        // What the options add may have variables of its own.
        try expect(
            [
                "fetch", "--templates", path, "--template", "busy", "--having", "@count > 10", "--where",
                "departureTime >= $AFTER", "--set", "AFTER=0:00", "--format", "csv",
            ],
            prints: "stop.name,count\nFährhafen,16\nMohnstadt Bahnhof,12\n")
        let open = try FetchProgram.run([FetchProgram.shared.get().store] + template + ["--set", "STOPS=markt"])
        #expect(open.exitCode == 65)
        #expect(
            open.error
                == "fetch-gtfs: The template departures has no value for its variable $AFTER; give it with --set NAME=VALUE\n"
        )
        let bad = try FetchProgram.run(
            [FetchProgram.shared.get().store] + template + ["--set", "STOPS=markt", "--set", "AFTER=soon"])
        #expect(bad.exitCode == 65)
        #expect(
            bad.error == """
                fetch-gtfs: \(path):3: [departures] where: $AFTER is 'soon': expected a time such as '08:30:00'
                  stop.stopID IN $STOPS AND departureTime >= $AFTER
                                                             ^~~~~~

                """)
        let unknown = try FetchProgram.run(
            [FetchProgram.shared.get().store] + template + [
                "--set", "STOPS=markt", "--set", "AFTER=7:00", "--set", "AFTR=1",
            ])
        #expect(unknown.exitCode == 65)
        #expect(
            unknown.error == "fetch-gtfs: The template departures has no variable $AFTR; did you mean $AFTER?\n")
    }
}
