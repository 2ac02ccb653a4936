import KeySorting
import Testing

@testable import GTFSImport

@Suite("Rows whose hash an earlier row has are found, whatever hashes begin alike")
struct RepeatedHashesTests {
    /// Few beginnings and few ends, so that all meet; against a dictionary.
    @Test(arguments: [1, 3, 1000], [1, 2, 20, 100_000]) func asADictionary(beginnings: UInt64, ends: UInt64) {
        var random = SystemRandomNumberGenerator()
        let hashes = (0..<3000).map { _ in
            (UInt64.random(in: 0..<beginnings, using: &random), UInt64.random(in: 0..<ends, using: &random))
        }
        var found = RepeatedHashes()
        for key in hashes.enumerated().map({ SortKey(high: $1.0 << 32 | UInt64($0), low: $1.1) }).sorted() {
            found.add(key)
        }
        var first: [[UInt64]: UInt32] = [:]
        var expected: [[UInt32]] = []
        for (row, hash) in hashes.enumerated() {
            let key = [hash.0, hash.1]
            if let known = first[key] { expected.append([UInt32(row), known]) } else { first[key] = UInt32(row) }
        }
        #expect(found.rows.map { [$0.row, $0.first] }.sorted { $0[0] < $1[0] } == expected)
    }
}
