import Foundation
import TestSupport
import Testing

/// Runs the commands that pipelines/README.md shows, and checks the other lines that need no real machine.
@Suite struct OperatorGuideTests {
    private static let root = CommandLineProgram.packageRoot

    /// The indented lines of the guide: those to type or to copy.
    private static func lines() throws -> [String] {
        try String(contentsOfFile: root + "/pipelines/README.md", encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("    ") }.map { $0.drop { $0 == " " } }.map(String.init)
    }

    /// Beginnings of lines that only the packaging tests or a real machine can run.
    private static let ofTheMachine = [
        "make ", "apt install ", "editor ", "systemctl ", "useradd ", "git clone ", "cd ", "install ", "sed ", "cp ",
        "rm ",
    ]

    /// A folder that plays the machine: feeds, lists, and stubs for `rsync` and `systemctl`.
    private static func makeMachine() throws -> NightlyRun {
        let run = try NightlyRun()
        let manager = FileManager.default
        for folder in [
            "bin", "srv/stores", "etc/import-gtfs", "var/lib/import-gtfs", "var/cache/import-gtfs", "stores",
            "usr/lib/import-gtfs",
        ] {
            try manager.createDirectory(atPath: run.path(folder), withIntermediateDirectories: true)
        }
        for name in ["berlin", "switzerland", "germany", "var/cache/import-gtfs/berlin"] {
            try manager.copyItem(atPath: run.path("feed.zip"), toPath: run.path(name + ".zip"))
        }
        for name in ["import-gtfs", "fetch-gtfs"] {
            try manager.createSymbolicLink(
                atPath: run.path("bin/" + name), withDestinationPath: NightlyRun.builtPrograms + "/" + name)
        }
        try manager.createSymbolicLink(
            atPath: run.path("usr/lib/import-gtfs/nightly"), withDestinationPath: root + "/pipelines/nightly")
        try manager.createSymbolicLink(atPath: run.path("pipelines"), withDestinationPath: root + "/pipelines")
        try write("mohnsee\t\(root)/pipelines/sample-feed\n", run, "etc/import-gtfs/feeds.tsv")
        try write("1\nn1\n", run, "etc/import-gtfs/trams.txt")
        try write(
            "id,data_type,status,urls.direct_download\nmdb-1,gtfs,active,https://a.example/a.zip\n", run, "feeds_v2.csv"
        )
        for name in ["rsync", "systemctl"] {
            _ = try run.makeProgram("bin/" + name, "echo \(name) \"$@\" >> '\(run.path("calls"))'")
        }
        return run
    }

    private static func write(_ text: String, _ run: NightlyRun, _ name: String) throws {
        try text.write(toFile: run.path(name), atomically: true, encoding: .utf8)
    }

    /// Runs a line with a shell in the machine's folder. The guide's absolute paths are moved below that folder.
    private static func type(_ line: String, in run: NightlyRun) throws -> (code: Int32, words: String) {
        var line = line
        for place in ["/srv/", "/etc/import-gtfs/", "/var/", "/usr/lib/import-gtfs/"] {
            line.replace(place, with: run.path(String(place.dropFirst())))
        }
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = run.path("bin") + ":" + (environment["PATH"] ?? "")
        environment["IMPORT_GTFS"] = run.path("bin/import-gtfs")
        let shell = try ChildProcess(
            ["bash", "-c", "set -e; cd '\(run.folder)'; \(line)"], environment: environment, output: run.path("out"),
            error: run.path("err"))
        let code = shell.wait()
        let words = try ["out", "err"].map { try String(contentsOfFile: run.path($0), encoding: .utf8) }.joined()
        return (code, words)
    }

    @Test func everyCommandOfTheGuideRuns() throws {
        let run = try Self.makeMachine()
        // The guide's bounding box belongs to another feed.
        let replaced = ["47.30,8.40,47.45,8.65": "-90,-180,90,180"]
        var (typed, left) = (0, [String]())
        for line in try Self.lines() {
            var command = line
            for (text, other) in replaced { command.replace(text, with: other) }
            if command.hasPrefix("15 2 * * *   import-gtfs   ") { command.removeFirst(27) }
            let first = command.split(separator: " ").first { !$0.contains("=") } ?? ""
            guard ["import-gtfs", "pipelines/nightly", "jq", "/usr/lib/import-gtfs/nightly"].contains(first) else {
                left.append(line)
                continue
            }
            if command.contains("--rollback") {
                let twice = "import-gtfs berlin.zip stores/berlin.sqlite"
                #expect(try Self.type("\(twice); \(twice) --force --keep 1", in: run).code == 0)
            }
            // The command reloads only after a publication, so the store must not be current.
            if command.contains("systemctl") { try FileManager.default.removeItem(atPath: run.path("berlin.sqlite")) }
            let (code, words) = try Self.type(command, in: run)
            #expect(code == 0, "\(line): \(words)")
            #expect(!words.contains("Warning"), "\(line): \(words)")
            typed += 1
        }
        #expect(typed == 12)
        #expect(try String(contentsOfFile: run.path("calls"), encoding: .utf8).contains("rsync --archive "))
        #expect(
            try String(contentsOfFile: run.path("calls"), encoding: .utf8).contains("systemctl reload departures\n"))
        try Self.look(at: left, run)
    }

    /// `make test-pipelines` runs the DAG with the packages that the page installs. The page lists every setting that
    /// the DAG reads.
    @Test func theAirflowPageIsWhatIsTested() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: Self.root + "/" + name, encoding: .utf8)
        }
        let (page, dag) = (try text("pipelines/airflow/README.md"), try text("pipelines/airflow/import_gtfs.py"))
        #expect(page.contains("pip install 'apache-airflow[celery]==3.1.3' 'celery<5.6' 'pyjwt<2.11'\n"))
        #expect(
            try text("Makefile").contains(
                "AIRFLOW_PACKAGES = 'apache-airflow[celery]==3.1.3' 'celery<5.6' 'pyjwt<2.11' redis\n"))
        let settings = dag.matches(of: /setting\(["']([A-Z_]+)/).map { String($0.1) }
        #expect(Set(settings).count == 8)
        for setting in settings { #expect(page.contains("`IMPORT_GTFS_\(setting)`"), "\(setting)") }
    }

    /// Checks the remaining lines: the alarms' metrics and the options in a line of a feed list. Skips administration.
    private static func look(at lines: [String], _ run: NightlyRun) throws {
        _ = try type("import-gtfs berlin.zip new.sqlite --metrics new.prom", in: run)
        let metrics = try String(contentsOfFile: run.path("new.prom"), encoding: .utf8)
        var others = lines.filter { line in !ofTheMachine.contains { line.hasPrefix($0) } }
        let alarms = others.filter { $0.contains("import_gtfs_") }
        #expect(alarms.count == 3)
        for name in alarms.flatMap({ $0.matches(of: /import_gtfs_\w+/) }).map(\.output) {
            #expect(metrics.contains("\n\(name){"), "\(name)")
        }
        others.removeAll { alarms.contains($0) }
        #expect(others.count == 1)
        let options = try #require(others.first?.split(separator: "\t").last)
        let (code, words) = try type("import-gtfs berlin.zip listed.sqlite \(options) --date 20261122", in: run)
        #expect(code == 0, "\(words)")
    }
}
