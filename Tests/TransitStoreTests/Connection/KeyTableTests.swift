import TestSupport
import Testing

@testable import TransitStore

/// The hash table that objects and rows are found in.
@Suite struct KeyTableTests {
    /// Keys as feeds have them, such as consecutive rows, all calls of consecutive trips, or one call of many trips.
    private static let patterns: [(name: String, key: @Sendable (Int64) -> ObjectID.Key)] = [
        ("rows", { .row($0) }), ("inserted objects", { .row(-2 - $0) }),
        ("calls of trips", { .pair($0 / 20, $0 % 20) }), ("first calls", { .pair($0, 1) }),
        ("every tenth trip", { .pair($0 * 10, 5) }), ("one long shape", { .pair(3, $0) }),
    ]

    @Test(arguments: [100, 800, 5_000, 60_000] as [Int64])
    func keysAreSpread(count: Int64) {
        for (name, key) in Self.patterns {
            var table = KeyTable<Int64>()
            for number in 0..<count { table[key(number)] = number }
            #expect(table.count == Int(count))
            #expect(table.longestSearch <= 30, "\(name)")
            #expect((0..<count).allSatisfy { table[key($0)] == $0 })
        }
    }

    /// A context lives on when the objects of a large fetch are freed. Keys go in any order.
    @Test(arguments: [0, 100, 6_000] as [Int64])
    func memoryOfTakenKeysIsGivenBack(kept: Int64) {
        var generator = SeededGenerator(seed: 8)
        for (name, key) in Self.patterns {
            var table = KeyTable<Int64>()
            for number in 0..<20_000 as Range<Int64> { table[key(number)] = number }
            for number in (kept..<20_000).shuffled(using: &generator) { table[key(number)] = nil }
            #expect(table.slotCount <= max(4_096, 16 * Int(kept)), "\(name)")
            #expect((0..<20_000).allSatisfy { table[key($0)] == ($0 < kept ? $0 : nil) }, "\(name)")
            for number in 0..<20_000 as Range<Int64> { table[key(number)] = -number }
            #expect((0..<20_000).allSatisfy { table[key($0)] == -$0 }, "\(name)")
        }
    }

    /// All keys of an entity, and so of a table, are of one kind. Some of them do not fit into a number.
    @Test(arguments: [false, true])
    func aTableIsADictionary(ofPairs: Bool) {
        var generator = SeededGenerator(seed: 5)
        var table = KeyTable<Int>()
        var twin: [ObjectID.Key: Int] = [:]
        for step in 0..<20_000 {
            let key: ObjectID.Key =
                ofPairs
                ? .pair(.random(in: -2...20, using: &generator), .random(in: 0...9, using: &generator))
                : step % 3 == 0
                    ? .values([.integer(.random(in: 0...20, using: &generator))])
                    : .row(.random(in: -50...50, using: &generator))
            if Bool.random(using: &generator) {
                table[key] = step
                twin[key] = step
            } else {
                let isExpected = Bool.random(using: &generator)
                table.remove(key) { _ in isExpected }
                if isExpected { twin[key] = nil }
            }
            #expect(table[key] == twin[key])
        }
        #expect(table.count == twin.count)
        #expect(table.all.sorted() == twin.values.sorted())
    }
}
