import Glibc
import SQLite
import SystemFiles

extension ImportError {
    /// What SQLite's failure to write the store at `path` means for the import. No SQL: who reads it runs a machine.
    init(_ error: SQLiteError, path: String) {
        if let failure = error.systemFailure, !error.isOutOfMemory {
            self.init(.inputOutput, "\(Self.place(failure.action, path)): \(SystemError(number: failure.number).words)")
        } else if error.isOutOfMemory {
            self.init(.inputOutput, "\(path): there is not enough memory to make the store; give the import more of it")
        } else if error.isInputOutput {
            self.init(.inputOutput, "\(path) cannot be written: \(error.message)")
        } else if error.isCorruption {
            self.init(
                .inputOutput,
                "\(path): what was written does not read back as it was (\(error.message)); the disk or the memory "
                    + "fails, or someone else has written to the file")
        } else if error.isCannotOpen {
            self.init(.cannotCreateStore, "\(path): \(error.message)")
        } else {
            self.init(.bug, "\(path): SQLite refuses what this program asks (\(error.code), \(error.message))")
        }
    }

    private static func place(_ action: SystemFailure.Action, _ path: String) -> String {
        switch action {
        case .opening: "\(path) cannot be opened"
        case .reading: "\(path) cannot be read back"
        case .writing: "\(path) cannot be written"
        case .readingTemporary: "a temporary file beside \(path) cannot be read back"
        case .writingTemporary: "a temporary file beside \(path) cannot be written"
        case .makingTemporary: "a temporary file beside \(path) cannot be made"
        case .other: "\(path) cannot be worked on"
        }
    }
}

extension ImportError {
    /// A system call that failed on a file, with the system's own words.
    ///
    ///     ImportError.system("/x/.berlin.sqlite.1234.importing cannot be flushed", .cannotCreateStore, errno)
    ///
    /// What the machine lacks or does wrong is a failure of reading and writing, whatever was tried: a full disk, a
    /// quota, a file size limit, a failing disk, no descriptors, no memory.
    package static func system(_ what: String, _ kind: Kind, _ number: Int32) -> ImportError {
        let machine = [ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOBUFS, EINTR]
        return ImportError(
            machine.contains(number) ? .inputOutput : kind, "\(what): \(SystemError(number: number).words)")
    }

    package static func system(_ what: String, _ kind: Kind, _ error: SystemError) -> ImportError {
        system(what, kind, error.number)
    }
}
