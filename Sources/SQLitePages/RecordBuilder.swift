// Unsafe: values are written one behind the other into memory with room for the longest of them.

/// Makes records of integers and texts, value by value. For short texts it needs a third of the instructions of
/// `RecordEncoder`, which takes cells of any kind. Values with which all records begin are written only once.
///
///     var record = RecordBuilder(columns: 3)
///     record.add(file)
///     record.keepBeginning()
///     for row in rows {
///         record.begin()
///         record.add(row.number)
///         record.add(row.text)
///         try writer.append(record.bytes)
///     }
///
/// Memory is allocated only to grow to the longest texts seen.
public struct RecordBuilder: ~Copyable {
    /// The longest text whose serial type is one byte. There is always room for one of these in each column.
    @usableFromInline static var shortText: Int { 57 }
    /// In front of the serial types is room for the header's length.
    private static let longestLength = 3

    private let columns: Int
    /// Two halves of `capacity` bytes. The second has the header of one-byte types and, behind it, the values. The
    /// first one has the header if a type is longer; the values follow when the record is complete.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    @usableFromInline var type: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer
    @usableFromInline var beginning: (type: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer)
    /// Where a record without long types begins, and where values do.
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var values: UnsafeMutableRawPointer

    public init(columns: Int) {
        self.columns = columns
        capacity = Self.longestLength + columns + Self.room(columns)
        memory = .allocate(byteCount: capacity * 2, alignment: 8)
        let types = memory + capacity + Self.longestLength
        start = Self.header(of: types, upTo: types + columns)
        (type, end, values) = (types, types + columns, types + columns)
        beginning = (types, types + columns)
    }

    deinit { memory.deallocate() }

    /// For short values in all columns, and the longest types. An integer is stored as eight bytes; the next value
    /// overwrites those that the integer does not need.
    private static func room(_ columns: Int) -> Int { columns * (shortText + Varint.maximumLength) + 8 }

    /// Puts the header's length in front of the serial types, and returns where it begins. It counts its own bytes: 1
    /// up to 126 bytes of types, 2 up to 16,381.
    private static func header(
        of types: UnsafeMutableRawPointer, upTo end: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        let length = end - types
        let start = types - (length < 0x7F ? 1 : length < 0x3FFE ? 2 : 3)
        _ = Varint.write(end - start, to: start)
        return start
    }

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

    @inlinable
    @inline(__always)
    public mutating func add(_ text: UnsafeRawBufferPointer) {
        guard text.count <= Self.shortText else { return addLong(text) }
        RecordEncoder.addSerialType(UInt8(truncatingIfNeeded: text.count &* 2 &+ 13), &type)
        if let start = text.baseAddress { ShortCopy.copy(start, text.count, to: end) }
        end += text.count
    }

    /// The record, once each column has its value; valid until the next one begins.
    @inlinable
    @inline(__always)
    public var bytes: UnsafeRawBufferPointer {
        guard type == values else { return bytesWithLongTypes }
        return UnsafeRawBufferPointer(start: start, count: end - start)
    }

    // MARK: Long texts

    @usableFromInline
    @inline(never)
    mutating func addLong(_ text: UnsafeRawBufferPointer) {
        guard let bytes = text.baseAddress else { return }
        let needed = end - memory - capacity + text.count + Self.room(columns)
        if needed > capacity { grow(to: needed * 2) }
        if type >= memory + capacity {
            let (types, long) = (values - columns, memory + Self.longestLength)
            long.copyMemory(from: types, byteCount: type - types)
            type = long + (type - types)
        }
        type = Varint.write(text.count * 2 + 13, to: type)
        end.copyMemory(from: bytes, byteCount: text.count)
        end += text.count
    }

    private mutating func grow(to larger: Int) {
        let (old, oldCapacity) = (memory, capacity)
        (memory, capacity) = (.allocate(byteCount: larger * 2, alignment: 8), larger)
        memory.copyMemory(from: old, byteCount: oldCapacity)
        (memory + larger).copyMemory(from: old + oldCapacity, byteCount: end - old - oldCapacity)
        let new = memory
        func moved(_ place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
            new + (place - old) + (place >= old + oldCapacity ? larger - oldCapacity : 0)
        }
        (type, end, start, values) = (moved(type), moved(end), moved(start), moved(values))
        beginning = (moved(beginning.type), moved(beginning.end))
        old.deallocate()
    }

    @usableFromInline
    var bytesWithLongTypes: UnsafeRawBufferPointer {
        let start = Self.header(of: memory + Self.longestLength, upTo: type)
        type.copyMemory(from: values, byteCount: end - values)
        return UnsafeRawBufferPointer(start: start, count: type - start + (end - values))
    }
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
