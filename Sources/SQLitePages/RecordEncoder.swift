// Unsafe: all records are made in the same memory, one after the other. Cells come as the importer's threads leave
// them: as pointers to tags, payloads and text. A row of eight cells takes 25 ns, without any allocation.

import Cells

/// Turns rows of cells into SQLite's records (<https://sqlite.org/fileformat2.html#record_format>).
///
///     var encoder = RecordEncoder(columns: 4)
///     try writer.append(encoder.encode(tags: tags, payloads: payloads, text: text, otherText: otherText))
///
/// A record is byte for byte what SQLite writes for the same values, as long as every value has its column's affinity:
/// an integer in an INTEGER column, a double in a REAL column (where SQLite stores whole numbers as integers and reads
/// them back as doubles), UTF-8 in a TEXT column. NaN is stored as NULL and -0.0 as 0, as by SQLite. Memory is
/// allocated only to grow to the longest row seen.
public struct RecordEncoder: ~Copyable {
    private static let longestInteger = 8
    /// From this length on, a text's serial type takes two bytes or more.
    private static let longText = 58

    private let columns: Int
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// Where values begin; in front of them is room for the longest header. Serial types of one byte each are written
    /// to where they belong. If one of them is longer, all are written to the start of the memory and moved up to the
    /// values when their length is known.
    private let bodyOffset: Int

