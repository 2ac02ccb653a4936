import Foundation
import Glibc
import TestSupport
import Testing

/// Runs of `pipelines/nightly` that are interrupted, killed or started twice.
@Suite(.serialized) struct StoppedNightTests {
    private let night: NightlyRun

    init() throws {
        night = try NightlyRun()
        // No download that a test holds is too slow, however long the machine takes for the test.
        night.settings["SLOW_SECONDS"] = "604800"
    }

    private func isStalled() -> Bool { FileManager.default.fileExists(atPath: night.path("stalled")) }

    /// Nothing that a run begins is left: no part of a download, no lock of a store.
    private func expectNoLeftovers() {
        #expect(!night.cached().contains { $0.hasSuffix(".part") }, "\(night.cached())")
        #expect(!night.stores().contains { $0.hasSuffix(".lock") }, "\(night.stores())")
    }

    @Test("a download that SIGTERM interrupts leaves no part and is logged as interrupted")
    func interrupted() throws {
        try night.answer([:])
        try night.run()
        try night.answer(["conduct": "stall"])
        let process = try night.start()
        #expect(NightlyRun.wait(until: isStalled))
        process.signal(SIGTERM)
        let outcome = night.finish(process)
        #expect(outcome.exitCode == 143)
        #expect(night.lastLine() == "interrupted null")
        #expect(night.lastWords() == "the download was interrupted; the last one stays")
        #expect(night.cached() == [".nightly.lock", "a.zip", "a.zip.url"])
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test("a first download that is interrupted leaves none, and a curl that crashes was not interrupted")
    func withoutAnEarlierDownload() throws {
        let tools = night.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        night.settings["PATH"] = tools + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        for (signal, line, words) in [
            ("TERM", "interrupted null", "the download was interrupted"),
            ("SEGV", "failed null", "curl was ended by signal 11"),
        ] {
            _ = try night.makeProgram("tools/curl", "kill -\(signal) $$")
            let outcome = try night.run()
            #expect(outcome.exitCode == 1)
            #expect(night.lastLine() == line)
            #expect(night.lastWords().hasSuffix(words), "\(night.lastWords())")
            #expect(outcome.output.contains("no download  \(words) [no store yet]\n"), "\(outcome)")
        }
    }

    /// Bash holds the feed's process, with a trap of its own, before the first command of run_feed.
    @Test("a feed that is ended before it ignores signals was not reached")
    func endedAtItsBeginning() throws {
        let held = night.path("held")
        let trap = #"[[ ${FUNCNAME[0]-} != run_feed || -e "\#(held)" ]] || { : >"\#(held)"; sleep 60; }"#
        try "set -T\ntrap '\(trap)' DEBUG\n".write(toFile: night.path("trap.bash"), atomically: true, encoding: .utf8)
        night.settings["BASH_ENV"] = night.path("trap.bash")
        try night.answer([:])
        let process = try night.start()
        #expect(NightlyRun.wait { FileManager.default.fileExists(atPath: held) })
        process.signal(SIGTERM)
        let outcome = night.finish(process)
        #expect(outcome.exitCode == 143)
        #expect(night.log().map { $0["name"] as? String } == ["a"])
        #expect(night.lastLine() == "not reached null")
        #expect(outcome.output.contains(" s, 0 failed, 1 not reached; log: "), "\(outcome)")
        #expect(!outcome.output.contains("disk"), "\(outcome)")
    }

    /// As systemd stops a service: it signals every process, in an order that nobody knows.
    @Test("SIGTERM to all processes at once ends a download and an import; both are logged", arguments: [true, false])
    func allAtOnce(parentsFirst: Bool) throws {
        try night.answer(["conduct": "stall"])
        mkfifo(night.path("pipe"), 0o600)  // nobody writes to it, so its import waits
        night.settings["REPORTS"] = night.path("pages")
        let list = "a\t\(night.url())\nb\tpipe\nc\tpipe\n"
        try list.write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let process = try night.start(list: "feeds.tsv")
        #expect(NightlyRun.wait { isStalled() && night.stores().contains("b.sqlite.lock") })
        let family = process.family()
        for number in parentsFirst ? family : family.reversed() { kill(number, SIGTERM) }
        let outcome = night.finish(process)
        #expect(outcome.exitCode == 143)
        #expect(outcome.error == "nightly: interrupted; every store is whole\n")
        let lines = night.log().sorted { ($0["name"] as? String ?? "") < ($1["name"] as? String ?? "") }
        #expect(lines.map { $0["name"] as? String } == ["a", "b", "c"])
        #expect(lines.map { $0["fetch"] as? String } == ["interrupted", "local", "not reached"])
        #expect(lines.map { $0["exit_code"] as? Int } == [nil, 143, nil])
        #expect(lines.last?["words"] as? String == "the run was stopped before it reached this feed")
        let summary = outcome.output.split(separator: "\n")
        #expect(summary.count == 3, "\(outcome)")
        #expect(
            summary.first == "a                        no download  the download was interrupted [no store yet]")
        #expect(summary.last?.hasPrefix("2 feeds in ") == true, "\(outcome)")
        #expect(summary.last?.contains(" s, 2 failed, 1 not reached; log: ") == true, "\(outcome)")
        let index = try String(contentsOfFile: night.path("pages/index.html"), encoding: .utf8)
        #expect(index.contains("<h1>2 feeds: 2 failed</h1>"))
        #expect(NightlyRun.wait { !family.contains(where: ChildProcess.isRunning) })
        expectNoLeftovers()
    }

