import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("The page at byte 2^30 is left to SQLite's locks")
struct LockPageTests {
    /// A database of `pages` pages. Nearly all are free and never written, so the file is sparse.
    private func sparseDatabase(_ folder: TemporaryFolder, pageSize: Int, pages: Int) throws -> String {
        let path = try folder.database(
            "CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT) WITHOUT ROWID", pageSize: pageSize)
        try withDescriptor(path) { descriptor in
            let used = Int(try DatabaseHeader.read(descriptor).pageCount)
            var free = Array(used + 1...pages)
            let count = free.count
            // The freelist is a chain of trunk pages. Each holds the next trunk's page number, its number of leaves
            // and the leaves' page numbers.
            let trunk = free.removeFirst()
            var page = trunk
            while page != 0 {
                let leaves = free.prefix(pageSize / 4 - 8)
                free.removeFirst(leaves.count)
                let next = free.isEmpty ? 0 : free.removeFirst()
                try write([next, leaves.count] + leaves, to: descriptor, at: (page - 1) * pageSize)
                page = next
            }
            try write([trunk, count], to: descriptor, at: 32)
            try write([0], to: descriptor, at: pages * pageSize - 4)
            try DatabaseHeader.setPageCount(descriptor, to: UInt32(pages))
        }
        return path
    }

    private func write(_ numbers: [Int], to descriptor: Int32, at offset: Int) throws {
        let bytes = numbers.map { UInt32($0).bigEndian }
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
        try #require(written == bytes.count * 4)
    }

    @Test(
        "trees that begin before the lock page, at it and behind it leave it out", arguments: [4096, 65536],
        [40, 70_000])
    func skipped(_ pageSize: Int, _ length: Int) throws {
        let lockPage = (1 << 30) / pageSize + 1
        for before in [0, 1, 2, 5] {
            let folder = try TemporaryFolder()
            let path = try sparseDatabase(folder, pageSize: pageSize, pages: lockPage - 1 - before)
            let text = String(repeating: "0123456789", count: length / 10)
            let count = length > 1000 ? 25 : 20_000
            let rows = (0..<count).map { [SQLiteValue.integer(Int64($0)), .text(text)] }
            let tree = try appendTree(rows, to: path, root: "t")
            #expect(tree.pageCount > lockPage)
            #expect(try Connection.faults(of: path) == [])
            #expect(try Connection(path: path, mode: .readOnly).rows("SELECT * FROM t") == rows)
            try withDescriptor(path) { descriptor in
                var bytes = [UInt8](repeating: 1, count: pageSize)
                #expect(pread(descriptor, &bytes, pageSize, 1 << 30) == pageSize)
                #expect(bytes.allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("a tree that ends just before the lock page leaves the file as it is")
    func untouched() throws {
        let folder = try TemporaryFolder()
        let path = try sparseDatabase(folder, pageSize: 65_536, pages: 16_383)
        // The three rows fit on the root page, which is there already.
        let rows = (0..<3).map { [SQLiteValue.integer(Int64($0)), .text(String(repeating: "x", count: 10))] }
        #expect(try appendTree(rows, to: path, root: "t").pageCount == 16_383)
        #expect(try Connection.faults(of: path) == [])
    }
}
