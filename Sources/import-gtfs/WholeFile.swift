import GTFSImport
import Glibc
import ReportPage
import SystemFiles

/// A small file that others may read at any time: they find either the old file or the new one, complete.
struct WholeFile {
    let path: String
    /// How each of our files begins; other files are left alone.
    private let beginning: String
    private let kind: String

    /// Follows a symbolic link, so that the link stays one and the file that it points to is replaced. A link into a
    /// folder that is missing is not followed; see `refuseForeign`.
    private init(_ path: String, beginning: String, kind: String) {
        self.path = (try? StoreTarget(path).path) ?? path
        (self.beginning, self.kind) = (beginning, kind)
    }

    static func page(_ path: String) -> WholeFile {
        WholeFile(path, beginning: ReportPage.beginning, kind: "page of import-gtfs")
    }

    static func metrics(_ path: String) -> WholeFile {
        WholeFile(path, beginning: MetricsFile.beginning, kind: "file of metrics of import-gtfs")
    }

    /// Replaces the file by what `text` returns. While that runs, no other run replaces the file.
    ///
    /// Throws `cannotCreateStore` when a foreign file has the name, and the errors of `text` and of writing.
    func replace(with text: () throws(ImportError) -> String) throws(ImportError) {
        try refuseForeign()
        let temporary: (path: String, descriptor: Int32)
        do throws(SystemError) { temporary = try openTemporary() } catch { throw cannotBeWritten(error) }
        defer { close(temporary.descriptor) }  // only after the rename, because it ends the lock
        do throws(ImportError) {
            try write(try text(), to: temporary)
        } catch {
            SystemFile.remove(temporary.path)
            throw error
        }
    }

    private func cannotBeWritten(_ error: SystemError) -> ImportError {
        .system(at: path, "cannot be written", .cannotCreateStore, error)
    }

    /// Whether the file is there and an earlier run wrote it.
    var isOwn: Bool { (FileStatus(path: path)?.size ?? 0) > 0 && (try? refuseForeign()) != nil }

    /// Throws when a foreign file is there, or one that cannot be read: a mistake in the arguments must not overwrite a
    /// feed or a store.
    func refuseForeign() throws(ImportError) {
        let mayReplace: Bool
        do throws(SystemError) {
            if let status = try FileStatus.find(path) {
                if status.isRegularFile, status.size == 0 { return }
                mayReplace = status.isRegularFile ? try beginsAsOurs() : false
            } else {
                mayReplace = try FileStatus.find(path, followingLinks: false) == nil
            }
        } catch {
            throw .system(at: path, "exists, but cannot be read; it was left alone", .cannotCreateStore, error)
        }
        guard mayReplace else {
            // The disk that a link leads to may not be mounted, and the next run wants to find the link.
            let fault =
                FileStatus(path: path) == nil ? "leads to a folder that is missing" : "exists and is not a \(kind)"
            throw ImportError(.cannotCreateStore, at: path, " \(fault); it was left alone")
        }
    }

    private func beginsAsOurs() throws(SystemError) -> Bool {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        return try SystemFile.head(beginning.utf8.count, of: descriptor).elementsEqual(beginning.utf8)
    }

    /// Writes the temporary file and gives it the file's name.
    private func write(_ text: String, to temporary: (path: String, descriptor: Int32)) throws(ImportError) {
        FileStatus(path: path)?.passOn(to: temporary.descriptor)
        do {
            try Array(text.utf8).withUnsafeBytes { try SystemFile.write($0, to: temporary.descriptor, at: 0) }
            // Without this, a power cut could leave an empty file, and a write that failed late would go unnoticed.
            do throws(SystemError) { try SystemFile.flush(temporary.descriptor) } catch {
                guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
            }
            guard SystemFile.rename(temporary.path, to: path) else { throw SystemError.last }
        } catch {
            throw cannotBeWritten(error as? SystemError ?? .last)
        }
    }

    /// Opens the temporary file beside the file, empty. Readers of the folder do not mistake its name for a real page's
    /// or metrics file's name.
    ///
    /// All runs use one name, so a killed run leaves no more than one file, which the next run takes over. Another run
    /// holds the file for milliseconds. Only if one does so for a second, because it was stopped, does the name have
    /// this process's number.
    private func openTemporary() throws(SystemError) -> (path: String, descriptor: Int32) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let hidden = "\(path[..<start]).\(path[start...])"
        let shared = hidden + ".writing"
        for _ in 0..<200 {
            let new = SystemFile.open(shared, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
            guard new >= 0 || errno == EEXIST else { throw .last }
            let descriptor = new >= 0 ? new : SystemFile.open(shared, O_WRONLY | O_NOFOLLOW)
            // Without a file, another run has renamed it meanwhile.
            guard descriptor >= 0 else { if errno == ENOENT { continue } else { break } }
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            if isLocked, isFree(descriptor, at: shared) { return (shared, descriptor) }
            let hasNoLocks = !isLocked && errno != EWOULDBLOCK
            close(descriptor)
            if hasNoLocks {
                if new >= 0 { SystemFile.remove(shared) }
                break
            }
            usleep(5_000)
        }
        let own = "\(hidden).\(getpid()).writing"
        let second = SystemFile.open(own, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644)
        guard second >= 0 else { throw .last }
        return (own, second)
    }

    /// Whether the file still has this name, and it is empty now. Another run may have renamed it before this one got
    /// the lock: then it is a page that readers see.
    private func isFree(_ descriptor: Int32, at path: String) -> Bool {
        guard let opened = FileStatus(descriptor: descriptor), let named = FileStatus(path: path) else { return false }
        return named.isSameFile(as: opened) && ftruncate(descriptor, 0) == 0
    }
}
