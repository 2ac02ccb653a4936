import TestSupport
import Testing

@testable import GTFSFeed

/// Reads sound archives of every form and expects the contents that were packed.
struct ZipReadingTests {
    static let stops = "stop_id,stop_name\n1,Gedenkstätte\n"
    static let members = [
        ZipWriter.Member("agency.txt", "agency_id\n1\n"), ZipWriter.Member("stops.txt", stops, method: 8),
        ZipWriter.Member("routes.txt", "", method: 8), ZipWriter.Member("trips.txt"),
    ]
    static let texts = ["agency.txt": "agency_id\n1\n", "stops.txt": stops, "routes.txt": "", "trips.txt": ""]

    static let plain = ZipWriter(members)

    static var forms: [(String, ZipWriter)] {
        var all: [(String, ZipWriter)] = [("plain", plain)]
        func add(_ name: String, _ change: (inout ZipWriter) -> Void) {
            var writer = plain
            change(&writer)
            all.append((name, writer))
        }
        func each(_ name: String, _ change: @escaping (inout ZipWriter.Member) -> Void) {
            add(name) { $0.members = $0.members.map { $0.with(change) } }
        }
        each("zip64 sizes and offsets") { $0.isZip64 = true }
        each("data descriptors") { $0.hasDescriptor = true }
        each("UTF-8 flag") { $0.flags = 0x800 }
        each("extra fields in local headers only") { $0.localExtra = le(UInt16(0x5455)) + le(UInt16(1)) + [7] }
        each("empty files without a deflate stream") { if $0.content.isEmpty { $0.packed = [] } }
        each("padding instead of extra fields") { $0.centralExtra = [0, 0, 0] }
        each("backslash in the local name") { $0.localName = Array(".\\".utf8) + $0.name }
        each("zip64 number of the disk") {
            $0.disk = .max
            $0.centralExtra = le(UInt16(1)) + le(UInt16(4)) + le(UInt32(0))
        }
        // Only the attributes of Unix tell of links.
        each("attributes of a link from another system") { $0.externalAttributes = 0o120777 << 16 }
        add("zip64 end record") { $0.hasZip64End = true }
        add("zip64 end record with more fields than are known") {
            $0.hasZip64End = true
            $0.moreOfZip64End = [1, 2, 3]
        }
        add("zip64 end record beside a plain one") {
            $0.hasZip64End = true
            $0.endIsAtMaximum = false
        }
        add("comment") { $0.comment = Array("made by hand".utf8) }
        add("longest comment") { $0.comment = Array(repeating: 0x50, count: 65_535) }
        add("signature in the comment") { $0.comment = [0x50, 0x4b, 5, 6] }
        add("empty archive in the comment") { $0.comment = ZipWriter([]).bytes }
        add("archive in the comment") { $0.comment = ZipWriter([.init("agency.txt", "another")]).bytes }
        add("half an end record in the comment") { $0.comment = [1, 2] + ZipWriter([]).bytes + [3, 4] }
        add("bytes before the archive") { $0.prefix = Array("#!/bin/sh\nexit\n".utf8) }
        add("bytes before a zip64 archive") {
            $0.prefix = Array(repeating: 0x4d, count: 1000)
            $0.hasZip64End = true
        }
        add("bytes after the archive") { $0.trailing = Array("\r\n".utf8) }
        return all
    }

    @Test("every form of archive gives the same entries", arguments: forms.map(\.0))
    func form(name: String) throws {
        let writer = try #require(Self.forms.first { $0.0 == name }).1
        try withFeed(writer.bytes) { feed throws in
            #expect(feed.entries.map(\.name) == ["agency.txt", "routes.txt", "stops.txt", "trips.txt"])
            #expect(try feed.texts() == Self.texts)
            #expect(feed.anomalies == [])
            #expect(feed.rootFolder == nil)
            #expect(feed.entry(named: "stops.txt")?.size == UInt64(Self.stops.utf8.count))
            #expect(feed.entry(named: "stops.txt")?.checksum == crc32(Array(Self.stops.utf8)))
        }
    }

