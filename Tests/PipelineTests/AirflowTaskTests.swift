import Foundation
import TestSupport
import Testing

/// One task of the DAG in pipelines/airflow. `make test-pipelines` runs the whole DAG with a real Airflow.
@Suite struct AirflowTaskTests {
    private let night: NightlyRun

    init() throws { night = try NightlyRun() }

    /// Runs the task of one feed, which may be ended once a file exists. Returns its exit code, and what it answers.
    private func runTask(
        _ name: String, list: String, as file: String = "airflow.tsv", ending: [String] = [],
        settings: [String: String] = [:]
    ) throws -> (code: Int32, answer: [String: Any]) {
        try list.write(toFile: night.path(file), atomically: true, encoding: .utf8)
        let environment = ProcessInfo.processInfo.environment.merging(
            [
                "IMPORT_GTFS_FOLDER": night.path("shared data"), "IMPORT_GTFS_LIST": night.path(file),
                "IMPORT_GTFS_PROGRAM": NightlyRun.builtPrograms + "/import-gtfs", "RETRIES": "0",
            ].merging(settings) { $1 }
        ) { $1 }
        let task = CommandLineProgram.packageRoot + "/Tests/PipelineTests/Support/run_task.py"
        let process = try ChildProcess(
            ["python3", task, name] + ending, environment: environment,
            output: night.path("task.out"),
            error: night.path("task.err"))
        let code = process.wait()
        let output = try Data(contentsOf: URL(fileURLWithPath: night.path("task.out")))
        return (code, (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:])
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: night.path("shared data/\(folder)"))) ?? []).sorted()
    }

    @Test("the shared folder's name may have a space; each task writes its page, and leaves the index to the last task")
    func spaces() throws {
        try night.answer([:])
        let (code, answer) = try runTask("a", list: "\u{FEFF}# of a night\r\n\r\na\t\(night.url())\r\n")
        #expect(code == 0)
        #expect(answer["status"] as? String == "published")
        #expect(names("stores") == ["a.sqlite"])
        #expect(names("reports") == ["a.html"])
        #expect(names("logs") == ["a.jsonl"])
    }

    @Test("a feed that cannot be fetched fails its task")
    func failed() throws {
        let (code, answer) = try runTask("a", list: "a\t\(night.url("none.zip"))\n")
        #expect(code == 1 && answer.isEmpty)
        let words = try String(contentsOfFile: night.path("task.err"), encoding: .utf8)
        #expect(words.hasSuffix("\nAirflowException: curl: (22) The requested URL returned error: 404\n"), "\(words)")
    }

    /// Airflow's own handler of SIGTERM lets the task go on, so the task has one of its own.
    @Test(
        "a task that is ended leaves no import behind",
        arguments: [("exception", "TooLong"), ("SIGTERM", "the task was ended")])
    func ended(way: String, word: String) throws {
        #expect(mkfifo(night.path("pipe"), 0o600) == 0)
        // An import has its lock before it reads the feed, and nobody writes to the pipe.
        let lock = night.path("shared data/stores/a.sqlite.lock")
        let (code, _) = try runTask("a", list: "a\t\(night.path("pipe"))\n", ending: [lock, way])
        #expect(code == 1)
        let words = try String(contentsOfFile: night.path("task.err"), encoding: .utf8)
        #expect(words.contains(word), "\(words)")
        #expect(names("stores").isEmpty)
        let left = try CommandLineProgram.run(["-f", night.path("pipe")], executable: "/usr/bin/pgrep")
        #expect(left.output == "")
    }

    @Test("a task that is ended while it starts nightly ends it, too")
    func endedAtTheStart() throws {
        #expect(mkfifo(night.path("pipe"), 0o600) == 0)
        let (code, _) = try runTask("a", list: "a\t\(night.path("pipe"))\n", ending: [night.path("started"), "start"])
        #expect(code == 1)
        let number = try #require(pid_t(String(contentsOfFile: night.path("started"), encoding: .utf8)))
        let isGone = kill(number, 0) != 0
        #expect(isGone)
        if !isGone { kill(number, SIGTERM) }
    }

    @Test("a feed that another run brings is locked")
    func locked() throws {
        try FileManager.default.createDirectory(
            atPath: night.path("shared data/cache/a"), withIntermediateDirectories: true)
        let lock = open(night.path("shared data/cache/a/.nightly.lock"), O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        try night.answer([:])
        let (code, answer) = try runTask("a", list: "a\t\(night.url())\n")
        #expect(code == 0 && answer["status"] as? String == "locked")
    }

    @Test("a setting that nightly refuses fails the task with nightly's words")
    func wrongKey() throws {
        let (code, _) = try runTask("a", list: "a\t\(night.url())\t\tsecret:key\n")
        let words = try String(contentsOfFile: night.path("task.err"), encoding: .utf8)
        #expect(
            code == 1 && words.contains("\nAirflowFailException: nightly: a: the fourth column is query:NAME"),
            "\(words)")
    }

    @Test(
        "a list that nightly refuses fails the task",
        arguments: [
            "a\n", "a\tx.zip\na\ty.zip\n", "../a\tx.zip\n", "b\tx.zip\n", "a\t\t--keep 2\n", "a\t  \n",
            "a\t#inner.zip\n", "a\tx.zip\na-1\tx.zip\t\tbasic\nA_1\ty.zip\t\tbasic\n",
        ])
    func wrongLists(list: String) throws {
        let (code, answer) = try runTask("a", list: list)
        #expect(code == 1 && answer.isEmpty)
        #expect(names("stores").isEmpty)
    }

    @Test("an entry of a public list that would send another feed's key is left out, and the others are not")
    func unusableEntry() throws {
        try night.answer([:])
        func entry(_ id: String) -> String {
            #"{"id": "\#(id)", "spec": "gtfs", "urls": {"static_current": "\#(night.url())"}, "#
                + #""authorization": {"type": "header", "param_name": "X-Key"}}"#
        }
        let list = #"{"feeds": [\#(entry("f-a~b")), \#(entry("f-a-b")), \#(entry("f-a"))]}"#
        let (code, answer) = try runTask("f-a", list: list, as: "feeds.json", settings: ["GTFS_KEY_F_A": "of-a"])
        #expect(code == 0 && answer["status"] as? String == "published")
        #expect(try runTask("f-a-b", list: list, as: "feeds.json", settings: ["GTFS_KEY_F_A_B": "of-ab"]).code == 1)
        #expect(night.requests().map { $0["X-Key"] } == ["of-a"])
    }

    @Test("a public list that cannot be read fails the task for good, with the program's words")
    func noList() throws {
        let (code, answer) = try runTask("a", list: "{}", as: "feeds.json")
        let words = try String(contentsOfFile: night.path("task.err"), encoding: .utf8)
        #expect(code == 1 && answer.isEmpty)
        #expect(
            words.contains(
                "\nAirflowFailException: Failed: \(night.path("feeds.json")): is neither a CSV file of the Mobility"),
            "\(words)")
    }

    @Test(
        "a program or script that is not there fails the task for good and names its setting",
        arguments: ["PROGRAM", "NIGHTLY"])
    func missingProgram(name: String) throws {
        let list = #"{"feeds": [{"id": "a", "spec": "gtfs", "urls": {"static_current": "\#(night.url())"}}]}"#
        let settings = ["IMPORT_GTFS_\(name)": night.path("none")]
        #expect(try runTask("a", list: list, as: "feeds.json", settings: settings).code == 1)
        let words = try String(contentsOfFile: night.path("task.err"), encoding: .utf8)
        #expect(
            words.hasSuffix(
                "\nAirflowFailException: [Errno 2] No such file or directory: '\(night.path("none"))': "
                    + "set IMPORT_GTFS_\(name) to the program's path\n"), "\(words)")
    }
}
