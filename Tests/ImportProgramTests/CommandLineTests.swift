import Foundation
import SQLite
import SystemFiles
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// Runs the program as its users do: processes, streams, exit codes.
@Suite struct CommandLineTests {
    let folder: TemporaryFolder
    let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"

    init() throws { folder = try TemporaryFolder() }

    /// The program's own files must not get the descriptors of closed streams. It once read its feed from its own pipe.
    ///
    /// `timeout` limits the time, because a time limit on the test would include its wait for other tests.
    @Test func closedStandardStreamsAreNotReused() throws {
        let folder = try TemporaryFolder()
        let program = "exec timeout 60 '\(CommandLineProgram.path)'"
        func run(_ words: String) throws -> CommandLineProgram.Result {
            try CommandLineProgram.run(["-c", "cd '\(folder.path)' && \(program) \(words)"], executable: "/bin/sh")
        }
        let input = try run("- a.sqlite <&-")
        #expect(input.exitCode == 74)
        #expect(input.error.contains("Bad file descriptor"), "\(input.error)")
        let sample = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
        #expect(try run("'\(sample)' a.sqlite <&- >&- 2>&-").exitCode == 0)
        #expect(try run("'\(sample)' a.sqlite").error.hasPrefix("Unchanged: a.sqlite"))
    }

    @Test func theHelpIsThisText() throws {
        let result = try CommandLineProgram.run(["--help"])
        #expect(result == CommandLineProgram.Result(exitCode: 0, output: Self.helpText, error: ""))
    }

    @Test func theVersionNamesTheLibraries() throws {
        let result = try CommandLineProgram.run(["--version"])
        #expect(result.exitCode == 0 && result.error.isEmpty)
        let pattern =
            /import-gtfs \d+\.\d+\.\d+ \(SQLite \d+\.\d+\.\d+, ICU \d+\.\d+, zlib \d+\.\d+.*, GTFS 2026-04-27\)\n/
        #expect(result.output.wholeMatch(of: pattern) != nil, "\(result.output)")
    }

