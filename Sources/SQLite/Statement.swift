// Unsafe: values are read in SQLite's memory, without a copy; a statement is a pointer.

import CSQLite

/// A compiled statement of a connection. Reset it before each new run.
package final class Statement {
    let handle: OpaquePointer
    let connection: Connection

    init(handle: OpaquePointer, connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// The statement's text as it was compiled.
    package var sql: String { String(cString: sqlite3_sql(handle)) }

    /// Moves to the next row; false when there is none. Throws `SQLiteError`.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.error(code, context: sql)
    }

    /// How many instructions SQLite's virtual machine has run for this statement since the last call: a measure of work
    /// that does not depend on the machine's speed (<https://sqlite.org/c3ref/c_stmtstatus_counter.html>).
    package func takeInstructionCount() -> Int {
        Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }

    /// Runs to the end, ignoring rows, and makes ready for the next run.
    package func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }

    /// Makes ready for the next run; bound values stay.
    package func reset() { sqlite3_reset(handle) }

    // Bindings count from 1, as in SQL.

    package func bind(_ index: Int, _ value: Int64) { sqlite3_bind_int64(handle, Int32(index), value) }
    package func bind(_ index: Int, _ value: Double) { sqlite3_bind_double(handle, Int32(index), value) }
    package func bindNull(_ index: Int) { sqlite3_bind_null(handle, Int32(index)) }
    package func bind(_ index: Int, _ value: String) {
        var value = value
        value.withUTF8 { bind(index, text: UnsafeRawBufferPointer($0)) }
    }
    /// Binds bytes as a blob; they are copied.
    package func bind(_ index: Int, blob: UnsafeRawBufferPointer) {
        sqlite3_bind_blob64(handle, Int32(index), blob.baseAddress, UInt64(blob.count), csqlite_transient())
    }
    package func bind(_ index: Int, _ value: SQLiteValue) {
        switch value {
        case .null: bindNull(index)
        case .integer(let value): bind(index, value)
        case .double(let value): bind(index, value)
        case .text(let value): bind(index, value)
        }
    }
    package func bind(_ index: Int, _ value: String?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }
    package func bind(_ index: Int, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds UTF-8 bytes as text; they are copied.
    package func bind(_ index: Int, text: UnsafeRawBufferPointer) {
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let start else {
            sqlite3_bind_text(handle, Int32(index), "", 0, csqlite_transient())
            return
        }
        sqlite3_bind_text64(
            handle, Int32(index), start, UInt64(text.count), csqlite_transient(), UInt8(SQLITE_UTF8))
    }

    // Columns count from 0, as in SQLite's interface.

    /// Whether the statement writes nothing into the file.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }
    package func columnName(_ column: Int) -> String { String(cString: sqlite3_column_name(handle, Int32(column))) }
    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
    /// The column as a whole number; 0 for NULL and for a text without one. `isNull` tells NULL from 0.
    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
    /// The column as a number; 0 for NULL and for a text without one.
    package func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    /// The column as text, nil for NULL; bytes that are not valid UTF-8 are replaced.
    package func text(_ column: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Lends the column's text as UTF-8 bytes, valid inside `body` only; empty for NULL.
    package func withText<Result, Failure: Error>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = sqlite3_column_text(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// The cell as it lies in SQLite's memory, valid until the next `step`, `reset` or read of another kind.
    @inline(__always)
    func rawCell(_ column: Int32) -> RawCell {
        // Asked for once, because every sqlite3_column_… call looks the cell up again. The value needs no protection: a
        // connection is used by one thread at a time and opened without a mutex
        // (<https://sqlite.org/c3ref/value.html>).
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

    /// What the column holds in this row.
    package func value(_ column: Int) -> SQLiteValue {
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

/// A value of one cell.
package enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
}