    @Test("a run that is stopped waits for an import that takes its time to end, and logs it")
    func slowToEnd() throws {
        try night.answer([:])
        let started = night.path("started")
        try night.replaceProgram(with: "trap 'sleep 1; exit 143' TERM; : >'\(started)'; while :; do sleep 0.1; done")
        let process = try night.start()
        #expect(NightlyRun.wait { FileManager.default.fileExists(atPath: started) })
        process.signal(SIGTERM)
        #expect(night.finish(process).exitCode == 143)
        #expect(night.lastLine() == "fetched 143")
    }

    @Test("whenever SIGTERM comes to all processes, the log has whole lines and nothing is left")
    func atAnyMoment() throws {
        try night.answer([:])
        let list = "a\t\(night.url())\nb\tfeed.zip\nc\t\(night.url())\n"
        try list.write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        var stopped = 0
        for attempt in 0..<20 {
            try? FileManager.default.removeItem(atPath: night.path("nightly.jsonl"))
            let before = night.requests().count
            let process = try night.start(list: "feeds.tsv")
            // On a busy machine the script may need longer to start than any of the delays.
            let isAtWork = attempt % 2 == 0 || NightlyRun.wait { night.requests().count > before }
            usleep(UInt32(attempt) * 20_000)
            let family = process.family()
            for number in family { kill(number, SIGTERM) }
            let code = night.finish(process).exitCode
            #expect([0, 143].contains(code) && isAtWork, "\(attempt): \(code)")
            if attempt % 2 == 1, code == 143 { stopped += 1 }
            #expect(NightlyRun.wait { !family.contains(where: ChildProcess.isRunning) })
            expectNoLeftovers()
            let text = (try? String(contentsOfFile: night.path("nightly.jsonl"), encoding: .utf8)) ?? ""
            #expect(text.isEmpty || text.hasSuffix("\n"))
            let names = night.log().compactMap { $0["name"] as? String }
            #expect(names.count == text.split(separator: "\n").count && names.count == Set(names).count, "\(text)")
        }
        #expect(stopped > 0)
    }

    @Test("a second run on the same folder ends at once with 75")
    func doubled() throws {
        try night.answer(["conduct": "stall"])
        let first = try night.start()
        #expect(NightlyRun.wait(until: isStalled))
        let second = try night.run()
        #expect(second.exitCode == 75)
        #expect(second.error.contains("another run is at work"))
        first.signal(SIGTERM)
        #expect(night.finish(first).exitCode == 143)
    }

    @Test("after SIGKILL the next run begins at once, although curl still runs, and removes what was left")
    func killed() throws {
        try night.answer(["conduct": "stall"])
        night.settings["MAX_DOWNLOAD_SECONDS"] = "20"
        let first = try night.start()
        #expect(NightlyRun.wait(until: isStalled))
        first.signal(SIGKILL)
        #expect(first.wait() == 128 + SIGKILL)
        #expect(night.cached().contains { $0.hasSuffix(".part") })
        #expect(night.cached().contains { $0.hasPrefix(".work.") })
        try night.answer([:])
        let outcome = try night.run()
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.lastLine() == "fetched 0")
        #expect(night.cached() == [".nightly.lock", "a.zip", "a.zip.url"])
    }

    // MARK: Orphans

    /// Starts a run whose download is held half way until the file `released` exists.
    private func startHeld(_ answer: [String: Any], until released: String) throws -> ChildProcess {
        try? FileManager.default.removeItem(atPath: night.path("stalled"))
        try night.answer(answer.merging(["conduct": "hold", "until": released]) { $1 })
        let process = try night.start()
        #expect(NightlyRun.wait(until: isStalled))
        return process
    }

    /// Returns the processes that the killed run leaves.
    private func startOrphan() throws -> [pid_t] {
        let first = try startHeld(["etag": "\"1\""], until: "first")
        let family = first.family()
        first.signal(SIGKILL)
        #expect(first.wait() == 128 + SIGKILL)
        try night.makeOtherFeed()
        return family
    }

    /// Lets the orphan's download end, and waits until the orphan has ended. It logs nothing: a line of its own would
    /// come later than that of the run that counts.
    private func releaseOrphan(_ family: [pid_t], lines: Int) throws {
        try Data().write(to: URL(fileURLWithPath: night.path("first")))
        #expect(NightlyRun.wait { !family.contains(where: ChildProcess.isRunning) })
        #expect(night.log().count == lines)
    }

    private func expectOtherFeed() throws {
        #expect(night.cached() == [".nightly.lock", "a.zip", "a.zip.etag", "a.zip.url"])
        #expect(FileManager.default.contentsEqual(atPath: night.path("cache/a.zip"), andPath: night.path("other.zip")))
        #expect(try String(contentsOfFile: night.path("cache/a.zip.etag"), encoding: .utf8) == "\"2\"\n")
    }

    @Test("an orphan of a killed run does not replace what a later run has downloaded")
    func orphanAfterARun() throws {
        let orphan = try startOrphan()
        try night.answer(["etag": "\"2\"", "body": "other.zip"])
        #expect(try night.run().exitCode == 0)
        try releaseOrphan(orphan, lines: 1)
        try expectOtherFeed()
    }

    @Test("an orphan of a killed run does not touch what a later run is downloading")
    func orphanDuringARun() throws {
        let orphan = try startOrphan()
        let second = try startHeld(["etag": "\"2\"", "body": "other.zip"], until: "second")
        try releaseOrphan(orphan, lines: 0)
        try Data().write(to: URL(fileURLWithPath: night.path("second")))
        #expect(night.finish(second).exitCode == 0)
        #expect(night.lastLine() == "fetched 0")
        try expectOtherFeed()
    }
}
