import Foundation

/// The programs that were built with the tests, run as separate processes.
///
///     let result = try CommandLineProgram.run(["feed.zip", "out.sqlite"])
///     #expect(result.exitCode == 0, "\(result.error)")
package enum CommandLineProgram {
    package struct Result: Equatable {
        package var exitCode: Int32
        package var output: String
        package var error: String
        /// The signal that ended the program; nil if it exited.
        package var signal: Int32?

        package init(exitCode: Int32, output: String, error: String, signal: Int32? = nil) {
            (self.exitCode, self.output, self.error, self.signal) = (exitCode, output, error, signal)
        }
    }

    /// The folder that Package.swift is in.
    package static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    package static let sampleFeed = packageRoot + "/pipelines/sample-feed"

    /// `import-gtfs`, in the folder of the running test program.
    package static let path = path(of: "import-gtfs")

    package static func path(of program: String) -> String {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().path + "/" + program
    }

    /// A process that has not started yet, with pipes to all its streams.
    package static func process(_ arguments: [String], executable: String = path) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.standardInput = Pipe()
        process.standardOutput = Pipe()
        process.standardError = Pipe()
        return process
    }

    /// Runs a program to its end. Its standard input is empty, and its output goes to `output` if that is given.
    package static func run(
        _ arguments: [String], executable: String = path, environment: [String: String]? = nil,
        output: FileHandle? = nil
    ) throws -> Result {
        let process = process(arguments, executable: executable)
        process.standardInput = FileHandle.nullDevice
        if let output { process.standardOutput = output }
        if let environment {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        // Standard error goes to a file, so that neither stream can fill its pipe while the other is read.
        let errors = try TemporaryFolder()
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors.write("errors", "")))
        try process.run()
        var result = finish(process)
        result.error = String(decoding: try errors.bytes("errors"), as: UTF8.self)
        return result
    }

    /// Waits until a started process ends. What it writes to standard error must fit in the pipe.
    package static func finish(_ process: Process) -> Result {
        func text(_ stream: Any?) -> String {
            guard let pipe = stream as? Pipe else { return "" }
            return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        let output = text(process.standardOutput)
        let error = text(process.standardError)
        process.waitUntilExit()
        let status = process.terminationStatus
        return Result(
            exitCode: status, output: output, error: error,
            signal: process.terminationReason == .uncaughtSignal ? status : nil)
    }
}

/// A shell that may mount file systems. They vanish when it ends.
package enum MountingShell {
    package static let isAllowed = (try? run("mount -t tmpfs none /mnt").exitCode) == 0

    package static func run(_ script: String) throws -> CommandLineProgram.Result {
        let arguments = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script]
        return try CommandLineProgram.run(arguments, executable: "/usr/bin/unshare")
    }
}
