import Glibc
import SystemFiles

// Unsafe: the caller's buffer is passed on with its length.

/// A file opened for reading only. It is closed when the last reference goes away.
///
/// Reads use `pread`, which keeps no position, so threads can share one descriptor. If another process truncates the
/// file, reading ends in an error; a memory mapping would end the process (SIGBUS).
final class ReadOnlyFile: Sendable {
    /// Bytes it held when it was opened.
    let size: UInt64
    /// The path for messages.
    let place: String
    private let descriptor: Int32
    /// When it was opened; nil if the system does not report it.
    let status: FileStatus?

    /// Takes over an open descriptor.
    init(adopting descriptor: Int32, size: UInt64, place: String) {
        self.descriptor = descriptor
        self.size = size
        self.place = place
        status = FileStatus(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Opens a regular file. Throws if the path has become anything else meanwhile; a FIFO, for example, could block
    /// forever.
    static func open(_ path: String) throws(FeedError) -> ReadOnlyFile {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotOpen(path, errno) }
        guard let status = FileStatus(descriptor: descriptor) else {
            let number = SystemError.last.number
            close(descriptor)
            throw .readFailed(path, number)
        }
        guard status.isRegularFile else {
            close(descriptor)
            throw FeedError(.cannotOpen, "is not a regular file", at: path)
        }
        return ReadOnlyFile(adopting: descriptor, size: UInt64(clamping: status.size), place: path)
    }

    /// Whether its length and time of last change are the same as when it was opened.
    func isUnchanged() throws(FeedError) -> Bool {
        guard let status else { return true }
        guard let now = FileStatus(descriptor: descriptor) else { throw .readFailed(place, errno) }
        return now.isUnchanged(since: status)
    }

    /// Fills `buffer` from `offset` on. Returns fewer bytes only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FeedError) -> Int {
        guard let offset = Int(exactly: offset) else { return 0 }
        do throws(SystemError) {
            return try SystemFile.read(buffer, from: descriptor, at: offset)
        } catch {
            throw .readFailed(place, error.number)
        }
    }
}

extension FeedError {
    static func cannotOpen(_ place: String, _ number: Int32) -> FeedError {
        FeedError(.cannotOpen, "cannot be opened: \(SystemError(number: number).words)", at: place)
    }

    static func readFailed(_ place: String, _ number: Int32) -> FeedError {
        FeedError(.readFailed, "reading failed: \(SystemError(number: number).words)", at: place)
    }
}

extension ReadOnlyFile {
    /// A second descriptor for a regular file from which nothing has been read yet (`import-gtfs - <feed.zip`); `nil`
    /// for anything else.
    static func duplicate(ofUnreadFile descriptor: Int32, place: String) -> ReadOnlyFile? {
        guard let status = FileStatus(descriptor: descriptor), status.isRegularFile,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? ReadOnlyFile(adopting: copy, size: UInt64(clamping: status.size), place: place) : nil
    }
}
