// Unsafe: values are written one behind the other into memory with room for the longest of them.

/// Makes records of integers and short texts, value by value. It needs a third of the instructions of `RecordEncoder`,
/// which takes cells of any kind and length. Values with which all records begin are written only once.
///
///     var record = ShortRecord(columns: 3)
///     record.add(file)
///     record.keepBeginning()
///     for row in rows {
///         record.begin()
///         record.add(row.number)
///         record.add(row.text)
///         try writer.append(record.bytes)
///     }
public struct ShortRecord: ~Copyable {
    /// The longest text whose serial type is one byte.
    public static let longestText = 57
    /// With up to this many columns, the header's length takes one byte.
    private static let mostColumns = 126

    @usableFromInline let memory: UnsafeMutableRawPointer
    @usableFromInline var type: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer
    @usableFromInline var beginning: (type: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer)

    /// At most 126 columns.
    public init(columns: Int) {
        precondition((1...Self.mostColumns).contains(columns), "\(columns) columns are no short record")
        // An integer is stored as eight bytes. The next value overwrites those that the integer does not need.
        memory = .allocate(byteCount: 1 + columns + columns * (Self.longestText + 1) + 8, alignment: 8)
        memory.storeBytes(of: UInt8(truncatingIfNeeded: columns + 1), as: UInt8.self)
        type = memory + 1
        end = memory + 1 + columns
        beginning = (type, end)
    }

    deinit { memory.deallocate() }

    /// Keeps the values added so far in all records that follow.
    public mutating func keepBeginning() { beginning = (type, end) }

    // Inlined into their callers: as calls they took a tenth of the time of writing a million records.

    /// Begins the next record.
    @inlinable
    @inline(__always)
    public mutating func begin() { (type, end) = beginning }

    @inlinable
    @inline(__always)
    public mutating func add(_ value: Int64) { RecordEncoder.add(value, &type, &end) }

    @inlinable
    @inline(__always)
    public mutating func addNull() { RecordEncoder.addSerialType(0, &type) }

    /// Adds NULL for each of some columns.
    @inlinable
    @inline(__always)
    public mutating func addNulls(_ count: Int) {
        type.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        type += count
    }

    /// Adds a text of at most `longestText` bytes.
    @inlinable
    @inline(__always)
    public mutating func add(_ text: UnsafeRawBufferPointer) {
        RecordEncoder.addSerialType(UInt8(truncatingIfNeeded: text.count &* 2 &+ 13), &type)
        if let start = text.baseAddress { ShortCopy.copy(start, text.count, to: end) }
        end += text.count
    }

    /// The record, once each column has its value; valid until the next one begins.
    @inlinable
    @inline(__always)
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: end - memory) }
}

/// Copies a few bytes by whole words; the last two may overlap. A call of memmove takes three times as long.
@usableFromInline
enum ShortCopy {
    @inlinable
    @inline(__always)
    static func copy(_ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer) {
        if count >= 8 {
            var place = 0
            while place &+ 8 <= count {
                move(UInt64.self, source, place, to: target)
                place &+= 8
            }
            move(UInt64.self, source, count &- 8, to: target)
        } else if count >= 4 {
            move(UInt32.self, source, 0, to: target)
            move(UInt32.self, source, count &- 4, to: target)
        } else {
            for place in 0..<count { move(UInt8.self, source, place, to: target) }
        }
    }

    @inlinable
    @inline(__always)
    static func move<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, _ source: UnsafeRawPointer, _ place: Int, to target: UnsafeMutableRawPointer
    ) {
        let word = source.loadUnaligned(fromByteOffset: place, as: Word.self)
        target.storeBytes(of: word, toByteOffset: place, as: Word.self)
    }
}
