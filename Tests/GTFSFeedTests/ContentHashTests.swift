import TestSupport
import Testing

@testable import GTFSFeed

struct ContentHashTests {
    private let files = [("agency.txt", "agency_id\n1\n"), ("stops.txt", "stop_id\n1\n"), ("x/y.txt", "")]

    private func hash(_ archive: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        return try OpenedFeed.open(folder.write("feed.zip", archive), spoolFolder: folder.path).contentHash()
    }

    private func hash(
        _ files: [(String, String)], method: UInt16 = 0, below folder: String = "",
        _ change: (inout ZipWriter) -> Void = { _ in }
    ) throws -> String {
        var writer = ZipWriter(files.map { ZipWriter.Member(folder + $0.0, $0.1, method: method) })
        change(&writer)
        return try hash(writer.bytes)
    }

    @Test("the same files have the same hash, however they are packed")
    func packing() throws {
        let expected = try hash(files)
        #expect(expected == "541a1f0763781dbc5f700533f07c4ed6")
        #expect(try hash(files, method: 8) == expected)
        #expect(try hash(files.reversed()) == expected)
        #expect(try hash(files, below: "gtfs/") == expected)
        #expect(try hash(files) { $0.comment = [1, 2, 3] } == expected)
        #expect(try hash(files) { $0.members.append(.init("__MACOSX/._agency.txt")) } == expected)
        let inner = ZipWriter(files.map { ZipWriter.Member($0.0, $0.1) }).bytes
        #expect(
            try hash(ZipWriter([.init(name: Array("inner.zip".utf8), content: inner, method: 8)]).bytes) == expected)
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write("some/where/" + name, text) }
        #expect(try OpenedFeed.open(folder.path).contentHash() == expected)
    }

    @Test("another name, content or file is another hash")
    func differences() throws {
        let variants = [
            files, [("agency.txt", "agency_id\n2\n")] + files.dropFirst(), Array(files.dropLast()),
            files + [("new.txt", "")], [("Agency.txt", files[0].1)] + files.dropFirst(),
            [("agency.txt", files[1].1), ("stops.txt", files[0].1), files[2]],
        ]
        let hashes = try Set(variants.map { try hash($0) })
        #expect(hashes.count == variants.count)
        #expect(hashes.allSatisfy { $0.count == 32 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
    }

    @Test(
        "SipHash gives what its authors' reference code gives (vectors_sip128)",
        arguments: [
            (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        ])
    func referenceVectors(length: Int, expected: String) {
        var hash = SipHash128(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
        hash.update((0..<length).map { UInt8($0) })
        let (first, second) = hash.value
        let bytes = le(first) + le(second)
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }
}
