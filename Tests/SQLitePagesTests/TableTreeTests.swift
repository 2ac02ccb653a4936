import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("A table with rowids is what SQLite would have made of the same rows")
struct TableTreeTests {
    private static let schema = "CREATE TABLE side(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, length REAL)"

    /// Rows with gaps between their ids, and now and then a text that may need overflow pages.
    private static func rows(_ count: Int, seed: UInt64) -> [[SQLiteValue]] {
        var dice = SeededGenerator(seed: seed)
        var id: Int64 = 0
        return (0..<count).map { number in
            id += number % 97 == 5 ? .random(in: 1...100_000, using: &dice) : 1
            let length = number % 41 == 0 ? Int.random(in: 0...9_000, using: &dice) : number % 20
            let name = SQLiteValue.text(String(repeating: "ä", count: length))
            let values: [SQLiteValue] = [.integer(.random(in: -9...70_000, using: &dice)), name, .double(0.5)]
            return [.integer(id)] + values.map { Int.random(in: 0...9, using: &dice) == 0 ? .null : $0 }
        }
    }

    /// Writes the rows. Each id becomes the rowid, and the record holds NULL in its place.
    private func write(_ rows: [[SQLiteValue]], to path: String, resuming: Bool = false) throws {
        let root = try #require(try rootPages(path)["side"])
        try withDescriptor(path) { descriptor in
            let header = try DatabaseHeader.read(descriptor)
            let writer = TableTreeWriter(
                file: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1, root: root)
            if resuming { try writer.resume() }
            for row in rows {
                guard case .integer(let id) = row[0] else { continue }
                try withRecord([.null] + row.dropFirst()) { try writer.append($0, rowid: Int(id)) }
            }
            try DatabaseHeader.setPageCount(descriptor, to: writer.finish().pageCount)
        }
    }

    @Test(arguments: [0, 1, 2, 40, 700, 9_000], [512, 4096, 65536])
    func randomRowsMakeATableThatSQLiteGoesOnWith(_ count: Int, _ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let rows = Self.rows(count, seed: UInt64(count + pageSize))
        let path = try folder.database(Self.schema, pageSize: pageSize)
        try write(rows, to: path)
        #expect(try Connection.faults(of: path) == [])
        let ours = try Connection(path: path, mode: .create)
        #expect(try ours.rows("SELECT * FROM side") == rows)
        for row in rows.suffix(50) + rows.prefix(50) {
            guard case .integer(let id) = row[0] else { continue }
            #expect(try ours.rows("SELECT * FROM side WHERE id = \(id)") == [row])
        }
        let twin = try Connection(path: folder.database(Self.schema, name: "twin.sqlite"), mode: .create)
        if !rows.isEmpty { try twin.insert(rows, into: "side") }
        for edit in [
            "UPDATE side SET name = name || name WHERE number % 3 = 0", "DELETE FROM side WHERE number % 5 < 2",
            "INSERT INTO side SELECT id + (SELECT max(id) FROM side), number, name, 1.5 FROM side", "DELETE FROM side",
        ] {
            for connection in [ours, twin] { try connection.execute(edit) }
            #expect(try Connection.faults(of: path) == [])
            #expect(try ours.rows("SELECT * FROM side") == twin.rows("SELECT * FROM side"))
        }
    }

    /// Row counts around those at which a level of the tree gains a page.
    @Test func everyCount() throws {
        let folder = try TemporaryFolder()
        for count in Array(20...70) + Array(stride(from: 2_000, to: 2_400, by: 7)) {
            let path = try folder.database(Self.schema, pageSize: 512)
            let rows = (1...Int64(count)).map {
                [SQLiteValue.integer($0 << 14), .null, .text("twenty bytes of text"), .null]
            }
            try write(rows, to: path)
            #expect(try Connection.faults(of: path) == [], "\(count)")
            let found = try Connection(path: path, mode: .readOnly).rows("SELECT count(*), max(id) FROM side")
            #expect(found == [[.integer(Int64(count)), .integer(Int64(count) << 14)]])
        }
    }

