// Unsafe: the file system that C has for one file is a pointer, held until the last connection is closed.

import CSQLite
import CSQLiteFiles

/// A database file that never changes, opened once and read by any number of connections, also after its name has gone
/// to another file.
///
///     let file = try ImmutableFile(descriptor: descriptor, path: "berlin.sqlite", isMemoryMapped: true)
///     let connection = try Connection(file: file)
public final class ImmutableFile: @unchecked Sendable {
    // @unchecked: the C side is written once, here; its descriptor and its map are only read, which any thread may do
    // at any time (pread(2)), and its one mark is atomic.

    public let path: String
    private let file: OpaquePointer

    /// Takes over a descriptor that is open for reading; `path` is for messages. A file that cannot be mapped is read.
    public init(descriptor: Int32, path: String, isMemoryMapped: Bool) throws(SQLiteError) {
        _ = Connection.configuration
        guard let file = csqlite_immutable_open(descriptor, isMemoryMapped ? 1 : 0) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", context: path)
        }
        self.file = file
        self.path = path
    }

    deinit { csqlite_immutable_close(file) }

    /// Whether a read has found that someone cut the file or wrote over it since it was opened; reads fail from then
    /// on.
    public var isChangedInPlace: Bool { csqlite_immutable_is_changed(file) != 0 }

    var fileSystem: UnsafePointer<CChar> { csqlite_immutable_file_system(file) }
    var mappedBytes: Int64 { csqlite_immutable_mapped(file) }
}
