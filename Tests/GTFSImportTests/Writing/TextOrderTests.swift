import KeySorting
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the order of texts with sorting their bytes.
@Suite struct TextOrderTests {
    private func order(_ texts: [String]) throws -> [String] {
        let map = IdentifierMap()
        for (number, text) in texts.enumerated() { withBytes(text) { _ = map.insert($0, key: Int32(number)) } }
        var order: [String] = []
        try TextOrder(map, in: SortingSpace(folder: "/tmp")).forEach(checking: {}) { number in
            order.append(String(decoding: map.text(number), as: UTF8.self))
            if map.key(number) != texts.firstIndex(of: order[order.count - 1]).map(Int32.init) {
                Issue.record("\(order[order.count - 1]) has another key")
            }
        }
        return order
    }

    private func sorted(_ texts: [String]) -> [String] {
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// No texts, empty texts, texts with short and long common prefixes, prefixes of others, NUL, and non-ASCII texts.
    @Test(arguments: [
        [], [""], ["a"], ["", "a", "aa"], ["b", "a", ""], ["same", "same\u{0}", "same\u{0}\u{0}", "sam"],
        ["common-prefix-1", "common-prefix-10", "common-prefix-2", "common-prefix-"],
        ["a2345678", "a2345678a", "a23456789", "a2345678\u{E9}", "a234567"], ["\u{E9}", "e", "\u{1F68A}", "\u{FF5A}"],
    ]) func asSorted(texts: [String]) throws { #expect(try order(texts) == sorted(texts)) }

    /// Each with one text that shares nothing with the others: many that share one beginning or few, that differ only
    /// far behind it, that are NUL bytes, or of which each begins with the one before.
    @Test func `one odd text changes nothing in the order of many others`() throws {
        let numbers = (0..<3_000).map { String($0 * 7_919 % 3_000) }
        let letters = (0..<700).map { String(repeating: "a", count: $0) + "b" }
        let nuls = (0..<600).map { String(repeating: "\u{0}", count: $0) }
        for texts in [
            numbers.map { "de:08111:" + $0 }, numbers.map { "de:0811\($0.utf8.count):" + $0 },
            numbers.map { "de:08111:" + $0 + String(repeating: "x", count: 40) + $0 }, letters, nuls,
            nuls.map { "stop" + $0 } + numbers.map { "stop\u{0}\u{0}" + $0 },
        ] { #expect(try order(texts + ["odd"]) == sorted(texts + ["odd"])) }
    }

    @Test(arguments: 0..<20) func asSorted(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stem = String(repeating: ["", "trip:", "ab", "\u{E9}"].randomElement(using: &random) ?? "", count: 9)
        let letters = ["a", "b", "\u{0}", "\u{7F}", "\u{E9}", "abcdefgh"]
        let texts = Set(
            (0..<800).map { _ in
                let count = Int.random(in: 0...6, using: &random)
                return stem + (0..<count).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
            })
        #expect(try order(Array(texts)) == sorted(Array(texts)))
    }
}
