// Unsafe: a virtual table reads whole batches of cells from memory that another stage filled. Binding 3 M rows one
// value at a time takes 1.0 s, this way 0.5 s.

import CSQLite
import Cells

extension Connection {
    /// Makes `name` a table whose rows are the batches of `source`: columns c0, c1, … c(n-1).
    ///
    ///     try connection.createBatchTable("incoming", columns: 3, source: source)
    ///     try connection.execute("INSERT INTO stop(id, stop_id, name) SELECT c0, c1, c2 FROM temp.incoming")
    ///
    /// Each SELECT reads the source's batches once, to the end. The connection keeps the source alive. Throws if a
    /// batch table already has the name. The table is in no schema; with `temp.` before its name, no table of the file
    /// hides it. CREATE VIRTUAL TABLE would take 60 µs (<https://sqlite.org/vtab.html#eponymous_only_virtual_tables>).
    package func createBatchTable(
        _ name: String, columns: Int, source: any CellBatchSource
    ) throws(SQLiteError) {
        let key = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        // Otherwise SQLite would replace the other table's source.
        guard batchTables.insert(key).inserted else {
            throw SQLiteError(code: SQLITE_ERROR, message: "table \"\(name)\" already exists", context: name)
        }
        let box = Unmanaged.passRetained(BatchTableSource(source: source, columns: columns))
        let code = sqlite3_create_module_v2(
            handle, name, batchTableModule, box.toOpaque(), { Unmanaged<BatchTableSource>.fromOpaque($0!).release() })
        if code != SQLITE_OK { throw error(code, context: name) }
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
    var batch: CellBatch?
    var row = 0
    var firstCell = 0

    mutating func moveToNextBatch() {
        repeat { batch = source._withUnsafeGuaranteedRef { $0.source.nextBatch() } } while batch?.rowCount == 0
        row = 0
        firstCell = 0
    }

    @inline(__always)
    mutating func moveToNextRow() {
        guard let batch else { return }
        row += 1
        firstCell += batch.stride
        if row == batch.rowCount { moveToNextBatch() }
    }

    /// Gives a cell of the row to SQLite.
    @inline(__always)
    func give(_ column: Int, to context: OpaquePointer?) -> Int32 {
        guard let batch else { return SQLITE_MISUSE }
        let cell = firstCell + column
        let payload = batch.payloads[cell]
        switch batch.tags[cell] {
        case CellTag.integer: sqlite3_result_int64(context, payload)
        case CellTag.double: sqlite3_result_double(context, CellNumber.double(of: payload))
        case CellTag.text, CellTag.otherText:
            let base = batch.tags[cell] == CellTag.text ? batch.text : batch.otherText
            let start = (base + CellText.offset(of: payload)).assumingMemoryBound(to: CChar.self)
            // Not copied: SQLite builds the record before it asks for the next row, and the batch is valid until then.
            sqlite3_result_text(context, start, Int32(truncatingIfNeeded: CellText.count(of: payload)), nil)
        default: sqlite3_result_null(context)
        }
        return SQLITE_OK
    }
}

// nonisolated(unsafe): written once, at the first use, and only read afterwards.
private nonisolated(unsafe) let batchTableModule: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    // No xCreate: the table exists as soon as its module is registered.
    module.xConnect = connectBatchTable
    module.xBestIndex = { _, info in
        info?.pointee.estimatedCost = 1_000_000
        return SQLITE_OK
    }
    module.xDisconnect = { release($0, as: BatchTable.self) }
    module.xOpen = openBatchCursor
    module.xClose = { release($0, as: BatchCursor.self) }
    module.xFilter = { cursor, _, _, _, _ in
        batchCursor(cursor).pointee.moveToNextBatch()
        return SQLITE_OK
    }
    module.xNext = { cursor in
        batchCursor(cursor).pointee.moveToNextRow()
        return SQLITE_OK
    }
    module.xEof = { batchCursor($0).pointee.batch == nil ? 1 : 0 }
    module.xColumn = { batchCursor($0).pointee.give(Int($2), to: $1) }
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

private func openBatchCursor(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?,
    _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
    guard let table, let cursor else { return SQLITE_MISUSE }
    let source = UnsafeMutableRawPointer(table).assumingMemoryBound(to: BatchTable.self).pointee.source
    let memory = UnsafeMutablePointer<BatchCursor>.allocate(capacity: 1)
    memory.initialize(to: BatchCursor(source: source))
    cursor.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
}

/// Frees a table or a cursor.
private func release<Value>(_ place: UnsafeMutableRawPointer?, as type: Value.Type) -> Int32 {
    guard let memory = place?.assumingMemoryBound(to: type) else { return SQLITE_MISUSE }
    memory.deinitialize(count: 1)
    memory.deallocate()
    return SQLITE_OK
}

/// Where a batch table's rows come from.
package protocol CellBatchSource: AnyObject {
    /// Returns the next rows, or nil to end the statement. Called once per batch, on the connection's thread.
    func nextBatch() -> CellBatch?
}
