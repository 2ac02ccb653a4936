import CSystem
import Glibc

/// Flushes a file to the disk, a large one piece by piece: fsync(2) cannot be interrupted, and for a store of 1 GB it
/// may take longer than someone who cancels the import should wait.
package struct FileFlush {
    private static let piece = 32 << 20
    /// A shorter part is left to the flush: a call takes 130 µs, and the import of us-raba, 1.2 MB, made 16 of them.
    /// With a minimum of one megabyte, the flush took 0.5 to 1.3 ms longer.
    private static let leastBegun = 1 << 17
    /// Errors by which sync_file_range(2) says that it is not supported. Then fsync does all the work.
    private static let unsupported = [ENOSYS, EINVAL, ESPIPE, EOPNOTSUPP]

    private let descriptor: Int32
    private let isCancelled: () -> Bool

    package init(_ descriptor: Int32, isCancelled: @escaping () -> Bool) {
        self.descriptor = descriptor
        self.isCancelled = isCancelled
    }

    /// Asks the system to start writing a part of a file to the disk, and does not wait. A later flush reports
    /// failures. Does nothing for a short part.
    package static func begin(_ descriptor: Int32, _ part: Range<Int>) {
        guard part.count >= leastBegun else { return }
        _ = sync_file_range(descriptor, part.lowerBound, part.count, UInt32(CSYSTEM_BEGIN_TO_WRITE_RANGE))
    }

    /// Flushes the file. When cancelled, it returns early, before the whole file is on the disk.
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

    /// False where the file system does not support it.
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
