import Foundation
import GTFSFeed
import TestSupport
import Testing

@testable import GTFSImport

/// A source that reads ahead gives the same bytes and errors as its stream.
@Suite struct ReadAheadSourceTests {
    private static let bytes = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })

    /// A stream over a large file in a folder, and the folder.
    private func stream(_ bytes: Data = bytes) throws -> (EntryStream, TemporaryFolder) {
        let folder = try TemporaryFolder()
        try bytes.write(to: URL(filePath: folder.path("stops.txt")))
        try Data("trip_id\n".utf8).write(to: URL(filePath: folder.path("trips.txt")))
        let feed = try OpenedFeed.open(folder.path)
        let entry = try #require(feed.entries.first { $0.name == "stops.txt" })
        return (try feed.read(entry), folder)
    }

    /// Everything up to the end or an error, in reads of `size` bytes.
    private func readAll(_ source: inout some ByteSource, size: Int) -> (bytes: Data, error: FeedError?) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        var bytes = Data()
        do {
            while case let count = try source.read(into: buffer), count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            }
            return (bytes, nil)
        } catch {
            return (bytes, error as? FeedError)
        }
    }

    @Test(arguments: [1_000, 65_536, 262_144, 1_000_003, 4_000_000])
    func theBytesAreThoseOfTheStream(size: Int) throws {
        let (stream, folder) = try stream()
        defer { withExtendedLifetime(folder) {} }
        var source = try #require(ReadAheadSource(stream))
        let (bytes, error) = readAll(&source, size: size)
        #expect(bytes == Self.bytes)
        #expect(error == nil)
        // After the end, further reads give nothing.
        #expect(readAll(&source, size: size).bytes.isEmpty)
    }

    @Test func nothingIsReadOfNothing() throws {
        let (stream, folder) = try stream(Data())
        defer { withExtendedLifetime(folder) {} }
        var source = try #require(ReadAheadSource(stream))
        #expect(readAll(&source, size: 10).bytes.isEmpty)
    }

    @Test(arguments: [10_000, 300_000, 2_000_000])
    func aFailureComesBehindTheBytesBeforeIt(size: Int) throws {
        let (plain, folder) = try stream()
        let (ahead, other) = try stream()
        for path in [folder.path("stops.txt"), other.path("stops.txt")] {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data("more\n".utf8))
            try file.close()
        }
        var expected = plain
        let direct = readAll(&expected, size: 250_000)
        var source = try #require(ReadAheadSource(ahead))
        let read = readAll(&source, size: size)
        #expect(direct.error?.code == .readFailed && read.error?.code == .readFailed)
        #expect(Self.bytes.starts(with: read.bytes) && read.bytes.count >= 256 << 10)
        // Further reads fail as well.
        #expect(readAll(&source, size: size).error?.code == .readFailed)
    }

    @Test func whoStopsEarlyDoesNotWaitForTheRest() throws {
        for _ in 0..<50 {
            let (stream, folder) = try stream()
            let source = try #require(ReadAheadSource(stream))
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 16)
            defer { buffer.deallocate() }
            #expect(try source.read(into: buffer) == 100)
            withExtendedLifetime(folder) {}
        }
    }
}
