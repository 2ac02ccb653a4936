// Unsafe: posix_spawn(3) takes structures that it fills itself, and arrays of C strings.

import GTFSImport
import Glibc
import SystemFiles

/// A command of the operator, such as an upload or a service's reload, that runs when the store is current.
///
///     AfterCommand(#"rsync "$IMPORT_GTFS_STORE" mirror:"#).run(report, of: feed, target, page: nil)     // nil if well
///
/// A shell runs it, with the JSON report as its standard input. Its output goes to standard error, because standard
/// output is for the report. The lock is released before it runs, so that nothing it does can harm an import.
struct AfterCommand {
    let command: String

    init(_ command: String) { self.command = command }

    /// What went wrong, in words; nil when the command ended with 0. `feed` is the feed's path as it was given, byte
    /// for byte; the report has it in readable characters.
    func run(_ report: ImportReport, of feed: String, _ target: StoreTarget, page: String?) -> String? {
        let values = [
            "IMPORT_GTFS_STORE": target.path, "IMPORT_GTFS_STATUS": report.status.rawValue,
            "IMPORT_GTFS_FEED": feed, "IMPORT_GTFS_REPORT": page ?? "",
        ]
        do throws(SystemError) {
            let input = try Self.input(report.json + "\n", folder: target.folder)
            defer { close(input) }
            let process = try spawn(input: input, values)
            let end = try Self.end(of: process)
            return end.map { "the command after publishing \($0): \(command)" }
        } catch {
            return "the command after publishing cannot be run: \(error.words)"
        }
    }

    /// An unnamed file with the text, to be read from its start. A pipe would need a writer while the command runs.
    private static func input(_ text: String, folder: String) throws(SystemError) -> Int32 {
        let descriptor = try UnnamedFile.make(in: folder)
        do {
            try Array(text.utf8).withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: 0) }
        } catch {
            close(descriptor)
            throw error as? SystemError ?? .last
        }
        return descriptor
    }

    private func spawn(input: Int32, _ values: [String: String]) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        Self.restoreSignals(&attributes)
        let environment = Self.environment(adding: values)
        var process = pid_t()
        let code = Self.withStrings(["/bin/sh", "-c", command]) { arguments in
            Self.withStrings(environment) { posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, $0) }
        }
        guard code == 0 else { throw SystemError(number: code) }
        return process
    }

    /// Restores the signals that the import blocks and ignores: the command receives them like any other program.
    private static func restoreSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// Waits for the process. Returns how it ended, in words; nil if it ended with 0.
    private static func end(of process: pid_t) throws(SystemError) -> String? {
        var status: Int32 = 0
        guard SystemFile.uninterrupted({ waitpid(process, &status, 0) }) == process else { throw .last }
        // wait(2): the low seven bits are the signal, the next byte is the exit code.
        if status & 0x7F != 0 { return "was ended by signal \(status & 0x7F)" }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : "ended with \(code)"
    }

    private static func environment(adding values: [String: String]) -> [String] {
        var variables: [String] = []
        var place = environ
        while let variable = place.pointee {
            let text = String(path: variable)
            if !values.keys.contains(where: { text.begins(with: $0 + "=") }) { variables.append(text) }
            place += 1
        }
        return variables + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let strings = texts.map { text in text.withPath { strdup($0) } }
        defer { for string in strings { free(string) } }
        return body(strings + [nil])
    }
}
