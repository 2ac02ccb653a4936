/// A set of whole numbers from 0, with a bit for each number up to the greatest.
///
///     var rows = BitSet()
///     rows.insert(70)
///     rows.contains(70)     // true
///
/// `contains` is inlined into other modules, because some callers ask for every row.
package struct BitSet: Sendable {
    @usableFromInline var words: [UInt64]

    package init() { words = [] }

    /// An empty set with room for the numbers up to `last`.
    package init(upTo last: Int) { words = [UInt64](repeating: 0, count: (last >> 6) + 1) }

    /// False for numbers below 0.
    @inlinable
    package func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return words.indices.contains(word) && words[word] & (1 << UInt64(number & 63)) != 0
    }

    /// Does nothing for numbers below 0.
    @inlinable
    package mutating func insert(_ number: Int) {
        guard number >= 0 else { return }
        let word = number >> 6
        if word >= words.count { grow(to: word + 1) }
        words[word] |= 1 << UInt64(number & 63)
    }

    @usableFromInline
    mutating func grow(to count: Int) {
        words.append(contentsOf: repeatElement(0, count: max(count, 2 * words.count) - words.count))
    }

    /// Counts the numbers, word by word.
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// The number at a rank in ascending order, from 0; nil beyond the last.
    package func number(at rank: Int) -> Int? {
        var left = rank
        for (index, word) in words.enumerated() {
            guard left >= word.nonzeroBitCount else {
                var rest = word
                for _ in 0..<left { rest &= rest &- 1 }
                return index * 64 + rest.trailingZeroBitCount
            }
            left -= word.nonzeroBitCount
        }
        return nil
    }
}
