// The one door to SQLite: no other Swift file imports CSQLite, and so this one is longer than others are. What needs no C
// is beside it: errors, values, cells.
//
// Unsafe code lives here because SQLite's interface is pointers. The virtual table at the end reads whole batches of
// cells from memory that another stage filled: binding 3 M rows one value at a time takes 1.0 s, this way 0.5 s.

import CSQLite

/// One connection to one database file, used by one thread at a time.
///
///     let connection = try Connection(path: "berlin.sqlite", mode: .readOnly)
///     let statement = try connection.prepare("SELECT count(*) FROM stop")
///     while try statement.step() { print(statement.integer(0)) }
///
/// Only its `interrupter` may be used from another thread.
public final class Connection {
    /// How a database file is opened (<https://sqlite.org/c3ref/open.html>).
    public enum Mode: Sendable {
        /// The file exists and is only read.
        case readOnly
        /// As `readOnly`, and promised never to change: no locks, no journal is looked for (`immutable=1`).
        case immutable
        /// A new file, private to this process, is written.
        case create
    }

    /// The version of the SQLite library in use, such as "3.40.1".
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    let handle: OpaquePointer
    let path: String
    /// Kept until the connection is closed.
    private let file: ImmutableFile?
    private let privateFile: PrivateFile?
    private var progress: ProgressBox?

    /// Once, before the first connection; a program that uses SQLite already keeps its own settings.
    fileprivate static let configuration: Int32 = csqlite_stop_counting_memory()

    /// Opens `path`. Costs a file open; pages are read on demand. Throws `SQLiteError`.
    public init(path: String, mode: Mode) throws(SQLiteError) {
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
    public init(file: PrivateFile) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            CSQLITE_PRIVATE_NAME, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | Self.always, file.fileSystem)
        handle = try Self.checked(opened, code, file.path, file.failure)
        path = file.path
        (self.file, privateFile) = (nil, file)
    }

    /// Opens a file that is open already; opens nothing on disk, and needs no name there. Throws `SQLiteError`.
    public init(file: ImmutableFile) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            CSQLITE_IMMUTABLE_NAME, &opened, SQLITE_OPEN_READONLY | Self.always, file.fileSystem)
        handle = try Self.checked(opened, code, file.path)
        path = file.path
        (self.file, privateFile) = (file, nil)
        // How much of it SQLite may take from the map; the map is the file's.
        if file.mappedBytes > 0 { try execute("PRAGMA mmap_size = \(file.mappedBytes)") }
    }

    private static let always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE

    private static func checked(
        _ opened: OpaquePointer?, _ code: Int32, _ path: String, _ failure: SystemFailure? = nil
    ) throws(SQLiteError) -> OpaquePointer {
        if code == SQLITE_OK, let opened { return opened }
        let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        sqlite3_close_v2(opened)
        throw SQLiteError(code: code, message: message, context: path, systemFailure: failure)
    }

    deinit { sqlite3_close_v2(handle) }

    /// With an empty authority before a path from the root, or `//a` would be taken for a host.
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

    /// Makes a file that others may have made or changed harmless to read: nothing in its schema runs, neither views nor
    /// triggers nor functions that are not SQLite's harmless ones, and pages are looked at before their cells are.
    ///
    /// (<https://sqlite.org/security.html>, "Untrusted SQLite Database Files")
    public func distrustSchema() throws(SQLiteError) {
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

    /// How much of the file the connection keeps in its own memory; 2 MB unless set.
    public func setCacheSize(bytes: Int) throws(SQLiteError) {
        try execute("PRAGMA cache_size = -\(max(0, bytes) / 1024)")
    }

    /// Asks `isOver` now and then while a statement runs, and stops the statement, with code 9, when it says so.
    ///
    /// About every millisecond (<https://sqlite.org/c3ref/progress_handler.html>). The last one given counts.
    public func stopStatements(when isOver: @escaping () -> Bool) {
        let box = ProgressBox(isOver)
        progress = box
        sqlite3_progress_handler(
            handle, 20_000,
            { $0.map { Unmanaged<ProgressBox>.fromOpaque($0).takeUnretainedValue().isOver() ? 1 : 0 } ?? 0 },
            Unmanaged.passUnretained(box).toOpaque())
    }

    /// Runs one or more statements for their effect. Throws `SQLiteError` naming the statement's beginning.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, context: sql) }
    }

    /// Compiles one statement; costs 5 to 50 µs, so keep the result where it is used again.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw error(code, context: sql) }
        return Statement(handle: compiled, connection: self)
    }

    /// Runs a query for the single integer that it yields; nil when it yields no row or NULL.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Runs a query for the single text that it yields; nil when it yields no row or NULL.
    public func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return statement.text(0)
    }

    /// Rows changed by the statement that finished last.
    public var changes: Int64 { sqlite3_changes64(handle) }

    /// What another thread needs to stop the statements of this connection.
    public var interrupter: Interrupter { Interrupter(handle: handle) }

    func error(_ code: Int32, context: String) -> SQLiteError {
        let extended = sqlite3_extended_errcode(handle)
        return SQLiteError(
            code: extended == SQLITE_OK ? code : extended, message: String(cString: sqlite3_errmsg(handle)),
            context: context.count > 200 ? String(context.prefix(200)) + "…" : context,
            systemFailure: privateFile?.failure ?? systemFailure(extended))
    }

    /// What the system said, where SQLite has kept it (<https://sqlite.org/c3ref/system_errno.html>).
    private func systemFailure(_ code: Int32) -> SystemFailure? {
        let number = sqlite3_system_errno(handle)
        guard number != 0, [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) else { return nil }
        return SystemFailure(number: number, action: code & 0xFF == SQLITE_CANTOPEN ? .opening : .other)
    }
}

