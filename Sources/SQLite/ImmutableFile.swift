// Unsafe: the file system for this file is a pointer to C's memory, held until the last connection is closed.

import CSQLite
import CSQLiteFiles

/// A database file that never changes. It is opened once. Any number of connections read it, even after another file
/// has taken its name.
///
///     let file = try ImmutableFile(descriptor: descriptor, path: "berlin.sqlite", isMemoryMapped: true)
///     let connection = try Connection(file: file)
package final class ImmutableFile: @unchecked Sendable {
    // @unchecked: the C side is initialized once, here. Any thread may read its descriptor (pread(2)) and its map at
    // any time, and its one flag is atomic.

    package let path: String
    private let file: OpaquePointer

    /// Takes over a descriptor that is open for reading; `path` is for messages. If the file cannot be mapped, it is
    /// read with pread(2).
    package init(descriptor: Int32, path: String, isMemoryMapped: Bool) throws(SQLiteError) {
        _ = Connection.configuration
        guard let file = csqlite_immutable_open(descriptor, isMemoryMapped ? 1 : 0) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", context: path)
        }
        self.file = file
        self.path = path
    }

    deinit { csqlite_immutable_close(file) }

    /// Whether a read has found that someone truncated or overwrote the file since it was opened. Reads fail from then
    /// on.
    package var isChangedInPlace: Bool { csqlite_immutable_is_changed(file) != 0 }

    /// errno of the last read that failed; 0 if all went well.
    package var readError: Int32 { csqlite_immutable_read_error(file) }

    var fileSystem: UnsafePointer<CChar> { csqlite_immutable_file_system(file) }
    var mappedBytes: Int64 { csqlite_immutable_mapped(file) }
}
