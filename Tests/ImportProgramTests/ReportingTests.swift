import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// Checks what an import writes and runs besides the store: pages, metrics, JSON lines, the operator's command.
@Suite struct ReportingTests {
    let folder: TemporaryFolder
    let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
    var store: String { folder.path("a.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ options: [String], feed: String? = nil) throws -> CommandLineProgram.Result {
        try CommandLineProgram.run([feed ?? self.feed, store] + options)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    // MARK: The operator's command

    @Test func theCommandGetsStoreStatusAndReport() throws {
        let command = "cat > '\(folder.path("in"))'; echo $IMPORT_GTFS_STATUS $IMPORT_GTFS_STORE $IMPORT_GTFS_REPORT"
        let result = try run(["--after", command, "--json", "--quiet", "--report", folder.path("r.html")])
        #expect(result.exitCode == 0)
        #expect(result.error == "published \(store) \(folder.path("r.html"))\n")
        #expect(try text("in") == result.output && result.output.hasPrefix("{\"status\":\"published\""))
        #expect(try run(["--after", "echo $IMPORT_GTFS_STATUS", "--quiet"]).error == "unchanged\n")
    }

    /// Swift takes an equals sign with a combining mark for one character.
    @Test func variablesOfTheCallerDoNotReachTheCommand() throws {
        let result = try CommandLineProgram.run(
            [
                feed, store, "--quiet", "--after",
                "tr '\\0' '\\n' < /proc/$$/environ | grep -c IMPORT_GTFS_STATUS; echo $IMPORT_GTFS_STATUS",
            ],
            environment: ["IMPORT_GTFS_STATUS": "\u{301}x"])
        #expect(result.error == "1\npublished\n")
    }

    @Test(arguments: [
        ("exit 3", "ended with 3"), ("kill -TERM $$", "was ended by signal 15"),
        ("kill -KILL $$", "was ended by signal 9"),
        ("/no/such/program 2>/dev/null", "ended with 127"),
    ])
    func aCommandThatFailsHarmsNothing(command: String, words: String) throws {
        let result = try run(["--after", command, "--quiet", "--json"])
        let warning = "the command after publishing \(words): \(command)"
        #expect(result.exitCode == 0 && result.error == "Warning: \(warning)\n")
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["warnings"] as? [String] == [warning] && object?["status"] as? String == "published")
        #expect(try run([]).exitCode == 0)
        #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
    }

    @Test(arguments: [["--quiet"], []]) func `a warning cannot control a terminal`(options: [String]) throws {
        let result = try run(["--after", "exit 3 # \u{1B}[31m"] + options)
        #expect(
            result.error.contains("Warning: the command after publishing ended with 3: exit 3 # \\u{1B}[31m\n"),
            "\(result.error)")
        #expect(!result.error.contains("\u{1B}"))
    }

    /// A parent that ignores SIGCHLD passes that on, and then the system tells nobody how a child ended.
    @Test func theCommandsEndIsHeardIfTheParentIgnoresSIGCHLD() throws {
        let script =
            "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
            + "os.execv(sys.argv[1], sys.argv[1:])"
        let arguments = ["-c", script, CommandLineProgram.path, feed, store, "--quiet", "--after", "exit 0"]
        let result = try CommandLineProgram.run(arguments, executable: "/usr/bin/python3")
        #expect(result == .init(exitCode: 0, output: "", error: ""))
    }

    /// The report has the feed's name in readable characters; the command has it byte for byte.
    @Test func theCommandGetsTheFeedsPathAsItWasGiven() throws {
        let script =
            "import os, shutil, sys; os.chdir(os.fsencode(sys.argv[3])); "
            + "shutil.copytree(os.fsencode(sys.argv[2]), b'g\\xfc'); "
            + "os.execv(sys.argv[1], [sys.argv[1], b'g\\xfc', 's.sqlite', '--quiet', '--after', 'ls \"$IMPORT_GTFS_FEED\"'])"
        let result = try CommandLineProgram.run(
            ["-c", script, CommandLineProgram.path, feed, folder.path], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0 && result.error.contains("stops.txt\n"), "\(result.error)")
    }