/// A database file that never changes, opened once and read by any number of connections, also after its name has gone to
/// another file.
///
///     let file = try ImmutableFile(descriptor: descriptor, path: "berlin.sqlite", isMemoryMapped: true)
///     let connection = try Connection(file: file)
public final class ImmutableFile: @unchecked Sendable {
    // @unchecked: the C side is written once, here; its descriptor and its map are only read, which any thread may do
    // at any time (pread(2)), and its one mark is atomic.

    public let path: String
    private let file: UnsafeMutablePointer<csqlite_immutable_file>

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

    /// Whether a read has found that someone cut the file or wrote over it since it was opened; reads fail from then on.
    public var isChangedInPlace: Bool { csqlite_immutable_is_changed(file) != 0 }

    fileprivate var fileSystem: UnsafePointer<CChar> { file.pointee.vfs.zName }
    fileprivate var mappedBytes: Int64 { file.pointee.mapped }
}

/// A database file that is being made and that no one else knows: a descriptor, without locks and journals, and temporary
/// files without names.
///
///     let file = try PrivateFile(descriptor: descriptor, path: "berlin.sqlite") { makeTemporaryFile() }
///     let connection = try Connection(file: file)
public final class PrivateFile: @unchecked Sendable {
    // @unchecked: what changes in the C side are single numbers, which are read and written atomically; the observer is set
    // before there is a connection.

    public let path: String
    private let file: UnsafeMutablePointer<csqlite_private_file>
    private let temporaries: Temporaries
    private var observer: ObserverBox?

    private final class Temporaries: Sendable {
        let make: @Sendable () -> Int32
        init(_ make: @escaping @Sendable () -> Int32) { self.make = make }
    }

    /// Takes over a descriptor that is open for reading and writing; `path` is for messages.
    ///
    /// - Parameter makeTemporary: Opens a file for SQLite's sorting, or answers -1 and sets `errno`; any thread may call it.
    public init(
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

    /// Calls `observer` after each write of the file's connection, with the bytes and their offset, by the thread that writes.
    /// Set it before there is a connection.
    public func observeWrites(_ observer: @escaping (UnsafeRawBufferPointer, Int) -> Void) {
        let box = ObserverBox(observer)
        self.observer = box
        file.pointee.observer_context = Unmanaged.passUnretained(box).toOpaque()
        file.pointee.observer = { context, bytes, count, offset in
            guard let context, let bytes else { return }
            Unmanaged<ObserverBox>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.observer(UnsafeRawBufferPointer(start: bytes, count: Int(count)), Int(offset))
            }
        }
    }

