import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Damages archives at random, the same way in every run. Reading must give an error or the packed contents, and must
/// not crash.
///
/// The environment variables FUZZ_ROUNDS and RANDOM_SEED set the number of rounds and the seed.
struct ZipFuzzTests {
    private static let files = [
        ("agency.txt", "agency_id,agency_name\n1,Bus\n"),
        ("stops.txt", "stop_id\n" + (1...40).map { "\($0)\n" }.joined()),
        ("x/y.txt", ""),
    ]

    private static func members(_ change: (inout ZipWriter.Member) -> Void) -> [ZipWriter.Member] {
        files.map { ZipWriter.Member($0.0, $0.1, method: 8).with(change) }
    }

    private static var seeds: [[UInt8]] {
        let plain = ZipWriter(members { _ in })
        var large = ZipWriter(members { $0.isZip64 = true })
        large.hasZip64End = true
        var moved = ZipWriter(members { $0.hasDescriptor = true })
        moved.prefix = [1, 2, 3]
        moved.comment = [0x50, 0x4b, 5, 6]
        let stored = ZipWriter(members { $0.method = 0 })
        let inner = [0, 8].map { ZipWriter([.init(name: Array("inner.zip".utf8), content: plain.bytes, method: $0)]) }
        let folder = ZipWriter(members { $0.name = Array("gtfs/".utf8) + $0.name })
        return ([plain, large, moved, stored, folder] + inner).map(\.bytes)
    }

    /// The contents that were packed, by file name.
    private static let contents = Dictionary(uniqueKeysWithValues: files.map { ($0.0, Array($0.1.utf8)) })

    @Test("a damaged archive gives an error or the same bytes")
    func rounds() throws {
        let count = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 3_000
        var random = SeededGenerator()
        let seeds = Self.seeds
        let folder = try TemporaryFolder()
        var opened: [Int] = []
        for round in 0..<count {
            var archive = seeds[round % seeds.count]
            for _ in 0...random.below(3) { Self.damage(&archive, &random) }
            if let read = try Self.filesRead(archive, in: folder, round: round) { opened.append(read) }
        }
        #expect(opened.count < count && opened.contains(Self.files.count))
        #expect(folder.names == ["feed.zip"])
    }

    /// Without damage, every archive opens and has all files.
    @Test func everyUndamagedSeedIsReadWhole() throws {
        let folder = try TemporaryFolder()
        for (round, archive) in Self.seeds.enumerated() {
            #expect(try Self.filesRead(archive, in: folder, round: round) == Self.files.count, "\(round)")
        }
    }

    /// How many files can be read; nil if the archive does not open. Each must have its original content.
    private static func filesRead(_ archive: [UInt8], in folder: TemporaryFolder, round: Int) throws -> Int? {
        let path = try folder.write("feed.zip", archive)
        let limits = FeedLimits(maximumSpooledBytes: 1 << 20)
        guard let feed = try? OpenedFeed.open(path, limits: limits, spoolFolder: folder.path) else { return nil }
        var read = 0
        for entry in feed.entries {
            guard let bytes = try? feed.bytes(of: entry, pieces: 100) else { continue }
            read += 1
            let name = entry.name.hasPrefix("gtfs/") ? String(entry.name.dropFirst(5)) : entry.name
            if name == "inner.zip" { continue }
            // Rarely, both copies of a name are damaged alike; the content must still be one of the originals.
            let isOld = contents[name].map { $0 == bytes } ?? contents.values.contains(bytes)
            #expect(isOld, "round \(round), \(entry.path)")
        }
        return read
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        // Most fields worth damaging lie near the end, in the central directory.
        let place = random.below(2) == 0 ? random.below(bytes.count) : max(0, bytes.count - 1 - random.below(200))
        switch random.below(9) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = UInt8(random.below(256))
        case 2: bytes[place] = [0, 0xff, 0x7f, 0x80][random.below(4)]
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
        case 5: bytes.insert(contentsOf: (0...random.below(8)).map { _ in UInt8(random.below(256)) }, at: place)
        case 6: bytes.replaceSubrange(place..<min(bytes.count, place + 4), with: [0xff, 0xff, 0xff, 0xff])
        case 7:
            bytes.insert(
                contentsOf: [0x50, 0x4b] + [[1, 2], [3, 4], [5, 6], [6, 6], [6, 7]][random.below(5)], at: place)
        default: bytes += bytes[random.below(bytes.count)...].prefix(80)
        }
    }
}

extension SeededGenerator {
    /// A number from 0 to below the limit.
    fileprivate mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
