import SystemFiles
import Testing

@Suite struct BitSetTests {
    /// Around the ends of words, and far behind the last one.
    private static let numbers = [0, 1, 63, 64, 65, 127, 128, 1_000, 100_000]

    @Test func hasWhatWasInsertedAndNothingElse() {
        for numbers in [Self.numbers, Self.numbers.reversed(), [5], []] {
            for var set in [BitSet(), BitSet(upTo: 64)] {
                for number in numbers + numbers { set.insert(number) }
                #expect((-200...100_200).filter(set.contains) == numbers.sorted())
                #expect(set.count == numbers.count && set.isEmpty == numbers.isEmpty)
            }
        }
    }

    @Test func doesNotTakeNumbersBelowZero() {
        var set = BitSet()
        for number in [-1, -64, .min] { set.insert(number) }
        #expect(set.isEmpty)
        set.insert(.max >> 40)
        #expect(!set.contains(-1) && !set.contains(.min) && !set.contains(.max))
    }

    @Test func numbersAreFoundByTheirRank() {
        var set = BitSet(upTo: 1_000)
        #expect(set.number(at: 0) == nil)
        for number in Self.numbers { set.insert(number) }
        #expect(Self.numbers.indices.map { set.number(at: $0) } == Self.numbers)
        #expect(set.number(at: Self.numbers.count) == nil)
    }
}