    private final class ObserverBox {
        let observer: (UnsafeRawBufferPointer, Int) -> Void
        init(_ observer: @escaping (UnsafeRawBufferPointer, Int) -> Void) { self.observer = observer }
    }

    /// Makes every later read and write fail, also those of a sort, which an `Interrupter` does not reach.
    public func stop() { csqlite_private_stop(file) }

    /// The system call that failed last.
    public var failure: SystemFailure? {
        let number = csqlite_private_error(file)
        guard number != 0 else { return nil }
        let isTemporary = file.pointee.failed_temporary != 0
        let action: SystemFailure.Action =
            switch Int(file.pointee.failed_action) {
            case CSQLITE_READING: isTemporary ? .readingTemporary : .reading
            case CSQLITE_WRITING: isTemporary ? .writingTemporary : .writing
            case CSQLITE_MAKING_TEMPORARY: .makingTemporary
            default: .other
            }
        return SystemFailure(number: number, action: action)
    }

    fileprivate var fileSystem: UnsafePointer<CChar> { file.pointee.vfs.zName }
}

/// Stops the running statements of one connection; any thread may use it while the connection is open.
///
/// Sendable: `sqlite3_interrupt` is documented as safe from other threads (<https://sqlite.org/c3ref/interrupt.html>).
public struct Interrupter: @unchecked Sendable {
    fileprivate let handle: OpaquePointer

    /// Makes running statements fail with code 9 soon.
    public func interrupt() { sqlite3_interrupt(handle) }
}

/// A compiled statement of a connection, reset before each new run.
public final class Statement {
    let handle: OpaquePointer
    let connection: Connection

    init(handle: OpaquePointer, connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// The statement's text as it was compiled.
    public var sql: String { String(cString: sqlite3_sql(handle)) }

    /// Moves to the next row; false when there is none. Throws `SQLiteError`.
    public func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.error(code, context: sql)
    }

    /// How many instructions SQLite's virtual machine has run for this statement since the last call: a measure of work
    /// that no machine's speed has a part in (<https://sqlite.org/c3ref/c_stmtstatus_counter.html>).
    public func takeInstructionCount() -> Int {
        Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }

