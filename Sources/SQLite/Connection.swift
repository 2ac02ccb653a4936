// Unsafe: SQLite's interface is pointers; a connection is one.

import CSQLite
import CSQLiteFiles

/// One connection to one database file, used by one thread at a time.
///
///     let connection = try Connection(path: "berlin.sqlite", mode: .readOnly)
///     let statement = try connection.prepare("SELECT count(*) FROM stop")
///     while try statement.step() { print(statement.integer(0)) }
///
/// Only its `interrupter` may be used from another thread.
package final class Connection {
    /// How a database file is opened (<https://sqlite.org/c3ref/open.html>).
    package enum Mode: Sendable {
        /// The file exists and is only read.
        case readOnly
        /// As `readOnly`, and the file never changes: SQLite takes no locks and looks for no journal (`immutable=1`).
        case immutable
        /// A new file, private to this process, for writing.
        case create
    }

    /// The version of the SQLite library in use, such as "3.40.1".
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// The same as a number, such as 3_040_001.
    package static var libraryNumber: Int { Int(sqlite3_libversion_number()) }

    let handle: OpaquePointer
    let path: String
    /// Kept until the connection is closed.
    private let file: ImmutableFile?
    private let privateFile: PrivateFile?
    private var progress: ProgressBox?
    var collations: CollationSource?
    /// Names of batch tables, in lower case, because SQLite ignores the case of ASCII letters.
    var batchTables: Set<[UInt8]> = []

    /// Configures SQLite once, before the first connection. If the program has used SQLite before, its own settings
    /// stay.
    static let configuration: Int32 = csqlite_stop_counting_memory()

    /// Opens `path`. Costs a file open; pages are read on demand. Throws `SQLiteError`.
    package init(path: String, mode: Mode) throws(SQLiteError) {
        _ = Self.configuration
        var opened: OpaquePointer?
        let flags: Int32 =
            switch mode {
            case .readOnly, .immutable: SQLITE_OPEN_READONLY
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        let name = mode == .immutable ? Self.immutableURI(path) : path
        let uri = mode == .immutable ? SQLITE_OPEN_URI : 0
        let code = sqlite3_open_v2(name, &opened, flags | uri | Self.always, nil)
        handle = try Self.checked(opened, code, path)
        self.path = path
        (file, privateFile) = (nil, nil)
    }

    /// Opens a file that only this process knows, for writing. Throws `SQLiteError`.
    package convenience init(file: PrivateFile) throws(SQLiteError) {
        try self.init(file, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// Opens a file that only this process knows, for reading, beside the connection that writes. Nothing locks the
    /// file: while a transaction reads, do not write a page that it may read. Throws `SQLiteError`.
    package convenience init(reading file: PrivateFile) throws(SQLiteError) {
        try self.init(file, flags: SQLITE_OPEN_READONLY)
    }

    private init(_ file: PrivateFile, flags: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(CSQLITE_PRIVATE_NAME, &opened, flags | Self.always, file.fileSystem)
        handle = try Self.checked(opened, code, file.path, file.failure)
        path = file.path
        (self.file, privateFile) = (nil, file)
    }

    /// Connects to a file that is already open, so it needs no file name. Throws `SQLiteError`.
    package init(file: ImmutableFile) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            CSQLITE_IMMUTABLE_NAME, &opened, SQLITE_OPEN_READONLY | Self.always, file.fileSystem)
        handle = try Self.checked(opened, code, file.path)
        path = file.path
        (self.file, privateFile) = (file, nil)
        // How many bytes SQLite may read from the map, which belongs to the file.
        if file.mappedBytes > 0 { try execute("PRAGMA mmap_size = \(file.mappedBytes)") }
    }

    private static let always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE

    private static func checked(
        _ opened: OpaquePointer?, _ code: Int32, _ path: String, _ failure: SystemFailure? = nil
    ) throws(SQLiteError) -> OpaquePointer {
        if code == SQLITE_OK, let opened {
            csqlite_write_15_digits(opened)
            return opened
        }
        let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        sqlite3_close_v2(opened)
        throw SQLiteError(code: code, message: message, context: path, systemFailure: failure)
    }

    deinit { sqlite3_close_v2(handle) }

    /// The URI has an empty authority before an absolute path. Without it, `//a` would be read as a host.
    private static func immutableURI(_ path: String) -> String {
        "file:\(path.hasPrefix("/") ? "//" : "")\(percentEncoded(path))?immutable=1"
    }

    /// Everything but letters, digits and `/._-` as %HH (<https://sqlite.org/uri.html>).
    private static func percentEncoded(_ path: String) -> String {
        var encoded = ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "/._-".unicodeScalars.contains(scalar)
            {
                encoded.unicodeScalars.append(scalar)
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    /// Makes it safe to read a file that others may have made or changed. Views and triggers in its schema do not run,
    /// and of functions only those that SQLite calls innocuous. Each page is checked before its cells are read.
    ///
    /// (<https://sqlite.org/security.html>, "Untrusted SQLite Database Files")
    package func distrustSchema() throws(SQLiteError) {
        for (which, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        ] {
            let code = csqlite_switch(handle, Int32(which), Int32(value))
            if code != SQLITE_OK { throw error(code, context: path) }
        }
        for which in [SQLITE_LIMIT_ATTACHED, SQLITE_LIMIT_WORKER_THREADS, SQLITE_LIMIT_TRIGGER_DEPTH] {
            sqlite3_limit(handle, Int32(which), 0)
        }
        try execute("PRAGMA cell_size_check = ON")
    }

    /// Sets the size of the connection's page cache; 2 MB unless set.
    package func setCacheSize(bytes: Int) throws(SQLiteError) {
        try execute("PRAGMA cache_size = -\(max(0, bytes) / 1024)")
    }

    /// Asks `isOver` again and again while a statement runs. When it returns true, the statement fails with code 9.
    ///
    /// `isOver` is asked about every millisecond (<https://sqlite.org/c3ref/progress_handler.html>). A later call
    /// replaces it.
    package func stopStatements(when isOver: @escaping () -> Bool) {
        let box = ProgressBox(isOver)
        progress = box
        sqlite3_progress_handler(
            handle, 20_000,
            { $0.map { Unmanaged<ProgressBox>.fromOpaque($0).takeUnretainedValue().isOver() ? 1 : 0 } ?? 0 },
            Unmanaged.passUnretained(box).toOpaque())
    }

    /// Runs one or more statements for their effect. Throws `SQLiteError` naming the statement's beginning.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, context: sql) }
    }

    /// Compiles one statement; costs 5 to 50 µs, so keep the result where it is used again.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw error(code, context: sql) }
        return Statement(handle: compiled, connection: self)
    }

    /// Runs a query for the single integer that it yields; nil when it yields no row or NULL.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Runs a query for the single text that it yields; nil when it yields no row or NULL.
    package func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return statement.text(0)
    }

    /// Rows changed by the statement that finished last.
    package var changes: Int64 { sqlite3_changes64(handle) }

    /// What another thread needs to stop the statements of this connection.
    package var interrupter: Interrupter { Interrupter(handle: handle) }

    func error(_ code: Int32, context: String) -> SQLiteError {
        let extended = sqlite3_extended_errcode(handle)
        return SQLiteError(
            code: extended == SQLITE_OK ? code : extended, message: String(cString: sqlite3_errmsg(handle)),
            context: context.count > 200 ? String(context.prefix(200)) + "…" : context,
            systemFailure: privateFile?.failure ?? systemFailure(extended))
    }

    /// The system call's error number, where SQLite has kept it (<https://sqlite.org/c3ref/system_errno.html>).
    private func systemFailure(_ code: Int32) -> SystemFailure? {
        let number = sqlite3_system_errno(handle)
        guard number != 0, [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) else { return nil }
        return SystemFailure(number: number, action: code & 0xFF == SQLITE_CANTOPEN ? .opening : .other)
    }
}

/// Stops the running statements of one connection; any thread may use it while the connection is open.
package struct Interrupter: @unchecked Sendable {
    // @unchecked: sqlite3_interrupt is safe from other threads (<https://sqlite.org/c3ref/interrupt.html>).
    let handle: OpaquePointer

    /// Makes running statements fail with code 9 soon.
    package func interrupt() { sqlite3_interrupt(handle) }
}

private final class ProgressBox {
    let isOver: () -> Bool
    init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
}
