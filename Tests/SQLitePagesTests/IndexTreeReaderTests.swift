import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("Records are read back as they were written")
struct IndexTreeReaderTests {
    private static let table = "CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT) WITHOUT ROWID"

    /// All records of the tree, by the reader.
    private func records(_ path: String, pageSize: Int) throws -> [[UInt8]] {
        let root = try #require(try rootPages(path)["t"])
        return try withDescriptor(path) { descriptor in
            let reader = try IndexTreeReader(pageSize: pageSize, root: root) { page, memory in
                let count = pread(descriptor, memory.baseAddress, memory.count, off_t(Int(page) - 1) * off_t(pageSize))
                #expect(count == memory.count)
            }
            var records: [[UInt8]] = []
            while let record = try reader.next() { records.append(Array(record)) }
            #expect(try reader.next() == nil)
            return records
        }
    }

    @Test(
        "trees of one level to five are read in order", arguments: [0, 1, 4, 5, 24, 25, 124, 125, 624, 625, 3124, 3125])
    func levels(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let rows: [[SQLiteValue]] = (0..<count).map { [.integer(Int64($0)), .text(String(repeating: "a", count: 96))] }
        let path = try folder.database(Self.table, pageSize: 512)
        try appendTree(rows, to: path, root: "t")
        #expect(try records(path, pageSize: 512) == rows.map(record))
    }

    @Test("records are read with and without overflow pages", arguments: [512, 4096, 65536])
    func overflow(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        var dice = SeededGenerator(seed: UInt64(pageSize))
        let rows: [[SQLiteValue]] = (0..<300).map {
            let length = Int.random(in: 0...1, using: &dice) == 0 ? pageSize / 8 : pageSize * 5
            let text = String(repeating: "abcdefg", count: Int.random(in: 0...length, using: &dice) / 7)
            return [.integer(Int64($0) * 1000), .text(text)]
        }
        let path = try folder.database(Self.table, pageSize: pageSize)
        try appendTree(rows, to: path, root: "t")
        #expect(try records(path, pageSize: pageSize) == rows.map(record))
    }

