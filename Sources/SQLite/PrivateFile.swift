// Unsafe: the file system for this file is a pointer to C's memory. It calls back with the bytes that were written.

import CSQLite
import CSQLiteFiles

/// A new database file that only this process uses: an open descriptor, without locks or journals. Its temporary files
/// have no names.
///
///     let file = try PrivateFile(descriptor: descriptor, path: "berlin.sqlite") { makeTemporaryFile() }
///     let connection = try Connection(file: file)
package final class PrivateFile: @unchecked Sendable {
    // @unchecked: only single numbers change on the C side, and they are atomic. The observer is set before there is a
    // connection.

    package let path: String
    private let file: OpaquePointer
    private let temporaries: Temporaries
    private var observer: ObserverBox?

    private final class Temporaries: Sendable {
        let make: @Sendable () -> Int32
        init(_ make: @escaping @Sendable () -> Int32) { self.make = make }
    }

    /// Takes over a descriptor that is open for reading and writing; `path` is for messages.
    ///
    /// - Parameter makeTemporary: Opens a file for SQLite's sorting, or returns -1 and sets `errno`; any thread may
    ///   call it.
    package init(
        descriptor: Int32, path: String, makeTemporary: @escaping @Sendable () -> Int32
    ) throws(SQLiteError) {
        _ = Connection.configuration
        temporaries = Temporaries(makeTemporary)
        let context = Unmanaged.passUnretained(temporaries).toOpaque()
        let begun = csqlite_private_begin(
            descriptor,
            { context in
                guard let context else { return -1 }
                return Unmanaged<Temporaries>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.make() }
            }, context)
        guard let begun else { throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", context: path) }
        file = begun
        self.path = path
    }

    deinit { csqlite_private_end(file) }

    /// Calls `observer` after each write of the file's connection, with the bytes and their offset, by the thread that
    /// writes. Set it before there is a connection.
    package func observeWrites(_ observer: @escaping (UnsafeRawBufferPointer, Int) -> Void) {
        let box = ObserverBox(observer)
        self.observer = box
        let context = Unmanaged.passUnretained(box).toOpaque()
        csqlite_private_observe(
            file,
            { context, bytes, count, offset in
                guard let context, let bytes else { return }
                Unmanaged<ObserverBox>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.observer(UnsafeRawBufferPointer(start: bytes, count: Int(count)), Int(offset))
                }
            }, context)
    }

    private final class ObserverBox {
        let observer: (UnsafeRawBufferPointer, Int) -> Void
        init(_ observer: @escaping (UnsafeRawBufferPointer, Int) -> Void) { self.observer = observer }
    }

    /// Makes every later read and write fail, including those of a sort, which an `Interrupter` does not stop.
    package func stop() { csqlite_private_stop(file) }

    /// Lends the right to write the file's pages without SQLite. While the loan lives, every statement that would look
    /// at the file fails (5, "database is locked"), because SQLite may hold outdated pages in its cache.
    package func lend() -> FileLoan { FileLoan(self) }

    fileprivate func setLent(_ isLent: Bool) {
        if isLent { csqlite_private_lend(file) } else { csqlite_private_give_back(file) }
    }

    /// Bytes in SQLite's temporary files now: temporary tables and sorts. Any thread may ask.
    package var temporaryBytes: Int { Int(csqlite_private_temporary_bytes(file)) }

    /// The system call that failed last.
    package var failure: SystemFailure? {
        let failure = csqlite_private_failure(file)
        guard failure != 0 else { return nil }
        let isTemporary = failure & 1 != 0
        let action: SystemFailure.Action =
            switch Int(failure >> 1 & 0x7F) {
            case CSQLITE_READING: isTemporary ? .readingTemporary : .reading
            case CSQLITE_WRITING: isTemporary ? .writingTemporary : .writing
            case CSQLITE_MAKING_TEMPORARY: .makingTemporary
            default: .other
            }
        return SystemFailure(number: failure >> 8, action: action)
    }

    var fileSystem: UnsafePointer<CChar> { csqlite_private_file_system(file) }
}

/// Keeps statements away from a private file while somebody writes its pages: see ``PrivateFile/lend()``.
///
///     let loan = file.lend()
///     try writePages()
///     loan.end()
package final class FileLoan {
    private var file: PrivateFile?

    fileprivate init(_ file: PrivateFile) {
        self.file = file
        file.setLent(true)
    }

    deinit { end() }

    /// Statements may look at the file again. Does nothing the second time.
    package func end() {
        file?.setLent(false)
        file = nil
    }
}
