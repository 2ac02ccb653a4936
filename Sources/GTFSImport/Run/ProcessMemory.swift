import Glibc
import SystemFiles

/// How much memory this process uses.
package enum ProcessMemory {
    /// Peak resident memory since the program started, in bytes; 0 if the system does not report it.
    ///
    /// Read from VmHWM (proc_pid_status(5)). `getrusage` also counts the process before it executed this program, so
    /// below a large parent it reports the parent's size.
    package static var peakBytes: Int { highWaterMark ?? resourceUsage }

    /// Resident memory now, in bytes (proc_pid_statm(5), the second number); 0 if the system does not report it.
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
