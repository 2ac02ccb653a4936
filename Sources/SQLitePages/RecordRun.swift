// Unsafe: cells are written into pages byte by byte, as in IndexTreeWriter.

/// Records of an index that differ in one integer, as for the rows with one value. Each record is copied from the first
/// one, which takes 8 ns instead of 20 for encoding and appending it.
///
/// The integer is the last value that takes bytes; after it there may be values that take none, such as 0.
struct RecordRun: ~Copyable {
    private static let longest = 96

    private let memory = UnsafeMutableRawPointer.allocate(byteCount: longest, alignment: 8)
    /// The length of the record without the integer.
    private var length = 0
    /// Where the integer's serial type stands.
    private var typePlace = 0

    deinit { memory.deallocate() }

    /// Takes a record whose integer has `columnsBehind` columns after it; false when the record does not suit a run.
    mutating func begin(_ record: UnsafeRawBufferPointer, columnsBehind: Int) -> Bool {
        guard let base = record.baseAddress, record.count > 1, record.count < Self.longest, record[0] < 0x80
        else { return false }
        let header = Int(record[0])
        typePlace = header - 1 - columnsBehind
        guard typePlace > 0, header <= record.count, let integer = Self.length(record[typePlace]),
            (typePlace + 1..<header).allSatisfy({ Self.length(record[$0]) == 0 })
        else { return false }
        length = record.count - integer
        memory.copyMemory(from: base, byteCount: length)
        return true
    }

    /// Bytes of a value that is an integer of up to four bytes; nil for others.
    private static func length(_ type: UInt8) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        default: nil
        }
    }

    /// The first integer that takes more than four bytes.
    static let tooLarge: UInt32 = 1 << 31

    /// How many bytes a smaller value takes in a record.
    @inline(__always)
    static func length(of value: UInt32) -> Int { value <= 1 ? 0 : (40 - value.leadingZeroBitCount) / 8 }

    /// The length of the cell, which begins with the record's length.
    @inline(__always)
    func cellLength(_ integer: Int) -> Int { 1 + length + integer }

    /// Writes the cell of a record whose integer takes `integer` bytes, at most four.
    @inline(__always)
    func write(_ value: UInt32, _ integer: Int, to cell: UnsafeMutableRawPointer) {
        let record = cell + 1
        // Four bytes that end where the cell ends; a cell has at least four. The beginning of the record then
        // overwrites those that the integer does not need.
        if integer > 0 {
            record.storeBytes(of: value.bigEndian, toByteOffset: length &+ integer &- 4, as: UInt32.self)
        }
        cell.storeBytes(of: UInt8(truncatingIfNeeded: length &+ integer), as: UInt8.self)
        ShortCopy.copy(memory, length, to: record)
        let type = integer == 0 ? 8 &+ UInt8(truncatingIfNeeded: value) : UInt8(truncatingIfNeeded: integer)
        record.storeBytes(of: type, toByteOffset: typePlace, as: UInt8.self)
    }
}
