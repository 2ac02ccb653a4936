import Foundation
import GTFSImport
import Testing

/// Runs the program that was built with the tests, as a separate process, on a store of the sample feed.
final class FetchProgram: Sendable {
    struct Result: Equatable {
        var exitCode: Int32
        var output: String
        var error: String
        /// The signal that ended the program; nil if it exited by itself.
        var signal: Int32?
    }

    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The store is made once for all tests, which only read it.
    static let shared = Swift.Result { try FetchProgram() }

    let folder: String
    var store: String { folder + "/sample.sqlite" }

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fetch-gtfs-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path
        let options = ImportOptions(
            feed: Self.packageRoot + "/pipelines/sample-feed", store: folder.path + "/sample.sqlite")
        if let error = Importer(options).run().error { throw error }
        atexit {
            if case .success(let program) = FetchProgram.shared {
                try? FileManager.default.removeItem(atPath: program.folder)
            }
        }
    }

    /// The program lies beside the running test program.
    static let path: String = {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().path + "/fetch-gtfs"
    }()

    /// Runs the program on the sample store to its end.
    static func run(_ arguments: String...) throws -> Result { try run([shared.get().store] + arguments) }

    /// Runs the program with all its arguments, standard output going into a pipe or to a file.
    static func run(_ arguments: [String], output: FileHandle? = nil) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        // Standard error goes to a file, so that neither stream can fill its pipe while the other is read.
        let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardError = try FileHandle(forWritingTo: errors)
        let pipe = Pipe()
        if let output { process.standardOutput = output } else { process.standardOutput = pipe }
        try process.run()
        let data = output == nil ? pipe.fileHandleForReading.readDataToEndOfFile() : Data()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
            error: try String(contentsOf: errors, encoding: .utf8),
            signal: process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil)
    }
}

/// Expects the program to print this for the sample store, nothing else, and to end with 0.
func expect(
    _ arguments: [String], prints output: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let result = try FetchProgram.run([FetchProgram.shared.get().store] + arguments)
    #expect(result.error == "", sourceLocation: sourceLocation)
    #expect(result.exitCode == 0, sourceLocation: sourceLocation)
    #expect(result.output == output, sourceLocation: sourceLocation)
}

/// Expects the program to fail with this code and a message that begins like this.
func expect(
    _ arguments: [String], failsWith exitCode: Int32, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let result = try FetchProgram.run([FetchProgram.shared.get().store] + arguments)
    #expect(result.error.hasPrefix("fetch-gtfs: \(message)\n"), "\(result.error)", sourceLocation: sourceLocation)
    #expect(result.exitCode == exitCode, sourceLocation: sourceLocation)
}
