import Foundation
import GTFSImport
import Testing

/// `fetch-gtfs STORE departures` gives the same answers as a brute-force expansion of the feed in Python.
@Suite struct DepartureOracleTests {
    private static let oracle = FetchProgram.packageRoot + "/Tests/Timetable/"

    private static func python(_ arguments: [String]) throws -> (exitCode: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test func theProgramAgrees() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oracle-" + UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try Self.python([Self.oracle + "made_feeds.py", folder, "--random=4"]).exitCode == 0)
        let made = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
        var pairs: [String] = []
        for feed in made + [FetchProgram.packageRoot + "/pipelines/sample-feed"] {
            let store = folder + "/\(pairs.count).sqlite"
            #expect(Importer(ImportOptions(feed: feed, store: store)).run().error == nil)
            pairs += [feed, store]
        }
        let result = try Self.python(
            [Self.oracle + "oracle.py", "compare"] + pairs + [
                "--questions=8", "--seed=3", "--program=" + FetchProgram.path,
            ])
        let lines = result.output.split(separator: "\n").filter { !$0.hasSuffix(" 0 disagreements") }
        #expect(result.exitCode == 0 && lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
}
