import Glibc
import SystemFiles

// Unsafe: system calls take pointers; each is told the length of the caller's memory.

/// A temporary file without a name, for what memory shall not hold.
///
///     let file = try SpillFile(in: "/var/lib/stores")
///     try file.append(bytes)
///     try file.read(buffer, at: 0)
///
/// It never has a name (O_TMPFILE), or loses it at once where the file system does not know that: whatever happens,
/// nothing is left behind.
public final class SpillFile {
    public let descriptor: Int32
    /// Bytes that were appended.
    public private(set) var size = 0
    private let folder: String

    /// Throws `KeySortingError` when the folder takes no file.
    public init(in folder: String) throws(KeySortingError) {
        self.folder = folder
        do throws(SystemError) {
            descriptor = try UnnamedFile.make(in: folder)
        } catch {
            throw .system("a temporary file in \(folder) cannot be made", error.number)
        }
    }

    deinit { close(descriptor) }

    /// Writes bytes behind those that are there. Throws `KeySortingError`, for example when the disk is full.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(KeySortingError) {
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

    /// Fills `bytes` from the place `offset` on. Throws `KeySortingError` when the file cannot be read or ends before.
    public func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(KeySortingError) {
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