    /// The store is current either way, so it is too late for the signal; the report comes even so.
    @Test(arguments: ["published", "unchanged"])
    func `a signal while the command runs does not end the import`(status: String) throws {
        if status == "unchanged" { #expect(try run(["--quiet"]).exitCode == 0) }
        let result = try run(["--after", "kill -TERM $PPID; sleep 2", "--json", "--quiet"])
        #expect(result.exitCode == 0 && result.output.hasPrefix("{\"status\":\"\(status)\""), "\(result)")
    }

    @Test func theCommandMayImportTheSameStore() throws {
        let again = "'\(CommandLineProgram.path)' '\(feed)' \"$IMPORT_GTFS_STORE\" --force --quiet"
        #expect(try run(["--after", again, "--quiet"]).error == "")
    }

    @Test func nothingRunsWithoutAStoreThatIsCurrent() throws {
        #expect(try run(["--after", "touch '\(folder.path("ran"))'"], feed: folder.path("none")).exitCode == 66)
        #expect(try run(["--after", "touch '\(folder.path("ran"))'", "--max-rows", "3"]).exitCode == 65)
        #expect(try folder.contents().isEmpty)
    }

    // MARK: Metrics

    private func metrics() throws -> [String: String] {
        let lines = try text("m.prom").split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let space = line.lastIndex(of: " ") ?? line.startIndex
                return (String(line[..<space]), String(line[line.index(after: space)...]))
            })
    }

    @Test func metricsTellOfStoreAndRun() throws {
        #expect(try run(["--metrics", folder.path("m.prom"), "--quiet", "--after", "false"]).exitCode == 0)
        let first = try metrics()
        let label = "{store=\"\(store)\"}"
        #expect(first["import_gtfs_last_exit_code" + label] == "0")
        #expect(first["import_gtfs_after_command_failed" + label] == "1")
        #expect(first["import_gtfs_store_rows{store=\"\(store)\",file=\"stop_times.txt\"}"] == "96")
        #expect(first["import_gtfs_store_last_day_timestamp_seconds" + label] == "1830211200")  // 2027-12-31
        let success = try #require(first["import_gtfs_last_success_timestamp_seconds" + label].flatMap { Int($0) })
        #expect(abs(success - Int(Date().timeIntervalSince1970)) < 3_600)
        #expect(first["import_gtfs_last_run_timestamp_seconds" + label] == String(success))
        for line in try text("m.prom").split(separator: "\n") {
            let sample = /import_gtfs_[a-z_]+\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\} -?[0-9.]+/
            let head = /# (HELP import_gtfs_[a-z_]+ [^\n]+|TYPE import_gtfs_[a-z_]+ gauge)/
            #expect(line.wholeMatch(of: sample) != nil || line.wholeMatch(of: head) != nil, "\(line)")
        }
    }

    /// After a failure, the metrics report the failure, the store that stays and the time of the last success.
    @Test func theLastSuccessOutlivesFailures() throws {
        let options = ["--metrics", folder.path("m.prom"), "--quiet", "--force"]
        #expect(try run(options).exitCode == 0)
        let label = "{store=\"\(store)\"}"
        let success = "import_gtfs_last_success_timestamp_seconds" + label
        let old = try text("m.prom").replacing(/(last_success_timestamp_seconds\{[^}]*\}) \d+/) { $0.1 + " 1234" }
        try folder.write("m.prom", old)
        #expect(try run(options + ["--max-rows", "3"]).exitCode == 65)
        var found = try metrics()
        #expect(found[success] == "1234" && found["import_gtfs_last_exit_code" + label] == "65")
        #expect(found["import_gtfs_store_rows{store=\"\(store)\",file=\"stop_times.txt\"}"] == "96")
        #expect(try run(options).exitCode == 0)
        found = try metrics()
        #expect(found[success] == found["import_gtfs_last_run_timestamp_seconds" + label])
    }

    /// A clock that was ahead must not silence the alarm until then.
    @Test func aSuccessInTheFutureCountsAsNow() throws {
        let options = ["--metrics", folder.path("m.prom"), "--quiet", "--force"]
        #expect(try run(options).exitCode == 0)
        let ahead = try text("m.prom")
            .replacing(/(last_success_timestamp_seconds\{[^}]*\}) \d+/) { $0.1 + " 4000000000" }
        try folder.write("m.prom", ahead)
        #expect(try run(options + ["--max-rows", "3"]).exitCode == 65)
        let (found, label) = (try metrics(), "{store=\"\(store)\"}")
        #expect(
            found["import_gtfs_last_success_timestamp_seconds" + label]
                == found["import_gtfs_last_run_timestamp_seconds" + label])
    }

    /// Each file would be a series of its own. The files of GTFS have theirs, whatever comes before them.
    @Test func manyUnknownFilesAreNotAllMeasured() throws {
        let many = folder.path("many")
        try FileManager.default.copyItem(atPath: CommandLineProgram.sampleFeed, toPath: many)
        let long = String(repeating: "x", count: 201)
        for name in (0..<150).map({ "a\($0)" }) + [long] {
            try "n\n1\n".write(toFile: "\(many)/\(name).txt", atomically: true, encoding: .utf8)
        }
        #expect(try run(["--metrics", folder.path("m.prom"), "--quiet"], feed: many).exitCode == 0)
        let rows = try metrics().keys.filter { $0.hasPrefix("import_gtfs_store_rows{") }
        #expect(rows.filter { $0.contains("file=\"a1") || $0.contains("file=\"x") }.allSatisfy { !$0.contains(long) })
        #expect(rows.contains { $0.contains("file=\"trips.txt\"") })
        #expect(rows.count <= 33 + 100 && rows.count > 100)
    }

    /// The exit code is that of the process, also if the JSON report cannot be written.
    @Test func metricsTellThatTheReportIsLost() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let result = try CommandLineProgram.run(
            [feed, store, "--json", "--quiet", "--metrics", folder.path("m.prom")], output: full)
        #expect(result.exitCode == 74)
        #expect(try metrics()["import_gtfs_last_exit_code{store=\"\(store)\"}"] == "74")
    }

    @Test func labelsAreEscaped() {
        var text = MetricsText(store: "a\"\\\n")
        text.add("m", "What.", [([("file", "x")], 3)])
        #expect(text.text == "# HELP m What.\n# TYPE m gauge\nm{store=\"a\\\"\\\\\\n\",file=\"x\"} 3\n")
    }

    // MARK: Files of others

    @Test func aSlipInTheArgumentsCostsNoFile() throws {
        try folder.write("p", "precious")
        try folder.write("q", "precious, too")
        let result = try run(["--report", folder.path("p"), "--metrics", folder.path("q"), "--quiet"])
        #expect(result.exitCode == 0)
        #expect(
            result.error == "Warning: the report: \(folder.path("p")) exists and is not a page of import-gtfs; "
                + "it was left alone\nWarning: the metrics: \(folder.path("q")) exists and is not a file of metrics of "
                + "import-gtfs; it was left alone\n")
        #expect(try text("p") == "precious" && text("q") == "precious, too")
        #expect(try run(["--metrics", store]).exitCode == 64)
        #expect(try run([]).error.hasPrefix("Unchanged: "))
        let missing = try run(["--report", folder.path("none/r.html"), "--quiet"])
        #expect(missing.exitCode == 0)
        #expect(
            missing.error
                == "Warning: the report: \(folder.path("none/r.html")) cannot be written: No such file or directory\n")
    }

    /// Others' files may speak of our metrics and pages without being one.
    @Test func filesThatMentionUsAreLeftAlone() throws {
        let alarm = "groups:\n- rules:\n  - expr: time() - import_gtfs_last_success_timestamp_seconds > 100000\n"
        let html = "<!DOCTYPE html>\n<!-- <meta name=\"generator\" content=\"import-gtfs\"> -->\n<p>mine</p>\n"
        try folder.write("alerts.yml", alarm)
        try folder.write("mine.html", html)
        let result = try run(
            ["--report", folder.path("mine.html"), "--metrics", folder.path("alerts.yml"), "--quiet"])
        #expect(result.exitCode == 0 && result.error.components(separatedBy: "it was left alone").count == 3)
        #expect(try text("alerts.yml") == alarm && text("mine.html") == html)
    }

    /// A page may be published through a link, and only for some: both stay as they are.
    @Test func linksAndPermissionsStay() throws {
        try folder.write("www/page.html", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("www/page.html"))
        for (link, target) in [("r.html", "www/page.html"), ("m.prom", "www/m.prom")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(link), withDestinationPath: folder.path(target))
        }
        #expect(
            try run(["--report", folder.path("r.html"), "--metrics", folder.path("m.prom"), "--quiet"]).exitCode == 0)
        #expect(try text("www/page.html").contains("Published") && text("www/m.prom").contains("_exit_code"))
        for (link, target) in [("r.html", "www/page.html"), ("m.prom", "www/m.prom")] {
            let found = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(link))
            #expect(found == folder.path(target))
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("www/page.html"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    /// A collector may read the file through its group only.
    @Test(.enabled(if: getuid() == 0, "only the superuser may give a file away")) func theOwnerAndTheGroupStay() throws
    {
        let file = folder.path("m.prom")
        #expect(try run(["--metrics", file, "--quiet"]).exitCode == 0)
        try #require(chown(file, 1, 2) == 0)
        #expect(try run(["--metrics", file, "--quiet"]).exitCode == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.ownerAccountID] as? Int == 1 && attributes[.groupOwnerAccountID] as? Int == 2)
    }

    /// The disk that a link leads to may not be mounted tonight.
    @Test func aLinkIntoAMissingFolderStays() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("m.prom"), withDestinationPath: folder.path("none/m.prom"))
        let result = try run(["--metrics", folder.path("m.prom"), "--quiet"])
        #expect(result.exitCode == 0)
        #expect(
            result.error
                == "Warning: the metrics: \(folder.path("m.prom")) leads to a folder that is missing; it was left alone\n"
        )
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("m.prom"))
                == folder.path("none/m.prom"))
    }

    /// A run that was killed leaves its half-written page; the next one takes it over, unless another run holds it.
    @Test(arguments: [true, false]) func theRestOfAKilledRunIsTakenOver(isHeld: Bool) throws {
        let half = folder.path(".r.html.writing")
        try folder.write(".r.html.writing", String(repeating: "half a page ", count: 10_000))
        let descriptor = open(half, O_RDONLY)
        defer { close(descriptor) }
        if isHeld { try #require(flock(descriptor, LOCK_EX) == 0) }
        #expect(try run(["--report", folder.path("r.html"), "--quiet"]).exitCode == 0)
        #expect(try text("r.html").contains("Published") && !text("r.html").contains("half a page"))
        let left = isHeld ? [".r.html.writing"] : []
        #expect(try folder.contents().keys.sorted() == left + ["a.sqlite", "r.html"])
    }

    /// Both runs end at the same time. The failed one once copied the success that it had read before.
    @Test func `a failed run never sets the last success back`() throws {
        let metrics = folder.path("a.prom")
        let line = "import_gtfs_last_success_timestamp_seconds{store=\"\(folder.path("a.sqlite"))\"} "
        try folder.write("a.prom", "# HELP import_gtfs_\n\(line)1700000000\n")
        let writing = open(folder.path(".a.prom.writing"), O_RDWR | O_CREAT, 0o644)
        try #require(flock(writing, LOCK_EX) == 0)
        let failing = CommandLineProgram.process(
            [folder.path("missing.zip"), folder.path("a.sqlite"), "--metrics", metrics, "--quiet"])
        try failing.run()
        usleep(200_000)
        try folder.write("a.prom", "# HELP import_gtfs_\n\(line)1790000000\n")
        close(writing)
        #expect(CommandLineProgram.finish(failing).exitCode == 66)
        #expect(try text("a.prom").contains("\n" + line + "1790000000\n"))
    }

    // MARK: Pages

    @Test func pagesTellOfEveryEnd() throws {
        let page = folder.path("r.html")
        #expect(try run(["--report", page, "--quiet"]).exitCode == 0)
        #expect(try text("r.html").contains("<span class=\"verdict published\">Published</span>"))
        #expect(try run(["--report", page, "--quiet"]).exitCode == 0)
        let unchanged = try text("r.html")
        #expect(unchanged.contains("<span class=\"verdict unchanged\">Unchanged</span>"))
        #expect(unchanged.contains("Trips by date, from 2026-01-01") && unchanged.contains("stop_times.txt"))
        #expect(
            try run(["--report", page, "--quiet", "--force", "--service-within", "1", "--date", "20300101"]).exitCode
                == 65)
        let refused = try text("r.html")
        #expect(refused.contains("<span class=\"verdict refused\">Refused</span>"))
        #expect(
            refused.contains("no trip runs on 2030-01-01") && refused.contains("The timetable ended on 2027-12-31."))
        #expect(try run(["--report", page, "--quiet"], feed: folder.path("none")).exitCode == 66)
        #expect(try text("r.html").contains("<span class=\"verdict failed\">Failed</span>"))
        #expect(try folder.contents().keys.sorted() == ["a.sqlite", "r.html"])
    }

    /// The page changes no byte of the store.
    @Test func theStoreIsTheSameWithAPage() throws {
        #expect(try run(["--quiet"]).exitCode == 0)
        let before = try Data(contentsOf: URL(filePath: store))
        #expect(try run(["--quiet", "--force", "--report", folder.path("r.html")]).exitCode == 0)
        #expect(try Data(contentsOf: URL(filePath: store)) == before)
    }

    @Test func theIndexIsWrittenOverThePagesThere() throws {
        #expect(try run(["--report", folder.path("one & two.html"), "--quiet"]).exitCode == 0)
        try folder.write("other.html", "<p>of others")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("circle.html"), withDestinationPath: "circle.html")
        let result = try CommandLineProgram.run(["--index", folder.path])
        #expect(result == .init(exitCode: 0, output: "", error: "Written: \(folder.path)/index.html over 1 page\n"))
        let link = "<a href=\"./one%20%26%20two.html\"><bdi dir=\"ltr\">one &amp; two</bdi></a>"
        #expect(try text("index.html").contains(link))
        try folder.write("index.html", "<p>of others")
        #expect(try CommandLineProgram.run(["--index", folder.path]).exitCode == 73)
        #expect(try CommandLineProgram.run(["--index", folder.path("none")]).exitCode == 66)
    }

    // MARK: JSON lines

    @Test func whatIsSaidAreJSONLines() throws {
        let result = try run(["--log-json", "--after", "exit 3"])
        let lines = try result.error.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.allSatisfy { ($0["time"] as? String)?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil })
        let events = lines.map { "\($0["level"] ?? "") \($0["event"] ?? "") \($0["phase"] ?? "")" }
        #expect(events.first == "info phase open" && events.contains("info phase indexes"))
        // Each file is a phase, which is no news to a log.
        #expect(!events.contains { $0.contains("reading") })
        #expect(events.suffix(2) == ["warning warning ", "info end "])
        #expect(lines.last?["rows"] as? Int == 337 && lines.last?["exit_code"] as? Int == 0)
        let failed = try run(["--log-json", "--quiet"], feed: folder.path("none"))
        #expect(failed.error.split(separator: "\n").count == 1 && failed.error.contains("\"level\":\"error\""))
        #expect(JSONLog.text(of: 1_795_323_323) == "2026-11-22T04:55:23Z")
        #expect(JSONLog.text(of: -1) == "1969-12-31T23:59:59Z")
    }
}