    @Test("a tree is read from any place on, forwards and backwards", arguments: [0, 1, 5, 25, 624, 3125])
    func seeking(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let rows: [[SQLiteValue]] = (0..<count).map {
            [.integer(Int64($0) * 3), .text(String(repeating: "a", count: $0 % 7 == 0 ? 2_000 : 96))]
        }
        let path = try folder.database(Self.table, pageSize: 512)
        try appendTree(rows, to: path, root: "t")
        let root = try #require(try rootPages(path)["t"])
        var dice = SeededGenerator(seed: UInt64(count))
        try withDescriptor(path) { descriptor in
            let reader = try IndexTreeReader(pageSize: 512, root: root) { page, memory in
                #expect(pread(descriptor, memory.baseAddress, 512, off_t(Int(page) - 1) * 512) == 512)
            }
            for _ in 0..<200 {
                let key = Int64.random(in: -2...Int64(count) * 3 + 2, using: &dice)
                try reader.seek { RecordIntegers.value(of: $0, at: 0) ?? 0 < key }
                let first = rows.indices.count { Int64($0) * 3 < key }
                for row in rows[first...].prefix(3) { #expect(try reader.next().map(Array.init) == record(row)) }
                if first + 3 > count { #expect(try reader.next() == nil) }
            }
        }
    }

    /// The page has 39 bytes of each record, fewer than the record's header.
    @Test("a tree whose records have many columns is read from any place on")
    func seekingManyColumns() throws {
        let folder = try TemporaryFolder()
        let columns = (0..<200).map { "c\($0)" }
        let rows: [[SQLiteValue]] = (0..<300).map { row in
            [.integer(Int64(row / 3)), .integer(Int64(row % 3))] + columns.map { _ in .text("abc") }
        }
        let path = try folder.database(
            "CREATE TABLE t(p INTEGER, k INTEGER, \(columns.joined(separator: ", ")), PRIMARY KEY(p, k)) WITHOUT ROWID",
            pageSize: 512)
        try appendTree(rows, to: path, root: "t", keyColumns: 2)
        let root = try #require(try rootPages(path)["t"])
        try withDescriptor(path) { descriptor in
            let reader = try IndexTreeReader(pageSize: 512, root: root) { page, memory in
                #expect(pread(descriptor, memory.baseAddress, 512, off_t(Int(page) - 1) * 512) == 512)
            }
            let found = NumberRows(columns: (2, 3, -1))
            for parent in stride(from: 0, to: 100, by: 7) {
                try reader.seek { RecordIntegers.value(of: $0, at: 0) ?? 0 < Int64(parent) }
                #expect(try reader.next().map(Array.init) == record(rows[3 * parent]))
                found.removeAll()
                try reader.readNumbers(of: Int64(parent), to: found, most: 10)
                #expect(found.rows.map { $0.sequence } == [1, 2])
            }
        }
    }

    @Test("as numbers, one parent after the other", arguments: [512, 4096])
    func numbers(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        var dice = SeededGenerator(seed: UInt64(pageSize))
        func number(_ dice: inout SeededGenerator) -> SQLiteValue {
            let integers: [Int64] = [0, 1, -1, 127, 128, -40_000, 1 << 23, 1 << 31, -(1 << 40), 1 << 52]
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: return .null
            case 1: return .integer(integers.randomElement(using: &dice) ?? 0)
            case 2: return .text("7")
            default: return .double(Double.random(in: -180...180, using: &dice))
            }
        }
        var rows: [[SQLiteValue]] = []
        for parent in 0..<60 where parent % 7 != 3 {
            let length = [0, 30, 300, 4_000].randomElement(using: &dice) ?? 0
            for sequence in 0..<Int.random(in: 1...40, using: &dice) {
                rows.append([
                    .integer(Int64(parent)), .integer(Int64(sequence * 9)), number(&dice), .double(2.5), number(&dice),
                    .text(String(repeating: "x", count: length)),
                ])
            }
        }
        let path = try folder.database(
            "CREATE TABLE t(p, s, a, b, c, d, PRIMARY KEY(p, s)) WITHOUT ROWID", pageSize: pageSize)
        try appendTree(rows, to: path, root: "t", keyColumns: 2)
        let root = try #require(try rootPages(path)["t"])
        func value(_ value: SQLiteValue) -> Double {
            switch value {
            case .integer(let number): Double(number)
            case .double(let number): number
            default: .nan
            }
        }
        try withDescriptor(path) { descriptor in
            let reader = try IndexTreeReader(pageSize: pageSize, root: root) { page, memory in
                #expect(pread(descriptor, memory.baseAddress, pageSize, off_t(Int(page) - 1) * off_t(pageSize)) > 0)
            }
            let found = NumberRows(columns: (4, 2, -1))
            for parent in Array(Int64(0)..<62) + [5, 40, 3, 0] {
                found.removeAll()
                try reader.seek { RecordIntegers.value(of: $0, at: 0) ?? 0 < parent }
                let most = parent % 5 == 0 ? 10 : 1_000
                try reader.readNumbers(of: parent, to: found, most: most)
                // The rest, or nothing.
                try reader.readNumbers(of: parent, to: found, most: 1_000)
                let expected = rows.filter { $0[0] == .integer(parent) }
                #expect(found.rows.map { Double($0.sequence) } == expected.map { value($0[1]) })
                #expect(found.rows.map { "\($0.first)" } == expected.map { "\(value($0[4]))" })
                #expect(found.rows.map { "\($0.second)" } == expected.map { "\(value($0[2]))" })
                #expect(found.rows.allSatisfy { $0.third.isNaN })
            }
        }
    }

    @Test("a page that is none of a tree is refused")
    func otherPage() throws {
        #expect(throws: PageFileError(.unsuitable, "page 7 is not as it was written")) {
            _ = try IndexTreeReader(pageSize: 512, root: 7) { _, memory in memory[0] = 0x0D }
        }
    }

    @Test("a cell beyond the end of its page is refused, with the page's number")
    func cellBeyondItsPage() throws {
        let reader = try IndexTreeReader(pageSize: 512, root: 7) { _, memory in
            (memory[0], memory[4], memory[8], memory[9]) = (0x0A, 1, 0xFF, 0xFF)
        }
        #expect(throws: PageFileError(.unsuitable, "page 7 is not as it was written")) { _ = try reader.next() }
    }

    @Test("integers of a record are read, wherever they stand")
    func integers() throws {
        let values: [Int64] = [0, 1, -1, 127, -129, 40_000, -8_388_609, 1 << 31, -(1 << 47), 1 << 47, .max, .min]
        let row: [SQLiteValue] =
            [.text(String(repeating: "x", count: 300)), .null, .double(0.5)] + values.map(SQLiteValue.integer)
        withRecord(row) { record in
            for column in 0..<3 { #expect(RecordIntegers.value(of: record, at: column) == nil) }
            for (column, value) in values.enumerated() {
                #expect(RecordIntegers.value(of: record, at: column + 3) == value)
            }
            #expect(RecordIntegers.value(of: record, at: row.count) == nil)
        }
    }
}