    /// As `cat yesterday.zip today.zip` makes it. Python and unzip read the last one, too.
    @Test(arguments: [0, 100_000])
    func `of two archives the last one is read`(padding: Int) throws {
        let yesterday = ZipWriter([.init("stops.txt", "yesterday")]).bytes
        let today = ZipWriter([
            .init("stops.txt", "today"), .init("padding.txt", String(repeating: "p", count: padding)),
        ]).bytes
        try withFeed(yesterday + today) { feed throws in
            #expect(try feed.texts()["stops.txt"] == "today")
            #expect(
                feed.anomalies == [
                    "follows another archive of \(yesterday.count) bytes in the same file; only this last archive is read"
                ])
        }
    }

    @Test("the size of the caller's buffer changes nothing", arguments: [1, 2, 7, 64, 1000, 4096, 300_000])
    func bufferSizes(size: Int) throws {
        let content = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let members = [0, 8].map { ZipWriter.Member(name: Array("stops.txt".utf8), content: content, method: $0) }
        for member in members {
            try withFeed(ZipWriter([member]).bytes) { feed throws in
                let entry = try #require(feed.entries.first)
                #expect(try feed.bytes(of: entry, pieces: size) == content)
            }
        }
    }

    @Test("compressed data of several pieces gives the same bytes")
    func severalPieces() throws {
        var state: UInt64 = 1
        let content = (0..<700_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let member = ZipWriter.Member(name: Array("stops.txt".utf8), content: content, method: 8)
        try withFeed(ZipWriter([member]).bytes) { feed throws in
            #expect(try feed.bytes(of: #require(feed.entries.first), pieces: 100_000) == content)
        }
    }

    @Test("an empty buffer is not the end")
    func emptyBuffer() throws {
        try withFeed(Self.plain.bytes) { feed throws in
            let stream = try feed.read(#require(feed.entry(named: "agency.txt")))
            #expect(try stream.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == 0)
            #expect(try stream.finalChecksum() == crc32(Array("agency_id\n1\n".utf8)))
        }
    }

    @Test("entries can be read at the same time by several threads")
    func threads() async throws {
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let members = ["agency.txt", "stops.txt", "trips.txt", "routes.txt"].map {
            ZipWriter.Member(name: Array($0.utf8), content: content, method: 8)
        }
        let folder = try TemporaryFolder()
        let feed = try OpenedFeed.open(folder.write("feed.zip", ZipWriter(members).bytes))
        try await withThrowingTaskGroup(of: UInt32.self) { group in
            for entry in feed.entries + feed.entries { group.addTask { try feed.read(entry).finalChecksum() } }
            for try await checksum in group { #expect(checksum == crc32(content)) }
        }
    }

    @Test("what is no file of the feed is left out")
    func leftOut() throws {
        let names = [
            "folder/", "__MACOSX/._agency.txt", "._agency.txt", ".DS_Store", "extra/.DS_Store", "extra/notes.txt",
            "windows\\", ".git/config",
        ]
        try withFeed(ZipWriter(Self.members + names.map { ZipWriter.Member($0) }).bytes) { feed throws in
            let expected = ["agency.txt", "extra/notes.txt", "routes.txt", "stops.txt", "trips.txt"]
            #expect(feed.entries.map(\.name) == expected)
            #expect(feed.anomalies == [])
        }
    }

    @Test("odd archives are read, and say so")
    func anomalies() throws {
        let link = ZipWriter.Member("link.txt", "stops.txt").with {
            $0.madeBy = 3 << 8
            $0.externalAttributes = 0o120777 << 16
        }
        var writer = ZipWriter([
            .init("stops.txt", "old"), .init("../agency.txt", "agency"), .init("/etc/passwd"), .init("C:\\x\\y.txt"),
            .init("stops.txt", "new"), .init("zero\0.txt"), .init(".."), .init("", "text"), link,
        ])
        writer.entryCount = 5
        try withFeed(writer.bytes) { feed throws in
            #expect(try feed.texts() == ["agency.txt": "agency", "etc/passwd": "", "stops.txt": "new", "x/y.txt": ""])
            #expect(
                feed.anomalies == [
                    "its end record counts 5 entries, its central directory holds 9; all of these are read",
                    "holds more than one file of a name, and the last of each is read: stops.txt",
                    #"has unusual paths: "../agency.txt" is read as "agency.txt", "/etc/passwd" is read as "etc/passwd", "#
                        + #""C:\\x\\y.txt" is read as "x/y.txt" and 1 more"#,
                    #"leaves out links and entries without a usable name: "zero\0.txt", "..", "" and 1 more"#,
                ])
        }
    }

    @Test("an archive may have more than 65,535 entries, which a plain end record cannot count")
    func manyEntries() throws {
        let empty = ZipWriter([.init("x00000")]).bytes
        // Repeats the parts of an archive with one entry, because the plain writer would take too long.
        let local = Array(empty[..<36])
        let central = Array(empty[36..<36 + 52])
        let count = 65_537
        var locals: [UInt8] = []
        var directory: [UInt8] = []
        for number in 0..<count {
            let name = Array("x\(10_000 + number)".utf8)
            directory += central[..<42] + le(UInt32(locals.count)) + name
            locals += local[..<30] + name
        }
        let sizes = le(UInt16(1)) + le(UInt16(1)) + le(UInt32(directory.count)) + le(UInt32(locals.count)) + [0, 0]
        let archive = locals + directory + le(UInt32(0x0605_4b50)) + le(UInt32(0)) + sizes
        let folder = try TemporaryFolder()
        let file = try ReadOnlyFile.open(folder.write("feed.zip", archive))
        let directoryRead = try ZipDirectory.read(FileRange(file), place: "feed.zip", limits: FeedLimits())
        #expect(directoryRead.members.count == count)
        #expect(directoryRead.anomalies == [])
    }

    /// Long pieces are summed in steps of 64 bytes, so the test tries all remainders and random alignments.
    @Test("checksums are the same in one piece and in two")
    func checksums() {
        var random = SeededGenerator(seed: 17)
        let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for count in Array(0...130) + Array(250...400) + [1000, 1999] {
            let start = Int.random(in: 0...2000 - count, using: &random)
            let middle = start + Int.random(in: 0...count, using: &random)
            var (whole, parts) = (Checksum(), Checksum())
            bytes.withUnsafeBytes { bytes in
                whole.update(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
                parts.update(UnsafeRawBufferPointer(rebasing: bytes[start..<middle]))
                parts.update(UnsafeRawBufferPointer(rebasing: bytes[middle..<start + count]))
            }
            let expected = crc32(Array(bytes[start..<start + count]))
            #expect(whole.value == expected, "\(count) bytes from \(start) on")
            #expect(parts.value == expected, "\(count) bytes from \(start) on, parted at \(middle)")
        }
    }
}
