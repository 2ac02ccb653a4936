// Unsafe: values are written one behind the other into memory with room for the longest of them.

/// Records of integers and short texts, value by value: a third of the instructions of `RecordEncoder`, which takes
/// cells of any kind and length. What all have in common at their beginning stays where it is.
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
    /// So many that the header's length is one byte.
    private static let mostColumns = 126

    private let memory: UnsafeMutableRawPointer
    private var type: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer
    private var beginning: (type: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer)

    /// At most 126 columns.
    public init(columns: Int) {
        precondition((1...Self.mostColumns).contains(columns), "\(columns) columns are no short record")
        // An integer is stored as eight bytes, of which the next value or nothing covers the rest.
        memory = .allocate(byteCount: 1 + columns + columns * (Self.longestText + 1) + 8, alignment: 8)
        memory.storeBytes(of: UInt8(truncatingIfNeeded: columns + 1), as: UInt8.self)
        type = memory + 1
        end = memory + 1 + columns
        beginning = (type, end)
    }

    deinit { memory.deallocate() }

    /// What was added so far stays in all records that follow.
    public mutating func keepBeginning() { beginning = (type, end) }

    /// Begins the next record.
    @inline(__always)
    public mutating func begin() { (type, end) = beginning }

    @inline(__always)
    public mutating func add(_ value: Int64) { RecordEncoder.add(value, &type, &end) }

    @inline(__always)
    public mutating func addNull() { addType(0) }

    /// Adds a text of at most `longestText` bytes.
    @inline(__always)
    public mutating func add(_ text: UnsafeRawBufferPointer) {
        addType(UInt8(truncatingIfNeeded: text.count * 2 + 13))
        if let start = text.baseAddress { end.copyMemory(from: start, byteCount: text.count) }
        end += text.count
    }

    @inline(__always)
    private mutating func addType(_ value: UInt8) {
        type.storeBytes(of: value, as: UInt8.self)
        type += 1
    }

    /// The record, once each column has its value; valid until the next one begins.
    @inline(__always)
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: end - memory) }
}
