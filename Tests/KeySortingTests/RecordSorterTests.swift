import Foundation
import TestSupport
import Testing

@testable import KeySorting

@Suite("Records come out as a stable sort orders their keys")
struct RecordSorterTests {
    private struct Row: Equatable {
        var parent: UInt32
        var sequence: Int64
        var number: UInt32
        var record: [UInt8]
    }

    private let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path)

    /// The rows as Swift sorts them. Row numbers decide between equal keys.
    private static func sorted(_ rows: [Row]) -> [Row] {
        rows.sorted { ($0.parent, $0.sequence, $0.number) < ($1.parent, $1.sequence, $1.number) }
    }

    private func sorted(_ rows: [Row], by sorter: RecordSorter) throws -> [Row] {
        for row in rows {
            try row.record.withUnsafeBytes {
                try sorter.append($0, parent: row.parent, sequence: row.sequence, number: row.number)
            }
        }
        var result: [Row] = []
        while let row = try sorter.next() {
            result.append(
                Row(parent: row.parent, sequence: row.sequence, number: row.number, record: Array(row.record)))
        }
        #expect(try sorter.next() == nil)
        return result
    }

    private func check(_ rows: [Row], bytes: Int = 1 << 20, records: Int, mergeBytes: Int = 1 << 20) throws {
        let sorter = RecordSorter(
            SharedSpill(in: space), chunkBytes: bytes, chunkRecords: records, mergeBytes: mergeBytes)
        #expect(try sorted(rows, by: sorter) == Self.sorted(rows))
    }

    /// Keys in many orders: whole trips shuffled, trips in pieces, descending, all keys equal, random and extreme keys.
    private func shapes(_ count: Int, _ random: inout some RandomNumberGenerator) -> [[(UInt32, Int64)]] {
        let trips = (0..<max(count / 7, 1)).map(UInt32.init)
        let whole = trips.shuffled(using: &random).flatMap { trip in (0..<7).map { (trip, Int64($0) * 3) } }
        var pieces = whole
        for _ in 0..<count / 10 {
            pieces.swapAt(.random(in: pieces.indices, using: &random), .random(in: pieces.indices, using: &random))
        }
        let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 32, (1 << 32) + 1, .max - 1, .max]
        return [
            whole, pieces, whole.reversed(), whole + whole,
            (0..<count).map { _ in (5, 5) },
            (0..<count).map { (9, Int64($0) * 9_000) }, (0..<count).map { (UInt32($0 % 3), 65_530 + Int64($0 / 3)) },
            (0..<count).map { _ in (.random(in: 0...3, using: &random), .random(in: -3...3, using: &random)) },
            (0..<count).map { _ in
                ([0, 1, .max].randomElement(using: &random) ?? 0, edges.randomElement(using: &random) ?? 0)
            },
        ]
    }

    private func rows(_ keys: [(UInt32, Int64)], _ random: inout some RandomNumberGenerator) -> [Row] {
        var number: UInt32 = 2
        return keys.map { parent, sequence in
            defer { number += Int.random(in: 0...9, using: &random) == 0 ? 2 : 1 }
            let record = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            return Row(parent: parent, sequence: sequence, number: number, record: record)
        }
    }

    @Test("records are sorted in one run and in many", arguments: [1, 2, 7, 100, 1000])
    func runs(_ records: Int) throws {
        var random = SeededGenerator(seed: 15)
        for count in [0, 1, records, records + 1, 350] {
            for keys in shapes(count, &random) { try check(rows(keys, &random), records: records) }
        }
    }

    @Test(
        "records are sorted in runs bounded by their bytes, merged through the least memory", arguments: [1, 60, 1000])
    func bytes(_ bytes: Int) throws {
        var random = SeededGenerator(seed: 15)
        for keys in shapes(400, &random) {
            try check(rows(keys, &random), bytes: bytes, records: 1000, mergeBytes: 0)
        }
    }

    /// Records that are longer than a chunk, or than the memory through which a run is merged.
    @Test func longRecordsAreSortedWhole() throws {
        var random = SeededGenerator(seed: 15)
        let lengths = [
            0, 1, 16_370, 16_375, 16_376, 16_377, 16_380, 16_384, 40_000, 65_530, 65_531, 65_534, 65_535, 65_536,
            300_000,
        ]
        for bytes in [1, 50_000, 1 << 20] {
            let rows = (0..<120).map { number in
                let length = lengths.randomElement(using: &random) ?? 0
                return Row(
                    parent: .random(in: 0...4, using: &random), sequence: .random(in: 0...30, using: &random),
                    number: UInt32(number), record: [UInt8](repeating: UInt8(number), count: length))
            }
            try check(rows, bytes: bytes, records: 50, mergeBytes: 0)
        }
    }

    @Test("a sorter that is left alone while it merges ends its thread")
    func leftAlone() throws {
        let record = [UInt8](repeating: 7, count: 2000)
        for _ in 0..<20 {
            let sorter = RecordSorter(SharedSpill(in: space), chunkBytes: 1 << 20, chunkRecords: 100, mergeBytes: 0)
            for number in 0..<2000 as Range<UInt32> {
                try record.withUnsafeBytes {
                    try sorter.append($0, parent: 2000 - number, sequence: 1, number: number)
                }
            }
            #expect(try sorter.next()?.parent == 1)
        }
    }

    @Test("a folder that takes no file is an error when memory is full")
    func noFolder() throws {
        let sorter = RecordSorter(
            SharedSpill(in: SortingSpace(folder: "/nowhere/at all")), chunkBytes: 100, chunkRecords: 1, mergeBytes: 0)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try sorter.append(nothing, parent: 1, sequence: 1, number: 1)
        #expect(
            throws: KeySortingError(
                message: "a temporary file in /nowhere/at all cannot be made: No such file or directory", number: ENOENT
            )
        ) { try sorter.append(nothing, parent: 1, sequence: 1, number: 2) }
    }
}
