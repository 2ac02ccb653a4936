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

    /// The third and the fourth value of a record, such as the times of a call. Nil unless they are integers of one to
    /// four bytes and the first two are numbers or NULL; also nil for some short records. Looks at nothing else, unlike
    /// `RecordCells.read`.
    @inlinable
    @inline(__always)
    public static func thirdAndFourth(of record: UnsafeRawBufferPointer) -> (Int64, Int64)? {
        guard record.count >= 16, let start = record.baseAddress else { return nil }
        let header = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        guard header & 0x80 == 0 else { return nil }
        @inline(__always)
        func type(_ column: UInt64) -> UInt64 { header &>> (8 &+ 8 &* column) & 0xFF }
        // 8 and 9 stand for 0 and 1, without any byte.
        let (first, second, third, fourth) = (type(0), type(1), type(2), type(3))
        guard first < 10, second < 10, third &- 1 < 4, fourth &- 1 < 4 else { return nil }
        let body = header & 0x7F &+ shortLengths &>> (4 &* first) & 0xF &+ shortLengths &>> (4 &* second) & 0xF
        let end = Int(truncatingIfNeeded: body &+ third)
        let last = end &+ Int(truncatingIfNeeded: fourth)
        guard end >= 8, last <= record.count else { return nil }
        return (integer(start, end &- Int(truncatingIfNeeded: body), end), integer(start, last &- end, last))
    }

    /// The third to the fifth value of a record, such as the times of a call and its stop, under the same conditions.
    @inlinable
    @inline(__always)
    public static func thirdToFifth(of record: UnsafeRawBufferPointer) -> (Int64, Int64, Int64)? {
        guard record.count >= 16, let start = record.baseAddress else { return nil }
        let header = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        guard header & 0x80 == 0 else { return nil }
        @inline(__always)
        func type(_ column: UInt64) -> UInt64 { header &>> (8 &+ 8 &* column) & 0xFF }
        let (first, second, third, fourth, fifth) = (type(0), type(1), type(2), type(3), type(4))
        guard first < 10, second < 10, third &- 1 < 4, fourth &- 1 < 4, fifth &- 1 < 4 else { return nil }
        let body = header & 0x7F &+ shortLengths &>> (4 &* first) & 0xF &+ shortLengths &>> (4 &* second) & 0xF
        let end = Int(truncatingIfNeeded: body &+ third)
        let next = end &+ Int(truncatingIfNeeded: fourth)
        let last = next &+ Int(truncatingIfNeeded: fifth)
        guard end >= 8, last <= record.count else { return nil }
        return (
            integer(start, end &- Int(truncatingIfNeeded: body), end), integer(start, next &- end, next),
            integer(start, last &- next, last)
        )
    }

    /// The integer of `length` bytes before `end`, as the end of eight bytes.
    @inlinable
    @inline(__always)
    static func integer(_ start: UnsafeRawPointer, _ length: Int, _ end: Int) -> Int64 {
        let shift = Int64(truncatingIfNeeded: 64 &- 8 &* length)
        return (Int64(bigEndian: start.loadUnaligned(fromByteOffset: end &- 8, as: Int64.self)) &<< shift) &>> shift
    }

    /// The bytes of values by their serial types from 0 to 11, four bits each.
    @inlinable static var shortLengths: UInt64 { 0x8864_3210 }

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
