import Glibc
import SQLitePages
import SystemFiles

/// The last step before a store is published: the sums of its pages, each of which was read back as soon as it was
/// written, go behind the last page.
///
///     try StoreSeal(path: publication.temporaryPath).close(sums)
///
/// No connection may have the file open.
struct StoreSeal {
    let path: String

    func close(_ sums: PageSums) throws(ImportError) {
        let descriptor = SystemFile.open(path, O_RDWR)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be opened", .inputOutput, errno) }
        defer { Glibc.close(descriptor) }
        do throws(PageFileError) {
            try PageTrailer.seal(descriptor, sums)
        } catch {
            throw ImportError(error.isOfTheDisk ? .inputOutput : .bug, "\(path): \(error)")
        }
    }
}

extension PageFileError {
    /// The system or the disk failed, not the one who wrote.
    var isOfTheDisk: Bool { kind == .inputOutput || kind == .lost }
}
