// Unsafe: lends memory that another stage filled, so that no cell is copied on its way to SQLite.

/// A batch of rows in memory, row after row, each with the same number of cells.
///
/// A cell is a tag and eight bytes: an integer, the bits of a double, or a text's offset (upper half) and length in
/// bytes (lower half) from `text` or, by its tag, from `otherText`. The memory belongs to the source and stays valid
/// until the next batch is asked for.
public struct CellBatch {
    public enum Tag {
        public static let null: UInt8 = 0
        public static let integer: UInt8 = 1
        public static let double: UInt8 = 2
        public static let text: UInt8 = 3
        public static let otherText: UInt8 = 4
    }

    public let tags: UnsafePointer<UInt8>
    public let payloads: UnsafePointer<Int64>
    public let text: UnsafeRawPointer
    public let otherText: UnsafeRawPointer
    public let rowCount: Int

    public init(
        tags: UnsafePointer<UInt8>, payloads: UnsafePointer<Int64>, text: UnsafeRawPointer,
        otherText: UnsafeRawPointer, rowCount: Int
    ) {
        self.tags = tags
        self.payloads = payloads
        self.text = text
        self.otherText = otherText
        self.rowCount = rowCount
    }

    /// The text in a cell; nil when there is none.
    public func text(ofCell cell: Int) -> UnsafeRawBufferPointer? {
        let start: UnsafeRawPointer
        switch tags[cell] {
        case Tag.text: start = text
        case Tag.otherText: start = otherText
        default: return nil
        }
        let payload = payloads[cell]
        return UnsafeRawBufferPointer(
            start: start + Int(payload >> 32), count: Int(UInt32(truncatingIfNeeded: payload)))
    }
}

/// Where a batch table's rows come from.
public protocol CellBatchSource: AnyObject {
    /// The next rows, or nil when the statement shall end; called once per batch, on the connection's thread.
    func nextBatch() -> CellBatch?
}
