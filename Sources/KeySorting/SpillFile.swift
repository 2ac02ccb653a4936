import Glibc
import SystemFiles

// Unsafe: system calls take pointers; each is told the length of the caller's memory.

/// A temporary file without a name, for what memory should not hold.
///
///     let file = try SpillFile(in: space)
///     try file.append(bytes)
///     try file.read(buffer, at: 0)
///
/// It never has a name (O_TMPFILE), or loses it at once where the file system does not support that. So nothing is left
/// behind, whatever happens.
public final class SpillFile {
    public let descriptor: Int32
    /// Bytes that were appended.
    public private(set) var size = 0
    private let space: SortingSpace
    private var folder: String { space.folder }

    /// Throws `KeySortingError` when no file can be made in the folder.
    public init(in space: SortingSpace) throws(KeySortingError) {
        self.space = space
        let folder = space.folder
        do throws(SystemError) {
            descriptor = try UnnamedFile.make(in: folder)
        } catch {
            throw .system("a temporary file in \(folder) cannot be made", error.number)
        }
    }

    deinit {
        close(descriptor)
        space.add(-size)
    }

    /// Writes bytes behind those that are there, and reads them back.
    ///
    /// Throws `KeySortingError` when writing fails, for example on a full disk, or when the disk lost the bytes without
    /// an error.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(KeySortingError) {
        let isHeld: Bool
        do throws(SystemError) {
            try SystemFile.write(bytes, to: descriptor, at: size)
            isHeld = try SystemFile.holds(bytes, descriptor, at: size)
        } catch {
            throw .system("a temporary file in \(folder) cannot be written", error.number)
        }
        guard isHeld else {
            let fault = "cannot be read back as written: a write was lost although the system took it"
            throw KeySortingError(message: "a temporary file in \(folder) \(fault)", number: EIO)
        }
        size += bytes.count
        space.add(bytes.count)
    }

    /// Fills `bytes` from the place `offset` on. Throws `KeySortingError` when the file cannot be read or ends before.
    public func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(KeySortingError) {
        var number = EIO
        do throws(SystemError) {
            if try SystemFile.read(bytes, from: descriptor, at: offset) == bytes.count { return }
        } catch {
            number = error.number
        }
        throw .system("a temporary file in \(folder) cannot be read back", number)
    }
}

/// A temporary file that several sorters and runs share; made when the first of them needs it.
///
/// A process may have few files open, often 1,024, and a feed may have hundreds of files with rows to keep.
///
///     let spill = SharedSpill(in: SortingSpace(folder: "/var/lib/stores"))
///     let sorters = files.map { _ in RecordSorter(sharing: spill) }
public final class SharedSpill {
    public let space: SortingSpace
    private var file: SpillFile?

    public init(in space: SortingSpace) { self.space = space }

    func open() throws(KeySortingError) -> SpillFile {
        if let file { return file }
        let file = try SpillFile(in: space)
        self.file = file
        return file
    }
}
