import Glibc
import SystemFiles

/// Small text files.
enum TextFile {
    /// The content of a UTF-8 file. Throws `StoreError.missing` or `unreadable`.
    static func read(_ path: String, atMost mostBytes: Int) throws -> String {
        let name = path
        let path = name.readablePath
        guard let file = name.withPath({ fopen($0, "re") }) else {
            let code = errno
            let reason = SystemError(number: code).words
            throw StoreError(
                code == ENOENT ? .missing : .unreadable, "\(path) cannot be opened: \(reason)",
                at: StoreError.Place(path))
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        if ferror(file) != 0 {
            throw StoreError(
                .unreadable, "\(path) cannot be read: \(SystemError.last.words)",
                at: StoreError.Place(path))
        }
        guard count <= mostBytes else {
            throw StoreError(.unreadable, "\(path) has more than \(mostBytes) bytes", at: StoreError.Place(path))
        }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw StoreError(.unreadable, "\(path) is not UTF-8", at: StoreError.Place(path))
        }
        return text
    }
}
