import CSystem
import Glibc

/// Temporary files without a name: whatever happens to the process, nothing is left behind.
package enum UnnamedFile {
    /// Where the file system cannot make a file without a name, names begin with this; see `isLeftover`.
    private static let prefix = ".import-gtfs-"
    private static let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")
    private static let randomLetters = 16

    /// Makes one in `folder`, for reading and writing.
    ///
    /// It never has a name (O_TMPFILE). Where the file system does not support that, it has a name for an instant.
    package static func make(in folder: String) throws(SystemError) -> Int32 {
        let descriptor = SystemFile.open(folder, Int32(CSYSTEM_TMPFILE) | O_RDWR, 0o600)
        if descriptor >= 0 { return descriptor }
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) else { throw .last }
        for _ in 0..<100 {
            let path = folder + "/" + prefix + String((0..<randomLetters).map { _ in letters.randomElement() ?? "0" })
            let descriptor = SystemFile.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
            if descriptor >= 0 {
                SystemFile.remove(path)
                return descriptor
            }
            if errno != EEXIST { throw .last }
        }
        throw SystemError(number: EEXIST)
    }

    /// As `make`, for C: returns -1 and sets `errno` when the file cannot be made.
    package static func makeForC(in folder: String) -> Int32 {
        do throws(SystemError) {
            return try make(in: folder)
        } catch {
            errno = error.number
            return -1
        }
    }

    /// Whether a file of this name may be left from a process that was killed while its temporary file had a name.
    ///
    /// Such files may be removed at any time: the maker of one needs only its descriptor.
    package static func isLeftover(_ name: String) -> Bool {
        guard let rest = name.without(prefix: prefix) else { return false }
        return rest.count == randomLetters && rest.allSatisfy { letters.contains($0) }
    }
}
