import GTFSSchema
import Glibc
import SQLite
import SystemFiles

/// The file of a store on disk. It is checked before SQLite opens it and stays open for all connections. `isReplaced`
/// tells whether another file has taken its name.
///
/// The header of the file is enough for the check.
struct StoreFile: Sendable {
    /// Tells the file apart from another one that took its name.
    struct Identity: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64
    }

    let path: String
    let identity: Identity
    /// The open file, even if its path now leads to another one.
    let contents: ImmutableFile

    /// Opens a file and checks it. Throws `StoreError` missing, unreadable, notAStore, otherVersion or truncated.
    init(path: String, isMemoryMapped: Bool) throws {
        self.path = path
        // O_NONBLOCK, because opening a FIFO would wait for a writer. A FIFO is refused below.
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.cannotOpen(path.readablePath, errno) }
        do { identity = try Self.checked(descriptor, path: path.readablePath) } catch {
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

    private static func checked(_ descriptor: Int32, path: String) throws -> Identity {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw cannotOpen(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.notAStore, "\(path) is not a file") }
        var header = [UInt8](repeating: 0, count: StoreHeader.byteCount)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else { throw cannotOpen(path, errno) }
        try check(Array(header[..<count]), size: Int64(status.st_size), path: path)
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
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
    var isReplaced: Bool {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0 else { return true }
        return identity != Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
