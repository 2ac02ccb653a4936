import Foundation
import Glibc
import TestSupport
import Testing

/// Runs of `pipelines/nightly` that are interrupted, killed or started twice, and the log.
@Suite(.serialized) struct NightlyTests {
    /// Waits until a condition holds, for up to a minute because the machine may be very busy.
    private func wait(_ condition: () -> Bool) -> Bool {
        for _ in 0..<6_000 where !condition() { usleep(10_000) }
        return condition()
    }

    private func isStalled(_ night: NightlyRun) -> Bool {
        FileManager.default.fileExists(atPath: night.path("stalled"))
    }

    @Test("a download that SIGTERM interrupts leaves no part and is logged as interrupted")
    func interrupted() throws {
        let night = try NightlyRun()
        try night.answer([:])
        try night.run()
        try night.answer(["conduct": "stall"])
        let process = try night.start()
        #expect(wait { isStalled(night) })
        process.signal(SIGTERM)
        let outcome = night.finish(process)
        #expect(outcome.exitCode == 143)
        #expect(night.lastLine() == "interrupted null")
        #expect(night.lastWords() == "the download was interrupted; the last one stays")
        #expect(night.cached() == [".nightly.lock", "a.zip", "a.zip.url"])
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test("a second run on the same folder ends at once with 75")
    func doubled() throws {
        let night = try NightlyRun()
        try night.answer(["conduct": "stall"])
        let first = try night.start()
        #expect(wait { isStalled(night) })
        let second = try night.run()
        #expect(second.exitCode == 75)
        #expect(second.error.contains("another run is at work"))
        first.signal(SIGTERM)
        #expect(night.finish(first).exitCode == 143)
    }

    @Test("after SIGKILL the next run begins at once, although curl still runs, and removes what was left")
    func killed() throws {
        let night = try NightlyRun()
        try night.answer(["conduct": "stall"])
        night.settings["MAX_DOWNLOAD_SECONDS"] = "20"
        let first = try night.start()
        #expect(wait { isStalled(night) })
        first.signal(SIGKILL)
        #expect(first.wait() == 128 + SIGKILL)
        #expect(night.cached().contains { $0.hasSuffix(".part") })
        try night.answer([:])
        let outcome = try night.run()
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.lastLine() == "fetched 0")
        #expect(!night.cached().contains { $0.hasSuffix(".part") })
    }

    @Test("a log that has grown large is moved away, and only so many are kept")
    func rotation() throws {
        let night = try NightlyRun()
        try night.answer([:])
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
        #expect(try String(contentsOfFile: night.path("nightly.jsonl.2"), encoding: .utf8).hasPrefix("3"))
    }

    /// Imports the sample feed with a script that `command` starts. Expects success.
    private func runStarted(as command: [String]) throws {
        let night = try NightlyRun()
        try "a\tfeed.zip\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: night.path("link"), withDestinationPath: NightlyRun.script)
        let command = command.map { $0.replacing("FOLDER", with: night.folder) }
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: command))
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.lastLine() == "local 0")
    }

    @Test("the script finds its other part from wherever and however it is started")
    func places() throws {
        let folder = CommandLineProgram.packageRoot + "/pipelines"
        try runStarted(as: ["FOLDER/link"])
        try runStarted(as: ["bash", "-c", "cd '\(folder)' && bash nightly \"$0\""])
        try runStarted(as: ["bash", "-c", "cd '\(folder)/airflow' && ../nightly \"$0\""])
        try runStarted(as: ["bash", "-c", "PATH='\(folder)':$PATH && cd / && nightly \"$0\""])
    }

    @Test("without its other part the script says which file is missing, and still helps")
    func withoutItsPart() throws {
        let night = try NightlyRun()
        try FileManager.default.copyItem(atPath: NightlyRun.script, toPath: night.path("nightly"))
        try "a\tfeed.zip\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: [night.path("nightly")]))
        #expect(outcome.exitCode == 64)
        let part = night.path("download.bash")
        #expect(outcome.error == "nightly: cannot read \(part), which belongs beside nightly\n")
        let help = night.finish(try night.start(list: "", as: [night.path("nightly"), "--help"]))
        #expect(help.exitCode == 0 && help.output.hasPrefix("usage: "))
    }

    @Test(
        "a setting that is no number of its range ends the run with 64 and its name",
        arguments: [
            "MAX_DOWNLOAD_MB", "MAX_DOWNLOAD_SECONDS", "MIN_DOWNLOAD_SPEED", "SLOW_SECONDS", "RETRIES", "RETRY_SECONDS",
            "LOG_MB", "LOG_KEEP",
        ])
    func settings(name: String) throws {
        let night = try NightlyRun()
        for value in ["x", "-1", "99999999999999999999"] {
            night.settings[name] = value
            let outcome = try night.run()
            #expect(outcome.exitCode == 64)
            #expect(outcome.error.hasPrefix("nightly: \(name) is a number from "))
        }
    }

    @Test("a folder that cannot be made ends the run with 64", arguments: ["STORES", "CACHE", "REPORTS", "METRICS"])
    func folders(name: String) throws {
        let night = try NightlyRun()
        night.settings[name] = "/dev/null/\(name)"
        let outcome = try night.run()
        #expect(outcome.exitCode == 64)
        #expect(outcome.error.hasSuffix("nightly: cannot make a folder: see STORES, CACHE, LOG, REPORTS and METRICS\n"))
    }

    @Test("each unit file is as systemd wants it", .enabled(if: systemdAnalyze != nil, "systemd-analyze is not here"))
    func units() throws {
        let folder = CommandLineProgram.packageRoot + "/pipelines/systemd"
        let words = NSTemporaryDirectory() + "units-\(UUID().uuidString)"
        defer { unlink(words) }
        let process = try ChildProcess(
            [
                try #require(systemdAnalyze), "verify", "--man=no", folder + "/import-gtfs.service",
                folder + "/import-gtfs.timer",
            ], environment: ProcessInfo.processInfo.environment, output: "/dev/null", error: words)
        process.wait()
        // The units name the path at which the README installs the program. It does not exist here.
        let complaints = try String(contentsOfFile: words, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("import-gtfs") && !$0.contains("not executable")
        }
        #expect(complaints == [])
    }
}

private let systemdAnalyze = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}
