import Foundation
import Glibc
import TestSupport
import Testing

/// How `pipelines/nightly` is started, its settings, and the units that start it.
@Suite(.serialized) struct NightlyTests {
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

    @Test("the script finds its other parts from wherever and however it is started")
    func places() throws {
        let folder = CommandLineProgram.packageRoot + "/pipelines"
        try runStarted(as: ["FOLDER/link"])
        try runStarted(as: ["bash", "-c", "cd '\(folder)' && bash nightly \"$0\""])
        try runStarted(as: ["bash", "-c", "cd '\(folder)/airflow' && ../nightly \"$0\""])
        try runStarted(as: ["bash", "-c", "PATH='\(folder)':$PATH && cd / && nightly \"$0\""])
    }

    @Test(
        "without one of its parts the script says which file is missing, and still helps",
        arguments: ["download", "log"])
    func withoutAPart(name: String) throws {
        let night = try NightlyRun()
        for file in ["nightly", "download.bash", "log.bash"] where file != name + ".bash" {
            try FileManager.default.copyItem(
                atPath: CommandLineProgram.packageRoot + "/pipelines/" + file, toPath: night.path(file))
        }
        try "a\tfeed.zip\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: [night.path("nightly")]))
        #expect(outcome.exitCode == 64)
        let part = night.path(name + ".bash")
        #expect(outcome.error == "nightly: cannot read \(part), which belongs beside nightly\n")
        let help = night.finish(try night.start(list: "", as: [night.path("nightly"), "--help"]))
        #expect(help.exitCode == 0 && help.output.hasPrefix("usage: "))
    }

    @Test("help that cannot be written is a failure, not a list of feeds")
    func unwritableHelp() throws {
        for option in ["-h", "--help", "--none"] {
            let line = "'\(CommandLineProgram.packageRoot)/pipelines/nightly' \(option) >/dev/full 2>/dev/full"
            let code = try CommandLineProgram.run(["-c", line], executable: "/bin/sh").exitCode
            #expect(code == (option == "--none" ? 64 : 1), "\(option)")
        }
        let line = "'\(CommandLineProgram.packageRoot)/pipelines/nightly' --help >/dev/full"
        let words = try CommandLineProgram.run(["-c", line], executable: "/bin/sh").error
        #expect(words.contains("No space left") && !words.contains("list"), "\(words)")
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

    @Test("a program that is not there ends the run with 64, and its name")
    func noProgram() throws {
        let night = try NightlyRun()
        night.settings["IMPORT_GTFS"] = "/none/import-gtfs"
        let outcome = try night.run()
        #expect(outcome.exitCode == 64)
        #expect(
            outcome.error
                == "nightly: cannot find the program /none/import-gtfs: set IMPORT_GTFS to its path, or put it "
                + "into PATH (in a clone: make build)\n")
    }

    @Test("INDEX is yes or no")
    func indexSetting() throws {
        let night = try NightlyRun()
        night.settings["INDEX"] = "0"
        let outcome = try night.run()
        #expect(outcome.exitCode == 64)
        #expect(outcome.error == "nightly: INDEX is yes or no, not '0'\n")
    }

    @Test("a folder that cannot be made ends the run with 64", arguments: ["STORES", "CACHE", "REPORTS", "METRICS"])
    func folders(name: String) throws {
        let night = try NightlyRun()
        night.settings[name] = "/dev/null/\(name)"
        let outcome = try night.run()
        #expect(outcome.exitCode == 64)
        #expect(outcome.error.hasSuffix("nightly: cannot make a folder: see STORES, CACHE, LOG, REPORTS and METRICS\n"))
    }

    @Test(
        "a folder of results that cannot be written in ends the run with 64 before a download",
        arguments: ["STORES", "REPORTS", "METRICS"])
    func readOnlyResults(name: String) throws {
        let night = try NightlyRun()
        try night.answer([:])
        let folder = night.path("read-only")
        mkdir(folder, 0o555)
        defer { chmod(folder, 0o755) }
        night.settings[name] = folder
        try "a\t\(night.url())\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: NightlyRun.scriptWithoutPrivilege))
        #expect(outcome.exitCode == 64)
        #expect(
            outcome.error == "nightly: cannot write in the folder \(folder): see STORES, REPORTS and METRICS\n")
        #expect(night.requestedPaths().isEmpty)
        #expect(night.log().isEmpty)
    }

    @Test("a folder of downloads that cannot be written in ends the run with 64, and its name")
    func readOnlyCache() throws {
        let night = try NightlyRun()
        try night.answer([:])
        try night.run()
        chmod(night.path("cache"), 0o555)
        defer { chmod(night.path("cache"), 0o755) }
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: NightlyRun.scriptWithoutPrivilege))
        #expect(outcome.exitCode == 64)
        #expect(outcome.error.hasSuffix("\nnightly: CACHE: cannot write in \(night.path("cache"))\n"), "\(outcome)")
        #expect(night.log().count == 1)
    }

    @Test("the lock may be another user's file; one that cannot be read ends the run with 64 and advice")
    func foreignLock() throws {
        let night = try NightlyRun()
        try night.answer([:])
        try night.run()
        let lock = night.path("cache/.nightly.lock")
        chmod(lock, 0o444)
        var outcome = night.finish(try night.start(list: "feeds.tsv", as: NightlyRun.scriptWithoutPrivilege))
        #expect(outcome.exitCode == 0, "\(outcome)")
        chmod(lock, 0)
        outcome = night.finish(try night.start(list: "feeds.tsv", as: NightlyRun.scriptWithoutPrivilege))
        #expect(outcome.exitCode == 64)
        #expect(
            outcome.error
                == "nightly: CACHE: cannot open \(lock): give the folder and what is in it to the user of this "
                + "run (chown --recursive)\n")
    }

    @Test("a folder without locks is no other run", .enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
    func withoutLocks() throws {
        let night = try NightlyRun()
        try "a\tfeed.zip\n".write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let preloaded = FaultLibrary.failing("flock", error: ENOLCK).map { "\($0)=\($1)" }
        let outcome = night.finish(try night.start(list: "feeds.tsv", as: ["env"] + preloaded + [NightlyRun.script]))
        #expect(outcome.exitCode == 64, "\(outcome)")
        #expect(outcome.error.contains("cannot be locked: the folder needs a file system with working locks (flock)"))
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