    /// Runs to the end, ignoring rows, and makes ready for the next run.
    public func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }

    /// Makes ready for the next run; bound values stay.
    public func reset() { sqlite3_reset(handle) }

    // Bindings count from 1, as in SQL.

    public func bind(_ index: Int, _ value: Int64) { sqlite3_bind_int64(handle, Int32(index), value) }
    public func bind(_ index: Int, _ value: Double) { sqlite3_bind_double(handle, Int32(index), value) }
    public func bindNull(_ index: Int) { sqlite3_bind_null(handle, Int32(index)) }
    public func bind(_ index: Int, _ value: String) {
        var value = value
        value.withUTF8 { bind(index, text: UnsafeRawBufferPointer($0)) }
    }
    /// Binds bytes as a blob; they are copied.
    public func bind(_ index: Int, blob: UnsafeRawBufferPointer) {
        sqlite3_bind_blob64(handle, Int32(index), blob.baseAddress, UInt64(blob.count), csqlite_transient())
    }
    public func bind(_ index: Int, _ value: SQLiteValue) {
        switch value {
        case .null: bindNull(index)
        case .integer(let value): bind(index, value)
        case .double(let value): bind(index, value)
        case .text(let value): bind(index, value)
        }
    }
    public func bind(_ index: Int, _ value: String?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }
    public func bind(_ index: Int, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds UTF-8 bytes as text; they are copied.
    public func bind(_ index: Int, text: UnsafeRawBufferPointer) {
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let start else {
            sqlite3_bind_text(handle, Int32(index), "", 0, csqlite_transient())
            return
        }
        sqlite3_bind_text64(
            handle, Int32(index), start, UInt64(text.count), csqlite_transient(), UInt8(SQLITE_UTF8))
    }

    // Columns count from 0, as in SQLite's interface.

    public var columnCount: Int { Int(sqlite3_column_count(handle)) }
    public func columnName(_ column: Int) -> String { String(cString: sqlite3_column_name(handle, Int32(column))) }
    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
    public func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    /// The column as text, nil for NULL; bytes that are no UTF-8 are replaced.
    public func text(_ column: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Lends the column's text as UTF-8 bytes, valid inside `body` only; empty for NULL.
    public func withText<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_text(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// The cell as it lies in SQLite's memory, valid until the next `step`, `reset` or read of another kind.
    @inline(__always)
    func rawCell(_ column: Int32) -> RawCell {
        // Asked for once: every sqlite3_column_… looks the cell up anew. A connection is used by one thread at a time and
        // opened without a mutex, so that the value needs no protection (<https://sqlite.org/c3ref/value.html>).
        let value = sqlite3_column_value(handle, column)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
        case SQLITE_NULL: return .null
        default:
            guard let start = sqlite3_value_text(value) else { return .null }
            return .text(start, Int(sqlite3_value_bytes(value)))
        }
    }

    /// Takes all bound values away, so that big texts are not kept.
    public func clearBindings() { sqlite3_clear_bindings(handle) }

    /// What the column holds in this row.
    public func value(_ column: Int) -> SQLiteValue {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .double(double(column))
        case SQLITE_NULL: .null
        default: .text(text(column) ?? "")
        }
    }
}

/// A cell in SQLite's own memory.
enum RawCell {
    case null
    case integer(Int64)
    case double(Double)
    case text(UnsafePointer<UInt8>, Int)
}

extension Connection {
    /// Makes `temp.name` a table whose rows are the batches of `source`: columns c0, c1, … c(n-1).
    ///
    ///     try connection.createBatchTable("incoming", columns: 3, source: source)
    ///     try connection.execute("INSERT INTO stop(id, stop_id, name) SELECT c0, c1, c2 FROM incoming")
    ///
    /// Each SELECT goes once through what the source has. The connection keeps the source.
    /// (<https://sqlite.org/vtab.html>)
    public func createBatchTable(
        _ name: String, columns: Int, source: any CellBatchSource
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(BatchTableSource(source: source, columns: columns))
        let code = sqlite3_create_module_v2(
            handle, name, batchTableModule, box.toOpaque(), { Unmanaged<BatchTableSource>.fromOpaque($0!).release() })
        if code != SQLITE_OK { throw error(code, context: name) }
        // The name may come from a file of the feed. By bytes: to Swift a quote with an accent on it is no quote.
        let quoted = String(
            decoding: name.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }, as: UTF8.self)
        try execute("CREATE VIRTUAL TABLE temp.\"\(quoted)\" USING \"\(quoted)\"")
    }
}

private final class BatchTableSource {
    let source: any CellBatchSource
    let columns: Int

    init(source: any CellBatchSource, columns: Int) {
        self.source = source
        self.columns = columns
    }
}

private struct BatchTable {
    var base = sqlite3_vtab()
    let source: Unmanaged<BatchTableSource>
}

private struct BatchCursor {
    var base = sqlite3_vtab_cursor()
    let source: Unmanaged<BatchTableSource>
    let columns: Int
    var batch: CellBatch?
    var row = 0
    var firstCell = 0

    mutating func moveToNextBatch() {
        repeat { batch = source._withUnsafeGuaranteedRef { $0.source.nextBatch() } } while batch?.rowCount == 0
        row = 0
        firstCell = 0
    }
}

