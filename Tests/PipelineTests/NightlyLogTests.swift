import Foundation
import Testing

/// The log of `pipelines/nightly`, and what the summary says about feeds whose end is unknown.
@Suite(.serialized) struct NightlyLogTests {
    private let night: NightlyRun

    init() throws {
        night = try NightlyRun()
        try night.answer([:])
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: night.path(name), encoding: .utf8)
    }

    @Test("a log that has grown large is moved away, and only so many are kept")
    func rotation() throws {
        night.settings.merge(["LOG_MB": "1", "LOG_KEEP": "2"]) { $1 }
        for number in 1...4 {
            try String(repeating: "\(number)", count: 1_100_000)
                .write(toFile: night.path("nightly.jsonl"), atomically: true, encoding: .utf8)
            try night.run()
        }
        let logs = try FileManager.default.contentsOfDirectory(atPath: night.folder)
            .filter { $0.hasPrefix("nightly.jsonl") }
        #expect(logs.sorted() == ["nightly.jsonl", "nightly.jsonl.1", "nightly.jsonl.2"])
        #expect(night.log().count == 1)
        #expect(try text("nightly.jsonl.2").hasPrefix("3"))
    }

    @Test("old logs beyond a lower LOG_KEEP are removed, and nothing whose name only looks like theirs")
    func fewerLogs() throws {
        let others = ["nightly.jsonl.20261122", "nightly.jsonl.03", "nightly.jsonl.3.gz", "nightly.jsonl.old"]
        for name in ["nightly.jsonl.1", "nightly.jsonl.2", "nightly.jsonl.3", "nightly.jsonl.12"] + others {
            try "old".write(toFile: night.path(name), atomically: true, encoding: .utf8)
        }
        night.settings["LOG_KEEP"] = "2"
        #expect(try night.run().exitCode == 0)
        let logs = try FileManager.default.contentsOfDirectory(atPath: night.folder)
            .filter { $0.hasPrefix("nightly.jsonl.") }
        #expect(logs.sorted() == (["nightly.jsonl.1", "nightly.jsonl.2"] + others).sorted())
    }

    @Test("a log behind a symbolic link is moved where it is, and the link stays")
    func linkedLog() throws {
        try FileManager.default.createDirectory(atPath: night.path("logs"), withIntermediateDirectories: true)
        try String(repeating: "x", count: 1_100_000)
            .write(toFile: night.path("logs/real"), atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: night.path("nightly.jsonl"), withDestinationPath: "logs/real")
        night.settings["LOG_MB"] = "1"
        #expect(try night.run().exitCode == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: night.path("logs")).sorted()
        #expect(names == ["real", "real.1"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: night.path("nightly.jsonl")) == "logs/real")
        #expect(night.log().count == 1)
    }

    @Test("a log that cannot be moved goes on growing, with a warning, and the night goes on")
    func fixedLog() throws {
        night.settings.merge(["LOG_MB": "1", "LOG": night.path("logs/nightly.jsonl")]) { $1 }
        try FileManager.default.createDirectory(atPath: night.path("logs"), withIntermediateDirectories: true)
        try String(repeating: "x", count: 1_100_000)
            .write(toFile: night.path("logs/nightly.jsonl"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: night.path("logs"))
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: night.path("logs")) }
        try "a\t\(night.url())\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: NightlyRun.scriptWithoutPrivilege))
        #expect(outcome.exitCode == 0, "\(outcome)")
        let warning =
            "nightly: warning: \(night.path("logs/nightly.jsonl")) is larger than LOG_MB and cannot be moved: mv: "
        #expect(outcome.error.hasPrefix(warning), "\(outcome.error)")
        #expect(try text("logs/nightly.jsonl").contains("x\n{\"time\": "))
    }

    /// Only `--after` can bring such words: the import's own are UTF-8.
    @Test("words in any encoding, and as many as a command likes, make a line of JSON")
    func strangeWords() throws {
        let command = try night.makeProgram(
            "after", "printf 'f\\374r\\n' >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2\n")
        #expect(try night.run(options: "--after \(command)").exitCode == 0)
        #expect(night.log().count == 1)
        #expect(try text("nightly.jsonl").utf8.count < 20_000)
    }

    @Test("a pipe that nobody may read is no log")
    func pipeWithoutReader() throws {
        #expect(mkfifo(night.path("log"), 0o600) == 0)
        night.settings["LOG"] = night.path("log")
        let outcome = try night.run()
        #expect(outcome.exitCode == 64 && outcome.error.contains("is a pipe"))
    }

    @Test("a refused feed fails the night if the store that stays is damaged")
    func damagedStore() throws {
        #expect(try night.run().exitCode == 0)
        let refusing = "--force --service-within 7 --date 20400101"
        #expect(try night.run(options: refusing).exitCode == 0)
        let store = try #require(FileHandle(forUpdatingAtPath: night.path("stores/a.sqlite")))
        try store.truncate(atOffset: 30_000)
        var outcome = try night.run(options: refusing)
        #expect(outcome.exitCode == 1 && outcome.output.contains(" is damaged and stays as it is: "))
        try store.truncate(atOffset: 0)
        outcome = try night.run(options: refusing)
        #expect(outcome.exitCode == 1 && outcome.output.contains("[no store yet]"))
    }

    @Test("a folder in the place of a store is not called a store")
    func folderInThePlaceOfAStore() throws {
        try FileManager.default.createDirectory(
            atPath: night.path("stores/a.sqlite/photos"), withIntermediateDirectories: true)
        let outcome = try night.run()
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.output.contains("a.sqlite cannot be written as a store: it is a folder [no store yet]\n"),
            "\(outcome)")
        #expect(night.log().last?["store"] is NSNull)
    }

    @Test("files of others in the folder of downloads stay")
    func filesOfOthers() throws {
        try night.run()
        for name in ["movie.part", "movie.mkv.part", "a.zip.part"] {
            try Data().write(to: URL(filePath: night.path("cache/" + name)))
        }
        try Data().write(to: URL(filePath: night.path("cache/a.zip.123.head.part")))
        try night.run()
        let left = try FileManager.default.contentsOfDirectory(atPath: night.path("cache"))
        #expect(left.filter { $0.hasSuffix("part") }.sorted() == ["a.zip.part", "movie.mkv.part", "movie.part"])
    }

    @Test("the log may be standard output, and that a pipe")
    func pipe() throws {
        night.settings["LOG"] = "/dev/stdout"
        try "a\t\(night.url())\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let command = ["bash", "-c", "set -o pipefail; '\(NightlyRun.script)' \"$0\" | cat"]
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: command))
        #expect(outcome.exitCode == 0, "\(outcome)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.contains("\"name\": \"a\", \"fetch\": \"fetched\", \"exit_code\": 0") == true)
        #expect(lines.last?.hasSuffix("0 failed; log: /dev/stdout") == true)
    }

    @Test("the log may be a standard stream that is a file", arguments: ["out", "err"])
    func redirected(name: String) throws {
        night.settings["LOG"] = "/dev/std" + name
        try "a\t\(night.url())\nb\tnone\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv"))
        #expect(outcome.exitCode == 1)
        let lines = (outcome.output + outcome.error).split(separator: "\n")
        #expect(lines.count == 5, "\(outcome)")
        let logged = (name == "out" ? outcome.output : outcome.error).split(separator: "\n").filter {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil
        }
        #expect(logged.count == 2, "\(outcome)")
        #expect(outcome.output.hasSuffix(" s, 1 failed; log: /dev/std\(name)\n"), "\(outcome)")
    }

    @Test("a run waits with its line while another run writes into the same log")
    func sharedLog() throws {
        let log = open(night.path("nightly.jsonl"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        defer { close(log) }
        #expect(flock(log, LOCK_EX) == 0)
        let run = try night.start()
        #expect(NightlyRun.wait { Self.isAwaited(log) || !night.log().isEmpty })
        #expect(night.log().isEmpty)
        #expect(flock(log, LOCK_UN) == 0)
        #expect(night.finish(run).exitCode == 0)
        #expect(night.log().count == 1)
    }

    @Test("a log that another run has just moved away is not moved once more")
    func sharedRotation() throws {
        night.settings.merge(["LOG_MB": "1", "LOG_KEEP": "1"]) { $1 }
        let paths = (log: night.path("nightly.jsonl"), old: night.path("nightly.jsonl.1"))
        try String(repeating: "x", count: 1_100_000).write(toFile: paths.log, atomically: true, encoding: .utf8)
        let log = open(paths.log, O_WRONLY | O_CLOEXEC)
        defer { close(log) }
        #expect(flock(log, LOCK_EX) == 0)
        let run = try night.start()
        #expect(NightlyRun.wait { Self.isAwaited(log) || FileManager.default.fileExists(atPath: paths.old) })
        #expect(rename(paths.log, paths.old) == 0)
        try "{}\n".write(toFile: paths.log, atomically: true, encoding: .utf8)
        #expect(flock(log, LOCK_UN) == 0)
        #expect(night.finish(run).exitCode == 0)
        #expect(try text("nightly.jsonl.1").hasPrefix("x"))
        #expect(night.log().count == 2)
    }

    /// Whether a process waits for a lock on the file.
    private static func isAwaited(_ file: Int32) -> Bool {
        var status = stat()
        guard fstat(file, &status) == 0 else { return false }
        let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
        return locks.split(separator: "\n").contains { $0.contains(" -> FLOCK ") && $0.contains(":\(status.st_ino) ") }
    }

    @Test("half a line at the end of the log is ended before the next one")
    func halfALine() throws {
        try "{\"time\": \"2026-01-0".write(toFile: night.path("nightly.jsonl"), atomically: true, encoding: .utf8)
        try night.run()
        try night.run()
        let lines = try text("nightly.jsonl").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4 && lines.first == "{\"time\": \"2026-01-0" && lines.last == "")
        #expect(night.log().count == 2)
    }

    @Test("a feed that cannot be logged fails the run, and the summary says so", arguments: ["/dev/full", "folder"])
    func notLogged(name: String) throws {
        try FileManager.default.createDirectory(atPath: night.path("folder"), withIntermediateDirectories: true)
        let log = name == "folder" ? night.path(name) : name
        night.settings["LOG"] = log
        let outcome = try night.run()
        #expect(outcome.exitCode == 1)
        let line = try #require(outcome.output.split(separator: "\n").first)
        #expect(line.hasPrefix("a                        not logged   the log cannot be written: \(log); "))
        #expect(line.contains("[store of "))
        #expect(outcome.output.contains("1 failed"))
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test(
        "an import that ends with 0 and makes no report has failed",
        arguments: ["--version", "--help", "a program that does nothing"])
    func noReport(option: String) throws {
        if option.hasPrefix("--") {
            night.settings["OPTIONS"] = option
        } else {
            try night.replaceProgram(with: "exit 0")
        }
        let outcome = try night.run()
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.output.hasPrefix(
                "a                        failed (0)   import-gtfs made no report: see its options [no store yet]\n"))
        #expect(night.lastLine() == "fetched 0")
        #expect(night.log().last?["report"] is NSNull)
    }

    @Test("the summary begins with the warnings of a feed, and counts such feeds; they do not fail the run")
    func warnings() throws {
        night.settings["REPORTS"] = night.path("pages")
        try FileManager.default.createDirectory(atPath: night.path("pages"), withIntermediateDirectories: true)
        try "foreign".write(toFile: night.path("pages/a.html"), atomically: true, encoding: .utf8)
        let outcome = try night.run(options: "--after false")
        #expect(outcome.exitCode == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix(
                "a                        published    with warnings: the report: \(night.path("pages/a.html")) exists "
                    + "and is not a page of import-gtfs; it was left alone; the command after publishing ended with 1: "
                    + "false; Published: ") == true, "\(outcome)")
        #expect(lines.last?.contains(" s, 0 failed, 1 with warnings; log: ") == true, "\(outcome)")
        let guide = try String(
            contentsOfFile: NightlyRun.script.replacing("/nightly", with: "/README.md"), encoding: .utf8)
        let command = try #require(guide.split(separator: "\n").first { $0.contains("jq -r 'select(.report.warnings") })
        let shell = try ChildProcess(
            ["bash", "-c", "cd '\(night.folder)'; \(command)"], environment: ProcessInfo.processInfo.environment,
            output: night.path("jq.out"), error: night.path("jq.err"))
        #expect(shell.wait() == 0)
        #expect(try text("jq.out").hasSuffix("; it was left alone\tthe command after publishing ended with 1: false\n"))
    }

    /// The script, which cannot write to any file. A pipe takes the summary.
    private static let scriptOnFullDisk = [
        "bash", "-c", "trap '' XFSZ; (ulimit -f 0; '\(NightlyRun.script)' \"$0\") | cat; exit ${PIPESTATUS[0]}",
    ]

    @Test("a full disk does not let more feeds be in work than JOBS")
    func jobsOnFullDisk() throws {
        night.settings.merge(["LOG": "/dev/stdout", "JOBS": "2"]) { $1 }
        let folder = night.path("working")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try night.replaceProgram(
            with: "mkdir '\(folder)'/$$; [ $(ls '\(folder)' | wc -l) -le 2 ] || mkdir '\(folder)-too-many'; sleep 0.3; "
                + "rmdir '\(folder)'/$$")
        try (1...8).map { "f\($0)\tfeed.zip\n" }.joined()
            .write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: Self.scriptOnFullDisk))
        #expect(outcome.exitCode == 1)
        #expect(!FileManager.default.fileExists(atPath: folder + "-too-many"))
    }

    @Test("if the disk of the temporary files is full, the summary says so, and nothing of the store")
    func fullDisk() throws {
        try night.run()
        night.settings["LOG"] = "/dev/stdout"
        try "a\tfeed.zip\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: Self.scriptOnFullDisk))
        #expect(outcome.exitCode == 1)
        let line =
            "a                        unknown      cannot write in \(night.path("cache")); is the disk full? "
            + "The log may tell what became of it\n"
        #expect(outcome.output.contains(line), "\(outcome)")
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test("a program that fails and says nothing is not taken at its word")
    func silence() throws {
        try night.replaceProgram(with: "exit 74")
        #expect(
            try night.run().output.hasPrefix(
                "a                        failed (74)  it said nothing; is the disk of \(night.path("cache")) full? "
                    + "[no store yet]\n"))
    }

    @Test("a store that was published although its report is lost does not stay from before")
    func lostReport() throws {
        try night.replaceProgram(with: "echo 'Warning: the JSON report is lost, but the store is current' >&2; exit 74")
        try night.run()
        try Data().write(to: URL(fileURLWithPath: night.path("stores/a.sqlite")))
        #expect(
            try night.run().output.hasPrefix(
                "a                        failed (74)  Warning: the JSON report is lost, but the store is current\n"))
    }

    @Test("half a report of a program that was killed does not spoil the log")
    func halfAReport() throws {
        try night.replaceProgram(with: "printf '{\"status\": \"publ'; kill -KILL $$")
        let outcome = try night.run()
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.output.hasPrefix(
                "a                        failed (137) import-gtfs was ended by signal 9; perhaps the system ran out of "
                    + "memory [no store yet]\n"), "\(outcome)")
        #expect(night.lastLine() == "fetched 137")
        #expect(night.lastWords().hasSuffix("import-gtfs was ended by signal 9; perhaps the system ran out of memory"))
        #expect(night.log().last?["report"] is NSNull)
    }
}