    /// For rows of `columns` cells.
    public init(columns: Int) {
        self.columns = columns
        bodyOffset = (columns + 1) * Varint.maximumLength
        // An integer is stored as eight bytes. The next value overwrites those that the integer does not need; after
        // the last one there is room for them.
        capacity = bodyOffset + (columns + 1) * Self.longestInteger + 256
        memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// The record of one row, valid until the next call or the end of the encoder.
    ///
    /// Cells are those of a `CellBatch`. About 3 ns a cell.
    public mutating func encode(
        tags: UnsafePointer<UInt8>, payloads: UnsafePointer<Int64>, text: UnsafeRawPointer, otherText: UnsafeRawPointer
    ) -> UnsafeRawBufferPointer {
        var header = memory + (bodyOffset - columns)
        var body = memory + bodyOffset
        for column in 0..<columns {
            guard add(tags[column], payloads[column], text, otherText, &header, &body) else {
                return encodeLong(cells: nil, tags, payloads, text, otherText)
            }
        }
        return finishShort(body) ?? encodeLong(cells: nil, tags, payloads, text, otherText)
    }

    /// The record of a row whose cells are in another order than the table's columns: `cells` has each column's cell
    /// number, or -1 for NULL.
    public mutating func encode(
        cells: UnsafePointer<Int32>, tags: UnsafePointer<UInt8>, payloads: UnsafePointer<Int64>,
        text: UnsafeRawPointer, otherText: UnsafeRawPointer
    ) -> UnsafeRawBufferPointer {
        var header = memory + (bodyOffset - columns)
        var body = memory + bodyOffset
        for column in 0..<columns {
            let cell = Int(cells[column])
            if cell < 0 {
                Self.addSerialType(0, &header)
            } else if !add(tags[cell], payloads[cell], text, otherText, &header, &body) {
                return encodeLong(cells: cells, tags, payloads, text, otherText)
            }
        }
        return finishShort(body) ?? encodeLong(cells: cells, tags, payloads, text, otherText)
    }

    /// Encodes any record, also with a text of 58 bytes or more, or with many columns.
    @inline(never)
    private mutating func encodeLong(
        cells: UnsafePointer<Int32>?, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>,
        _ text: UnsafeRawPointer, _ otherText: UnsafeRawPointer
    ) -> UnsafeRawBufferPointer {
        var header = memory
        var body = memory + bodyOffset
        for column in 0..<columns {
            let cell = cells.map { Int($0[column]) } ?? column
            if cell < 0 {
                Self.addSerialType(0, &header)
            } else if !add(tags[cell], payloads[cell], text, otherText, &header, &body) {
                add(tags[cell] == CellTag.text ? text : otherText, payloads[cell], &header, &body)
            }
        }
        return finish(header, body)
    }

    /// False, and nothing is added, for a text whose serial type takes more than a byte.
    @inline(__always)
    private mutating func add(
        _ tag: UInt8, _ payload: Int64, _ text: UnsafeRawPointer, _ otherText: UnsafeRawPointer,
        _ header: inout UnsafeMutableRawPointer, _ body: inout UnsafeMutableRawPointer
    ) -> Bool {
        switch tag {
        case CellTag.integer: Self.add(payload, &header, &body)
        case CellTag.double: Self.add(CellNumber.double(of: payload), &header, &body)
        case CellTag.text, CellTag.otherText:
            guard CellText.count(of: payload) < Self.longText else { return false }
            add(tag == CellTag.text ? text : otherText, payload, &header, &body)
        default: Self.addSerialType(0, &header)
        }
        return true
    }

    @inlinable
    @inline(__always)
    static func addSerialType(_ type: UInt8, _ header: inout UnsafeMutableRawPointer) {
        header.storeBytes(of: type, as: UInt8.self)
        header += 1
    }

    /// Adds an integer in the fewest bytes that hold it: 0 (for 0 and 1), 1, 2, 3, 4, 6 or 8.
    @inlinable
    @inline(__always)
    static func add(
        _ value: Int64, _ header: inout UnsafeMutableRawPointer, _ body: inout UnsafeMutableRawPointer
    ) {
        if UInt64(bitPattern: value) <= 1 { return addSerialType(8 + UInt8(truncatingIfNeeded: value), &header) }
        let bits = Int64.bitWidth + 1 - (value ^ (value >> 63)).leadingZeroBitCount
        let type: UInt8 = bits <= 32 ? UInt8(truncatingIfNeeded: (bits + 7) >> 3) : bits <= 48 ? 5 : 6
        let length = bits <= 32 ? Int(type) : bits <= 48 ? 6 : 8
        addSerialType(type, &header)
        let shifted = value << Int64(truncatingIfNeeded: Int64.bitWidth - length * 8)
        body.storeBytes(of: shifted.bigEndian, as: Int64.self)
        body += length
    }

    /// A whole number of up to six bytes is stored as an integer.
    @inline(__always)
    private static func add(
        _ value: Double, _ header: inout UnsafeMutableRawPointer, _ body: inout UnsafeMutableRawPointer
    ) {
        if value >= -0x8000_0000_0000 && value <= 0x7FFF_FFFF_FFFF {
            let whole = Int64(value)
            if Double(whole) == value { return add(whole, &header, &body) }
        } else if value.isNaN {
            return addSerialType(0, &header)
        }
        addSerialType(7, &header)
        body.storeBytes(of: value.bitPattern.bigEndian, as: UInt64.self)
        body += longestInteger
    }

    @inline(__always)
    private mutating func add(
        _ text: UnsafeRawPointer, _ payload: Int64, _ header: inout UnsafeMutableRawPointer,
        _ body: inout UnsafeMutableRawPointer
    ) {
        let length = CellText.count(of: payload)
        let needed = (body - memory) + length + (columns + 1) * Self.longestInteger
        if needed > capacity { grow(to: needed, &header, &body) }
        header = Varint.write(length * 2 + 13, to: header)
        if length < Self.longText {
            ShortCopy.copy(text + CellText.offset(of: payload), length, to: body)
        } else {
            body.copyMemory(from: text + CellText.offset(of: payload), byteCount: length)
        }
        body += length
    }

    private mutating func grow(
        to needed: Int, _ header: inout UnsafeMutableRawPointer, _ body: inout UnsafeMutableRawPointer
    ) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: needed * 2, alignment: 8)
        larger.copyMemory(from: memory, byteCount: body - memory)
        (header, body) = (larger + (header - memory), larger + (body - memory))
        memory.deallocate()
        (memory, capacity) = (larger, needed * 2)
    }

    /// Puts the header's length in front of the serial types, which end where values begin; nil if the length takes two
    /// bytes.
    @inline(__always)
    private func finishShort(_ body: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer? {
        guard columns < 0x7F else { return nil }
        let start = memory + (bodyOffset - columns - 1)
        start.storeBytes(of: UInt8(truncatingIfNeeded: columns + 1), as: UInt8.self)
        return UnsafeRawBufferPointer(start: start, count: body - start)
    }

    /// Puts the header in front of the values: its own length, then the serial types.
    @inline(__always)
    private func finish(
        _ header: UnsafeMutableRawPointer, _ body: UnsafeMutableRawPointer
    ) -> UnsafeRawBufferPointer {
        let types = header - memory
        // The length counts its own bytes: 1 up to 126 bytes of types, 2 up to 16,381.
        let lengthBytes = types < 0x7F ? 1 : types < 0x3FFE ? 2 : 3
        let start = memory + (bodyOffset - types - lengthBytes)
        // Source and target may overlap, which copyMemory allows.
        (start + lengthBytes).copyMemory(from: memory, byteCount: types)
        _ = Varint.write(types + lengthBytes, to: start)
        return UnsafeRawBufferPointer(start: start, count: body - start)
    }
}
