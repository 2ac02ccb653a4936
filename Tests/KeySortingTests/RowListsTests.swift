import Foundation
import TestSupport
import Testing

@testable import KeySorting

@Suite("Rows by value come out as they were added")
struct RowListsTests {
    private let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path)

    private func rows(_ lists: RowLists, of value: Int) -> [UInt32] {
        var rows: [UInt32] = []
        lists.forEach(of: value) { rows.append($0) }
        return rows
    }

    /// Compares few and many lists with arrays. The steps between row numbers take one to five bytes.
    @Test(arguments: [1, 3, 50, 5000]) func rowsComeBackAsFromArrays(values: Int) {
        var random = SeededGenerator(seed: 14)
        for bits in [0, 5, 7, 9, 14, 15, 20, 21] {
            let lists = RowLists(in: space)
            var expected: [Int: [UInt32]] = [:]
            var row: UInt32 = 0
            for _ in 0..<2000 {
                let value = Int.random(in: 0..<values, using: &random)
                #expect(lists.append(row, to: value))
                expected[value, default: []].append(row)
                row += .random(in: 1...1 << UInt32(bits), using: &random)
            }
            #expect(lists.count == 2000)
            #expect((0..<lists.valueCount).allSatisfy { rows(lists, of: $0) == expected[$0] ?? [] })
            #expect(rows(lists, of: lists.valueCount).isEmpty)
            var batches: [UInt32] = []
            lists.forEachBatch(of: 0) {
                #expect(!$0.isEmpty)
                batches += $0
            }
            #expect(batches == expected[0] ?? [])
        }
    }

    @Test("the first and the last row there can be are kept")
    func edges() {
        let lists = RowLists(in: space)
        for row in [0, 1, UInt32.max - 1] { #expect(lists.append(row, to: 7)) }
        #expect(lists.append(UInt32.max - 1, to: 8))
        #expect(rows(lists, of: 7) == [0, 1, .max - 1])
        #expect(rows(lists, of: 8) == [.max - 1])
    }

    @Test("a row that does not come after the others, or a value beyond the last, is left to a sorter")
    func refused() {
        let lists = RowLists(in: space)
        #expect(lists.append(5, to: 0))
        #expect(!lists.append(5, to: 0))
        #expect(!lists.append(4, to: 0))
        #expect(!lists.append(9, to: RowLists.mostRepeated))
        #expect(lists.append(9, to: RowLists.mostRepeated - 1))
        #expect(lists.append(6, to: 0))
        #expect(rows(lists, of: 0) == [5, 6])
        #expect(lists.count == 3)
    }

    @Test("any number of values has one row each, and only those below a limit have more")
    func oneRowEach() {
        let lists = RowLists(in: space)
        let values = 5 * RowLists.mostRepeated
        for value in 0..<values { #expect(lists.append(UInt32(value / 2), to: value)) }
        #expect(lists.append(.max - 1, to: RowLists.mostRepeated - 1))
        #expect(!lists.append(.max - 1, to: RowLists.mostRepeated))
        #expect((0..<values).allSatisfy { rows(lists, of: $0).first == UInt32($0 / 2) })
        #expect(rows(lists, of: RowLists.mostRepeated - 1).last == UInt32.max - 1)
        #expect(lists.count == values + 1)
        #expect(lists.valueCount == values)
    }

    @Test("when memory is used up, what was added is there")
    func full() {
        let lists = RowLists(in: SortingSpace(folder: "/nowhere/at all", memoryBytes: 1 << 20))
        var count: UInt32 = 0
        while lists.append(count, to: Int(count % 100)) { count += 1 }
        #expect(count > 100_000)
        #expect(lists.count == Int(count))
        #expect((0..<100).reduce(0) { $0 + rows(lists, of: $1).count } == Int(count))
        #expect(rows(lists, of: 42) == Array(stride(from: 42, to: count, by: 100)))
    }
}
