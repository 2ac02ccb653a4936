// Unsafe: records come as the pointers that the writer was given.

@testable import SQLitePages

/// Checks that records come in the order of their first columns.
///
/// NULL sorts first, then numbers by value, then text by its bytes (<https://sqlite.org/datatype3.html#sort_order>).
struct RecordOrder {
    let keyColumns: Int
    private var previous: [UInt8] = []
    private var checked = 0

    init(keyColumns: Int) { self.keyColumns = keyColumns }

    /// Throws unless the record's key comes after that of the record before.
    mutating func check(_ record: UnsafeRawBufferPointer) throws(PageFileError) {
        checked += 1
        let isAfter = checked == 1 || previous.withUnsafeBytes { Self.isAscending($0, record, keyColumns) }
        guard isAfter else {
            throw PageFileError(
                .outOfOrder, "record \(checked) does not come after the one before in its first \(keyColumns) columns")
        }
        previous.removeAll(keepingCapacity: true)
        previous.append(contentsOf: record)
    }

    private static func isAscending(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ keyColumns: Int
    ) -> Bool {
        var (left, right) = (RecordReader(first), RecordReader(second))
        for _ in 0..<keyColumns {
            guard let (a, b) = zip(left.next(), right.next()) else { return false }
            if a != b { return a < b }
        }
        return false
    }

    private static func zip(_ a: RecordValue?, _ b: RecordValue?) -> (RecordValue, RecordValue)? {
        guard let a, let b else { return nil }
        return (a, b)
    }
}

/// A value of a record, in SQLite's order.
private enum RecordValue: Comparable {
    case null
    case integer(Int64)
    case double(Double)
    case text([UInt8])

    static func < (a: RecordValue, b: RecordValue) -> Bool {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        case (.integer(let a), .double(let b)): Double(a) < b
        case (.double(let a), .integer(let b)): a < Double(b)
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        default: a.rank < b.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .double: 1
        case .text: 2
        }
    }
}

/// Reads a record's values from the first on.
private struct RecordReader {
    private let record: UnsafeRawBufferPointer
    private var type = 0
    private var value = 0
    private let headerLength: Int

    init(_ record: UnsafeRawBufferPointer) {
        self.record = record
        let length = record.baseAddress.map { Varint.read($0) } ?? (value: 0, length: 0)
        headerLength = length.value
        type = length.length
        value = length.value
    }

    /// The next value; nil when there is none.
    mutating func next() -> RecordValue? {
        guard type < headerLength, let start = record.baseAddress else { return nil }
        let serial = Varint.read(start + type)
        type += serial.length
        switch serial.value {
        case 0: return .null
        case 8, 9: return .integer(Int64(serial.value - 8))
        case 1...6: return .integer(integer(serial.value < 5 ? serial.value : serial.value * 2 - 4))
        case 7: return .double(Double(bitPattern: UInt64(bitPattern: integer(8))))
        default: return .text(Array(take((serial.value - 13) / 2)))
        }
    }

    private mutating func integer(_ length: Int) -> Int64 {
        let bytes = take(length)
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: bytes.first ?? 0))) { $0 << 8 | Int64($1) }
    }

    private mutating func take(_ length: Int) -> Slice<UnsafeRawBufferPointer> {
        let start = value
        value = min(value + length, record.count)
        return record[start..<value]
    }
}