// nonisolated(unsafe): written once before main and only read afterwards.
private nonisolated(unsafe) let batchTableModule: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xCreate = connectBatchTable
    module.xConnect = connectBatchTable
    module.xBestIndex = { _, info in
        info?.pointee.estimatedCost = 1_000_000
        return SQLITE_OK
    }
    module.xDisconnect = disconnectBatchTable
    module.xDestroy = disconnectBatchTable
    module.xOpen = { table, cursor in
        guard let table, let cursor else { return SQLITE_MISUSE }
        let source = UnsafeMutableRawPointer(table).assumingMemoryBound(to: BatchTable.self).pointee.source
        let memory = UnsafeMutablePointer<BatchCursor>.allocate(capacity: 1)
        memory.initialize(to: BatchCursor(source: source, columns: source.takeUnretainedValue().columns))
        cursor.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }
    module.xClose = { cursor in
        guard let cursor else { return SQLITE_MISUSE }
        let memory = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: BatchCursor.self)
        memory.deinitialize(count: 1)
        memory.deallocate()
        return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in
        batchCursor(cursor).pointee.moveToNextBatch()
        return SQLITE_OK
    }
    module.xNext = { cursor in
        let cursor = batchCursor(cursor)
        cursor.pointee.row += 1
        cursor.pointee.firstCell += cursor.pointee.columns
        if let batch = cursor.pointee.batch, cursor.pointee.row == batch.rowCount { cursor.pointee.moveToNextBatch() }
        return SQLITE_OK
    }
    module.xEof = { batchCursor($0).pointee.batch == nil ? 1 : 0 }
    module.xColumn = { cursor, context, column in
        let cursor = batchCursor(cursor)
        guard let batch = cursor.pointee.batch else { return SQLITE_MISUSE }
        let cell = cursor.pointee.firstCell + Int(column)
        let payload = batch.payloads[cell]
        switch batch.tags[cell] {
        case CellBatch.Tag.integer: sqlite3_result_int64(context, payload)
        case CellBatch.Tag.double:
            sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: payload)))
        case CellBatch.Tag.text, CellBatch.Tag.otherText:
            let base = batch.tags[cell] == CellBatch.Tag.text ? batch.text : batch.otherText
            let start = base + Int(payload >> 32)
            // Static: SQLite builds the record before it asks for the next row, and until then the batch stands.
            sqlite3_result_text(
                context, start.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: payload), nil)
        default: sqlite3_result_null(context)
        }
        return SQLITE_OK
    }
    module.xRowid = { cursor, rowid in
        rowid?.pointee = Int64(batchCursor(cursor).pointee.row)
        return SQLITE_OK
    }
    let memory = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    memory.initialize(to: module)
    return UnsafePointer(memory)
}()

@inline(__always)
private func batchCursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<BatchCursor> {
    UnsafeMutableRawPointer(cursor.unsafelyUnwrapped).assumingMemoryBound(to: BatchCursor.self)
}

private func connectBatchTable(
    _ handle: OpaquePointer?, _ box: UnsafeMutableRawPointer?, _ argumentCount: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    guard let box, let table else { return SQLITE_MISUSE }
    let source = Unmanaged<BatchTableSource>.fromOpaque(box)
    let columns = (0..<source.takeUnretainedValue().columns).map { "c\($0)" }.joined(separator: ",")
    let code = sqlite3_declare_vtab(handle, "CREATE TABLE incoming(\(columns))")
    guard code == SQLITE_OK else { return code }
    let memory = UnsafeMutablePointer<BatchTable>.allocate(capacity: 1)
    memory.initialize(to: BatchTable(source: source))
    table.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
}

private func disconnectBatchTable(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    guard let table else { return SQLITE_MISUSE }
    let memory = UnsafeMutableRawPointer(table).assumingMemoryBound(to: BatchTable.self)
    memory.deinitialize(count: 1)
    memory.deallocate()
    return SQLITE_OK
}

extension Connection {
    /// A function of SQL: arguments in, one value out; a pure one, as SQLite may call it as rarely as it likes. An error
    /// that it throws ends the statement, whose message it becomes.
    public typealias Function = @Sendable ([SQLiteValue]) throws -> SQLiteValue

