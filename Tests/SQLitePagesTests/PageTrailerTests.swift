import Foundation
import Glibc
import Testing

@testable import SQLitePages

/// Checksums after the last page. Lost writes are noticed while the file is written, later damage by the checksums.
@Suite struct PageTrailerTests {
    private static let pageSize = 512

    /// A file of three pages that begins with a database header, and the checksums of what was written to it.
    private static func makeFile() throws -> (descriptor: Int32, sums: PageSums) {
        var name = Array((FileManager.default.temporaryDirectory.path + "/page-trailer-XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        try #require(descriptor >= 0)
        unlink(name)
        var bytes = Array("SQLite format 3\0".utf8) + [2, 0] + [UInt8](repeating: 0, count: 10) + [0, 0, 0, 3]
        bytes += (bytes.count..<3 * pageSize).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let sums = PageSums(pageSize: pageSize)
        try write(bytes, 0, descriptor, sums)
        return (descriptor, sums)
    }

    private static func write(_ bytes: [UInt8], _ offset: Int, _ descriptor: Int32, _ sums: PageSums? = nil) throws {
        try #require(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
        bytes.withUnsafeBytes { sums?.record($0, at: offset) }
    }

    @Test func aSealedFileIsSound() throws {
        let (file, sums) = try Self.makeFile()
        defer { close(file) }
        // Parts of the header may be written separately.
        try Self.write([1, 2, 3, 4], 24, file, sums)
        try PageTrailer.seal(file, sums)
        #expect(lseek(file, 0, SEEK_END) == 3 * 512 + 3 * 4 + 28)
        #expect(try PageTrailer.damage(in: file) == nil)
    }

    /// If a file is open for appending, Linux ignores the offset and writes at the end (pwrite(2)): the page is lost.
    @Test func aWriteThatWasLostIsNoticed() throws {
        var name = Array((FileManager.default.temporaryDirectory.path + "/page-trailer-XXXXXX").utf8CString)
        close(mkstemp(&name))
        defer { unlink(name) }
        let file = open(name, O_RDWR | O_APPEND)
        defer { close(file) }
        try Self.write([UInt8](repeating: 7, count: 1_024), 0, file)
        let pages = PageAppender(
            descriptor: file, pageSize: Self.pageSize, firstPage: 2, sums: PageSums(pageSize: Self.pageSize))
        try [UInt8](repeating: 1, count: 512).withUnsafeBytes { _ = try pages.append($0) }
        let lost = PageFileError(
            .lost, "page 2 cannot be read back as written: a write was lost although the system took it")
        #expect(throws: lost) { try pages.flush() }
    }

    /// When only a part of a page is written, its checksum is unknown. The first page is an exception.
    @Test func partsOfPagesCannotBeSealed() throws {
        let (file, sums) = try Self.makeFile()
        defer { close(file) }
        try Self.write([1], 700, file, sums)
        let error = PageFileError(.unsuitable, "a write was neither of whole pages nor within the first page")
        #expect(throws: error) { try PageTrailer.seal(file, sums) }
    }

    @Test func aDatabaseWithoutPagesCannotBeSealed() throws {
        let (file, _) = try Self.makeFile()
        defer { close(file) }
        let error = PageFileError(.unsuitable, "the database's header counts no pages")
        #expect(throws: error) { try PageTrailer.seal(file, PageSums(pageSize: Self.pageSize)) }
    }

    @Test func everyByteCounts() throws {
        let (file, sums) = try Self.makeFile()
        defer { close(file) }
        try PageTrailer.seal(file, sums)
        for offset in 0..<3 * 512 + 3 * 4 + 28 {
            var byte: UInt8 = 0
            try #require(pread(file, &byte, 1, off_t(offset)) == 1)
            try Self.write([byte ^ 0x10], offset, file)
            let damage = try PageTrailer.damage(in: file)
            if offset < 3 * 512 {
                #expect(damage?.kind == .pages && damage?.pages == [UInt32(offset / 512 + 1)])
            } else {
                #expect(damage != nil, "byte \(offset) of the sums")
            }
            try Self.write([byte], offset, file)
        }
        #expect(try PageTrailer.damage(in: file) == nil)
    }

    @Test func everyLengthCounts() throws {
        let (file, sums) = try Self.makeFile()
        defer { close(file) }
        try PageTrailer.seal(file, sums)
        for length in stride(from: 3 * 512 + 39, through: 0, by: -1) {
            try #require(ftruncate(file, off_t(length)) == 0)
            #expect(try PageTrailer.damage(in: file) != nil, "\(length) bytes")
        }
        try #require(ftruncate(file, 600) == 0)
    }

    @Test func aCutFileTellsItsMissingPages() throws {
        let (file, sums) = try Self.makeFile()
        defer { close(file) }
        try PageTrailer.seal(file, sums)
        try #require(ftruncate(file, 600) == 0)
        let damage = try #require(try PageTrailer.damage(in: file))
        #expect(damage.pages == [2, 3])
        #expect(damage.description == "it has 600 of 1576 bytes")
    }

    /// The CRC of RFC 1952 for the usual test text.
    @Test func theSumIsTheUsualOne() {
        #expect(Array("123456789".utf8).withUnsafeBytes(PageSum.of) == 0xCBF4_3926)
    }
}
