import Cells

@testable import SQLite

/// Rows in the memory that a batch table reads.
final class Batch {
    private let tags: UnsafeMutablePointer<UInt8>
    private let payloads: UnsafeMutablePointer<Int64>
    private let text: UnsafeMutableRawPointer
    private let otherText: UnsafeMutableRawPointer
    private let rowCount: Int
    private let stride: Int

    /// Texts of the columns in `textInOther` are stored in `otherText`.
    init(_ rows: [[SQLiteValue]], textInOther: Set<Int> = []) {
        var tags: [UInt8] = []
        var payloads: [Int64] = []
        var texts: [[UInt8]] = [[], []]
        for row in rows {
            for (column, value) in row.enumerated() {
                let place = textInOther.contains(column) ? 1 : 0
                tags.append(Self.tag(value, place))
                payloads.append(Self.payload(value, &texts[place]))
            }
        }
        self.tags = Self.copy(tags)
        self.payloads = Self.copy(payloads)
        text = UnsafeMutableRawPointer(Self.copy(texts[0]))
        otherText = UnsafeMutableRawPointer(Self.copy(texts[1]))
        rowCount = rows.count
        stride = rows.first?.count ?? 0
    }

    deinit {
        tags.deallocate()
        payloads.deallocate()
        text.deallocate()
        otherText.deallocate()
    }

    var cells: CellBatch {
        CellBatch(
            tags: tags, payloads: payloads, text: text, otherText: otherText, rowCount: rowCount, stride: stride)
    }

    private static func tag(_ value: SQLiteValue, _ place: Int) -> UInt8 {
        switch value {
        case .null: CellTag.null
        case .integer: CellTag.integer
        case .double: CellTag.double
        case .text: place == 0 ? CellTag.text : CellTag.otherText
        }
    }

    private static func payload(_ value: SQLiteValue, _ text: inout [UInt8]) -> Int64 {
        switch value {
        case .null: return -1
        case .integer(let value): return value
        case .double(let value): return Int64(bitPattern: value.bitPattern)
        case .text(let value):
            defer { text += Array(value.utf8) }
            return Int64(text.count) << 32 | Int64(value.utf8.count)
        }
    }

    private static func copy<T>(_ array: [T]) -> UnsafeMutablePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(array.count, 1))
        memory.initialize(from: array, count: array.count)
        return memory
    }
}

/// Hands out its batches one after another. Like the importer, it frees each batch when the next one is requested.
final class BatchSource: CellBatchSource {
    private var waiting: [Batch]
    private var current: Batch?

    init(_ batches: [Batch]) { waiting = batches }

    func add(_ batch: Batch) { waiting.append(batch) }

    func nextBatch() -> CellBatch? {
        current = waiting.isEmpty ? nil : waiting.removeFirst()
        return current?.cells
    }
}

extension SQLiteValue {
    static func random(using random: inout some RandomNumberGenerator) -> SQLiteValue {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .null
        case 1: return .integer(.random(in: .min ... .max, using: &random))
        case 2: return .integer(.random(in: -200...200, using: &random))
        case 3: return .double(.random(in: -1e9...1e9, using: &random))
        default:
            let length = Int.random(in: 0...30, using: &random)
            return .text(String((0..<length).map { _ in "aé東🚋 ,'\u{0}".randomElement(using: &random) ?? "x" }))
        }
    }
}
