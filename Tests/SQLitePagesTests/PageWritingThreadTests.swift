import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("A thread of its own writes the same pages")
struct PageWritingThreadTests {
    /// Writes short and long trees one after another, with some records that need overflow pages, and returns the bytes
    /// of the file. The second tree has its root on the page that SQLite made for it.
    private func trees(_ path: String, isAhead: Bool) throws -> [UInt8] {
        let sums = PageSums(pageSize: 4096)
        let root = try rootPages(path)["t_x"]
        try withDescriptor(path) { descriptor in
            let header = try DatabaseHeader.read(descriptor)
            let thread = isAhead ? PageWritingThread(descriptor, pageSize: header.pageSize, sums: sums) : nil
            var pageCount = header.pageCount
            for (number, rows) in [3, 60_000, 0, 150_000].enumerated() {
                let writer = IndexTreeWriter(
                    file: descriptor, pageSize: header.pageSize, firstPage: pageCount + 1,
                    root: number == 1 ? root : nil, sums: thread == nil ? sums : nil, thread: thread)
                for row in 0..<rows {
                    let text = String(repeating: "a", count: row % 1000 == 0 ? 9000 : row % 90)
                    try withRecord([.integer(Int64(row)), .text(text)]) { try writer.append($0) }
                }
                pageCount = try writer.finish().pageCount
            }
            try thread?.finish()
            try DatabaseHeader.setPageCount(descriptor, to: pageCount, sums: sums)
            try PageTrailer.seal(descriptor, sums)
        }
        return try [UInt8](Data(contentsOf: URL(filePath: path)))
    }

    @Test func pagesWrittenAheadHaveTheSameBytes() throws {
        let folder = try TemporaryFolder()
        let sql = "CREATE TABLE t(x, y); CREATE INDEX t_x ON t(x)"
        let one = try trees(folder.database(sql, name: "one"), isAhead: false)
        let other = try trees(folder.database(sql, name: "other"), isAhead: true)
        #expect(one.count > 4 << 20)
        #expect(one == other)
    }

    private func failure(_ body: () throws -> Void) -> PageFileError? {
        do { try body() } catch { return error as? PageFileError }
        return nil
    }

    /// After a fault, appending more pages does not wait for the thread forever, and the first fault is reported.
    @Test(
        "a full disk, and one that loses what it took, are errors",
        arguments: [
            ("/dev/full", PageFileError(.inputOutput, "page 3 cannot be written: No space left on device")),
            (
                "/dev/null",
                PageFileError(
                    .lost, "page 3 cannot be read back as written: a write was lost although the system took it")
            ),
        ])
    func faults(_ path: String, _ error: PageFileError) throws {
        try withDescriptor(path) { descriptor in
            let thread = PageWritingThread(descriptor, pageSize: 4096, sums: PageSums(pageSize: 4096))
            let writer = IndexTreeWriter(file: descriptor, pageSize: 4096, firstPage: 3, thread: thread)
            let appending = failure {
                for _ in 0..<1_000_000 { try withRecord([.integer(1 << 60)]) { try writer.append($0) } }
            }
            #expect(appending == error)
            #expect(failure { try thread.finish() } == error)
            // A short tree, for which the thread does not start.
            let none = PageWritingThread(descriptor, pageSize: 4096, sums: PageSums(pageSize: 4096))
            let short = IndexTreeWriter(file: descriptor, pageSize: 4096, firstPage: 3, thread: none)
            #expect(failure { _ = try short.finish() } == error)
        }
    }
}
