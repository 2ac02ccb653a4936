import Foundation
import TestSupport
import Testing

@testable import KeySorting

@Suite("Hashes come out in parts, equal ones in one part and in their order")
struct HashPartitionsTests {
    @Test(arguments: [0, 1, 511, 512, 513, 5_000, 200_000], [false, true])
    func everyHashOnce(count: Int, _ isFull: Bool) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path)
        if isFull { _ = space.hold(12 << 20) }
        let hashes = HashPartitions(in: space)
        // A tenth of the hashes are equal, so one part is far longer than the others.
        let all = (0..<UInt32(count)).map {
            RowHash(hash: $0 % 10 == 0 ? 77 : random.next(), other: $0 % 3, row: $0)
        }
        for hash in all { try hashes.append(hash) }
        #expect(space.spilledBytes > 0 || !isFull || count < 200_000)
        // So few hashes are not divided.
        let part = { (hash: RowHash) in count < 512 ? 0 : Int(hash.hash >> 57) }
        var found: [RowHash] = []
        var (parts, last): ([Int], [Int: UInt32]) = ([], [:])
        try hashes.forEachPiece { number, piece in
            if parts.last != number { parts.append(number) }
            // The length of a piece is limited, however long its part is.
            #expect((1...512).contains(piece.count))
            for hash in piece {
                if part(hash) != number || hash.row < last[number, default: 0] { Issue.record("\(hash)") }
                last[number] = hash.row
            }
            found += piece
        }
        #expect(parts == Set(all.map(part)).sorted())
        #expect(found.sorted { $0.row < $1.row } == all)
    }
}
