import Glibc
import SystemFiles

/// Opens FIFOs and devices, which can be read once, from front to back.
enum OpenStream {
    /// Opens one, to be closed after. A FIFO may have no writer yet: it is opened all the same, and whoever reads it
    /// waits by poll(2), which can be broken off.
    static func open(_ path: String) throws(FeedError) -> Int32 {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotOpen(path, errno) }
        return descriptor
    }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}

extension ReadOnlyFile {
    /// A second descriptor for a regular file of which nothing was read yet (`import-gtfs - <feed.zip`); `nil` for
    /// anything else.
    static func duplicate(ofUnreadFile descriptor: Int32, place: String) -> ReadOnlyFile? {
        guard case .file(let state)? = FileKind.of(descriptor: descriptor), lseek(descriptor, 0, SEEK_CUR) == 0 else {
            return nil
        }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? ReadOnlyFile(adopting: copy, size: state.size, place: place) : nil
    }
}

/// The number the last failed system call left behind.
func currentErrorNumber() -> Int32 { errno }
