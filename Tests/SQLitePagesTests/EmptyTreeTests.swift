import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("Trees without rows are those that SQLite makes")
struct EmptyTreeTests {
    @Test("tables and indexes entered into the schema can be read, checked and filled", arguments: [512, 4096, 65536])
    func filled(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE t(x)", pageSize: pageSize)
        let roots = try withDescriptor(path) { try EmptyTree.append([.table, .index, .index], to: $0) }
        #expect(roots == [3, 4, 5])
        let entries = [
            ("table", "u", "u", roots[0], "CREATE TABLE u(id INTEGER PRIMARY KEY, x)"),
            ("index", "u_x", "u", roots[1], "CREATE INDEX u_x ON u(x)"),
            ("table", "v", "v", roots[2], "CREATE TABLE v(k PRIMARY KEY, x) WITHOUT ROWID"),
        ]
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("PRAGMA writable_schema = ON")
        for (type, name, table, root, sql) in entries {
            try connection.execute(
                "INSERT INTO sqlite_schema VALUES('\(type)', '\(name)', '\(table)', \(root), '\(sql)')")
        }
        #expect(try Connection.faults(of: path) == [])
        let reader = try Connection(path: path, mode: .create)
        #expect(try reader.rows("SELECT count(*) FROM u") == [[.integer(0)]])
        let rows = (0..<2_000).map { [SQLiteValue.integer(Int64($0)), .text("value \($0 % 7)")] }
        try reader.insert(rows, into: "u")
        try reader.insert(rows, into: "v")
        #expect(try Connection.faults(of: path) == [])
        #expect(try reader.rows("SELECT count(*) FROM u INDEXED BY u_x WHERE x = 'value 3'") == [[.integer(286)]])
    }

    @Test("more trees than the buffer holds")
    func many() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE t(x)")
        let roots = try withDescriptor(path) { try EmptyTree.append(Array(repeating: .index, count: 100), to: $0) }
        #expect(roots == Array(3...102))
        let pages = try [UInt8](contentsOf: path)
        #expect(pages.count == 102 * 4096)
        #expect(roots.allSatisfy { pages[(Int($0) - 1) * 4096] == 0x0A })
    }

    @Test("none at all changes nothing but the counter")
    func none() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE t(x)")
        #expect(try withDescriptor(path) { try EmptyTree.append([], to: $0) } == [])
        #expect(try Connection.faults(of: path) == [])
    }
}
