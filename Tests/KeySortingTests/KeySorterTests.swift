import Foundation
import TestSupport
import Testing

@testable import KeySorting

@Suite("Keys come out as Swift's own sort orders them")
struct KeySorterTests {
    private let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path)

    private func sorted(_ keys: [SortKey], by sorter: KeySorter, oneByOne: Bool = false) throws -> [SortKey] {
        if oneByOne {
            for key in keys { try sorter.append(key) }
        } else {
            try keys.withUnsafeBufferPointer { try sorter.append(contentsOf: $0) }
        }
        var result: [SortKey] = []
        while let batch = try sorter.nextBatch() {
            #expect(!batch.isEmpty)
            result += batch
        }
        #expect(try sorter.nextBatch() == nil)
        return result
    }

    private func keys(_ count: Int, _ make: (Int, inout SeededGenerator) -> SortKey) -> [SortKey] {
        var dice = SeededGenerator()
        return (0..<count).map { make($0, &dice) }
    }

    /// Key sets that stress each way of choosing digits: all bits, few bits, bits far apart, sorted, equal, the
    /// largest.
    private func shapes(_ count: Int) -> [[SortKey]] {
        [
            keys(count) { _, dice in SortKey(high: dice.next(), low: dice.next()) },
            keys(count) { _, dice in SortKey(high: dice.next() & 7, low: dice.next() & 3) },
            keys(count) { _, dice in
                SortKey(high: dice.next() & 0x8000_0000_0000_0001, low: dice.next() & 0x8000_0400_0000_0001)
            },
            keys(count) { number, dice in SortKey(high: dice.next() & 0xFFFF << 13, low: UInt64(number)) },
            keys(count) { number, _ in SortKey(high: UInt64(number / 3), low: UInt64(number)) },
            keys(count) { number, _ in SortKey(high: UInt64(count - number), low: 5) },
            keys(count) { _, _ in SortKey(high: 1, low: 2) },
            keys(count) { _, dice in
                SortKey(high: dice.next() & 1 == 0 ? .max : 0, low: dice.next() & 1 == 0 ? .max : 0)
            },
            keys(count) { _, dice in
                SortKey(high: dice.next() >> (dice.next() & 63), low: dice.next() >> (dice.next() & 63))
            },
            keys(count) { _, dice in SortKey(high: 7, low: dice.next() >> (dice.next() & 63)) },
            keys(count) { _, dice in
                SortKey(
                    high: 1,
                    low: (dice.next() >> (32 + dice.next() & 31)) << 32 | dice.next() >> (32 + dice.next() & 31))
            },
        ]
    }

    @Test("keys are sorted in one run and in many, of every size around a run's", arguments: [1, 2, 3, 7, 64, 1000])
    func runs(_ runLength: Int) throws {
        // A sorter with runs of n keys can sort n^2 keys.
        let most = min(runLength * runLength, 5 * runLength + 1)
        let counts = Set([0, 1, runLength - 1, runLength, runLength + 1, 2 * runLength, 3 * runLength + 1, most])
        for count in counts where count <= most {
            for keys in shapes(count) {
                for oneByOne in [false, true] {
                    let sorter = KeySorter(runLength: runLength, in: space, mayHold: !oneByOne)
                    #expect(try sorted(keys, by: sorter, oneByOne: oneByOne) == keys.sorted())
                }
            }
        }
    }

    /// Like rows sorted by a part of a hash, or entries sorted by a value in which some bits are always the same.
    @Test(
        "keys that come in the order of their lowest bits are sorted by the others", arguments: [3, 64, 1000],
        [96, 80, 40] as [UInt64])
    func bitsInOrder(_ runLength: Int, _ bits: UInt64) throws {
        var random = SeededGenerator(seed: 12)
        for values in [1, 5, 1 << 20] as [UInt64] {
            let keys = (0..<UInt64(2 * runLength + runLength / 2)).map { number in
                let value = UInt64.random(in: 0..<values, using: &random)
                guard bits > 64 else { return SortKey(high: value, low: number) }
                return SortKey(high: value << (bits - 64) | number, low: random.next())
            }
            let sorter = KeySorter(runLength: runLength, in: space, bitsInOrder: bits)
            #expect(try sorted(keys, by: sorter) == keys.sorted())
        }
    }

    @Test("as many runs as memory has places for are merged")
    func mostRuns() throws {
        for runLength in [1, 2, 5, 20] {
            for keys in shapes(runLength * runLength) {
                #expect(try sorted(keys, by: KeySorter(runLength: runLength, in: space)) == keys.sorted())
            }
        }
    }

    /// Not in order: keys that come sorted are one run.
    @Test("more runs than memory has places for are refused")
    func tooManyRuns() throws {
        let keys = Array(keys(5) { _, dice in SortKey(high: dice.next(), low: 0) }.sorted().reversed())
        #expect(
            throws: KeySortingError(
                message: "more than 4 keys cannot be merged in so little memory: File too large", number: EFBIG)
        ) { try sorted(keys, by: KeySorter(runLength: 2, in: space)) }
    }

    @Test("keys are sorted within the least memory, in several runs")
    func publicBound() throws {
        let keys = keys(400_000) { number, dice in
            SortKey(
                high: (dice.next() % 13_000) << 32 | dice.next() % 90_000,
                low: UInt64(number / 25) << 32 | UInt64(number % 25))
        }
        #expect(try sorted(keys, by: KeySorter(in: space)) == keys.sorted())
    }

    @Test("nothing is left in the folder, not even while sorting")
    func nothingLeft() throws {
        let own = FileManager.default.temporaryDirectory.appending(path: "sort-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: own) }
        let sorter = KeySorter(runLength: 5, in: SortingSpace(folder: own), mayHold: false)
        for number in 0..<20 { try sorter.append(SortKey(high: UInt64(20 - number), low: 0)) }
        #expect(try sorter.nextBatch()?.count == 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: own).isEmpty)
    }

    /// A packed key consists of three numbers. The test tries every byte length of each.
    @Test func packedKeysComeBackAsTheyWere() throws {
        let lengths: [UInt64] = [
            0, 1, 0xFF, 0x100, 0xFFFF, 1 << 16, 1 << 24, .max >> 32, 1 << 32, 1 << 40, 1 << 48, 1 << 56, .max,
        ]
        var high: [UInt64] = []
        for length in lengths { high.append((high.last ?? 0).addingReportingOverflow(length).partialValue) }
        let lows = lengths.flatMap { upper in lengths.map { upper << 32 | $0 & 0xFFFF_FFFF } }
        let keys = high.flatMap { high in lows.map { SortKey(high: high, low: $0) } }.sorted()
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: keys.count * PackedKeys.longest + PackedKeys.margin, alignment: 1)
        defer { memory.deallocate() }
        let start = try #require(memory.baseAddress)
        var (packing, end) = (PackedKeys(), start)
        for key in keys {
            let next = packing.write(key, to: end)
            #expect(next - end <= PackedKeys.longest)
            end = next
        }
        var (unpacking, place) = (PackedKeys(), UnsafeRawPointer(start))
        #expect(keys.allSatisfy { $0 == unpacking.read(&place) })
        #expect(place == UnsafeRawPointer(end))
    }

    @Test("keys in order are sorted, in runs that overlap by nothing, by one key and by all")
    func runsInOrder() throws {
        for overlap in [0, 1, 500] {
            let keys = (0..<4000).map { SortKey(high: UInt64($0 % 1000 + ($0 / 1000) * (1000 - overlap)), low: 3) }
            #expect(try sorted(keys, by: KeySorter(runLength: 1000, in: space)) == keys.sorted())
        }
    }

    /// The thread holds what it merges, so the file vanishes only when the thread ends.
    @Test("a sorter that is left alone while it merges ends its thread")
    func leftAlone() throws {
        for _ in 0..<20 {
            do {
                let sorter = KeySorter(runLength: 100, in: space, mayHold: false)
                for number in 0..<5000 { try sorter.append(SortKey(high: UInt64(5000 - number), low: 0)) }
                #expect(try sorter.nextBatch()?.count == 100)
                #expect(space.spilledBytes > 0)
            }
            #expect(space.spilledBytes == 0)
        }
    }

    @Test("with less memory the rest lies in a file, which the space counts")
    func memory() throws {
        let keys = keys(400_000) { _, dice in SortKey(high: dice.next(), low: dice.next()) }
        for (allowed, spills) in [(nil, false), (64 << 20, true), (1 << 30, false)] as [(Int?, Bool)] {
            let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path, memoryBytes: allowed)
            do {
                let sorter = KeySorter(in: space)
                for key in keys { try sorter.append(key) }
                #expect(try sorter.nextBatch()?.first == keys.min())
                #expect(spills == (space.spilledBytes > 4 << 20))
            }
            #expect(space.spilledBytes == 0)
        }
    }

    @Test("a folder that is not there is an error")
    func noFolder() throws {
        let sorter = KeySorter(runLength: 1, in: SortingSpace(folder: "/nowhere/at all"), mayHold: false)
        try sorter.append(SortKey(high: 1, low: 1))
        #expect(
            throws: KeySortingError(
                message: "a temporary file in /nowhere/at all cannot be made: No such file or directory", number: ENOENT
            )
        ) { try sorter.append(SortKey(high: 1, low: 1)) }
    }
}
