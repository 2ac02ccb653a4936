import Foundation
import Glibc
import TestSupport

/// A folder with a feed server, a feed list and the results of runs of `pipelines/nightly`.
final class NightlyRun {
    /// The script's exit code and output.
    struct Outcome {
        var exitCode: Int32
        var output: String
        var error: String
    }

    let folder: String
    private let server: ChildProcess
    private let port: String
    /// Further settings of the script.
    var settings: [String: String] = ["RETRIES": "0"]

    init() throws {
        folder = NSTemporaryDirectory() + "nightly-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let words = folder + "/server.out"
        server = try ChildProcess(
            ["python3", CommandLineProgram.packageRoot + "/Tests/PipelineTests/Support/feed_server.py", folder],
            environment: ProcessInfo.processInfo.environment, output: words, error: folder + "/server.err")
        var line = ""
        for _ in 0..<6_000 where !line.hasSuffix("\n") {
            usleep(10_000)
            line = (try? String(contentsOfFile: words, encoding: .utf8)) ?? ""
        }
        port = line.trimmingCharacters(in: .whitespacesAndNewlines)
        try Self.pack(CommandLineProgram.packageRoot + "/pipelines/sample-feed", into: path("feed.zip"))
    }

    deinit {
        server.signal(SIGKILL)
        server.wait()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Waits until a condition holds, for up to two minutes because the machine may be very busy.
    static func wait(until condition: () -> Bool) -> Bool {
        for _ in 0..<12_000 {
            if condition() { return true }
            usleep(10_000)
        }
        return condition()
    }

    // MARK: The server

    /// Sets how the server answers for `/a.zip`.
    func answer(_ answer: [String: Any], for name: String = "a.zip") throws {
        var whole: [String: Any] = ["body": "feed.zip"]
        whole.merge(answer) { $1 }
        try JSONSerialization.data(withJSONObject: whole).write(to: URL(fileURLWithPath: path(name + ".json")))
    }

    func url(_ name: String = "a.zip") -> String { "http://127.0.0.1:\(port)/\(name)" }

    /// The path of each request so far.
    func requestedPaths() -> [String] { lines(of: "requests.jsonl").compactMap { $0["path"] as? String } }

    /// The headers of each request so far.
    func requests() -> [[String: String]] {
        lines(of: "requests.jsonl").compactMap { $0["headers"] as? [String: String] }
    }

    /// A feed with another agency, so that it has other contents.
    func makeOtherFeed() throws {
        let other = path("other")
        try FileManager.default.copyItem(
            atPath: CommandLineProgram.packageRoot + "/pipelines/sample-feed", toPath: other)
        var text = try String(contentsOfFile: other + "/feed_info.txt", encoding: .utf8)
        text = text.replacingOccurrences(of: "2026", with: "2025")
        try text.write(toFile: other + "/feed_info.txt", atomically: true, encoding: .utf8)
        try Self.pack(other, into: path("other.zip"))
    }

    private static func pack(_ folder: String, into archive: String) throws {
        let program = """
            import sys, zipfile, pathlib
            with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
                for file in sorted(pathlib.Path(sys.argv[1]).iterdir()): archive.write(file, file.name)
            """
        let process = try ChildProcess(
            ["python3", "-c", program, folder, archive], environment: ProcessInfo.processInfo.environment,
            output: "/dev/null", error: "/dev/null")
        process.wait()
    }

    // MARK: The script

    /// Starts the script for one feed from the server.
    func start(source: String? = nil, options: String = "") throws -> ChildProcess {
        try "a\t\(source ?? url())\t\(options)\n".write(toFile: path("feeds.tsv"), atomically: true, encoding: .utf8)
        return try start(list: "feeds.tsv")
    }

    /// Starts the script for a feed list in the folder. `command` takes the place of the script; the list is its last
    /// argument.
    func start(list: String, as command: [String] = [NightlyRun.script]) throws -> ChildProcess {
        let environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder,
            "STORES": path("stores"), "CACHE": path("cache"), "LOG": path("nightly.jsonl"),
            "IMPORT_GTFS": Self.importProgram,
        ].merging(settings) { $1 }
        return try ChildProcess(
            command + [path(list)], environment: environment, output: path("run.out"), error: path("run.err"))
    }

    /// The script for a user who has only the rights that files give. Root has more, so root gives them up.
    static let scriptWithoutPrivilege =
        getuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", script] : [script]

    /// Makes a shell script take the place of `import-gtfs` in later runs.
    func replaceProgram(with script: String) throws {
        settings["IMPORT_GTFS"] = try makeProgram("program", script)
    }

    /// Makes a program of a shell script; returns its path.
    func makeProgram(_ name: String, _ script: String) throws -> String {
        try script.write(toFile: path(name + ".body"), atomically: true, encoding: .utf8)
        let runner = CommandLineProgram.packageRoot + "/Tests/PipelineTests/Support/script.sh"
        if !FileManager.default.fileExists(atPath: path(name)) {
            try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: runner)
        }
        return path(name)
    }

    @discardableResult
    func run(source: String? = nil, options: String = "") throws -> Outcome {
        finish(try start(source: source, options: options))
    }

    func finish(_ process: ChildProcess) -> Outcome {
        let code = process.wait()
        func text(_ name: String) -> String { (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "" }
        return Outcome(exitCode: code, output: text("run.out"), error: text("run.err"))
    }

    /// The lines of the log.
    func log() -> [[String: Any]] { lines(of: "nightly.jsonl") }

    /// `fetch` and `exit_code` of the last run, such as "fetched 0".
    func lastLine() -> String {
        guard let line = log().last else { return "nothing" }
        return "\(line["fetch"] ?? "") \((line["exit_code"] as? Int).map(String.init) ?? "null")"
    }

    func lastWords() -> String { log().last?["words"] as? String ?? "" }

    /// The names in the folder of downloads.
    func cached() -> [String] { names("cache") }
    func stores() -> [String] { names("stores") }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
    }

    private func lines(of name: String) -> [[String: Any]] {
        let text = (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// The folder of the built programs, which also holds the running test program.
    static let builtPrograms = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path
    private static let importProgram = builtPrograms + "/import-gtfs"
    static let script = CommandLineProgram.packageRoot + "/pipelines/nightly"
}
