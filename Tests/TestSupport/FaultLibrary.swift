import Foundation

/// A library that makes chosen system calls of a program fail. `Tests/Torture/faults.c` describes its settings.
package enum FaultLibrary {
    private static let source = CommandLineProgram.packageRoot + "/Tests/Torture/faults.c"

    /// The library, built once in the folder for temporary files. Nil if there is no C compiler.
    package static let path: String? = {
        let path = FileManager.default.temporaryDirectory.path + "/faults-\(UUID().uuidString).so"
        let built = try? CommandLineProgram.run(
            ["cc", "-O1", "-shared", "-fPIC", "-o", path, source, "-ldl"], executable: "/usr/bin/env")
        return built?.exitCode == 0 ? path : nil
    }()

    /// The environment of a process in which each of these calls fails with `error`.
    package static func failing(_ call: String, error: Int32) -> [String: String] {
        [
            "LD_PRELOAD": path ?? "", "FAULT_CALL": call, "FAULT_AT": "1", "FAULT_TIMES": "0",
            "FAULT_ERROR": "\(error)",
        ]
    }

    /// Runs the program while the `number`th call fails with `error`, on files whose path holds `part`.
    package static func run(
        _ arguments: [String], executable: String = CommandLineProgram.path, failing call: String, number: Int = 1,
        error: Int32, onPath part: String = "", times: Int = 1
    ) throws -> CommandLineProgram.Result {
        let process = CommandLineProgram.process(arguments, executable: executable)
        process.standardInput = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging([
            "LD_PRELOAD": path ?? "", "FAULT_CALL": call, "FAULT_AT": "\(number)", "FAULT_ERROR": "\(error)",
            "FAULT_PATH": part, "FAULT_TIMES": "\(times)",
        ]) { $1 }
        try process.run()
        return CommandLineProgram.finish(process)
    }
}
