import TestSupport
import Testing

@testable import TransitStore

/// The hash table that objects and rows are found in.
@Suite struct ObjectTableTests {
    /// Ids as feeds have them, such as consecutive rows, all calls of consecutive trips, or one call of many trips.
    private static let patterns: [(name: String, id: @Sendable (Int64) -> ObjectID)] = [
        ("rows", { ObjectID(Stop.entity, .row($0)) }), ("inserted objects", { ObjectID(Stop.entity, .row(-2 - $0)) }),
        ("calls of trips", { ObjectID(StopTime.entity, .pair($0 / 20, $0 % 20)) }),
        ("first calls", { ObjectID(StopTime.entity, .pair($0, 1)) }),
        ("every tenth trip", { ObjectID(StopTime.entity, .pair($0 * 10, 5)) }),
        ("one long shape", { ObjectID(ShapePoint.entity, .pair(3, $0)) }),
        ("rows of two tables", { ObjectID($0 % 2 == 0 ? Stop.entity : Trip.entity, .row($0 / 2)) }),
        ("rows of four stores", { ObjectID(Stop.entity, .row($0 / 4), store: Int32($0 % 4)) }),
        ("one row of many stores", { ObjectID(Stop.entity, .row(7), store: Int32($0)) }),
    ]

    @Test(arguments: [100, 800, 5_000, 60_000] as [Int64])
    func keysAreSpread(count: Int64) {
        var generator = SeededGenerator(seed: 12)
        for (name, id) in Self.patterns + Self.patterns + Self.patterns {
            var table = ObjectTable<Int64>(secret: .random(in: .min ... .max, using: &generator))
            for number in 0..<count { table[id(number)] = number }
            #expect(table.count == Int(count))
            #expect(table.longestSearch <= 30, "\(name)")
            for number in 0..<count where table[id(number)] != number { Issue.record("\(name): \(number)") }
        }
    }

    /// A feed chooses its stop sequences. Without a secret in the hash, these ids would all have the same first slot.
    @Test func chosenKeysAreSpreadAsWell() {
        let (factor, tableFactor): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
        // The inverse of the factor modulo 2^64, by Newton's method.
        let inverse = (0..<6).reduce(factor) { inverse, _ in inverse &* (2 &- factor &* inverse) }
        let stops = UInt64(StopTime.entity.number) << 32
        var table = ObjectTable<UInt64>()
        for number in 0..<20_000 as Range<UInt64> {
            let row = ((7 << 44) + number) &* inverse &- stops &* tableFactor
            table[ObjectID(StopTime.entity, .pair(Int64(row >> 32), Int64(row & 0xFFFF_FFFF)))] = number
        }
        #expect(table.count == 20_000)
        #expect(table.longestSearch <= 60)
    }

    /// A context lives on when the objects of a large fetch are freed. Keys go in any order.
    @Test(arguments: [(0, 4_096), (100, 4_096), (2_000, 16_384), (6_000, 65_536)] as [(Int64, Int)])
    func memoryOfTakenKeysIsGivenBack(kept: Int64, slots: Int) {
        var generator = SeededGenerator(seed: 8)
        for (name, id) in Self.patterns {
            var table = ObjectTable<Int64>()
            for number in 0..<20_000 as Range<Int64> { table[id(number)] = number }
            #expect(table.slotCount == 65_536, "\(name)")
            for number in (kept..<20_000).shuffled(using: &generator) { table[id(number)] = nil }
            #expect(table.slotCount == slots, "\(name)")
            for number in 0..<20_000 as Range<Int64> where table[id(number)] != (number < kept ? number : nil) {
                Issue.record("\(name): \(number) after taking keys out")
            }
            for number in 0..<20_000 as Range<Int64> { table[id(number)] = -number }
            for number in 0..<20_000 as Range<Int64> where table[id(number)] != -number {
                Issue.record("\(name): \(number) after putting all in again")
            }
        }
    }

    /// Keys of an entity are pairs, or integers among lists of values, as ids made by hand may be. Negative pairs and
    /// lists do not fit into a number.
    @Test(arguments: [false, true])
    func aTableIsADictionary(ofPairs: Bool) {
        var generator = SeededGenerator(seed: 5)
        var table = ObjectTable<Int>()
        var twin: [ObjectID: Int] = [:]
        for step in 0..<20_000 {
            let key: ObjectID.Key =
                ofPairs
                ? .pair(.random(in: -2...20, using: &generator), .random(in: 0...9, using: &generator))
                : step % 3 == 0
                    ? .values([.integer(.random(in: 0...20, using: &generator))])
                    : .row(.random(in: -50...50, using: &generator))
            let entity = Bool.random(using: &generator) ? Stop.entity : Trip.entity
            let id = ObjectID(entity, key, store: .random(in: 0...1, using: &generator))
            switch Int.random(in: 0...3, using: &generator) {
            case 0:
                table[id] = step
                twin[id] = step
            case 1:
                let known = twin[id]
                let value = table.value(of: id) {
                    #expect(known == nil)
                    return step
                }
                twin[id] = known ?? step
                #expect(value == twin[id])
            default:
                let isExpected = Bool.random(using: &generator)
                table.remove(id) { _ in isExpected }
                if isExpected { twin[id] = nil }
            }
            if table[id] != twin[id] { Issue.record("step \(step): \(id)") }
        }
        #expect(table.count == twin.count)
        #expect(table.all.sorted() == twin.values.sorted())
    }

    /// The table frees its values: those in it at its end, replaced ones, and those taken out.
    @Test func valuesAreFreed() {
        final class Counted {
            let count: Counter
            init(_ count: Counter) {
                self.count = count
                count.living += 1
            }
            deinit { count.living -= 1 }
        }
        final class Counter { var living = 0 }
        let counter = Counter()
        do {
            var table = ObjectTable<Counted>()
            for number in 0..<6_000 as Range<Int64> {
                let id = ObjectID(Stop.entity, .row(number % 5_000))
                if number % 2 == 0 {
                    table[id] = Counted(counter)
                } else {
                    _ = table.value(of: id) { Counted(counter) }
                }
            }
            #expect(counter.living == 5_000)
            for number in 0..<4_900 as Range<Int64> { table[ObjectID(Stop.entity, .row(number))] = nil }
            #expect(counter.living == 100)
            withExtendedLifetime(table.count) {}
        }
        #expect(counter.living == 0)
    }
}