    /// Teaches this connection a deterministic function (<https://sqlite.org/c3ref/create_function.html>).
    ///
    ///     try connection.createFunction("normalize", argumentCount: 1) { .text(normalize($0[0])) }
    public func createFunction(
        _ name: String, argumentCount: Int, _ function: @escaping Function
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(FunctionBox(function))
        let code = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(), callFunction, nil,
            nil, { if let box = $0 { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK { throw error(code, context: name) }
    }

    /// The number that a function over numbers yields, or nil for NULL; NULL and texts among its arguments are nil.
    public typealias NumberFunction = @Sendable (NumberArguments) -> Double?

    /// Teaches this connection a deterministic function over numbers. Unlike `createFunction`, a call allocates nothing.
    public func createNumberFunction(
        _ name: String, argumentCount: Int, _ function: @escaping NumberFunction
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(NumberFunctionBox(function))
        let code = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(), callNumberFunction,
            nil, nil, { if let box = $0 { Unmanaged<NumberFunctionBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK { throw error(code, context: name) }
    }

    /// An order of texts: negative when the first comes before the second, 0 when neither does.
    public typealias Collation = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int

    /// Teaches this connection an order of texts (<https://sqlite.org/c3ref/create_collation.html>).
    public func createCollation(_ name: String, _ compare: @escaping Collation) throws(SQLiteError) {
        let box = Unmanaged.passRetained(CollationBox(compare))
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, box.toOpaque(), callCollation,
            { if let box = $0 { Unmanaged<CollationBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK {
            // Unlike functions, a collation that is refused is not released by SQLite.
            box.release()
            throw error(code, context: name)
        }
    }
}

private final class ProgressBox {
    let isOver: () -> Bool
    init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
}

private final class FunctionBox {
    let function: Connection.Function
    init(_ function: @escaping Connection.Function) { self.function = function }
}

private final class NumberFunctionBox {
    let function: Connection.NumberFunction
    init(_ function: @escaping Connection.NumberFunction) { self.function = function }
}

/// The arguments of one call of a function over numbers, valid during that call.
public struct NumberArguments {
    fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?
    fileprivate let count: Int

    /// The argument at a position from 0; nil for NULL, text, and past the end.
    public subscript(position: Int) -> Double? {
        guard position >= 0, position < count, let value = values?[position] else { return nil }
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
        default: return nil
        }
    }
}

private func callNumberFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let data = sqlite3_user_data(context) else { return }
    let result = Unmanaged<NumberFunctionBox>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.function(NumberArguments(values: arguments, count: Int(count)))
    }
    if let result { sqlite3_result_double(context, result) } else { sqlite3_result_null(context) }
}

private final class CollationBox {
    let compare: Connection.Collation
    init(_ compare: @escaping Connection.Collation) { self.compare = compare }
}

private func callFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let data = sqlite3_user_data(context) else { return }
    let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
    let values = (0..<Int(count)).map { argumentValue(arguments?[$0]) }
    let result: SQLiteValue
    do { result = try box.function(values) } catch { return sqlite3_result_error(context, "\(error)", -1) }
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .double(let value): sqlite3_result_double(context, value)
    case .text(var text):
        text.withUTF8 { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            sqlite3_result_text64(
                context, start, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
    }
}

private func argumentValue(_ value: OpaquePointer?) -> SQLiteValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
    case SQLITE_NULL: return .null
    default:
        guard let start = sqlite3_value_text(value) else { return .null }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}

private func callCollation(
    _ data: UnsafeMutableRawPointer?, _ firstCount: Int32, _ first: UnsafeRawPointer?, _ secondCount: Int32,
    _ second: UnsafeRawPointer?
) -> Int32 {
    guard let data else { return 0 }
    let box = Unmanaged<CollationBox>.fromOpaque(data).takeUnretainedValue()
    let order = box.compare(
        UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
        UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
    return Int32(order.signum())
}
