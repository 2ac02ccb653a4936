import Glibc
import SystemFiles

/// The feeds that a store was rolled back from: `<store>.rolled-back` beside the store, one content hash per line.
///
/// The feed's server usually still offers such a feed, so without the list the next run would publish it again.
/// Publishing any other feed deletes the list.
struct RolledBackFeeds {
    let path: String
    private let store: String

    /// Room for a hundred thousand rollbacks. More are not read.
    private static let longest = 4 << 20

    init(of target: StoreTarget) {
        path = target.rolledBackPath
        store = target.path
    }

    func contains(contentHash: String) throws(ImportError) -> Bool { try Self.hashes(bytes()).contains(contentHash) }

    /// Throws `feedRefused` if the store was rolled back from a feed with this content.
    func refuse(contentHash: String, feed: String) throws(ImportError) {
        guard try contains(contentHash: contentHash) else { return }
        throw ImportError(
            .feedRefused, at: feed,
            ": \(store) was rolled back from this feed; it is imported again when the feed changes, or now with "
                + "--force")
    }

    /// Throws `cannotCreateStore` if something else has the list's name.
    func refuseForeign() throws(ImportError) {
        if try !Self.isList(bytes()) { throw notAList }
    }

    /// Adds the feed of a store that is rolled back; returns how many bytes the list had before, nil if it already had
    /// the feed.
    func add(contentHash: String) throws(ImportError) -> Int? {
        let known = try bytes()
        guard !Self.hashes(known).contains(contentHash) else { return nil }
        guard Self.isList(known) else { throw notAList }
        let descriptor = SystemFile.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be written", .cannotCreateStore, errno) }
        defer { close(descriptor) }
        guard let found = FileStatus(descriptor: descriptor) else {
            let number = errno
            if known.isEmpty { SystemFile.remove(path) }
            throw .system(at: path, "cannot be looked at", .cannotCreateStore, number)
        }
        let size = Int(found.size)
        // Whoever rolls back, those who import into the store must be able to read the list and to add to it.
        if size == 0, found.names == 1, let store = FileStatus(path: store) {
            store.passOn(to: descriptor, permissions: store.permissions & 0o666 | 0o600)
        }
        do {
            // A last line that was cut must not become the beginning of this one.
            let line = (known.last ?? 10) == 10 ? contentHash + "\n" : "\n" + contentHash + "\n"
            try Array(line.utf8).withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: size) }
            try SystemFile.flush(descriptor)
            return size
        } catch {
            cut(toBytes: size)
            throw .system(at: path, "cannot be written", .inputOutput, error as? SystemError ?? .last)
        }
    }

    /// Takes out the feed of a store that a rollback has made live again. If the list cannot be written, imports of
    /// that feed with other options stay refused; the live store itself is not affected.
    func remove(contentHash: String) {
        let line = Array(contentHash.utf8)
        guard let bytes = try? bytes(), Self.isList(bytes), !line.isEmpty else { return }
        let descriptor = SystemFile.open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Line feeds in its place: one write, so no kill leaves half a list.
        let blank = [UInt8](repeating: 10, count: line.count)
        for start in bytes.indices where bytes[start...].starts(with: line) {
            try? blank.withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: start) }
        }
    }

    /// Takes out what `add` has added, after a rollback or a write that failed.
    func cut(toBytes count: Int) {
        guard count > 0 else {
            SystemFile.remove(path)
            return
        }
        _ = path.withPath { name in SystemFile.uninterrupted { truncate(name, count) } }
    }

    /// Deletes the list, after another feed was published. If the file cannot be removed, only the feeds in it stay
    /// refused. A file of this name that is not such a list is not touched.
    func forget() {
        if let bytes = try? bytes(), !bytes.isEmpty, Self.isList(bytes) { SystemFile.remove(path) }
    }

    private var notAList: ImportError {
        ImportError(.cannotCreateStore, at: path, " exists and is no list of feeds that were rolled back; move it away")
    }

    /// Whether a file may be a list. Its last line may be cut, by a power cut or since only the head is read.
    private static func isList(_ bytes: [UInt8]) -> Bool {
        let characters = Set("0123456789abcdef\n".utf8)
        return bytes.allSatisfy(characters.contains)
    }

    /// The hashes in a list.
    private static func hashes(_ list: [UInt8]) -> [String] {
        list.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The beginning of the file; nothing if there is none.
    private func bytes() throws(ImportError) -> [UInt8] {
        let fault = "cannot be read; without the file, feeds that were rolled back are imported again"
        let descriptor = SystemFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw .system(at: path, fault, .cannotCreateStore, errno)
        }
        defer { close(descriptor) }
        do { return try SystemFile.head(Self.longest, of: descriptor) } catch {
            throw error.number == EISDIR ? notAList : .system(at: path, fault, .inputOutput, error)
        }
    }
}
