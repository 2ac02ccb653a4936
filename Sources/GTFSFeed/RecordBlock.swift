// Unsafe: a block holds some hundred thousand field positions that cross from the reading to the writing thread;
// arrays of Swift values would be checked, reference-counted and copied for each of them. All pointers are made, grown
// and freed in this file only.

import Glibc

/// Some records of one CSV file: their raw bytes and where each field starts and ends.
///
/// A block is filled by ``CSVReader/nextBlock(reusing:)``, read by the parser, then given back to be filled again. Its
/// memory grows only to what the largest record needs, and is then kept. So reading a file of any length allocates a
/// few blocks and nothing per row.
///
///     while let block = try reader.nextBlock(reusing: used) {
///         for row in 0..<block.rowCount {
///             for field in block.fields(of: row) { parse(block.field(field)) }
///         }
///         used = block
///     }
///
/// Hot loops copy the pointers into locals once per block and do not check positions, as in C.
// Why @unchecked Sendable holds: one stage owns a block at a time. The reader writes it, hands it over once, and
// touches it again only when it is passed back to `nextBlock(reusing:)`; the hand-over itself synchronises the two
// threads.
public final class RecordBlock: @unchecked Sendable {
    // Exclusivity is unchecked: no access lasts longer than a load or a store. Each check took 60 instructions, a tenth
    // of the import of a feed with many cells beyond the header.
    /// The raw bytes `[0, rawCount)`, then unescaped copies of those quoted fields that need one; stable until reused.
    @exclusivity(unchecked) public internal(set) var bytes: UnsafeMutableRawPointer
    /// How many bytes of the file this block holds.
    @exclusivity(unchecked) public internal(set) var rawCount = 0
    /// How many records the block holds; a block that was handed out has at least one.
    @exclusivity(unchecked) public internal(set) var rowCount = 0
    /// The start of every field as an offset into ``bytes``, without an opening quote; nothing is trimmed, not even
    /// blanks outside the quotes.
    @exclusivity(unchecked) public internal(set) var fieldStarts: UnsafeMutablePointer<UInt32>
    /// The end of every field (the offset after its last byte).
    @exclusivity(unchecked) public internal(set) var fieldEnds: UnsafeMutablePointer<UInt32>
    /// The fields of row `r` are `firstFields[r] ..< firstFields[r + 1]`.
    @exclusivity(unchecked) public internal(set) var firstFields: UnsafeMutablePointer<UInt32>
    /// The raw value of each row's ``RowFlags``.
    @exclusivity(unchecked) public internal(set) var rowFlags: UnsafeMutablePointer<UInt8>
    /// The union of all rows' flags; if it is empty, no row needs to be looked at.
    @exclusivity(unchecked) public internal(set) var allRowFlags: RowFlags = []
    /// Whether a byte of the block is 0x80 or more.
    @exclusivity(unchecked) public internal(set) var containsNonASCII = false
    /// Whether a byte of the block is below 0x20 (and not CR, LF or TAB) or 0x7F; NUL counts.
    @exclusivity(unchecked) public internal(set) var containsControl = false
    /// Whether the block has a TAB. In a file that is delimited by TABs, known only for blocks with a quoted field or
    /// one of the bytes above; false otherwise.
    @exclusivity(unchecked) public internal(set) var containsTab = false

    @exclusivity(unchecked) var rowStart: UnsafeMutablePointer<UInt32>
    @exclusivity(unchecked) var rowEnd: UnsafeMutablePointer<UInt32>
    /// Each row's number minus `firstRowNumber`; a file may have more rows than fit in UInt32.
    @exclusivity(unchecked) var rowNumberOffset: UnsafeMutablePointer<UInt32>
    @exclusivity(unchecked) var firstRowNumber = 1

    /// Bytes allocated for ``bytes``. The last `padding` of them never hold data; the splitter only reads ahead into
    /// them.
    @exclusivity(unchecked) private(set) var byteCapacity: Int
    @exclusivity(unchecked) private(set) var fieldCapacity: Int
    @exclusivity(unchecked) private(set) var rowCapacity: Int

    /// The splitter looks at 64 bytes at once and may read that far beyond the data.
    static let padding = 64

