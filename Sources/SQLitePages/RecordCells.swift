// Unsafe: records lie in the caller's memory, and cells go where the caller says; no byte beyond the record is read.

import Cells

/// Takes a record apart into cells for `RecordEncoder`, so that it can be encoded again with other values
/// (<https://sqlite.org/fileformat2.html#record_format>).
///
///     RecordCells.read(record, columns: 9, tags: tags, payloads: payloads)
///     payloads[2] = 21_600
///     let changed = encoder.encode(tags: tags, payloads: payloads, text: record.baseAddress, otherText: …)
///
/// About 4 ns a column.
public enum RecordCells {
    /// Fills the tags and payloads of the first `columns` columns. Those that the record lacks are NULL. Texts are
    /// offsets from the record's first byte.
    public static func read(
        _ record: UnsafeRawBufferPointer, columns: Int, tags: UnsafeMutablePointer<UInt8>,
        payloads: UnsafeMutablePointer<Int64>
    ) {
        guard let start = record.baseAddress, record.count > 0 else { return clear(0..<columns, tags) }
        let header = Varint.read(start, upTo: record.count)
        let end = min(header.value, record.count)
        var (place, value, column) = (header.length, header.value, 0)
        while place < end, column < columns {
            let short = Int(start.load(fromByteOffset: place, as: UInt8.self))
            if short < 0x80 {
                // Nearly all types have one byte.
                let length =
                    short < 12
                    ? Int(truncatingIfNeeded: RecordIntegers.shortLengths &>> UInt64(4 &* short) & 0xF)
                    : (short &- 12) &>> 1
                guard value &+ length <= record.count else { break }
                read(start, short, length, at: value, tags + column, payloads + column)
                (place, value, column) = (place &+ 1, value &+ length, column &+ 1)
                continue
            }
            let type = Varint.read(start + place, upTo: record.count - place)
            place += type.length
            let length = RecordIntegers.length(type.value)
            guard value + length <= record.count else { break }
            read(start, type.value, length, at: value, tags + column, payloads + column)
            value += length
            column += 1
        }
        clear(column..<columns, tags)
    }

    private static func clear(_ columns: Range<Int>, _ tags: UnsafeMutablePointer<UInt8>) {
        for column in columns { tags[column] = CellTag.null }
    }

    /// The integer of `length` bytes, at least one, as part of the eight bytes that end with it.
    @inline(__always)
    private static func integer(_ start: UnsafeRawPointer, _ length: Int, at place: Int) -> Int64 {
        let end = place &+ length
        guard end >= 8 else { return RecordIntegers.integer(start + place, length) }
        return RecordIntegers.integer(start, length, end)
    }

    @inline(__always)
    private static func read(
        _ start: UnsafeRawPointer, _ type: Int, _ length: Int, at place: Int, _ tag: UnsafeMutablePointer<UInt8>,
        _ payload: UnsafeMutablePointer<Int64>
    ) {
        switch type {
        case 1...6:
            tag.pointee = CellTag.integer
            payload.pointee = integer(start, length, at: place)
        case 7:
            tag.pointee = CellTag.double
            payload.pointee = Int64(bigEndian: start.loadUnaligned(fromByteOffset: place, as: Int64.self))
        case 8, 9:
            tag.pointee = CellTag.integer
            payload.pointee = Int64(type - 8)
        case 12...:
            tag.pointee = CellTag.text
            payload.pointee = CellText.payload(offset: place, count: length)
        default: tag.pointee = CellTag.null
        }
    }
}
