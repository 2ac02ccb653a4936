import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// The examples of schema/README.md run and find their rows by indexes.
@Suite struct SchemaSampleTests {
    private static let root = CommandLineProgram.packageRoot
    private static let samples = root + "/schema/samples/departures"
    /// Six hours from ten in the evening, in the night when clocks go back.
    private static let question = ["bahnhof", "2026-10-24T22:00:00+02:00", "21600"]

    /// The path of a store of the sample feed. The folder is removed when the caller releases it.
    private static func sampleStore() throws -> (path: String, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let store = folder.path("sample.sqlite")
        let (_, error) = Importer(ImportOptions(feed: root + "/pipelines/sample-feed", store: store)).run()
        #expect(error == nil)
        return (store, folder)
    }

    private static func shell(_ script: String) throws -> CommandLineProgram.Result {
        try CommandLineProgram.run(["-c", "cd '\(root)/schema/samples' && \(script)"], executable: "/bin/sh")
    }

    fileprivate static func has(_ script: String) -> Bool { (try? shell(script).exitCode) == 0 }

    private static func answer(of program: String, _ store: String, _ what: String) throws -> String {
        let arguments = ([store] + question + [what]).map { "'\($0)'" }.joined(separator: " ")
        let result = try shell(
            "PYTHONDONTWRITEBYTECODE=1 GO111MODULE=off GOPATH=/usr/share/gocode \(program) \(arguments)")
        #expect(result.exitCode == 0, "\(result.error)")
        return result.output
    }