    @Test func wrongUsageEndsWith64() throws {
        let result = try CommandLineProgram.run(["a.zip", "b.sqlite", "--jsn"])
        #expect(result.exitCode == 64 && result.output.isEmpty)
        #expect(
            result.error == """
                import-gtfs: unknown option --jsn; did you mean --json?
                Usage: import-gtfs FEED OUT [options]; import-gtfs --help tells more

                """)
    }

    @Test func wrongUsageIsReportedAsJSON() throws {
        let result = try CommandLineProgram.run(["--json"])
        #expect(result.exitCode == 64)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["status"] as? String == "failed")
        #expect(object?["message"] as? String == "FEED and OUT are missing")
    }

    @Test func aFolderThatIsMissingEndsWith73() throws {
        let store = folder.path("none/a.sqlite")
        let result = try CommandLineProgram.run([feed, store])
        #expect(result.exitCode == 73)
        #expect(
            result.error == """
                Failed: \(store) cannot be written as a store: folder \(folder.path)/none: No such file or directory
                  There is no store \(store).

                """)
    }

    @Test func aLockedStoreEndsWith75() throws {
        try folder.write("a.sqlite", "old")
        let lock = try StoreLock(StoreTarget(folder.path("a.sqlite")))
        defer { lock.release() }
        let before = try folder.contents()
        let result = try CommandLineProgram.run([feed, folder.path("a.sqlite"), "--json", "--force"])
        #expect(result.exitCode == 75)
        #expect(
            result.error == """
                Locked: another import (process \(getpid())) is writing \(folder.path)/a.sqlite
                  This import changed nothing; start it again when the other one is done.

                """)
        #expect(result.output.hasPrefix(#"{"status":"failed","message":"another import (process"#))
        #expect(try folder.contents() == before)
    }

    @Test func quietSaysNothingWhenAllIsWell() throws {
        let result = try CommandLineProgram.run([feed, folder.path("a.sqlite"), "--quiet"])
        #expect(result == CommandLineProgram.Result(exitCode: 0, output: "", error: ""))
        #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
    }

    @Test func quietStillTellsOfFailures() throws {
        let result = try CommandLineProgram.run([feed, folder.path, "--quiet"])
        #expect(result.exitCode == 73)
        #expect(result.error == "Failed: \(folder.path) cannot be written as a store: it is a folder\n")
    }

    @Test(arguments: [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
    func outputThatCannotBeWrittenEndsWith74(output: String, reason: String) throws {
        let result = try CommandLineProgram.run(
            ["-c", "'\(CommandLineProgram.path)' --version \(output)"], executable: "/bin/sh")
        #expect(result.exitCode == 74)
        #expect(result.error == "import-gtfs: standard output cannot be written: \(reason)\n")
    }

    /// A missing report must not look like success to those who wait for it. The store is published nevertheless.
    @Test(arguments: [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
    func aReportThatCannotBeWrittenEndsWith74(output: String, reason: String) throws {
        func run(_ words: String) throws -> CommandLineProgram.Result {
            let command = "'\(CommandLineProgram.path)' \(words) --json \(output)"
            return try CommandLineProgram.run(["-c", command], executable: "/bin/sh")
        }
        let store = folder.path("a.sqlite")
        let lost = "standard output cannot be written: \(reason); the JSON report is lost"
        for kind in ["published", "unchanged"] {
            let result = try run("'\(feed)' '\(store)' --quiet")
            #expect(result.exitCode == 74, "\(kind)")
            #expect(result.error == "Warning: \(lost), but the store is current\n", "\(kind)")
        }
        #expect(try CommandLineProgram.run([feed, store]).error.hasPrefix("Unchanged: "))
        // An earlier error keeps its own exit code.
        let missing = try run("'\(folder.path("none"))' '\(store)' --quiet")
        #expect(missing.exitCode == 66 && missing.error.hasSuffix("\nWarning: \(lost)\n"), "\(missing)")
        let usage = try run("")
        #expect(usage.exitCode == 64 && usage.error.hasSuffix("\nimport-gtfs: \(lost)\n"), "\(usage)")
        let logged = try run("'\(feed)' '\(store)' --log-json --quiet")
        #expect(logged.exitCode == 74)
        #expect(logged.error.contains("\(lost), but the store is current") && logged.error.contains(#""exit_code":74"#))
    }

    @Test(arguments: [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
    func aRollbackWhoseReportCannotBeWrittenEndsWith74(output: String, reason: String) throws {
        let store = folder.path("a.sqlite")
        for _ in 0..<2 { #expect(try CommandLineProgram.run([feed, store, "--keep", "1", "--force"]).exitCode == 0) }
        let command = "'\(CommandLineProgram.path)' --rollback '\(store)' --json --quiet \(output)"
        let result = try CommandLineProgram.run(["-c", command], executable: "/bin/sh")
        #expect(result.exitCode == 74)
        #expect(
            result.error == "Warning: standard output cannot be written: \(reason); the JSON report is lost, "
                + "but the store is current\n")
    }

    /// A pipe has no path to which a store could be renamed.
    @Test func standardOutputIsNoStore() throws {
        let result = try CommandLineProgram.run(
            ["-c", "'\(CommandLineProgram.path)' '\(feed)' /dev/stdout | cat"], executable: "/bin/sh")
        #expect(
            result.error == """
                Failed: /dev/stdout cannot be written as a store: it is a pipe; OUT must be the path of a file
                  There is no store /dev/stdout.

                """)
        #expect(result.output.isEmpty)
    }

    // Stopping. The feed is a pipe without data, so the import runs for as long as the test needs.

    private func startedImport() throws -> Process {
        try folder.write("a.sqlite", "old")
        let process = CommandLineProgram.process(["-", folder.path("a.sqlite"), "--force"])
        try process.run()
        awaitFile(of: process)
        return process
    }

    /// Waits until a started import has its private file, or ends, but for no longer than a minute. `before` are the
    /// names from before its start.
    private func awaitFile(of process: Process, before: [String] = []) {
        for _ in 0..<60_000 where process.isRunning && !hasNewFile(before) { usleep(1_000) }
    }

    private func hasNewFile(_ before: [String]) -> Bool {
        folder.names.contains { $0.hasSuffix(".importing") && !before.contains($0) }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
    func stops(signal: Int32, exitCode: Int32) throws {
        let process = try startedImport()
        kill(process.processIdentifier, signal)
        let result = CommandLineProgram.finish(process)
        #expect(result.exitCode == exitCode && process.terminationReason == .exit)
        #expect(try folder.contents() == ["a.sqlite": "old"])
        // A helper process that frees disk space may outlive the import for a while, but it holds no lock.
        #expect(try CommandLineProgram.run([feed, folder.path("a.sqlite"), "--force"]).exitCode == 0)
    }

    /// An import that waits for a FIFO's writer still stops in order and reports it, before it is forced to exit.
    @Test func stopsWhileAPipeHasNoWriter() throws {
        mkfifo(folder.path("pipe"), 0o600)
        let process = CommandLineProgram.process([folder.path("pipe"), folder.path("a.sqlite")])
        try process.run()
        awaitFile(of: process)
        usleep(50_000)
        kill(process.processIdentifier, SIGTERM)
        let result = CommandLineProgram.finish(process)
        #expect(result.exitCode == 143)
        #expect(result.error.hasPrefix("Stopped by SIGTERM\n"))
        #expect(try SystemFile.names(in: folder.path) == ["pipe"])
    }

    @Test func aSecondInterruptStopsAtOnce() throws {
        let process = try startedImport()
        while process.isRunning {
            kill(process.processIdentifier, SIGINT)
            usleep(1_000)
        }
        #expect(CommandLineProgram.finish(process).exitCode == 130)
        #expect(try folder.contents() == ["a.sqlite": "old"])
    }

    @Test func theNextRunCleansUpAfterAKilledOne() throws {
        let process = try startedImport()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try folder.contents()["a.sqlite"] == "old")
        #expect(try folder.contents().count == 3)
        let result = try CommandLineProgram.run([feed, folder.path("a.sqlite"), "--keep=1", "--force"])
        #expect(result.exitCode == 0)
        // "old" is not a store, so it is replaced and not kept.
        #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
        let second = try CommandLineProgram.run([feed, folder.path("a.sqlite"), "--keep=1", "--force"])
        #expect(second.exitCode == 0)
        #expect(try folder.contents().keys.sorted() == ["a.sqlite", "a.sqlite.1"])
    }

    /// Whenever the import is killed, the store is the old or the new one. The next run removes all other files.
    @Test func anImportKilledAtAnyMomentLeavesAWholeStore() throws {
        let (store, other) = (folder.path("a.sqlite"), try TemporaryFolder())
        let feeds = [feed, try renamedFeed(in: other)]
        let whole = try feeds.map { feed in
            #expect(try CommandLineProgram.run([feed, store, "--force"]).exitCode == 0)
            return try folder.bytes("a.sqlite")
        }
        #expect(whole[0] != whole[1])
        var killedInside = 0
        for attempt in 0..<40 {
            let before = folder.names
            let process = CommandLineProgram.process([feeds[attempt % 2], store, "--force", "--quiet"])
            try process.run()
            // On a busy machine the program may need longer to start than any of the delays.
            if attempt % 4 > 1 { awaitFile(of: process, before: before) }
            usleep(UInt32(attempt) * 2_500)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal, hasNewFile(before) { killedInside += 1 }
            #expect(try whole.contains(folder.bytes("a.sqlite")), "\(attempt)")
        }
        #expect(killedInside > 0)
        #expect(try CommandLineProgram.run([feed, store, "--force"]).exitCode == 0)
        #expect(folder.names == ["a.sqlite"])
    }

    /// A copy of the sample feed in which an agency and routes have other names.
    private func renamedFeed(in folder: TemporaryFolder) throws -> String {
        try FileManager.default.copyItem(atPath: feed, toPath: folder.path("feed"))
        for name in ["agency.txt", "routes.txt"] {
            let text = String(decoding: try folder.bytes("feed/\(name)"), as: UTF8.self)
            try folder.write("feed/\(name)", text.replacing("Mohnsee", with: "Morsee"))
        }
        return folder.path("feed")
    }

    @Test func ofTwoImportsAtOnceAtLeastOnePublishes() throws {
        let store = folder.path("a.sqlite")
        for _ in 0..<10 {
            let processes = (0..<2).map { _ in CommandLineProgram.process([feed, store, "--force", "--quiet"]) }
            for process in processes { try process.run() }
            let codes = processes.map { CommandLineProgram.finish($0).exitCode }
            #expect(codes.allSatisfy { [0, 75].contains($0) } && codes.contains(0), "\(codes)")
        }
        #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
    }
}
