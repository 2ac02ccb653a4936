import GTFSFeed
import Glibc
import KeySorting
import SQLite
import SQLitePages
import SystemFiles

extension ImportError {
    /// The import error for SQLite's failure to write the store at `path`. It shows no SQL: operators read it.
    init(_ error: SQLiteError, path: String) {
        let (code, message) = Self.meaning(of: error, path)
        self.init(
            code, message, at: path, cause: Cause(source: .sqlite, code: error.code, message: error.message))
    }

    private static func meaning(of error: SQLiteError, _ path: String) -> (Code, String) {
        if let failure = error.systemFailure, !error.isOutOfMemory {
            let words = SystemError(number: failure.number).words
            return (.inputOutput, "\(failed(failure.action, at: path)): \(words)")
        }
        if error.isOutOfMemory {
            return (.inputOutput, "\(path): there is not enough memory to make the store; give the import more of it")
        }
        if error.isInputOutput { return (.inputOutput, "\(path) cannot be written: \(error.message)") }
        if error.isCorruption {
            return (
                .inputOutput,
                "\(path): reading back gave other bytes than were written (\(error.message)); the disk or the memory "
                    + "is failing, or another program wrote to the file"
            )
        }
        if error.isCannotOpen { return (.cannotCreateStore, "\(path): \(error.message)") }
        return (
            .bug,
            "\(path): SQLite rejected a statement of import-gtfs (\(error.code), \(error.message)); please report this"
        )
    }

    private static func failed(_ action: SystemFailure.Action, at path: String) -> String {
        switch action {
        case .opening: "\(path) cannot be opened"
        case .reading: "\(path) cannot be read back"
        case .writing: "\(path) cannot be written"
        case .readingTemporary: "a temporary file beside \(path) cannot be read back"
        case .writingTemporary: "a temporary file beside \(path) cannot be written"
        case .makingTemporary: "a temporary file beside \(path) cannot be made"
        case .other: "\(path) cannot be used"
        }
    }
}

extension ImportError {
    /// The error for a system call that failed on a file, with the system's own words; `what` follows the path.
    ///
    ///     ImportError.system(at: "/x/.berlin.sqlite.1234.importing", "cannot be flushed", .cannotCreateStore, errno)
    ///
    /// A fault of the machine is always `inputOutput`, whatever was tried: a full disk, a quota, a file size limit, a
    /// failing disk, no descriptors, no memory, an interrupted call.
    package static func system(at place: String, _ what: String, _ code: Code, _ number: Int32) -> ImportError {
        let machine = [ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOBUFS, EINTR]
        let words = SystemError(number: number).words
        return ImportError(
            machine.contains(number) ? .inputOutput : code, at: place, " \(what): \(words)",
            cause: Cause(source: .system, code: number, message: words))
    }

    package static func system(at place: String, _ what: String, _ code: Code, _ error: SystemError) -> ImportError {
        system(at: place, what, code, error.number)
    }

    /// The import error for a feed that cannot be opened or read.
    init(_ error: FeedError) {
        let code: Code =
            switch error.code {
            case .cannotOpen: .cannotOpenFeed
            case .readFailed: .inputOutput
            default: .feedRefused
            }
        self.init(
            code, error.description, at: error.place, cause: Cause(source: .feed, code: 0, message: error.message))
    }

    /// The import error for a failure while the store at `path` was built, with its temporary files in `folder`.
    init(building path: String, in folder: String, _ error: any Error) {
        switch error {
        case let error as ImportError: self = error
        case let error as FeedError: self.init(error)
        case let error as PageFileError: self.init(error, path: path)
        case let error as KeySortingError: self.init(error, folder: folder)
        case let error as SQLiteError: self.init(error, path: path)
        default: self.init(.bug, at: path, ": \(error)")
        }
    }

    /// The import error for a page that could not be written.
    init(_ error: PageFileError, path: String) {
        // If the header is not what was written, a write or a read failed unnoticed.
        let isMachine = error.isOfTheDisk || error.kind == .unsuitable
        self.init(
            isMachine ? .inputOutput : .bug, at: path, ": \(error)",
            cause: Cause(source: .pages, code: 0, message: error.message))
    }

    /// The import error for a temporary file in `folder` that could not be written.
    init(_ error: KeySortingError, folder: String) {
        self.init(
            .inputOutput, at: folder, ": \(error)",
            cause: Cause(source: .system, code: error.number, message: SystemError(number: error.number).words))
    }
}
