import Console
import Glibc
import SystemFiles

/// How much memory an import may use.
///
///     try MemoryLimit(bytes: 300_000_000).check(writing: "/srv/berlin.sqlite")
///
/// Swift ends a process that gets no memory, so an import asks beforehand: it looks how much it has each time that a
/// block of rows has been stored, which costs 3 µs. Without a limit it does not look.
struct MemoryLimit: Sendable {
    let bytes: Int?

    func check(writing store: String) throws(ImportError) {
        guard let bytes, ProcessMemory.residentBytes > bytes else { return }
        throw ImportError(
            .inputOutput, at: store,
            ": the import needs more memory than the \(ByteSize.text(UInt64(bytes))) that --memory allows; allow more"
        )
    }

    /// SQLite's cache: 32 MiB, or an eighth of what is allowed.
    var cacheKibibytes: Int { min(32 << 10, max(2_000, (bytes ?? .max) / (8 << 10))) }
}

/// How much memory this process uses.
package enum ProcessMemory {
    /// The most resident memory since the program was started, in bytes; 0 when the system does not say.
    ///
    /// From VmHWM (proc_pid_status(5)): `getrusage` also counts what the process was before it became this program, so
    /// it tells the size of a large parent.
    package static var peakBytes: Int { highWaterMark ?? resourceUsage }

    /// What it has in memory now (proc_pid_statm(5), the second number); 0 when the system does not say.
    static var residentBytes: Int {
        let descriptor = SystemFile.open("/proc/self/statm", O_RDONLY)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let text = String(decoding: (try? SystemFile.head(100, of: descriptor)) ?? [], as: UTF8.self)
        let numbers = text.split(separator: " ")
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    private static var highWaterMark: Int? {
        guard let status = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), status) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return Int(text.filter { ("0"..."9").contains($0) }).map { $0 * 1_024 }
        }
        return nil
    }

    private static var resourceUsage: Int {
        var usage = rusage()
        return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? usage.ru_maxrss * 1_024 : 0
    }
}
