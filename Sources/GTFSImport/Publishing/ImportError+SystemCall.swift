import Glibc

extension ImportError {
    /// A system call that failed on a file, with the system's own words.
    ///
    ///     ImportError.system("/x/.berlin.sqlite.1234.importing cannot be flushed", .cannotCreateStore, errno)
    ///
    /// A full disk, an exhausted quota, a file size limit and a failing disk are failures of writing, whatever was tried.
    static func system(_ what: String, _ kind: Kind, _ number: Int32) -> ImportError {
        let writingFailed = [ENOSPC, EDQUOT, EFBIG, EIO].contains(number)
        return ImportError(writingFailed ? .inputOutput : kind, "\(what): \(String(cString: strerror(number)))")
    }
}
