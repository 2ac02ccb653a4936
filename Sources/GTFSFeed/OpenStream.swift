import Glibc

/// Opens FIFOs and devices, which can be read once, from front to back.
enum OpenStream {
    /// Opens one, waiting for a writer where a FIFO has none yet; to be closed after.
    static func open(_ path: String) throws(FeedError) -> Int32 {
        while true {
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw .cannotOpen(path, errno) }
        }
    }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}

extension ReadOnlyFile {
    /// A second descriptor for a regular file of which nothing was read yet (`import-gtfs - <feed.zip`); `nil` for anything else.
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
