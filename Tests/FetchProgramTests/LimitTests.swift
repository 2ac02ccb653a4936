import Foundation
import GTFSImport
import SQLite
import TestSupport
import Testing

/// Limits of the machine: open files, room on the disk, time.
@Suite struct MachineLimitTests {
    /// A store with more stops than SQLite sorts in memory.
    private final class LargeStore {
        let folder = FileManager.default.temporaryDirectory.appending(path: "machine-\(UUID().uuidString)").path
        var store: String { folder + "/s.sqlite" }

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: FetchProgram.packageRoot + "/pipelines/sample-feed", toPath: folder + "/feed")
            let rows = (0..<20_000).map { "x\($0),A stop with a rather long name \($0),53.1,12.1\n" }.joined()
            try ("stop_id,stop_name,stop_lat,stop_lon\n" + rows).write(
                toFile: folder + "/feed/stops.txt", atomically: true, encoding: .utf8)
            let error = Importer(ImportOptions(feed: folder + "/feed", store: store)).run().error
            if let error { throw error }
        }
        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Runs the program under a limit of the shell. The output includes its errors.
    private func run(_ limit: String, _ arguments: [String]) throws -> (exitCode: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec 2>&1; ulimit \(limit); exec \"$0\" \"$@\"", FetchProgram.path] + arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test(arguments: [("-n 4", "Too many open files"), ("-f 0", "File too large")])
    func aSortWithoutItsTemporaryFileEndsWith74(limit: String, words: String) throws {
        let large = try LargeStore()
        let sort = [large.store, "fetch", "Stop", "--sort", "name DESC, stopID", "--format", "csv"]
        let result = try run(limit, sort)
        #expect(result.exitCode == 74)
        #expect(
            result.output == "fetch-gtfs: A temporary file, which SQLite makes for a large sort, cannot be written: "
                + "\(words). SQLITE_TMPDIR may name another folder for it\n")
    }

    /// A limit of the shell would also stop the system's loader, which opens the libraries.
    @Test(.enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
    func tooManyOpenFilesWhenTheStoreIsOpenedEndWith66() throws {
        let store = try FetchProgram.shared.get().store
        let result = try FaultLibrary.run(
            [store, "info"], executable: FetchProgram.path, failing: "open", error: EMFILE, onPath: store)
        #expect(result.exitCode == 66)
        #expect(result.error == "fetch-gtfs: \(store) cannot be opened: Too many open files\n")
    }

    /// While nobody reads the output, the program waits and no statement runs.
    @Test func theTimeIsAlsoOverWhileTheProgramWaits() throws {
        let large = try LargeStore()
        let process = Process()
        process.executableURL = URL(filePath: FetchProgram.path)
        process.arguments = [large.store, "fetch", "Stop", "--format", "csv", "--timeout", "0.5"]
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(words == "fetch-gtfs: The program took longer than 0.5 s and was stopped.\n")
    }

    /// With `2>&1 | less`, the message about the time finds the same pipe full.
    @Test func theTimeIsAlsoOverWhileStandardErrorIsTheSameFullPipe() throws {
        let large = try LargeStore()
        let process = Process()
        process.executableURL = URL(filePath: FetchProgram.path)
        process.arguments = [large.store, "fetch", "Stop", "--format", "csv", "--timeout", "0.5"]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
    }
}

/// If a request exceeds SQLite's limits, the program reports that as a fault of the request.
@Suite struct FetchLimitTests {
    private static let deep =
        String(repeating: "(id > 0 AND (id = 1 OR ", count: 16) + "id = 2" + String(repeating: "))", count: 16)

    /// The stack of SQLite's parser grows since version 3.46, so that no request is too deep for it.
    private static let parserGrows = Connection.libraryNumber >= 3_046_000

    @Test func aDeepConditionIsRefusedOnlyByAParserThatDoesNotGrow() throws {
        let result = try FetchProgram.run("fetch", "Stop", "--where", Self.deep, "--count")
        let reason = "its conditions are nested too deeply; SQLite takes about ten subqueries within each other"
        #expect(result.exitCode == (Self.parserGrows ? 0 : 65), "\(result.error)")
        #expect(result.error.contains("The request is too large or too complex: ") == !Self.parserGrows)
        #expect(result.error.contains(reason) == !Self.parserGrows, "\(result.error)")
    }

    @Test(arguments: [
        (
            Array(repeating: "parentStation.", count: 64).joined() + "name = 'x'",
            "The request is too large or too complex: at most 64 tables in a join"
        ),
        (
            "'\(String(repeating: "x", count: 60))' MATCHES '(.*)*(.*)*(.*)*(.*)*y'",
            "MATCHES '(.*)*(.*)*(.*)*(.*)*y': matching takes too long or too much memory"
        ),
    ])
    func aRequestBeyondALimitIsRefused(condition: String, message: String) throws {
        let result = try FetchProgram.run("fetch", "Stop", "--where", condition, "--count")
        #expect(result.exitCode == 65)
        #expect(result.error == "fetch-gtfs: \(message)\n")
    }

    @Test func templatesMayBeginWithAByteOrderMark() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString).ini")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\u{FEFF}[all]\nentity = Stop\nlimit = 1\n".utf8).write(to: file)
        let result = try FetchProgram.run("fetch", "--templates", file.path, "--template", "all", "--format", "jsonl")
        #expect(result.exitCode == 0, "\(result.error)")
        try Data("[all]\nentity = Stop\nlimit = x\n".utf8).write(to: file)
        let none = try FetchProgram.run("fetch", "--templates", file.path, "--template", "all")
        #expect(none.exitCode == 65)
        #expect(none.error.hasSuffix(":3: limit takes a whole number, not x\n"), "\(none.error)")
    }
}
