import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("Records that differ in one integer are those that encoding each would give")
struct RecordRunTests {
    /// The edges of each length, and steps between them.
    private static let rows: [UInt32] = {
        let edges: [UInt32] = [0, 1, 2, 127, 128, 255, 256, 32_767, 32_768, 65_535, 8_388_607, 8_388_608, 16_777_216]
        let steps = stride(from: 20_000_000, to: 22_000_000, by: 997).map { UInt32($0) }
        return edges + Array(300..<900) + steps + [2_147_483_646, 2_147_483_647]
    }()
    private static let sorted = Array(Set(rows)).sorted()

    /// An index row: the values of the first columns, then the row number, then `behind` zeros.
    private func cells(_ first: [SQLiteValue], _ row: UInt32, _ behind: Int) -> [SQLiteValue] {
        first + [.integer(Int64(row))] + [SQLiteValue](repeating: .integer(0), count: behind)
    }

    private func tree(_ path: String, _ body: (IndexTreeWriter) throws -> Void) throws -> [UInt8] {
        try withDescriptor(path) { descriptor in
            let header = try DatabaseHeader.read(descriptor)
            let writer = IndexTreeWriter(
                file: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1)
            try body(writer)
            _ = try writer.finish()
        }
        return try [UInt8](Data(contentsOf: URL(filePath: path)))
    }

    @Test(arguments: [512, 4096], [0, 1, 2]) func aRunMakesTheSameTreeAsSingleRecords(_ pageSize: Int, _ behind: Int)
        throws
    {
        let folder = try TemporaryFolder()
        let values: [[SQLiteValue]] = [
            [.null], [.integer(0)], [.integer(70_000)], [.text("")], [.text("zone")],
            [.text(String(repeating: "a", count: 57))], [.text(String(repeating: "b", count: 58))],
            [.text(String(repeating: "c", count: 300))], [.text("t"), .text("column"), .text("value")],
        ]
        var kinds: Set<Bool> = []
        let one = try tree(folder.database("CREATE TABLE t(x)", pageSize: pageSize, name: "one")) { writer in
            for value in values {
                for row in Self.sorted { try withRecord(cells(value, row, behind)) { try writer.append($0) } }
            }
        }
        let runs = try tree(folder.database("CREATE TABLE t(x)", pageSize: pageSize, name: "runs")) { writer in
            for value in values {
                let isRun = try withRecord(cells(value, Self.sorted[0], behind)) {
                    try writer.beginRun($0, columnsBehind: behind)
                }
                kinds.insert(isRun)
                let rest = Self.sorted.dropFirst()
                guard isRun else {
                    for row in rest { try withRecord(cells(value, row, behind)) { try writer.append($0) } }
                    continue
                }
                for part in [rest.prefix(7), rest.dropFirst(7)] {
                    try Array(part).withUnsafeBufferPointer { try writer.appendRun($0) }
                }
            }
        }
        #expect(one == runs)
        #expect(kinds == [true, false])
    }

    @Test("what is no run, and rows that have no room, are refused")
    func refused() throws {
        try withDescriptor("/dev/null") { descriptor in
            let writer = IndexTreeWriter(file: descriptor, pageSize: 4096, firstPage: 3)
            func isRun(_ row: [SQLiteValue], _ behind: Int = 0) throws -> Bool {
                try withRecord(row) { try writer.beginRun($0, columnsBehind: behind) }
            }
            let kinds = [
                try isRun([.text("a"), .text("b")]), try isRun([.integer(1), .integer(5), .integer(7)], 1),
                try isRun([.integer(1)], 1), try isRun([.integer(1), .integer(5)]),
            ]
            #expect(kinds == [false, false, false, true])
            #expect(throws: PageFileError(.tooLarge, "2147483648 is more than the rows of an index can be")) {
                try [9, 1 << 31].withUnsafeBufferPointer { try writer.appendRun($0) }
            }
        }
    }
}
