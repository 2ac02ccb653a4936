import Glibc

/// What the file system says about one name.
struct FileStatus: Equatable {
    let device: UInt64
    let inode: UInt64
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
    let size: Int64

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var permissions: mode_t { mode & 0o777 }

    /// Follows symbolic links; nil when there is nothing, or nothing that may be seen, by that name.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
        size = Int64(status.st_size)
    }

    /// Whether both names lead to the same file.
    func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

    /// The kind of file in words, for messages.
    var kind: String {
        switch mode & S_IFMT {
        case S_IFREG: "a file"
        case S_IFDIR: "a folder"
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "no file"
        }
    }
}
