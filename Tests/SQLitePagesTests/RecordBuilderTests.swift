import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("Records built value by value are those that the encoder gives")
struct RecordBuilderTests {
    private func add(_ value: SQLiteValue, to record: inout RecordBuilder) {
        switch value {
        case .null: record.addNull()
        case .integer(let value): record.add(value)
        case .text(var value): value.withUTF8 { record.add(UnsafeRawBufferPointer($0)) }
        case .double: Issue.record("\(value)")
        }
    }

    /// From 58 bytes on, the serial type of a text takes two bytes, from 8,186 on three.
    @Test("built records have the bytes that the encoder writes", arguments: [0, 1, 14, 57, 58, 300, 8_186])
    func sameAsEncoded(_ length: Int) {
        let numbers = [0, 1, 2, 127, 128, 32_768, 1 << 24, 1 << 40, .max, .min, -1] as [Int64]
        let texts =
            [9_000, 57, 58, 8_185, 8_186].map { String(repeating: "u", count: $0) }
            + (0...60).map { String(repeating: "t", count: $0) }
        let beginning = SQLiteValue.text(
            String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2))
        var built = RecordBuilder(columns: 5)
        add(beginning, to: &built)
        built.keepBeginning()
        for number in numbers {
            for text in texts {
                let rest: [SQLiteValue] = [.integer(number), .null, .text(text), .integer(7)]
                built.begin()
                for value in rest { add(value, to: &built) }
                #expect(Array(built.bytes) == record([beginning] + rest))
            }
        }
    }

    @Test("short and long values in any order", arguments: 0..<20)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let columns = Int.random(in: 1...12, using: &random)
        let kept = Int.random(in: 0..<columns, using: &random)
        func value() -> SQLiteValue {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .null
            case 1: return .integer(.random(in: .min ... .max, using: &random))
            case 2: return .text(String(repeating: "s", count: .random(in: 0...57, using: &random)))
            default: return .text(String(repeating: "l", count: .random(in: 58...20_000, using: &random)))
            }
        }
        let beginning = (0..<kept).map { _ in value() }
        var built = RecordBuilder(columns: columns)
        for value in beginning { add(value, to: &built) }
        built.keepBeginning()
        for _ in 0..<200 {
            let rest = (kept..<columns).map { _ in value() }
            built.begin()
            for value in rest { add(value, to: &built) }
            #expect(Array(built.bytes) == record(beginning + rest))
        }
    }

    /// The header with the long type, and all values behind it, must fit where the builder puts them together.
    @Test("a long text among many short ones", arguments: [2, 21, 22, 126, 400], [0, 1])
    func longAmongShort(_ count: Int, _ place: Int) {
        var values = [SQLiteValue](repeating: .text(String(repeating: "s", count: 57)), count: count)
        values[place * (count - 1)] = .text(String(repeating: "l", count: 58))
        var built = RecordBuilder(columns: count)
        for _ in 0..<2 {
            built.begin()
            for value in values { add(value, to: &built) }
            #expect(Array(built.bytes) == record(values))
        }
    }

    @Test("records have any number of columns", arguments: [1, 125, 126, 127, 128, 2_000]) func columns(_ count: Int) {
        var built = RecordBuilder(columns: count)
        for value in [SQLiteValue.integer(.max), .integer(-3), .text(String(repeating: "l", count: 58))] {
            built.begin()
            for _ in 0..<count { add(value, to: &built) }
            #expect(Array(built.bytes) == record([SQLiteValue](repeating: value, count: count)))
        }
    }
}
