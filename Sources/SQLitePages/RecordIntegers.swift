// Unsafe: records lie in the caller's memory; no byte beyond the record is read.

/// Looks up integers of a record without decoding the rest (<https://sqlite.org/fileformat2.html#record_format>).
///
///     RecordIntegers.value(of: record, at: 1)     // 17, nil unless it is an integer
public enum RecordIntegers {
    /// The integer in a column, counted from 0. Nil for NULL, for other values and for columns that the record lacks.
    public static func value(of record: UnsafeRawBufferPointer, at column: Int) -> Int64? {
        guard let start = record.baseAddress, record.count > 0 else { return nil }
        let header = Varint.read(start, upTo: record.count)
        var (place, value) = (header.length, header.value)
        for current in 0...column {
            guard place < min(header.value, record.count) else { return nil }
            let type = Varint.read(start + place, upTo: record.count - place)
            place += type.length
            if current == column { return integer(record, type.value, at: value) }
            value += length(type.value)
        }
        return nil
    }

    private static func integer(_ record: UnsafeRawBufferPointer, _ type: Int, at place: Int) -> Int64? {
        if type == 8 || type == 9 { return Int64(type - 8) }
        guard (1...6).contains(type), place + length(type) <= record.count, let start = record.baseAddress else {
            return nil
        }
        return integer(start + place, length(type))
    }

    /// The integer of `length` bytes, at least one.
    @inline(__always)
    static func integer(_ start: UnsafeRawPointer, _ length: Int) -> Int64 {
        var value = Int64(start.load(as: Int8.self))
        for offset in 1..<max(length, 1) {
            value = value << 8 | Int64(start.load(fromByteOffset: offset, as: UInt8.self))
        }
        return value
    }

    /// Bytes of a value by its serial type.
    static func length(_ type: Int) -> Int {
        switch type {
        case 0...4: type
        case 5: 6
        case 6, 7: 8
        case 8...11: 0
        default: (type - 12) / 2
        }
    }
}
