import GTFSSchema
import Glibc
import SQLite
import SystemFiles

/// The file of a store on disk. It is checked before SQLite opens it and stays open for all connections. `isReplaced`
/// tells whether another file has taken its name.
///
/// The header of the file is enough for the check.
package struct StoreFile: Sendable {
    let path: String
    /// The file's status when it was opened. It tells the file apart from another one that took its name.
    private let status: FileStatus
    /// The open file, even if its path now leads to another one.
    let contents: ImmutableFile

    /// Opens a file and checks its header. Throws `StoreError`: `missing`, `unreadable`, `notAStore`, `otherVersion` or
    /// `truncated`.
    init(path: String, isMemoryMapped: Bool) throws {
        self.path = path
        let descriptor: Int32
        (descriptor, status) = try Self.open(path)
        do {
            let header = try Self.header(of: descriptor, path: path.readablePath)
            try Self.check(header, size: status.size, path: path.readablePath)
        } catch {
            close(descriptor)
            throw error
        }
        do {
            contents = try ImmutableFile(
                descriptor: descriptor, path: path.readablePath, isMemoryMapped: isMemoryMapped)
        } catch {
            throw StoreError(error, path: path.readablePath)
        }
    }

    /// Opens a file whatever it holds. Throws `StoreError`: `missing`, `unreadable` or `notAStore`.
    package static func open(_ path: String) throws -> (descriptor: Int32, status: FileStatus) {
        // O_NONBLOCK, because opening a FIFO would wait for a writer.
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw cannotOpen(path.readablePath, errno) }
        guard let status = FileStatus(descriptor: descriptor), status.isRegularFile else {
            close(descriptor)
            throw StoreError(.notAStore, "\(path.readablePath) is a folder, a pipe or a device, not a file")
        }
        return (descriptor, status)
    }

    private static func header(of descriptor: Int32, path: String) throws -> [UInt8] {
        do throws(SystemError) {
            return try SystemFile.head(StoreHeader.byteCount, of: descriptor)
        } catch {
            throw cannotOpen(path, error.number)
        }
    }

    private static func check(_ bytes: [UInt8], size: Int64, path: String) throws {
        guard let header = StoreHeader(bytes) else {
            throw StoreError(.notAStore, "\(path) is not an SQLite file, so it is not a store of import-gtfs")
        }
        guard header.isStore else {
            throw StoreError(.notAStore, "\(path) is an SQLite file, but not a store of import-gtfs")
        }
        guard header.version == Int64(StoreSchema.version) else {
            throw StoreError(
                .otherVersion,
                "\(path) has layout version \(header.version), this library reads \(StoreSchema.version); "
                    + "import the feed again with the import-gtfs of the same release")
        }
        guard size >= header.databaseBytes else {
            throw StoreError(
                .truncated,
                "\(path) has \(size) of \(header.databaseBytes) bytes: it was cut off; copy or import it again")
        }
    }

    private static func cannotOpen(_ path: String, _ code: Int32) -> StoreError {
        let reason = SystemError(number: code).words
        return code == ENOENT
            ? StoreError(.missing, "There is no store at \(path)")
            : StoreError(.unreadable, "\(path) cannot be opened: \(reason)")
    }

    /// Whether the path now leads to another file, or to none.
    var isReplaced: Bool { FileStatus(path: path)?.isSameFile(as: status) != true }
}