    /// An empty block with room for `count` bytes.
    public init(bytes count: Int) {
        byteCapacity = count + Self.padding
        fieldCapacity = Self.fields(ofBytes: count)
        rowCapacity = Self.rows(ofBytes: count)
        bytes = Self.makeBytes(byteCapacity)
        fieldStarts = Self.make(fieldCapacity)
        fieldEnds = Self.make(fieldCapacity)
        firstFields = Self.make(rowCapacity)
        rowFlags = Self.make(rowCapacity)
        rowStart = Self.make(rowCapacity)
        rowEnd = Self.make(rowCapacity)
        rowNumberOffset = Self.make(rowCapacity)
    }

    deinit {
        free(bytes)
        fieldStarts.deallocate()
        fieldEnds.deallocate()
        firstFields.deallocate()
        rowFlags.deallocate()
        rowStart.deallocate()
        rowEnd.deallocate()
        rowNumberOffset.deallocate()
    }

    /// The number of the record in its file: the header is 1 and blank lines count, so it is the line number in a file
    /// without newlines inside quotes.
    public func rowNumber(_ row: Int) -> Int {
        precondition(row >= 0 && row < rowCount, "row \(row) of a block of \(rowCount)")
        return firstRowNumber + Int(rowNumberOffset[row])
    }

    /// The record as it stands in the file, quotes included, without its line end.
    public func rawRow(_ row: Int) -> UnsafeRawBufferPointer {
        precondition(row >= 0 && row < rowCount, "row \(row) of a block of \(rowCount)")
        let start = Int(rowStart[row])
        return UnsafeRawBufferPointer(start: bytes + start, count: Int(rowEnd[row]) - start)
    }

    /// The positions of a row's fields in ``fieldStarts`` and ``fieldEnds``.
    public func fields(of row: Int) -> Range<Int> {
        precondition(row >= 0 && row < rowCount, "row \(row) of a block of \(rowCount)")
        return Int(firstFields[row])..<Int(firstFields[row + 1])
    }

    /// The bytes of a field, unquoted and untrimmed; `field` is one of ``fields(of:)``.
    public func field(_ field: Int) -> UnsafeRawBufferPointer {
        precondition(field >= 0 && field < Int(firstFields[rowCount]), "field \(field) is not in the block")
        let start = Int(fieldStarts[field])
        return UnsafeRawBufferPointer(start: bytes + start, count: Int(fieldEnds[field]) - start)
    }

    /// Whether the field is as it stands in the file, not an unescaped copy. If it was quoted, it lacks its quotes.
    func isRaw(_ field: Int) -> Bool { Int(fieldStarts[field]) < rawCount }

    /// The memory that its records take, including the positions of rows (17 bytes each) and fields (8).
    public var usedBytes: Int { rawCount + rowCount * 17 + Int(firstFields[rowCount]) * 8 }

    /// The flags of the row.
    public func flags(of row: Int) -> RowFlags {
        precondition(row >= 0 && row < rowCount, "row \(row) of a block of \(rowCount)")
        return RowFlags(rawValue: rowFlags[row])
    }
}

// MARK: Leaving rows out

extension RecordBlock {
    /// Keeps only the rows for which `isKept` returns true, in order and with their row numbers. Returns how many rows
    /// it removed. Calls `isKept` once for each row, before any later row has moved.
    public func keepRows(where isKept: (Int) -> Bool) -> Int {
        var (kept, fields) = (0, 0)
        for row in 0..<rowCount {
            let (first, end) = (Int(firstFields[row]), Int(firstFields[row + 1]))
            guard isKept(row) else { continue }
            // Values only move towards the front, so none is overwritten before it is read, `firstFields[row + 1]`
            // included.
            if fields != first {
                (fieldStarts + fields).update(from: fieldStarts + first, count: end - first)
                (fieldEnds + fields).update(from: fieldEnds + first, count: end - first)
            }
            firstFields[kept] = UInt32(truncatingIfNeeded: fields)
            rowFlags[kept] = rowFlags[row]
            rowStart[kept] = rowStart[row]
            rowEnd[kept] = rowEnd[row]
            rowNumberOffset[kept] = rowNumberOffset[row]
            (kept, fields) = (kept + 1, fields + end - first)
        }
        defer { rowCount = kept }
        firstFields[kept] = UInt32(truncatingIfNeeded: fields)
        return rowCount - kept
    }
}

