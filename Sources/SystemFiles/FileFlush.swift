import CSystem
import Glibc

/// Brings a file to the disk, piece by piece where it is large: a store of 1 GB can take longer than someone who wants
/// the import to stop should wait, and fsync(2) cannot be broken off.
package struct FileFlush {
    private static let piece = 32 << 20
    /// A shorter part waits for the flush: a call takes 130 µs, and the import of us-raba, 1.2 MB, made 16 of them.
    /// With a megabyte as the least, the flush took 0.5 to 1.3 ms longer.
    private static let leastBegun = 1 << 17
    /// How sync_file_range(2) says that it cannot: fsync does it all then.
    private static let unsupported = [ENOSYS, EINVAL, ESPIPE, EOPNOTSUPP]

    private let descriptor: Int32
    private let isCancelled: () -> Bool

    package init(_ descriptor: Int32, isCancelled: @escaping () -> Bool) {
        self.descriptor = descriptor
        self.isCancelled = isCancelled
    }

    /// Lets the system bring a part of a file to the disk while the program goes on. A flush tells whether
    /// that succeeded. Nothing is begun for a short part.
    package static func begin(_ descriptor: Int32, _ part: Range<Int>) {
        guard part.count >= leastBegun else { return }
        _ = sync_file_range(descriptor, part.lowerBound, part.count, UInt32(CSYSTEM_BEGIN_TO_WRITE_RANGE))
    }

    /// Returns early, with the file not on the disk, when it was cancelled.
    package func run() throws(SystemError) {
        let size = Int(FileStatus(descriptor: descriptor)?.size ?? 0)
        var start = 0
        while size > 2 * Self.piece, start < size {
            if isCancelled() { return }
            guard try write(start) else { break }
            start += Self.piece
        }
        if isCancelled() { return }
        try SystemFile.flush(descriptor)
    }

    /// False where the file system does not know how.
    private func write(_ start: Int) throws(SystemError) -> Bool {
        let code = SystemFile.uninterrupted {
            sync_file_range(descriptor, start, Self.piece, UInt32(CSYSTEM_WRITE_RANGE))
        }
        if code == 0 { return true }
        let error = SystemError.last
        if Self.unsupported.contains(error.number) { return false }
        throw error
    }
}
