import CFuzzer
import Glibc

/// A file in memory that has a path, for code that opens files by path.
struct MemoryFile: ~Copyable {
    private let descriptor: Int32

    init(_ bytes: [UInt8]) {
        descriptor = fuzz_memory_file()
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
            precondition(count > 0, "no memory for a file")
            written += count
        }
    }

    deinit { close(descriptor) }

    var path: String { "/proc/self/fd/\(descriptor)" }
}