    /// The first rows come by SQL, which leaves free blocks in their pages, or by pages of ours.
    @Test("rows are appended behind those of a table", arguments: [0, 1, 40, 700, 9_000], [512, 4096])
    func resume(_ count: Int, _ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        for more in [0, 1, 60, 5_000] {
            let rows = Self.rows(count + more, seed: UInt64(count + more + pageSize))
            let (first, others) = (Array(rows.prefix(count)), Array(rows.dropFirst(count)))
            for isOurs in [false, true] {
                let path = try folder.database(Self.schema, pageSize: pageSize)
                var expected = rows
                if isOurs {
                    try write(first, to: path)
                } else {
                    let connection = try Connection(path: path, mode: .create)
                    if !first.isEmpty { try connection.insert(first, into: "side") }
                    try connection.execute("UPDATE side SET name = 'short' WHERE id % 3 = 0")
                    expected = try connection.rows("SELECT * FROM side") + others
                }
                try write(others, to: path, resuming: true)
                #expect(try Connection.faults(of: path) == [], "\(count) + \(more)")
                let connection = try Connection(path: path, mode: .create)
                #expect(try connection.rows("SELECT * FROM side") == expected)
                try connection.execute(
                    "INSERT INTO side SELECT id + 1 + (SELECT max(id) FROM side), 1, '', 2 FROM side")
                #expect(try Connection.faults(of: path) == [])
            }
        }
    }

    /// Counts around those at which a level of the tree gains a page, from each count of rows before.
    @Test func resumeAtEveryCount() throws {
        let folder = try TemporaryFolder()
        let rows = (1...Int64(2_300)).map {
            [SQLiteValue.integer($0 << 14), .null, .text("twenty bytes of text"), .null]
        }
        for count in Array(1...70) + Array(stride(from: 71, to: 2_200, by: 61)) {
            let path = try folder.database(Self.schema, pageSize: 512)
            try Connection(path: path, mode: .create).insert(Array(rows[..<count]), into: "side")
            for end in [count + 1, count + 17, 2_300] {
                let before = try #require(
                    try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM side"))
                try write(Array(rows[Int(before)..<end]), to: path, resuming: true)
                #expect(try Connection.faults(of: path) == [], "\(count), \(end)")
            }
            let found = try Connection(path: path, mode: .readOnly).rows("SELECT count(*), sum(id) FROM side")
            #expect(found == [[.integer(2_300), .integer((2_300 * 2_301 / 2) << 14)]])
        }
    }

    @Test("a tree of another kind, a damaged page and a lost write are refused")
    func resumeRefused() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.schema + "; CREATE INDEX other ON side(number)")
        let roots = try rootPages(path)
        let (table, index) = (try #require(roots["side"]), try #require(roots["other"]))
        try withDescriptor(path) { descriptor in
            func refusal(root: UInt32, _ sums: PageSums? = nil) -> PageFileError? {
                #expect(throws: PageFileError.self) {
                    try TableTreeWriter(file: descriptor, pageSize: 4096, firstPage: 9, root: root, sums: sums).resume()
                }
            }
            #expect(refusal(root: index)?.message == "page \(index) is not as it was written")
            #expect(refusal(root: 1_000)?.message == "page 1000 is not as it was written")
            let lost = "page \(table) cannot be read back as written: a write was lost although the system took it"
            #expect(refusal(root: table, PageSums(pageSize: 4096))?.message == lost)
            // 60,000 cells would not fit into the page.
            let page = off_t(table - 1) * 4096
            #expect(pwrite(descriptor, [0xEA, 0x60] as [UInt8], 2, page + 3) == 2)
            #expect(refusal(root: table)?.message == "page \(table) is not as it was written")
            // An interior page that is its own child.
            let circle: [UInt8] = [5, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, UInt8(table)]
            #expect(pwrite(descriptor, circle, 12, page) == 12)
            #expect(refusal(root: table)?.message == "page \(table) is not as it was written")
        }
    }

    @Test func rowsMustAscend() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.schema)
        let rows: [[SQLiteValue]] = [[.integer(7), .null, .null, .null], [.integer(7), .null, .null, .null]]
        let error = #expect(throws: PageFileError.self) { try write(rows, to: path) }
        #expect(error?.message == "row 7 of a table cannot be stored behind row 7")
    }

    @Test("cells may come in another order than columns")
    func cellsByColumn() {
        let (tags, payloads): ([UInt8], [Int64]) = ([1, 2, 0], [4_711, Int64(bitPattern: 0.25.bitPattern), 0])
        var encoder = RecordEncoder(columns: 4)
        let text: [UInt8] = [0]
        let found = text.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                Array(encoder.encode(cells: [-1, 1, 2, 0], tags: tags, payloads: payloads, text: $0, otherText: $0))
            }
        }
        #expect(found == record([.null, .double(0.25), .null, .integer(4_711)]))
    }
}
