import Glibc
import SystemFiles

extension ImportError {
    /// A system call that failed on a file, with the system's own words.
    ///
    ///     ImportError.system("/x/.berlin.sqlite.1234.importing cannot be flushed", .cannotCreateStore, errno)
    ///
    /// What the machine lacks or does wrong is a failure of reading and writing, whatever was tried: a full disk, a
    /// quota, a file size limit, a failing disk, no descriptors, no memory.
    static func system(_ what: String, _ kind: Kind, _ number: Int32) -> ImportError {
        let machine = [ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOBUFS, EINTR]
        return ImportError(
            machine.contains(number) ? .inputOutput : kind, "\(what): \(SystemError(number: number).words)")
    }

    static func system(_ what: String, _ kind: Kind, _ error: SystemError) -> ImportError {
        system(what, kind, error.number)
    }
}
