import Testing

@testable import SQLitePages

/// A record that is read into cells and encoded again is the same.
@Suite struct RecordCellsTests {
    /// Encodes cells, reads `columns` of them, and encodes what was read.
    private static func bothWays(
        _ tags: [UInt8], _ payloads: [Int64], text: [UInt8], reading columns: Int
    ) -> (first: [UInt8], second: [UInt8], tags: [UInt8]) {
        var encoder = RecordEncoder(columns: tags.count)
        let first = text.withUnsafeBytes { text in
            tags.withUnsafeBufferPointer { tags in
                payloads.withUnsafeBufferPointer { payloads -> [UInt8] in
                    guard let tag = tags.baseAddress, let payload = payloads.baseAddress, let start = text.baseAddress
                    else { return [] }
                    return Array(encoder.encode(tags: tag, payloads: payload, text: start, otherText: start))
                }
            }
        }
        var readTags = [UInt8](repeating: 9, count: columns)
        var readPayloads = [Int64](repeating: -1, count: columns)
        var again = RecordEncoder(columns: columns)
        let second = first.withUnsafeBytes { record -> [UInt8] in
            readTags.withUnsafeMutableBufferPointer { tags in
                readPayloads.withUnsafeMutableBufferPointer { payloads in
                    guard let tag = tags.baseAddress, let payload = payloads.baseAddress, let start = record.baseAddress
                    else { return [] }
                    RecordCells.read(record, columns: columns, tags: tag, payloads: payload)
                    return Array(again.encode(tags: tag, payloads: payload, text: start, otherText: start))
                }
            }
        }
        return (first, second, readTags)
    }

    private static let wholes: [Int64] = [
        0, 1, 2, -1, 127, -128, 128, 32_767, -32_768, 8_388_607, -8_388_609, 1 << 31, -(1 << 31), 1 << 47, .max, .min,
    ]

    @Test(arguments: wholes) func wholeNumbersComeBack(_ value: Int64) {
        let (first, second, tags) = Self.bothWays([1, 0, 1], [value, 0, 7], text: [0], reading: 3)
        #expect(first == second && tags == [1, 0, 1])
    }

    /// The fast reading of two values agrees with the slow one, or leaves the record to it.
    @Test(arguments: wholes) func theThirdAndTheFourthIntegerAreReadOnTheirOwn(_ value: Int64) throws {
        for other in Self.wholes {
            for cells in [[value, other, 21_600, 21_660, 5], [3, 0, value, other, 70_000], [1, 2, other, value]] {
                let tags = [UInt8](repeating: 1, count: cells.count)
                let record = Self.bothWays(tags, cells, text: [0], reading: cells.count).first
                let fast = record.withUnsafeBytes { RecordIntegers.thirdAndFourth(of: $0) }
                if let fast { #expect(fast == (cells[2], cells[3])) }
                let isShort = [cells[2], cells[3]].allSatisfy {
                    Int64(Int32.min)...Int64(Int32.max) ~= $0 && $0 >> 1 != 0
                }
                if record.count >= 16, isShort { #expect(fast != nil) }
                let three = record.withUnsafeBytes { RecordIntegers.thirdToFifth(of: $0) }
                if let three { #expect(three == (cells[2], cells[3], cells[4])) }
                if record.count >= 16, isShort, cells.count == 5 { #expect(three != nil) }
            }
        }
        let text = Self.bothWays([1, 3, 1, 1], [7, 5, 600, 700], text: Array("abcdefghijkl".utf8), reading: 4).first
        #expect(text.withUnsafeBytes { RecordIntegers.thirdAndFourth(of: $0) } == nil)
    }

    @Test func numbersAndTextsComeBack() {
        let text = Array("Grüße, 新宿 and a long text".utf8) + [UInt8](repeating: 65, count: 5000)
        let tags: [UInt8] = [2, 3, 0, 3, 2, 3]
        let payloads: [Int64] = [
            Int64(bitPattern: (0.1).bitPattern), Int64(text.count), 0, 5 << 32 | 3, Int64(bitPattern: (4.0).bitPattern),
            0,
        ]
        let (first, second, read) = Self.bothWays(tags, payloads, text: text, reading: 6)
        // A double without a fraction is stored and read as an integer.
        #expect(first == second && read == [2, 3, 0, 3, 1, 3])
    }

    @Test func columnsThatTheRecordLacksAreNull() {
        #expect(Self.bothWays([1, 1], [5, 6], text: [0], reading: 4).tags == [1, 1, 0, 0])
        #expect(Self.bothWays([1, 1, 3], [5, 6, 1], text: [65], reading: 2).tags == [1, 1])
    }

    @Test func aRecordThatIsCutIsNotReadBeyondItsEnd() {
        let record: [UInt8] = [4, 1, 6, 6, 7]
        var tags: [UInt8] = [9, 9, 9]
        var payloads: [Int64] = [0, 0, 0]
        record.withUnsafeBytes { bytes in
            tags.withUnsafeMutableBufferPointer { tags in
                payloads.withUnsafeMutableBufferPointer { payloads in
                    guard let tag = tags.baseAddress, let payload = payloads.baseAddress else { return }
                    RecordCells.read(bytes, columns: 3, tags: tag, payloads: payload)
                }
            }
        }
        #expect(tags == [1, 0, 0] && payloads[0] == 7)
    }
}
