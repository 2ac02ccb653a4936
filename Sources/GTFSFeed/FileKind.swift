import Glibc

/// What lies at a path, as far as reading a feed cares.
enum FileKind: Equatable {
    case file(FileState)
    case folder
    /// A pipe, FIFO, socket or device: can be read once, from front to back.
    case stream

    /// Looks at a path, following symbolic links; `nil` with `errno` set when it cannot be looked at.
    static func of(path: String) -> FileKind? {
        var status = stat()
        return stat(path, &status) == 0 ? FileKind(status) : nil
    }

    /// Looks at an open descriptor.
    static func of(descriptor: Int32) -> FileKind? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileKind(status) : nil
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let time = status.st_mtim
            self = .file(
                FileState(
                    size: UInt64(clamping: status.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)))
        case S_IFDIR: self = .folder
        default: self = .stream
        }
    }
}

/// Length and time of the last change: what tells whether a file was written to while it was read.
struct FileState: Equatable, Sendable {
    var size: UInt64
    var seconds: Int
    var nanoseconds: Int
}
