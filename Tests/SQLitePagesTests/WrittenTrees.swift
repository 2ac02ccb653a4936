import Cells
import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

extension TemporaryFolder {
    /// Makes a database by SQL, closes it and returns its path.
    func database(_ sql: String, pageSize: Int = 4096, name: String = "store.sqlite") throws -> String {
        let file = path(name)
        try? FileManager.default.removeItem(atPath: file)
        let connection = try Connection(path: file, mode: .create)
        try connection.execute("PRAGMA page_size = \(pageSize); BEGIN; \(sql); COMMIT")
        return file
    }
}

/// Runs `body` with an open descriptor of a file.
func withDescriptor<T>(_ path: String, _ body: (Int32) throws -> T) throws -> T {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return try body(descriptor)
}

/// Appends a tree of rows to a database and returns the place of the tree. If `root` names a table or index, its empty
/// root page becomes the root of the tree.
@discardableResult
func appendTree(
    _ rows: some Sequence<[SQLiteValue]>, to path: String, root: String? = nil, firstPage: UInt32? = nil,
    keyColumns: Int = 1
) throws -> IndexTreeWriter.Tree {
    let rootPage = try root.map { try #require(try rootPages(path)[$0]) }
    return try withDescriptor(path) { descriptor in
        let header = try DatabaseHeader.read(descriptor)
        let writer = IndexTreeWriter(
            file: descriptor, pageSize: header.pageSize, firstPage: firstPage ?? header.pageCount + 1, root: rootPage)
        var order = RecordOrder(keyColumns: keyColumns)
        for row in rows {
            try withRecord(row) { record in
                try order.check(record)
                try writer.append(record)
            }
        }
        let tree = try writer.finish()
        try DatabaseHeader.setPageCount(descriptor, to: tree.pageCount)
        return tree
    }
}

/// The root pages of a database's tables and indexes, by name.
func rootPages(_ path: String) throws -> [String: UInt32] {
    let statement = try Connection(path: path, mode: .readOnly).prepare("SELECT name, rootpage FROM sqlite_schema")
    var roots: [String: UInt32] = [:]
    while try statement.step() { roots[statement.text(0) ?? ""] = UInt32(statement.integer(1)) }
    return roots
}

/// Encodes a row and passes the record to `body`. Texts in even columns are encoded as text, in odd columns as other
/// text.
func withRecord<T>(_ row: [SQLiteValue], _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    var cells = RecordRow()
    for value in row { cells.append(value) }
    var encoder = RecordEncoder(columns: row.count)
    return try cells.text.withUnsafeBytes { text in
        // The encoder needs an address even if all texts are empty.
        let start = text.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
        return try body(encoder.encode(tags: cells.tags, payloads: cells.payloads, text: start, otherText: start + 1))
    }
}

func record(_ row: [SQLiteValue]) -> [UInt8] { withRecord(row) { Array($0) } }

/// Cells in the form that `CellBatch` uses.
private struct RecordRow {
    var tags: [UInt8] = []
    var payloads: [Int64] = []
    var text: [UInt8] = [0]

    mutating func append(_ value: SQLiteValue) {
        switch value {
        case .null: add(CellTag.null, 0)
        case .integer(let value): add(CellTag.integer, value)
        case .double(let value): add(CellTag.double, Int64(bitPattern: value.bitPattern))
        case .text(let value):
            let isOther = tags.count % 2 == 1
            add(
                isOther ? CellTag.otherText : CellTag.text,
                Int64(text.count - (isOther ? 1 : 0)) << 32 | Int64(value.utf8.count))
            text += value.utf8
        }
    }

    private mutating func add(_ tag: UInt8, _ payload: Int64) {
        tags.append(tag)
        payloads.append(payload)
    }
}

extension Connection {
    func insert(_ rows: [[SQLiteValue]], into table: String) throws {
        try execute("BEGIN")
        let places = rows.first.map { $0.map { _ in "?" }.joined(separator: ",") } ?? "NULL"
        let statement = try prepare("INSERT INTO \(table) VALUES(\(places))")
        for row in rows {
            for (index, value) in row.enumerated() { statement.bind(index + 1, value) }
            try statement.run()
        }
        try execute("COMMIT")
    }
}
