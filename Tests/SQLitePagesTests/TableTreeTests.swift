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
    private func write(_ rows: [[SQLiteValue]], to path: String) throws {
        let root = try #require(try rootPages(path)["side"])
        try withDescriptor(path) { descriptor in
            let header = try DatabaseHeader.read(descriptor)
            let writer = TableTreeWriter(
                file: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1, root: root)
            for row in rows {
                guard case .integer(let id) = row[0] else { continue }
                try withRecord([.null] + row.dropFirst()) { try writer.append($0, rowid: Int(id)) }
            }
            try DatabaseHeader.setPageCount(descriptor, to: writer.finish().pageCount)
        }
    }

    @Test(arguments: [0, 1, 2, 40, 700, 9_000], [512, 4096, 65536])
    func randomRows(_ count: Int, _ pageSize: Int) throws {
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

    @Test func rowsMustAscend() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.schema)
        let rows: [[SQLiteValue]] = [[.integer(7), .null, .null, .null], [.integer(7), .null, .null, .null]]
        let error = #expect(throws: PageFileError.self) { try write(rows, to: path) }
        #expect(error?.message == "row 7 of a table cannot be stored behind row 7")
    }

    @Test("cells in another order than columns")
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
