// Unsafe: the texts of a notice are lent to the record encoder.

import Cells
import GTFSSchema
import SQLite
import SQLitePages

/// Stores the notices: the first ones of each code in full, and the number of all.
///
/// The notices' pages are written as those of long tables are. By INSERT, a thousand notices took 2 of the 34 ms of a
/// feed of 2 MB, as SQLite also looks for the place of each code in the index.
struct NoticeRows {
    private static let table = "notice"
    private static let codeIndex = "notice_code"

    let connection: Connection
    let place: StorePlace

    /// Stores the notices that are kept with all details. No transaction may be open.
    func write(_ notices: [Notice]) throws {
        guard !notices.isEmpty else { return }
        let root = try connection.rootPage(ofTable: Self.table, in: place)
        let codeRoot = try connection.rootPage(ofTable: Self.codeIndex, in: place)
        let file = try DatabaseFile(of: place)
        try file.adopt(rows(of: notices, in: file, root))
        try file.adopt(codes(of: notices, in: file, codeRoot))
    }

    private func rows(
        of notices: [Notice], in file: DatabaseFile, _ root: UInt32
    ) throws -> IndexTreeWriter.Tree {
        let tree = try file.tableTree(root: root)
        var record = NoticeRecord(columns: 8)
        for (index, notice) in notices.enumerated() {
            if index % 4_096 == 4_095 { try place.check() }
            record.fill(with: notice)
            try record.withBytes { try tree.append($0, rowid: index + 1) }
        }
        return try tree.finish()
    }

    /// The index by code. Notices of one code come in the order of their ids.
    private func codes(
        of notices: [Notice], in file: DatabaseFile, _ root: UInt32
    ) throws -> IndexTreeWriter.Tree {
        let tree = try file.tree(root: root)
        var record = NoticeRecord(columns: 2)
        let ids = Dictionary(grouping: notices.indices) { notices[$0].kind }
        for (kind, ids) in ids.sorted(by: { $0.key.code.name.utf8.lexicographicallyPrecedes($1.key.code.name.utf8) }) {
            try place.check()
            for id in ids {
                record.begin()
                record.add(kind.code.name)
                record.add(Int64(id + 1))
                try record.withBytes { try tree.append($0) }
            }
        }
        return try tree.finish()
    }

    /// Stores how many notices there are of each code.
    func writeTotals(of log: NoticeLog) throws(SQLiteError) {
        let totals = try connection.prepare("INSERT INTO notice_total VALUES(?, ?, ?, ?)")
        for (kind, count) in log.totals {
            totals.bind(1, kind.code.name)
            totals.bind(2, kind.code.severity.rawValue)
            totals.bind(3, Int64(count))
            totals.bind(4, Int64(log.keptCount(kind)))
            try totals.run()
        }
    }
}

/// One record after the other, of texts and numbers.
private struct NoticeRecord: ~Copyable {
    private var encoder: RecordEncoder
    private var tags: [UInt8]
    private var payloads: [Int64]
    private var texts: [UInt8] = []
    private var column = 0

    init(columns: Int) {
        encoder = RecordEncoder(columns: columns)
        tags = [UInt8](repeating: CellTag.null, count: columns)
        payloads = [Int64](repeating: 0, count: columns)
    }

    mutating func fill(with notice: Notice) {
        begin()
        addNull()  // The id is the rowid.
        let code = notice.kind.code
        add(code.name)
        add(code.severity.rawValue)
        add(notice.file)
        add(notice.rowNumber.map(Int64.init))
        add(notice.field)
        add(notice.value)
        addMessage(of: notice)
    }

    mutating func begin() {
        texts.removeAll(keepingCapacity: true)
        column = 0
    }

    mutating func addNull() { add(CellTag.null, 0) }

    mutating func add(_ number: Int64?) {
        if let number { add(CellTag.integer, number) } else { addNull() }
    }

    mutating func add(_ text: String?) {
        guard let text else { return addNull() }
        let start = texts.count
        append(text)
        addText(from: start)
    }

    private mutating func addMessage(of notice: Notice) {
        let start = texts.count
        append(notice.fault)
        notice.forEachFurtherPart { append($0) }
        addText(from: start)
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { texts.append(contentsOf: $0) }
    }

    private mutating func addText(from start: Int) {
        add(CellTag.text, CellText.payload(offset: start, count: texts.count - start))
    }

    private mutating func add(_ tag: UInt8, _ payload: Int64) {
        (tags[column], payloads[column]) = (tag, payload)
        column += 1
    }

    /// Lends the record, once each column has its value.
    mutating func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try body(encoder.encode(tags: tags, payloads: payloads, text: texts, otherText: texts))
    }
}
