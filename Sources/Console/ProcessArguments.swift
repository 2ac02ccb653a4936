import Glibc
import SystemFiles

extension OptionTable {
    /// The process's arguments without the program's name, byte for byte (`String.pathBytes`). Swift's own list repairs
    /// arguments that are not valid UTF-8, so a different file would be opened.
    ///
    /// If memory was short when the program began, Swift has no arguments; then the system is asked
    /// (proc_pid_cmdline(5)). The system is not asked first, because it also lists a loader that was named explicitly
    /// (`ld-linux-x86-64.so.2 import-gtfs …`). Throws if neither Swift nor the system has them, as where /proc is not
    /// mounted.
    package static func processArguments() throws(UsageError) -> [String] {
        guard CommandLine.argc > 0 else { return try systemArguments() }
        return (1..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { String(path: $0) } }
    }

    private static func systemArguments() throws(UsageError) -> [String] {
        guard let commandLine else {
            throw UsageError("the arguments cannot be read from /proc/self: \(SystemError.last.words); mount /proc")
        }
        let words = commandLine.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
        return words.map { String(pathBytes: $0) }
    }

    /// Name and arguments, each followed by a NUL; nil if the system does not provide them.
    private static var commandLine: [UInt8]? {
        let descriptor = SystemFile.open("/proc/self/cmdline", O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var room = 4_096
        while let bytes = try? SystemFile.head(room, of: descriptor) {
            if bytes.count < room { return bytes }
            room *= 8
        }
        return nil
    }
}