    @Test func pythonAnswersTheNightOfTheClockChange() throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        #expect(
            try Self.answer(of: "python3 departures.py", store, "departures") == """
                2026-10-24T21:50:00Z n1-hinaus bahnhof-1 -

                """)
        #expect(
            try Self.answer(of: "python3 departures.py", store, "arrivals") == """
                2026-10-24T23:21:00Z n1-heim bahnhof-1 -
                2026-10-25T01:21:00Z n1-letzte bahnhof-1 -

                """)
    }

    @Test(
        .enabled(
            if: SchemaSampleTests.has("node -e 'import(\"node:sqlite\").catch(() => process.exit(1))'"),
            "no node with node:sqlite"),
        arguments: ["departures", "arrivals"])
    func javaScriptAnswersTheSame(_ what: String) throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        #expect(
            try Self.answer(of: "node departures.mjs", store, what)
                == Self.answer(of: "python3 departures.py", store, what))
    }

    @Test(
        .enabled(
            if: SchemaSampleTests.has("command -v go && test -d /usr/share/gocode/src/github.com/mattn/go-sqlite3"),
            "no Go with golang-github-mattn-go-sqlite3-dev"), arguments: ["departures", "arrivals"])
    func goAnswersTheSame(_ what: String) throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        #expect(
            try Self.answer(of: "go run departures.go", store, what)
                == Self.answer(of: "python3 departures.py", store, what))
    }

    /// Drivers for JavaScript bind every number as a double, and some for PHP bind all values as texts.
    @Test(
        arguments: [
            ("departures", "s1", "29300 t; 29400 u; 30000 t"), ("arrivals", "s2", "29200 t; 29900 t; 30000 u"),
        ],
        [("%d", "29000", "30500"), ("%d.0", "29000.0", "30500.0"), ("'%d'", "'29000'", "'30500'")])
    func parametersMayBeDoublesOrTexts(
        of recipe: (name: String, stop: String, calls: String), as value: (date: String, from: String, until: String)
    ) throws {
        let (store, _folder) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                + "u,08:10:00,08:10:00,s1,1\nu,08:20:00,08:20:00,s2,2\n",
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,06:00:00,10:00:00,700\n",
        ])
        defer { withExtendedLifetime(_folder) {} }
        let sql = try String(contentsOfFile: Self.root + "/schema/\(recipe.name).sql", encoding: .utf8)
            .replacing(":stop_id", with: "'\(recipe.stop)'")
            .replacing(":date", with: value.date.replacing("%d", with: "20260105"))
            .replacing(":from_time", with: value.from).replacing(":until_time", with: value.until)
        let query = try store.prepare(sql)
        var calls: [String] = []
        while try query.step() { calls.append("\(query.text(0) ?? "") \(query.text(4) ?? "")") }
        #expect(calls.joined(separator: "; ") == recipe.calls)
    }

    /// What the shell of SQLite prints for the command of the page, for another store and stop.
    private static func shellAnswer(_ store: String, stop: String) throws -> CommandLineProgram.Result {
        let page = try String(contentsOfFile: root + "/schema/README.md", encoding: .utf8)
        let command = try #require(page.firstRange(of: "sqlite3 -readonly sample.sqlite ")).lowerBound
        let script = page[command...].prefix { $0 != "`" }
            .replacing("sample.sqlite", with: "'\(store)'").replacing("faehrhafen", with: stop)
        return try CommandLineProgram.run(["-c", "cd '\(root)' && \(script)"], executable: "/bin/sh")
    }

    @Test func theShellAnswersAsThePageSays() throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        let result = try Self.shellAnswer(store, stop: "faehrhafen")
        #expect(result.exitCode == 0 && result.error == "")
        let trips = result.output.split(separator: "\n").map { $0.split(separator: "|")[4] }
        #expect(trips == ["n1-heim", "n1-letzte"])
    }

    /// The shell calculates a text in one pair of quotes: 0042 would be 42, and 8-1 would be 7.
    @Test(arguments: ["0042", "8-1"]) func theShellTakesAnIDThatLooksLikeANumber(_ id: String) throws {
        let (_, folder) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n\(id),One,50.1,8.1\ns2,Two,50.2,8.2\n",
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "w,1,1,1,1,1,1,1,20260101,20261231\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,23:00:00,23:00:00,\(id),1\nt,23:10:00,23:10:00,s2,2\n",
        ])
        defer { withExtendedLifetime(folder) {} }
        let result = try Self.shellAnswer(folder.path("store.sqlite"), stop: id)
        #expect(result.error == "")
        #expect(result.output.hasPrefix("82800|Europe/Berlin|1|1|t|1|\(id)|"), "\(result.output)")
    }

    @Test func thePageShowsTheSample() throws {
        let page = try String(contentsOfFile: Self.root + "/schema/README.md", encoding: .utf8)
        let sample = try String(contentsOfFile: Self.samples + ".py", encoding: .utf8)
        let start = try #require(sample.firstRange(of: "def departures")).lowerBound
        let end = try #require(sample.firstRange(of: "\n\nif __name__")).lowerBound
        #expect(page.contains(sample[start..<end]), "copy the function of samples/departures.py into schema/README.md")
    }

    @Test func everyQueryOfThePageRuns() throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        let page = try String(contentsOfFile: Self.root + "/schema/README.md", encoding: .utf8)
        let imported = try AskedStore(store)
        let blocks = page.split(separator: "```sql\n").dropFirst().map { $0.prefix { $0 != "`" } }
        #expect(blocks.count >= 5)
        for query in blocks.flatMap({ $0.split(separator: ";") }) where query.contains("SELECT") {
            // The sample feed has no notices.
            #expect(try !imported.rows(String(query)).isEmpty || query.contains("notice_total"), "\(query)")
        }
    }

    /// The importer cuts names without spaces into words, so a range of words does not find a text of several.
    @Test func theRecipeForScriptsWithoutSpacesFindsStops() throws {
        let (store, _folder) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,東京駅前,50.1,8.1\ns2,สถานีกรุงเทพ,50.2,8.2\n"
        ])
        defer { withExtendedLifetime(_folder) {} }
        let page = try String(contentsOfFile: Self.root + "/schema/README.md", encoding: .utf8)
        let recipes = page.split(separator: "```sql\n").dropFirst().map { String($0.prefix { $0 != "`" }) }
        let within = try #require(recipes.first { $0.contains("instr(") })
        let range = try #require(recipes.first { $0.contains("'gor'") })
        // Normalized as the names are: without nonspacing marks, of which Thai has many.
        for (text, name) in [("東京駅", "東京駅前"), ("กรงเทพ", "สถานีกรุงเทพ")] {
            #expect(try SmallFeed.all(within.replacing("зоря", with: text), store) == name)
        }
        #expect(try SmallFeed.all(range.replacing("gor", with: "東京駅"), store) == "")
        #expect(try SmallFeed.all(range.replacing("gor", with: "東京"), store) == "東京駅前")
    }

    /// The recipe does not scan tables of the feed, except for the first row of agency. It finds the calls of a stop by
    /// stop and time. With as many calls as a large agency's feed has, SQLite 3.40 once read all of them, and a
    /// question took 59 ms instead of 0.5.
    @Test(arguments: ["departures", "arrivals"], [nil, 60_000, 350_000, 10_000_000])
    func plansUseIndexes(of recipe: String, calls: Int?) throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        if let calls {
            try Connection(path: store, mode: .create).execute(
                "INSERT INTO sqlite_stat1 VALUES ('stop_time', 'stop_time', '\(calls) 27 1'), "
                    + "('stop_time', 'stop_time_stop_departure_time', '\(calls) 1000 5')")
        }
        let sql = try String(contentsOfFile: Self.root + "/schema/\(recipe).sql", encoding: .utf8)
        let plan = try Connection(path: store, mode: .readOnly).prepare("EXPLAIN QUERY PLAN " + sql)
        var lines: [String] = []
        while try plan.step() { lines.append(plan.text(3) ?? "") }
        let scanned = Set(lines.filter { $0.hasPrefix("SCAN ") }.map { $0.dropFirst(5).prefix { $0 != " " } })
        #expect(scanned.isSubset(of: ["place", "ride", "call", "feed", "agency"]), "\(lines)")
        let calls = "INDEX stop_time_stop_departure_time (stop=? AND departure_time>? AND departure_time<?)"
        #expect(lines.contains { $0.hasPrefix("SEARCH c USING") && $0.hasSuffix(calls) }, "\(lines)")
        #expect(lines.contains("SEARCH f USING PRIMARY KEY (stop=?)"))
        #expect(lines.contains("SEARCH day USING PRIMARY KEY (date=? AND day_set=?)"))
        #expect(!lines.contains { $0.contains("AUTOMATIC") || $0.contains("BLOOM") })
    }

    /// JDBC and Perl's DBI bind by position. They found nothing, because SQLite numbers parameters where they first
    /// stand, and that was another order than the documented one.
    @Test(arguments: ["departures", "arrivals"])
    func parametersAreBoundByPositionInTheDocumentedOrder(of recipe: String) throws {
        let (store, _folder) = try Self.sampleStore()
        defer { withExtendedLifetime(_folder) {} }
        let sql = try String(contentsOfFile: Self.root + "/schema/\(recipe).sql", encoding: .utf8)
        let query = try Connection(path: store, mode: .readOnly).prepare(sql)
        query.bind(1, "faehrhafen")
        for (place, value) in [(2, 20_261_024), (3, 79_200), (4, 99_000)] { query.bind(place, Int64(value)) }
        var trips: [String] = []
        while try query.step() { trips.append(query.text(4) ?? "") }
        #expect(trips == (recipe == "departures" ? ["n1-heim", "n1-letzte"] : ["n1-hinaus"]))
    }

    /// SQLAlchemy takes each word after a colon for a parameter, also in a comment.
    @Test(arguments: ["departures", "arrivals", "notices_today"])
    func noCommentNamesAParameterWithItsColon(in recipe: String) throws {
        let sql = try String(contentsOfFile: Self.root + "/schema/\(recipe).sql", encoding: .utf8)
        let comments = sql.matches(of: /(?s:\/\*.*?\*\/)|--[^\n]*/).map { String($0.output) }
        #expect(comments.count > 1 && sql.hasPrefix("/*"))
        #expect(comments.allSatisfy { $0.firstMatch(of: /:\w/) == nil })
    }
}
