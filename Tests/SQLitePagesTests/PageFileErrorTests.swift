import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("What cannot be written is refused in words")
struct PageFileErrorTests {
    private func refusal(_ change: (inout [UInt8]) -> Void) throws -> PageFileError? {
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE t(x)")
        var bytes = try [UInt8](contentsOf: path)
        change(&bytes)
        try Data(bytes).write(to: URL(filePath: path))
        do throws(PageFileError) {
            let descriptor = open(path, O_RDWR)
            defer { close(descriptor) }
            _ = try DatabaseHeader.read(descriptor)
            return nil
        } catch {
            return error
        }
    }

    @Test("headers that are no database's, or of a kind that is not written here, are refused")
    func headers() throws {
        let cases: [((inout [UInt8]) -> Void, String)] = [
            ({ $0 = [] }, "the file does not begin as an SQLite database does"),
            ({ $0 = Array($0.prefix(99)) }, "the file does not begin as an SQLite database does"),
            ({ $0[3] = 0 }, "the file does not begin as an SQLite database does"),
            ({ $0[17] = 7 }, "the database has pages of 4103 bytes, which is not possible"),
            ({ $0[16] = 0 }, "the database has pages of 0 bytes, which is not possible"),
            ({ $0[18] = 2 }, "the database is in WAL mode or of a later format"),
            ({ $0[20] = 32 }, "the database reserves 32 bytes in each page"),
            ({ $0[47] = 3 }, "the database has schema format 3 instead of 4"),
            ({ $0[55] = 1 }, "the database is in auto-vacuum mode"),
            ({ $0[59] = 2 }, "the database is not in UTF-8"),
            ({ $0[95] &+= 1 }, "the database was last written by an SQLite before 3.7, without a page count"),
        ]
        for (change, message) in cases {
            #expect(try refusal(change) == PageFileError(.unsuitable, message))
        }
        #expect(try refusal { _ in } == nil)
    }

    @Test("the header's page count and change counter are read and set", arguments: [512, 4096, 32768, 65536])
    func numbers(_ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE t(x); CREATE TABLE u(x)", pageSize: pageSize)
        try withDescriptor(path) { descriptor in
            let header = try DatabaseHeader.read(descriptor)
            #expect(header.pageSize == pageSize)
            #expect(header.pageCount == 3)
            try DatabaseHeader.setPageCount(descriptor, to: 70_000)
            let changed = try DatabaseHeader.read(descriptor)
            #expect(changed.pageCount == 70_000)
            #expect(changed.changeCounter == header.changeCounter + 1)
        }
    }

    private func failure(_ body: () throws -> Void) -> PageFileError? {
        do { try body() } catch { return error as? PageFileError }
        return nil
    }

    @Test("a full disk is an error that names the page")
    func fullDisk() throws {
        try withDescriptor("/dev/full") { descriptor in
            let writer = IndexTreeWriter(file: descriptor, pageSize: 4096, firstPage: 3)
            let finishing = failure { _ = try writer.finish() }
            #expect(finishing == PageFileError(.inputOutput, "page 3 cannot be written: No space left on device"))
            let many = IndexTreeWriter(file: descriptor, pageSize: 4096, firstPage: 3)
            let appending = failure {
                for _ in 0..<100_000 { try withRecord([.integer(1 << 60)]) { try many.append($0) } }
            }
            #expect(appending == PageFileError(.inputOutput, "page 3 cannot be written: No space left on device"))
        }
    }

    @Test("more pages than SQLite has numbers for are refused")
    func tooManyPages() throws {
        try withDescriptor("/dev/null") { descriptor in
            let last = IndexTreeWriter(file: descriptor, pageSize: 512, firstPage: 4_294_967_294)
            let tree = try last.finish()
            #expect(tree.pageCount == 4_294_967_294)
            for firstPage in [4_294_967_295, 0] as [UInt32] {
                let writer = IndexTreeWriter(file: descriptor, pageSize: 512, firstPage: firstPage)
                #expect(
                    failure { _ = try writer.finish() }
                        == PageFileError(
                            .tooLarge, "the database would have more than 4294967294 pages, the limit of SQLite"))
            }
        }
    }

    @Test("a record that SQLite would not read is refused")
    func tooLong() throws {
        try withDescriptor("/dev/null") { descriptor in
            let writer = IndexTreeWriter(file: descriptor, pageSize: 4096, firstPage: 3)
            // The writer looks only at the length before it throws, so the address may be invalid.
            let start = UnsafeRawPointer(bitPattern: 4096)
            let error = failure { try writer.append(UnsafeRawBufferPointer(start: start, count: 1_000_000_001)) }
            #expect(
                error
                    == PageFileError(
                        .tooLarge, "a record has 1000000001 bytes, and SQLite reads no more than 1000000000"))
        }
    }

    @Test("the order that these tests check is SQLite's")
    func order() throws {
        let ordered: [[SQLiteValue]] = [
            [.null], [.double(-1e300)], [.integer(.min)], [.integer(-1)], [.integer(0)], [.double(0.5)], [.integer(1)],
            [.integer(256)], [.integer(1 << 40)], [.double(1e300)], [.text("")], [.text("A")], [.text("AB")],
            [.text("a")],
            [.text("ä")],
        ]
        for (first, a) in ordered.enumerated() {
            for (second, b) in ordered.enumerated() {
                var order = RecordOrder(keyColumns: 1)
                let error = failure {
                    for row in [a, b] { try withRecord(row + [.integer(1)]) { try order.check($0) } }
                }
                let refused = PageFileError(
                    .outOfOrder, "record 2 does not come after the one before in its first 1 columns")
                #expect(error == (first < second ? nil : refused), "\(a) before \(b)")
            }
        }
    }
}
