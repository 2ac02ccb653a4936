import Foundation
import GTFSFeed
import Synchronization
import TestSupport
import Testing

@testable import GTFSImport

/// A feed that exceeds a limit is refused with the limit's name and the value found, and leaves no files behind.
@Suite struct ImportLimitTests {
    /// A folder with a small feed in `feed/` and some of its files replaced.
    private func folder(_ changed: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("feed"), withIntermediateDirectories: true)
        for (name, text) in SmallFeed.files.merging(changed, uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(filePath: folder.path("feed/\(name)")))
        }
        return folder
    }

    private func refusal(
        _ folder: TemporaryFolder, _ arguments: [String], feed: String = "feed"
    ) throws -> (code: Int32, words: String) {
        let result = try CommandLineProgram.run(
            [folder.path(feed), folder.path("out.sqlite"), "--quiet"] + arguments)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("out") }
        #expect(left == [])
        return (result.exitCode, result.error.replacing(folder.path + "/", with: ""))
    }

    @Test(arguments: [
        (
            ["--max-size", "100"],
            "feed: holds 745 bytes when unpacked, more than the limit of 100 (--max-size raises it)"
        ),
        (
            ["--max-file-size=100"],
            "feed: calendar.txt has 122 bytes when unpacked, more than the limit of 100 (--max-file-size raises it)"
        ),
        (["--max-files=6"], "feed: holds 7 files or more, more than the limit of 6 (--max-files raises it)"),
        (
            ["--max-rows", "3"],
            "feed: routes.txt and the files before it have 4 rows or more, more than the limit of 3 (--max-rows raises it)"
        ),
        (
            ["--max-field", "9"],
            "feed: agency.txt, row 2: a field has 16 bytes, more than the limit of 9 (--max-field raises it)"
        ),
    ]) func aFeedBeyondALimitIsRefusedAndTheOptionNamed(arguments: [String], words: String) throws {
        let (code, said) = try refusal(folder([:]), arguments)
        #expect(code == 65)
        #expect(said == "Refused: \(words)\n")
    }

    /// Blank rows and features count, too.
    @Test(arguments: [
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n\n\n\n\ns1,One,50.1,8.1\n"),
        ("locations.geojson", #"{"type":"FeatureCollection","features":[{},{},{},{},{}]}"#),
    ]) func blankRowsAndFeaturesCountAsRows(file: String, text: String) throws {
        let (code, said) = try refusal(folder([file: text, "shapes.txt": "shape_id\n"]), ["--max-rows=5"])
        #expect(code == 65)
        #expect(
            said.hasPrefix("Refused: feed: \(file) and the files before it have 6 rows or more, more than the limit"))
    }

    @Test func limitsBelowZeroCountAsZero() throws {
        var options = ImportOptions(feed: "", store: "")
        (options.maximumFiles, options.maximumNesting, options.maximumRows, options.maximumFieldBytes) = (
            -1, -2, -3, -4
        )
        #expect(options.maximumFiles == 0 && options.maximumNesting == 0)
        #expect(options.maximumRows == 0 && options.maximumFieldBytes == 0)
        options.maximumRows = .max
        #expect(options.maximumRows == 2_000_000_000)
        #expect(ErrorLimit(.all, maximum: -1).maximum == 0)
        let folder = try folder([:])
        options = ImportOptions(feed: folder.path("feed"), store: folder.path("out.sqlite"))
        options.maximumSeconds = -1
        options.maximumGrowth = -1
        let message = Importer(options).run().error?.message
        // The import may end before the thread that stops it begins.
        #expect(message?.contains(" -1") != true)
    }

    @Test func aStoreLargerThanMaxStoreIsRefused() throws {
        let rows = SmallFeed.files["stop_times.txt", default: ""] + String(repeating: "1\n", count: 200_000)
        let (code, said) = try refusal(folder(["stop_times.txt": rows]), ["--max-store=1M"])
        #expect(code == 65)
        #expect(said.hasPrefix("Refused: feed: the store has "))
        #expect(said.hasSuffix(" bytes so far, more than the limit of 1048576 (--max-store raises it)\n"))
    }

    /// Raises the limit to the size that is found until the store has that size and no more.
    @Test func `a store may have exactly as many bytes as the limit says`() throws {
        let folder = try folder([:])
        var options = ImportOptions(feed: folder.path("feed"), store: folder.path("out.sqlite"))
        options.maximumStoreBytes = 4_096
        while let words = Importer(options).run().error?.message {
            let found = words.firstMatch(of: /the store has (\d+) bytes so far, more than/).flatMap { UInt64($0.1) }
            let size = try #require(found, "\(words)")
            try #require(size > options.maximumStoreBytes, "\(words)")
            options.maximumStoreBytes = size
        }
        #expect(options.maximumStoreBytes > 4_096)
    }

    /// Rows that take much more room in the store: short ones without a key, with unknown references, or with cells
    /// beyond the header.
    @Test(arguments: [
        ("stop_times.txt", "1\n", 4), ("transfers.txt", "q,q\n", 10),
        ("agency.txt", "a" + String(repeating: ",1", count: 60) + "\n", 4),
    ]) func aStoreThatGrowsTooMuchForItsTextIsRefused(file: String, row: String, limit: Int) throws {
        let header = file == "transfers.txt" ? "from_stop_id,to_stop_id\n" : SmallFeed.files[file, default: ""]
        let text = header + String(repeating: row, count: 400_000 / row.utf8.count)
        let folder = try folder([file: text])
        var options = ImportOptions(feed: folder.path("feed"), store: folder.path("out.sqlite"))
        (options.growthAppliesAbove, options.maximumGrowth) = (1 << 20, limit)
        let (_, error) = Importer(options).run()
        #expect(error?.code == .feedRefused)
        let words = error?.message ?? ""
        #expect(
            words.contains(": the store has ") && words.hasSuffix("limit of \(limit) (--max-growth raises it)"),
            "\(words)")
        options.maximumGrowth = 1_000
        #expect(Importer(options).run().error == nil)
    }

    /// How much room notices take is up to `--notices-per-code`, not to the feed.
    @Test func noticesDoNotCountAsGrowth() throws {
        let stops = (3...20_000).map { "s\($0),ONE,0,0,u\n" }.joined()
        let header = "stop_id,stop_name,stop_lat,stop_lon,stop_url\ns1,One,50.1,8.1,\ns2,Two,50.2,8.2,\n"
        let folder = try folder(["stops.txt": header + stops])
        var options = ImportOptions(feed: folder.path("feed"), store: folder.path("out.sqlite"))
        options.noticesKeptPerCode = .max
        (options.growthAppliesAbove, options.maximumGrowth, options.limits.maximumRatio) = (1 << 20, 10, 10)
        let (report, error) = Importer(options).run()
        #expect(error == nil)
        #expect(report.storeBytes > 10 * stops.utf8.count, "the notices took too little room for this test")
        options.force = true
        options.maximumStoreBytes = 5 << 20
        let words = Importer(options).run().error?.message ?? ""
        #expect(
            words.contains(
                /store has \d+ bytes so far, \d+ of them for notices \(--notices-per-code limits their number\)/),
            "\(words)")
        #expect(words.hasSuffix(", more than the limit of 5242880 (--max-store raises it)"), "\(words)")
    }

    /// The feed grows when it is unpacked and again in the store. The ratio limit covers both together.
    @Test func aStoreThatGrowsTooMuchForItsZipIsRefused() throws {
        let rows = SmallFeed.files["stop_times.txt", default: ""] + String(repeating: "1\n", count: 200_000)
        let folder = try folder(["stop_times.txt": rows])
        let script = "cd '\(folder.path("feed"))' && python3 -m zipfile -c ../inner.zip * && cd .. && "
        // A zip in a zip: the outer one must not hide how small the packed files are.
        let nested = script + "python3 -m zipfile -c outer.zip inner.zip"
        #expect(try CommandLineProgram.run(["-c", nested], executable: "/bin/sh").exitCode == 0)
        for feed in ["inner.zip", "outer.zip"] {
            var options = ImportOptions(feed: folder.path(feed), store: folder.path(feed + ".sqlite"))
            (options.growthAppliesAbove, options.maximumGrowth) = (1 << 20, 1_000)
            let (_, error) = Importer(options).run()
            #expect(error?.code == .feedRefused)
            let words = error?.message ?? ""
            #expect(
                words.contains(" that the feed takes packed, more than the limit of 200 (--max-ratio raises it)"),
                "\(words)")
            options.limits.maximumRatio = 100_000
            #expect(Importer(options).run().error == nil)
        }
    }

    /// Rows out of order are sorted in temporary files, which take as much room as the store.
    @Test func temporaryFilesCountTowardMaxStore() throws {
        // More than one run of 12 MiB, so the rows do not stay in memory.
        let headsign = String(repeating: "over land ", count: 250)
        let rows = (0..<6_000).reversed().map { "t,06:00:00,06:00:00,s1,\($0),\(headsign)\n" }.joined()
        let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
        let folder = try folder(["stop_times.txt": header + rows])
        var options = ImportOptions(feed: folder.path("feed"), store: folder.path("out.sqlite"))
        let (report, _) = Importer(options).run()
        options.force = true
        options.maximumStoreBytes = UInt64(report.storeBytes) * 11 / 10
        let (_, error) = Importer(options).run()
        #expect(error?.code == .feedRefused)
        let words = error?.message ?? ""
        #expect(
            words.contains(": the store has ") && words.contains(" bytes so far and temporary files beside it ")
                && words.hasSuffix("more than the limit of \(options.maximumStoreBytes) (--max-store raises it)"),
            "\(words)")
        options.maximumStoreBytes *= 3
        #expect(Importer(options).run().error == nil)
        // Under the other limits, all files together may take four times what the store may.
        (options.growthAppliesAbove, options.maximumGrowth) = (2 << 20, 0)
        let beside = Importer(options).run().error?.message ?? ""
        #expect(
            beside.hasSuffix(
                ", more than four times what the store may have, more than the limit of 0 (--max-growth raises it)"),
            "\(beside)")
    }

    @Test func anImportThatTakesTooLong() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        // Opened for reading and writing, so the pipe has a writer that never writes.
        let writer = open(folder.path("pipe"), O_RDWR)
        defer { close(writer) }
        let (code, said) = try refusal(folder, ["--max-time", "1"], feed: "pipe")
        #expect(code == 65)
        #expect(said == "Refused: pipe: the import has taken 1 seconds, which is the limit (--max-time raises it)\n")
    }

    /// With descriptors for the standard streams and one file there is no pipe for the limit, so the import goes on
    /// without it. It fails later, as it needs more than one file.
    @Test func withoutAPipeForItsTimeLimitAnImportWarnsAndGoesOn() throws {
        let folder = try folder([:])
        let program = "'\(CommandLineProgram.path)' '\(folder.path("feed"))' '\(folder.path("out.sqlite"))' --quiet"
        let result = try CommandLineProgram.run(["-c", "ulimit -n 4; exec \(program) 3>&-"], executable: "/bin/sh")
        #expect(result.exitCode == 74)
        #expect(result.error.hasPrefix("Failed: \(folder.path)/") && result.error.contains(": Too many open files\n"))
        let warning =
            "Warning: --max-time does not apply: the system refused a pipe or a thread (see ulimit -n, -u and -v)"
        #expect(result.error.split(separator: "\n").filter { $0.hasPrefix("Warning: ") } == [Substring(warning)])
    }

    private static let mayChooseStacks: Bool = {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0 && limit.rlim_max == .max
    }()

    /// A thread whose stack is larger than all addresses stands for one for which there is no memory.
    @Test(.enabled(if: mayChooseStacks, "ulimit -s is bounded here"))
    func `an import that gets no thread names the limits that may be too low`() throws {
        let folder = try folder([:])
        let program = "'\(CommandLineProgram.path)' '\(folder.path("feed"))' '\(folder.path("out.sqlite"))' --quiet"
        let script = "ulimit -s 400000000000; exec \(program)"
        let result = try CommandLineProgram.run(["-c", script], executable: "/bin/sh")
        #expect(result.exitCode == 74)
        let words = ": the system refused a thread for reading; raise its limit of threads or memory (ulimit -u, -v)\n"
        #expect(result.error.hasPrefix("Failed: \(folder.path("feed"))" + words), "\(result.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["feed"])
    }

    /// The zip has 260 kB. Its store would have had 829 MB.
    @Test func fourUnknownFilesOfSixteenMillionShortRowsAreRefused() throws {
        let folder = try TemporaryFolder()
        let program = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("stops.txt", "stop_id\\n1\\n")
                for number in range(4): archive.writestr(f"x{number}.txt", b"a\\n" + b"1\\n" * 16_000_000)
            """
        _ = try CommandLineProgram.run(["python3", "-c", program, folder.path("bomb.zip")], executable: "/usr/bin/env")
        let (code, said) = try refusal(folder, [], feed: "bomb.zip")
        #expect(code == 65)
        #expect(said.hasPrefix("Refused: bomb.zip: grows from "))
        #expect(
            said.contains(" to 128000018 bytes when unpacked, ")
                && said.contains("limit of 200 (--max-ratio raises it)"))
    }

    @Test(.enabled(if: MountingShell.isAllowed, "unshare and mount are not allowed here"))
    func aDiskWithoutRoomEndsAnImportBeforeItWrites() throws {
        let folder = try folder(["shapes.txt": String(repeating: "0123456789abcdef", count: 1 << 20)])
        let script = """
            mount -t tmpfs -o size=1m none /mnt || exit 99
            '\(CommandLineProgram.path)' '\(folder.path("feed"))' /mnt/a.sqlite --quiet
            code=$?
            ls -A /mnt
            exit $code
            """
        let result = try MountingShell.run(script)
        #expect(result.exitCode == 74)
        #expect(result.output == "")
        #expect(result.error.hasPrefix("Failed: /mnt has 10"))
        let words =
            " bytes free, and the store of \(folder.path("feed")) would take at least 2097232; nothing was written\n"
        #expect(result.error.hasSuffix(words), "\(result.error)")
    }

    /// A zone with so many members that SQLite would sort their names in a file.
    @Test(.enabled(if: MountingShell.isAllowed, "unshare and mount are not allowed here"))
    func sortingNeedsNoRoomInSQLitesTemporaryFolder() throws {
        let names = (0..<200_000).map { "\"a name of some length \($0)\":\($0 % 10)" }.joined(separator: ",")
        let zone = LocationsReading.feature(properties: "{\"stop_name\":\"Au\",\(names)}")
        let folder = try folder(["locations.geojson": LocationsReading.collection(zone)])
        let script = """
            mount -t tmpfs -o size=64k none /mnt || exit 99
            SQLITE_TMPDIR=/mnt '\(CommandLineProgram.path)' '\(folder.path("feed"))' '\(folder.path("a.sqlite"))' --quiet
            """
        let result = try MountingShell.run(script)
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(try AskedStore(folder.path("a.sqlite")).rows("SELECT name FROM location") == ["Au"])
    }

    /// Six names of half a megabyte. The memory check goes by the bytes of the names, not by their number.
    @Test func wordsOfLongNamesAreMemoryToo() throws {
        let rows = (0..<6).map { stop in
            let words = (0..<80_000).map { String(stop * 80_000 + $0 + 1_679_616, radix: 36) }
            return "x\(stop),\(words.joined(separator: " ")),53.1,12.1\n"
        }
        let folder = try folder(["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + rows.joined()])
        let (code, words) = try refusal(folder, ["--memory", "50M"])
        #expect(code == 74)
        let parts = words.components(separatedBy: ": the import needs more memory than --memory 50M allows, ")
        #expect(parts.first == "Failed: feed", "\(words)")
        #expect(parts.last?.hasSuffix(" MB so far; allow more\n") == true, "\(words)")
    }

    /// poll(2) takes milliseconds in 32 bits, which are 24 days. A longer limit must not end at once.
    @Test(arguments: [3_000_000, Int.max])
    func aLimitOfAMonthIsNotOverAtOnce(seconds: Int) {
        let cancellation = CancellationFlag()
        guard let limit = TimeLimit(seconds: seconds, of: "feed.zip", cancellation) else {
            Issue.record("the system refuses a pipe or a thread")
            return
        }
        limit.end()
        #expect(!cancellation.isSet)
    }

    @Test(arguments: [0, -1, Int.min])
    func aLimitOfNoTimeIsOverAtOnce(seconds: Int) {
        let cancellation = CancellationFlag()
        guard let limit = TimeLimit(seconds: seconds, of: "feed.zip", cancellation) else {
            Issue.record("the system refuses a pipe or a thread")
            return
        }
        while !cancellation.isSet { usleep(1_000) }
        limit.end()
        #expect(cancellation.error?.message.hasPrefix("feed.zip: the import has taken \(seconds) seconds") == true)
    }

    /// The defaults must allow a feed ten times as large as Germany's, which has 100 million stop times.
    @Test func defaultsLeaveRoom() {
        let (options, limits) = (ImportOptions(feed: "", store: ""), FeedLimits())
        #expect(limits.maximumFeedBytes >= 60_000_000_000 && limits.maximumFileBytes >= 30_000_000_000)
        #expect(limits.maximumRows >= 1_000_000_000 && options.maximumStoreBytes >= 60_000_000_000)
        #expect(options.maximumSeconds >= 3_600)
    }

    /// The import may hang in a call that does not return, and then only the signal ends it.
    @Test func `a signal is heard after a limit has stopped the import`() {
        let cancellation = CancellationFlag()
        cancellation.cancel(refusing: "too long")
        #expect(cancellation.cancel(signal: SIGINT))
        #expect(cancellation.error?.message == "too long")
    }

    /// A program that was started with all descriptors of this one would hold the pipe of the time limit open.
    @Test func `an import does not wait for programs that are started meanwhile`() throws {
        let feed = try LayeredFeed()
        let started = Mutex<pid_t>(0)
        let (_, error) = Importer(feed.options) { progress in
            guard progress.phase == "load" else { return }
            started.withLock { process in
                var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
                posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, environ)
                for argument in arguments { free(argument) }
            }
        }.run()
        #expect(error == nil)
        let process = started.withLock { $0 }
        try #require(process > 0)
        var status: Int32 = 0
        // 0: the process has not ended.
        #expect(waitpid(process, &status, WNOHANG) == 0)
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
    }
}
