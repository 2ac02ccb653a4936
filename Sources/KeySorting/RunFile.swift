import Glibc
import SystemFiles

// Unsafe: system calls take pointers; each is told the length of the caller's memory.

/// A temporary file without a name for sorted runs, one behind the other.
///
/// It never has a name (O_TMPFILE), or loses it at once where the file system does not know that: whatever happens,
/// nothing is left behind.
final class RunFile {
    private let descriptor: Int32
    private let folder: String
    private var size = 0

    init(in folder: String) throws(KeySortingError) {
        self.folder = folder
        do throws(SystemError) {
            descriptor = try UnnamedFile.make(in: folder)
        } catch {
            throw .system("a temporary file in \(folder) cannot be made", error.number)
        }
    }

    deinit { close(descriptor) }

    /// Writes keys behind those that are there.
    func append(_ keys: UnsafeBufferPointer<SortKey>) throws(KeySortingError) {
        let bytes = UnsafeRawBufferPointer(keys)
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size + written))
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw .system("a temporary file in \(folder) cannot be written", count == 0 ? ENOSPC : errno)
            }
        }
        size += written
    }

    /// Reads keys from the one with the given place on, as many as `keys` holds.
    func read(_ keys: UnsafeMutableBufferPointer<SortKey>, from place: Int) throws(KeySortingError) {
        let bytes = UnsafeMutableRawBufferPointer(keys)
        let offset = place * MemoryLayout<SortKey>.stride
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
            if count > 0 {
                filled += count
            } else if count == 0 || errno != EINTR {
                throw .system("a temporary file in \(folder) cannot be read back", count == 0 ? EIO : errno)
            }
        }
    }
}