/// Peculiarities of a record; see ``CSVReader`` for the rules.
public struct RowFlags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Some field was quoted.
    public static let quoted = RowFlags(rawValue: 1)
    /// A quote was opened and never closed: the field ran to the end of the file, or its quote was taken as text.
    public static let unterminatedQuote = RowFlags(rawValue: 2)
    /// Text other than blanks followed a closing quote and was appended to the field, as in `"abc"d`.
    public static let textAfterClosingQuote = RowFlags(rawValue: 4)
    /// A CR or LF stands inside a quoted field.
    public static let newlineInside = RowFlags(rawValue: 8)
    /// The record was longer than allowed and was cut there.
    public static let tooLong = RowFlags(rawValue: 16)
}

// MARK: Growing

extension RecordBlock {
    // Few files have more than one field per 4 bytes, or more than one row per 32.
    private static func fields(ofBytes count: Int) -> Int { max(128, count / 4) }
    private static func rows(ofBytes count: Int) -> Int { max(128, count / 32) }

    /// Makes room for `count` bytes of new records in place of those that it holds. A block that was made for a smaller
    /// file gets room for fields and rows at once: growing step by step touches fresh memory again and again.
    func prepare(forBytes count: Int) {
        guard count + Self.padding > byteCapacity else { return }
        reserveBytes(count, keeping: 0)
        if fieldCapacity < Self.fields(ofBytes: count) { growFields(to: Self.fields(ofBytes: count), keeping: 0) }
        if rowCapacity < Self.rows(ofBytes: count) { growRows(to: Self.rows(ofBytes: count), keeping: 0) }
    }

    /// Makes room for `count` bytes and keeps the first `kept`.
    func reserveBytes(_ count: Int, keeping kept: Int) {
        guard count + Self.padding > byteCapacity else { return }
        let capacity = max(count + Self.padding, byteCapacity + byteCapacity / 2)
        let grown = Self.makeBytes(capacity)
        grown.copyMemory(from: bytes, byteCount: kept)
        free(bytes)
        bytes = grown
        byteCapacity = capacity
    }

    func growFields(to capacity: Int, keeping kept: Int) {
        fieldStarts = Self.grow(fieldStarts, keeping: kept, to: capacity)
        fieldEnds = Self.grow(fieldEnds, keeping: kept, to: capacity)
        fieldCapacity = capacity
    }

    func growRows(to capacity: Int, keeping kept: Int) {
        firstFields = Self.grow(firstFields, keeping: kept, to: capacity)
        rowFlags = Self.grow(rowFlags, keeping: kept, to: capacity)
        rowStart = Self.grow(rowStart, keeping: kept, to: capacity)
        rowEnd = Self.grow(rowEnd, keeping: kept, to: capacity)
        rowNumberOffset = Self.grow(rowNumberOffset, keeping: kept, to: capacity)
        rowCapacity = capacity
    }

    /// Zeroed memory, so that reading past the data never meets uninitialised bytes. Comes from calloc, which uses
    /// fresh pages of the system without touching them.
    private static func makeBytes(_ capacity: Int) -> UnsafeMutableRawPointer {
        guard let bytes = calloc(capacity, 1) else {
            // Fails in the same way as any other allocation without memory.
            return UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        }
        return bytes
    }

    private static func make<Number: FixedWidthInteger>(_ capacity: Int) -> UnsafeMutablePointer<Number> {
        .allocate(capacity: capacity)
    }

    private static func grow<Number: FixedWidthInteger>(
        _ numbers: UnsafeMutablePointer<Number>, keeping kept: Int, to capacity: Int
    ) -> UnsafeMutablePointer<Number> {
        let grown: UnsafeMutablePointer<Number> = make(capacity)
        grown.update(from: numbers, count: kept)
        numbers.deallocate()
        return grown
    }
}

extension RecordBlock {
    /// Sets `containsNonASCII`, `containsControl` and `containsTab`, so that these are checked per block, not per
    /// value.
    func classify() {
        var all: UInt8 = 0
        var controls: UInt8 = 0
        var tabs: UInt8 = 0
        let start = bytes.assumingMemoryBound(to: UInt8.self)
        for position in 0..<rawCount {
            let byte = start[position]
            all |= byte
            // Written without && and ||, so that the compiler can vectorise it.
            let low: UInt8 = byte < 0x20 ? 1 : 0
            let tab: UInt8 = byte == 0x09 ? 1 : 0
            let allowed: UInt8 = tab | (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0)
            tabs |= tab
            controls |= (low ^ allowed) | (byte == 0x7F ? 1 : 0)
        }
        containsNonASCII = all >= 0x80
        containsControl = controls != 0
        containsTab = tabs != 0
    }
}
