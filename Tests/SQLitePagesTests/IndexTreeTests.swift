import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("Trees are whole for SQLite, whatever the number and size of records")
struct IndexTreeTests {
    private static let table = "CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT) WITHOUT ROWID"

    private func rows(_ count: Int, length: Int) -> [[SQLiteValue]] {
        (0..<count).map { [.integer(Int64($0) * 3), .text(String(repeating: "abcdefgh", count: length / 8))] }
    }

    private func check(_ path: String, _ rows: [[SQLiteValue]]) throws {
        #expect(try Connection.faults(of: path) == [], "\(rows.count) rows")
        #expect(try Connection(path: path, mode: .readOnly).rows("SELECT * FROM t") == rows)
    }

    /// Four records fill a page of 512 bytes, so one level holds 4 rows, two hold 24, three hold 124 and four hold 624.
    @Test("every number of records from none to four levels and beyond makes a sound tree")
    func everyCount() throws {
        let folder = try TemporaryFolder()
        let all = rows(660, length: 96)
        for count in 0...660 {
            let path = try folder.database(Self.table, pageSize: 512)
            try appendTree(all.prefix(count), to: path, root: "t")
            try check(path, Array(all.prefix(count)))
        }
    }

    @Test("five levels are made, and the sixth from 3,125 records on", arguments: [3119...3130, 5000...5000])
    func deep(_ counts: ClosedRange<Int>) throws {
        let folder = try TemporaryFolder()
        for count in counts {
            let path = try folder.database(Self.table, pageSize: 512)
            let rows = rows(count, length: 96)
            try appendTree(rows, to: path, root: "t")
            try check(path, rows)
            var reader = try PlainTreeReader(path)
            #expect(reader.records(root: try #require(try rootPages(path)["t"])) == rows.map(record))
            #expect(reader.depth == (count <= 3124 ? 5 : 6))
        }
    }

    @Test(
        "trees of one level to three are sound with all page sizes",
        arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
    func pageSizes(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        for (count, length) in [(0, 0), (1, 8), (2, 8), (2000, 8), (4000, 64)] {
            let path = try folder.database(Self.table, pageSize: pageSize)
            let rows = rows(count, length: length)
            try appendTree(rows, to: path, root: "t")
            try check(path, rows)
        }
    }

    @Test("the smallest records make a sound tree around the first pages of 65,536 bytes")
    func smallest() throws {
        let folder = try TemporaryFolder()
        // A record of one NULL takes three bytes with its length, but a cell takes at least four. With its 2-byte
        // pointer that is 6, so a page holds 10,921.
        for count in [1, 10_919, 10_920, 10_921, 10_922, 10_923, 21_842, 21_843, 21_844, 21_845] {
            let path = try folder.database("CREATE TABLE u(v); CREATE INDEX i ON u(v)", pageSize: 65_536)
            try withDescriptor(path) { descriptor in
                let header = try DatabaseHeader.read(descriptor)
                let writer = IndexTreeWriter(file: descriptor, pageSize: 65_536, firstPage: header.pageCount + 1)
                for _ in 0..<count { try withRecord([.null]) { try writer.append($0) } }
                try DatabaseHeader.setPageCount(descriptor, to: writer.finish().pageCount)
            }
            try adopt(path, "CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID", pages: try pageCount(path))
            // SQLite complains about keys that are NULL or not unique, but it must find no fault in the tree's form.
            let faults = try Connection.faults(of: path)
            #expect(faults.allSatisfy { $0.contains("NULL value in t.a") || $0.contains("non-unique") }, "\(count)")
            #expect(try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM t") == Int64(count))
        }
    }

    private func pageCount(_ path: String) throws -> UInt32 {
        try withDescriptor(path) { try DatabaseHeader.read($0).pageCount }
    }

    /// Enters a table `t` in the schema whose root is page `pages`, the last page of the database.
    private func adopt(_ path: String, _ sql: String, pages: UInt32) throws {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("PRAGMA writable_schema = ON")
        let statement = try connection.prepare("INSERT INTO sqlite_schema VALUES('table', 't', 't', ?, ?)")
        statement.bind(1, Int64(pages))
        statement.bind(2, sql)
        try statement.run()
        try connection.execute("PRAGMA writable_schema = RESET")
    }

    @Test("the schema can be told of a new root as well", arguments: [0, 1, 3000])
    func newRoot(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE other(x)")
        let rows = rows(count, length: 40)
        let tree = try appendTree(rows, to: path)
        #expect(tree.rootPage == tree.pageCount)
        try adopt(path, Self.table, pages: tree.rootPage)
        try check(path, rows)
    }

    /// Lengths around those at which the part that stays in the cell, or the number of overflow pages, changes.
    private static func lengths(_ pageSize: Int) -> [Int] {
        let longest = (pageSize - 12) * 64 / 255 - 23
        let shortest = (pageSize - 12) * 32 / 255 - 23
        var lengths: Set<Int> = [0, 1, 7 * pageSize]
        for pages in 0...3 {
            for edge in [longest, shortest] {
                for difference in -10...10 { lengths.insert(edge + pages * (pageSize - 4) + difference) }
            }
        }
        return lengths.sorted()
    }

    @Test(
        "records are stored as by SQLite around every change of their overflow pages' number",
        arguments: [512, 4096, 65536])
    func overflow(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let texts = Self.lengths(pageSize).map { String(repeating: "abcdefghijklmnopq", count: $0 / 17 + 1).prefix($0) }
        let rows = texts.enumerated().map { [SQLiteValue.integer(Int64($0.offset)), .text(String($0.element))] }
        let path = try folder.database(Self.table, pageSize: pageSize)
        try appendTree(rows, to: path, root: "t")
        try check(path, rows)

        let twin = try folder.database(Self.table, pageSize: pageSize, name: "twin.sqlite")
        try Connection(path: twin, mode: .create).insert(rows, into: "t")
        var (ours, sqlites) = (try PlainTreeReader(path), try PlainTreeReader(twin))
        let root = try #require(try rootPages(path)["t"])
        #expect(ours.records(root: root) == sqlites.records(root: try #require(try rootPages(twin)["t"])))
    }

    @Test("the same rows give the same bytes")
    func reproducible() throws {
        let folder = try TemporaryFolder()
        let files = try (0..<2).map { number in
            let path = try folder.database(Self.table, pageSize: 1024, name: "\(number).sqlite")
            try appendTree(rows(2000, length: 400), to: path, root: "t")
            return try [UInt8](contentsOf: path)
        }
        #expect(files[0] == files[1])
    }
}
