import SQLite
import SQLitePages
import Testing

@Suite("Short records are those that the encoder gives")
struct ShortRecordTests {
    private func add(_ value: SQLiteValue, to record: inout ShortRecord) {
        switch value {
        case .null: record.addNull()
        case .integer(let value): record.add(value)
        case .text(var value): value.withUTF8 { record.add(UnsafeRawBufferPointer($0)) }
        case .double: Issue.record("\(value)")
        }
    }

    @Test("short records have the bytes that the encoder writes", arguments: [0, 1, 14, 57])
    func sameAsEncoded(_ length: Int) {
        let numbers = [0, 1, 2, 127, 128, 32_768, 1 << 24, 1 << 40, .max, .min, -1] as [Int64]
        let texts = (0...ShortRecord.longestText).map { String(repeating: "t", count: $0) }
        let beginning = SQLiteValue.text(
            String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2))
        var short = ShortRecord(columns: 5)
        add(beginning, to: &short)
        short.keepBeginning()
        for number in numbers {
            for text in texts {
                let rest: [SQLiteValue] = [.integer(number), .null, .text(text), .integer(7)]
                short.begin()
                for value in rest { add(value, to: &short) }
                #expect(Array(short.bytes) == record([beginning] + rest))
            }
        }
    }

    @Test("a short record has as many columns as there may be", arguments: [1, 126]) func columns(_ count: Int) {
        var short = ShortRecord(columns: count)
        for value in [Int64.max, -3] {
            short.begin()
            for _ in 0..<count { short.add(value) }
            #expect(Array(short.bytes) == record([SQLiteValue](repeating: .integer(value), count: count)))
        }
    }
}
