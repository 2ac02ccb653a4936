import Foundation

/// The program as it was built along with the tests, run as a process of its own.
struct CommandLineProgram {
    struct Result: Equatable {
        var exitCode: Int32
        var output: String
        var error: String
    }

    static let packageRoot = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Beside the program of tests that is running.
    static let path: String = {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().path + "/import-gtfs"
    }()

    /// A process of ours, not yet started, with pipes to all its streams.
    static func process(_ arguments: [String], executable: String = path) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = Pipe()
        process.standardOutput = Pipe()
        process.standardError = Pipe()
        return process
    }

    /// Runs it to its end; its standard input is empty.
    static func run(_ arguments: [String], executable: String = path) throws -> Result {
        let process = process(arguments, executable: executable)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return finish(process)
    }

    /// Waits for the end of a process that was started. Its output must fit into pipes.
    static func finish(_ process: Process) -> Result {
        func text(_ stream: Any?) -> String {
            guard let pipe = stream as? Pipe else { return "" }
            return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        let output = text(process.standardOutput)
        let error = text(process.standardError)
        process.waitUntilExit()
        return Result(exitCode: process.terminationStatus, output: output, error: error)
    }
}

/// A shell that may mount file systems, which vanish with it.
enum MountingShell {
    static let isAllowed = (try? run("mount -t tmpfs none /mnt").exitCode) == 0

    static func run(_ script: String) throws -> CommandLineProgram.Result {
        let arguments = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script]
        return try CommandLineProgram.run(arguments, executable: "/usr/bin/unshare")
    }
}
