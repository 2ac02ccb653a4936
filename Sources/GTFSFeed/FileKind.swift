import Glibc
import SystemFiles

/// What lies at a path: the kinds that matter for reading a feed.
enum FileKind: Equatable {
    case file(FileState)
    case folder
    /// A pipe, FIFO, socket or device: can be read once, from front to back.
    case stream

    /// Looks at a path, following symbolic links; `nil` with `errno` set when it cannot be looked at.
    static func of(path: String) -> FileKind? {
        var status = stat()
        return path.withPath { name in SystemFile.uninterrupted { stat(name, &status) } } == 0 ? FileKind(status) : nil
    }

    /// Looks at an open descriptor.
    static func of(descriptor: Int32) -> FileKind? {
        var status = stat()
        return SystemFile.uninterrupted { fstat(descriptor, &status) } == 0 ? FileKind(status) : nil
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let time = status.st_mtim
            self = .file(
                FileState(
                    device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
                    size: UInt64(clamping: status.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)))
        case S_IFDIR: self = .folder
        default: self = .stream
        }
    }
}

/// A file's identity, length and time of last change. They show whether it was written to while it was read.
struct FileState: Equatable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: UInt64
    var seconds: Int
    var nanoseconds: Int
}
