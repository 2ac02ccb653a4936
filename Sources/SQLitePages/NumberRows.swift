// Unsafe: rows lie in memory that grows by doubling, because an array checks on every append whether it is shared.
// Values are looked up in the memory of records, whose lengths are checked.

/// Rows of numbers, read from records: the second value of each row's key, and the numbers in three columns. The memory
/// is used again after `removeAll`.
///
///     let rows = NumberRows(columns: (2, 3, 4))
///     try reader.readNumbers(of: shape, to: rows, most: 100_000)
///     for row in rows.rows { … }
public final class NumberRows {
    public struct Row: BitwiseCopyable {
        public let sequence: Int64
        /// NaN for NULL and texts.
        public let first: Double
        public let second: Double
        public var third: Double
    }

    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private var memory: UnsafeMutableBufferPointer<Row>
    @exclusivity(unchecked) public private(set) var count = 0
    private let layouts: RecordLayouts

    /// A negative column number stands for no column: its values are NaN.
    public init(columns: (Int, Int, Int)) {
        memory = .allocate(capacity: 0)
        layouts = RecordLayouts(columns: columns)
    }

    deinit {
        memory.deallocate()
        layouts.deallocate()
    }

    /// Valid until a row is appended.
    public var rows: UnsafeMutableBufferPointer<Row> { UnsafeMutableBufferPointer(rebasing: memory[..<count]) }

    public func removeAll() { count = 0 }

    /// Appends the row of a record. False if its first value differs from `parent`. At least eight bytes must stand
    /// before the record in its page.
    @inline(__always)
    func append(_ record: UnsafeRawBufferPointer, of parent: Int64) -> Bool {
        guard let start = record.baseAddress, record.count > 0 else { return false }
        let layout = layouts.layout(of: start, record.count)
        guard layout.pointee.parent.integer(start) == parent else { return false }
        append(
            Row(
                sequence: layout.pointee.sequence.integer(start), first: layout.pointee.first.number(start),
                second: layout.pointee.second.number(start), third: layout.pointee.third.number(start)))
        return true
    }

    @inline(__always)
    func append(_ row: Row) {
        if count == memory.count { grow() }
        memory.initializeElement(at: count, to: row)
        count += 1
    }

    @inline(never)
    private func grow() {
        let grown = UnsafeMutableBufferPointer<Row>.allocate(capacity: max(256, 2 * memory.count))
        _ = grown.moveInitialize(fromContentsOf: rows)
        memory.deallocate()
        memory = grown
    }
}
