import Glibc

/// What the file system says about one name.
package struct FileStatus: Sendable, Equatable {
    package let device: UInt64
    package let inode: UInt64
    package let mode: mode_t
    package let owner: uid_t
    package let group: gid_t
    package let size: Int64
    /// When the content was last changed, in nanoseconds since 1970.
    package let lastChange: Int64
    /// How many names the file has.
    package let names: Int

    package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    package var permissions: mode_t { mode & 0o777 }

    /// The status of a path; follows symbolic links unless told otherwise. Nil when there is nothing by that name.
    /// Throws when the system cannot tell.
    package static func find(_ path: String, followingLinks: Bool = true) throws(SystemError) -> FileStatus? {
        var status = Glibc.stat()
        let code = path.withPath { name in
            SystemFile.uninterrupted { followingLinks ? stat(name, &status) : lstat(name, &status) }
        }
        if code == 0 { return FileStatus(status) }
        let number = errno
        if number == ENOENT || number == ENOTDIR { return nil }
        throw SystemError(number: number)
    }

    /// Follows symbolic links; nil, with `errno` set, when there is nothing by that name, or when the system cannot
    /// tell.
    package init?(path: String) {
        guard let found = try? Self.find(path) else { return nil }
        self = found
    }

    /// Nil, with `errno` set, when the system cannot tell.
    package init?(descriptor: Int32) {
        var status = stat()
        guard SystemFile.uninterrupted({ fstat(descriptor, &status) }) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
        size = Int64(status.st_size)
        lastChange = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        names = Int(clamping: status.st_nlink)
    }

    /// Whether both names lead to the same file.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

    /// Whether it is the same file, and nobody has written to it meanwhile.
    package func isUnchanged(since earlier: FileStatus) -> Bool {
        isSameFile(as: earlier) && size == earlier.size && lastChange == earlier.lastChange
    }

    /// Gives another file the same owner and group, as far as the system allows, and the same or other permissions.
    package func passOn(to descriptor: Int32, permissions other: mode_t? = nil) {
        // Only the superuser may change a file's owner; anyone may change its group to one of their own.
        if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
        _ = fchmod(descriptor, other ?? permissions)
    }

    /// The kind of file in words, for messages.
    package var kind: String {
        switch mode & S_IFMT {
        case S_IFREG: "a file"
        case S_IFDIR: "a folder"
        case S_IFLNK: "a symbolic link"
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "no file"
        }
    }
}
