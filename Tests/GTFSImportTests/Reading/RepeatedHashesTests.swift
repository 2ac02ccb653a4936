import KeySorting
import TestSupport
import Testing

@testable import GTFSImport

@Suite("Rows whose hash an earlier row has are found, whatever hashes have in common")
struct RepeatedHashesTests {
    /// Compares with a dictionary. There are few beginnings and few ends, so many hashes collide.
    @Test(arguments: [1, 3, 1000], [1, 2, 20, 100_000]) func repeatedHashesAreFoundAsInADictionary(
        beginnings: UInt64, ends: UInt32
    ) {
        var random = SeededGenerator(seed: beginnings << 32 | UInt64(ends))
        var found = RepeatedHashes()
        var first: [[UInt64]: UInt32] = [:]
        var expected: [[UInt32]] = []
        // Parts of several lengths that share no hashes.
        for (part, length) in [3000, 10, 0, 900, 3000].enumerated() {
            let hashes = (0..<length).map { row in
                RowHash(
                    hash: UInt64(part) << 57 | .random(in: 0..<beginnings, using: &random) << 20,
                    other: .random(in: 0..<ends, using: &random), row: UInt32(part * 3000 + row))
            }
            hashes.withUnsafeBufferPointer { hashes in
                for start in stride(from: 0, to: length, by: 512) {
                    found.add(UnsafeBufferPointer(rebasing: hashes[start..<min(start + 512, length)]), ofPart: part)
                }
            }
            for hash in hashes {
                let key = [hash.hash, UInt64(hash.other)]
                if let known = first[key] { expected.append([hash.row, known]) } else { first[key] = hash.row }
            }
        }
        #expect(found.rows.count == expected.count)
        #expect(found.rows.first(.max).map { [$0.row, $0.first] } == expected)
    }
}
