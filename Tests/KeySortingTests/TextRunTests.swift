import Foundation
import TestSupport
import Testing

@testable import KeySorting

@Suite("Texts in the order of their rows come out as they were added")
struct TextRunTests {
    private struct Entry: Equatable, Comparable {
        var row: UInt32
        var rank: UInt32
        var word: UInt32
        var text: [UInt8]

        static func < (a: Entry, b: Entry) -> Bool { (a.row, a.rank) < (b.row, b.rank) }
    }

    private let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path)

    private func append(_ entry: Entry, to run: TextRun) throws -> Bool {
        try entry.text.withUnsafeBytes {
            try run.append($0, row: entry.row, rank: Int64(entry.rank), word: entry.word)
        }
    }

    private func entries(_ run: TextRun) throws -> [Entry] {
        var entries: [Entry] = []
        while let entry = try run.next() {
            entries.append(Entry(row: entry.row, rank: entry.rank, word: entry.word, text: Array(entry.text)))
        }
        return entries
    }

    /// Appends rows in order, and rows out of order, which are refused. Texts have any length, in memory and in a file.
    @Test(arguments: [0, 20, 300, 70_000], [false, true]) func textsComeBackAsFromAnArray(longest: Int, _ isFull: Bool)
        throws
    {
        var random = SeededGenerator(seed: 13)
        let space = isFull ? SortingSpace(folder: space.folder) : space
        if isFull { _ = space.hold(12 << 20) }
        let run = TextRun(in: space)
        var expected: [Entry] = []
        for number in 0..<(longest > 1000 ? 60 : 5000) {
            let step = UInt32.random(in: 0...(number % 7 == 0 ? 1 << 20 : 2), using: &random)
            let last = expected.last ?? Entry(row: 0, rank: 0, word: 0, text: [])
            let length = Int.random(in: 0...longest, using: &random)
            let entry = Entry(
                row: .random(in: 0...9, using: &random) == 0 ? last.row / 2 : last.row + step,
                rank: .random(in: 0...(number % 5 == 0 ? .max : 3), using: &random),
                word: .random(in: 0...(number % 3 == 0 ? .max : 3), using: &random),
                text: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
            let isInOrder = (last.row, last.rank) < (entry.row, entry.rank)
            #expect(try append(entry, to: run) == isInOrder)
            if isInOrder { expected.append(entry) }
            if number % 1000 == 999 { try run.releaseBuffers() }
        }
        #expect(space.spilledBytes > 0 || !isFull || longest == 0)
        #expect(try entries(run) == expected)
        #expect(try run.next() == nil)
    }

    /// Appends pieces that were packed elsewhere between single texts. Pieces that come too late are refused.
    @Test(arguments: [20, 70_000], [false, true]) func textsPackedElsewhereAreTakenInOrder(longest: Int, _ isFull: Bool)
        throws
    {
        var random = SeededGenerator(seed: UInt64(longest))
        let space = SortingSpace(folder: space.folder)
        if isFull { _ = space.hold(12 << 20) }
        let run = TextRun(in: space)
        let packed = PackedTexts()
        var expected: [Entry] = []
        var row: UInt32 = 0
        for round in 0..<200 {
            packed.begin()
            var piece: [Entry] = []
            for number in 0..<Int.random(in: 0...30, using: &random) {
                row += .random(in: 0...(round % 9 == 0 ? 1 << 20 : 2), using: &random)
                let length = Int.random(in: 0...(number == 3 ? longest : 20), using: &random)
                let entry = Entry(
                    row: row, rank: UInt32(number), word: .random(in: 0...300, using: &random),
                    text: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
                let isInOrder = (piece.last ?? Entry(row: 0, rank: 0, word: 0, text: [])) < entry
                let isAdded = entry.text.withUnsafeBytes {
                    packed.append($0, row: row, rank: Int64(number), word: entry.word)
                }
                #expect(isAdded == isInOrder)
                if isInOrder { piece.append(entry) }
            }
            #expect(packed.count == piece.count && packed.isEmpty == piece.isEmpty)
            let fits = piece.isEmpty || expected.isEmpty || expected[expected.count - 1] < piece[0]
            #expect(try run.append(packed) == fits)
            if fits { expected += piece }
            let single = Entry(row: row + 1, rank: 0, word: 7, text: [1, 2])
            if round % 3 == 0 {
                row += 1
                let isInOrder = expected.isEmpty || expected[expected.count - 1] < single
                #expect(try append(single, to: run) == isInOrder)
                if isInOrder { expected.append(single) }
            }
            if round % 50 == 49 { try run.releaseBuffers() }
            if round % 4 == 0 { row = row > 2 ? row - 2 : row }
        }
        #expect(try entries(run) == expected)
    }

    /// Texts of many files are written in turn, as soon as there is no memory for them.
    @Test func `runs that share a file do not mix their texts`() throws {
        let full = SortingSpace(folder: space.folder)
        _ = full.hold((12 << 20) - (64 << 10))
        let spill = SharedSpill(in: full)
        let runs = (0..<40).map { _ in TextRun(sharing: spill) }
        for round in 0..<30 {
            for (number, run) in runs.enumerated() {
                let text = [UInt8](repeating: UInt8(number), count: number % 3 * 500 + round)
                let entry = Entry(row: UInt32(round), rank: 1, word: UInt32(number), text: text)
                #expect(try append(entry, to: run))
                try run.releaseBuffers()
            }
        }
        #expect(full.spilledBytes > 300_000)
        for (number, run) in runs.enumerated() {
            let found = try entries(run)
            #expect(found.map(\.text.count) == (0..<30).map { number % 3 * 500 + $0 })
            #expect(found.allSatisfy { $0.word == number && $0.text.allSatisfy { $0 == number } })
        }
    }

    /// A short text takes no more than 4 KB of what all sorters may hold.
    @Test func `a thousand runs of a short text need no file`() throws {
        let space = SortingSpace(folder: "/nowhere/at all")
        let runs = (0..<1_000).map { _ in TextRun(in: space) }
        for (number, run) in runs.enumerated() {
            #expect(try append(Entry(row: UInt32(number), rank: 1, word: 0, text: [7]), to: run))
            try run.releaseBuffers()
        }
        #expect(try runs.allSatisfy { try entries($0).count == 1 })
        #expect(space.spilledBytes == 0)
    }

    @Test("the greatest numbers are kept, and ranks that have no room refused")
    func edges() throws {
        let run = TextRun(in: space)
        let entry = Entry(row: .max, rank: .max, word: .max, text: [7])
        #expect(try append(entry, to: run))
        // The run refuses a second text with the same key; only a sorter can take it.
        #expect(try !append(entry, to: run))
        let text = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(try !run.append(text, row: .max, rank: -1, word: 0))
        #expect(try !run.append(text, row: .max, rank: 1 << 32, word: 0))
        #expect(try entries(run) == [entry])
    }

    @Test func anEmptyRunHasNoText() throws {
        let run = TextRun(in: space)
        try run.releaseBuffers()
        #expect(try run.next() == nil)
    }

    @Test("a folder that takes no file is an error")
    func noFolder() throws {
        let full = SortingSpace(folder: "/nowhere/at all")
        _ = full.hold(12 << 20)
        let run = TextRun(in: full)
        let text = [UInt8](repeating: 1, count: 100_000)
        #expect(throws: KeySortingError.self) {
            try text.withUnsafeBytes { _ = try run.append($0, row: 1, rank: 0, word: 0) }
        }
    }
}
