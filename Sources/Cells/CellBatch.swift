// Unsafe: lends memory that another stage filled, so that no cell is copied on its way into the store.

/// What the eight bytes of a cell hold.
public enum CellTag {
    @inlinable public static var null: UInt8 { 0 }
    @inlinable public static var integer: UInt8 { 1 }
    /// The bits of a double.
    @inlinable public static var double: UInt8 { 2 }
    /// A text in `CellBatch.text` (`CellText`).
    @inlinable public static var text: UInt8 { 3 }
    /// A text in `CellBatch.otherText`.
    @inlinable public static var otherText: UInt8 { 4 }
}

/// A batch of rows in memory, row after row, each with the same number of cells. The stages of an import pass rows on
/// in such batches.
///
/// A cell is a tag (`CellTag`) and eight bytes. The memory belongs to whoever filled it, and stays valid until the next
/// batch is asked for.
public struct CellBatch {
    public let tags: UnsafePointer<UInt8>
    public let payloads: UnsafePointer<Int64>
    public let text: UnsafeRawPointer
    public let otherText: UnsafeRawPointer
    public let rowCount: Int
    /// Cells in a row.
    public let stride: Int

    public init(
        tags: UnsafePointer<UInt8>, payloads: UnsafePointer<Int64>, text: UnsafeRawPointer,
        otherText: UnsafeRawPointer, rowCount: Int, stride: Int
    ) {
        self.tags = tags
        self.payloads = payloads
        self.text = text
        self.otherText = otherText
        self.rowCount = rowCount
        self.stride = stride
    }

    /// The row with this number, from 0.
    @inlinable
    @inline(__always)
    public subscript(row: Int) -> CellRow { CellRow(self, first: row &* stride) }

    @inlinable
    @inline(__always)
    public var rows: LazyMapSequence<Range<Int>, CellRow> { (0..<rowCount).lazy.map { self[$0] } }
}

/// A row of a batch.
///
///     for row in batch.rows {
///         guard let name = row.text(1), let parent = row.integer(2) else { continue }
///     }
///
/// Valid as long as its batch.
public struct CellRow {
    public let batch: CellBatch
    public let tags: UnsafePointer<UInt8>
    public let payloads: UnsafePointer<Int64>

    @inlinable
    @inline(__always)
    init(_ batch: CellBatch, first: Int) {
        self.batch = batch
        (tags, payloads) = (batch.tags + first, batch.payloads + first)
    }

    /// The payload of the first cell: the row's id or, in a table without rowid, that of its parent.
    @inlinable
    @inline(__always)
    public var id: Int64 { payloads[0] }

    @inlinable
    @inline(__always)
    public func isNull(_ cell: Int) -> Bool { tags[cell] == CellTag.null }

    /// The integer in a cell; nil when there is none.
    @inlinable
    @inline(__always)
    public func integer(_ cell: Int) -> Int64? { tags[cell] == CellTag.integer ? payloads[cell] : nil }

    /// The number in a cell; not a number when there is none.
    @inlinable
    @inline(__always)
    public func number(_ cell: Int) -> Double { CellNumber.value(tags[cell], payloads[cell]) }

    /// The text in a cell; nil when there is none.
    @inlinable
    @inline(__always)
    public func text(_ cell: Int) -> UnsafeRawBufferPointer? {
        let tag = tags[cell]
        guard tag == CellTag.text || tag == CellTag.otherText else { return nil }
        return CellText.bytes(of: payloads[cell], from: tag == CellTag.text ? batch.text : batch.otherText)
    }
}

/// The payload of a number's cell: the integer itself, or the bits of a double.
///
///     CellNumber.double(of: CellNumber.payload(of: 52.5))     // 52.5
public enum CellNumber {
    @inlinable
    @inline(__always)
    public static func payload(of double: Double) -> Int64 { Int64(bitPattern: double.bitPattern) }

    @inlinable
    @inline(__always)
    public static func double(of payload: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: payload)) }

    /// The number in a cell. Not a number for other cells, unless NULL means another number.
    @inlinable
    @inline(__always)
    public static func value(_ tag: UInt8, _ payload: Int64, ofNull null: Double = .nan) -> Double {
        switch tag {
        case CellTag.double: double(of: payload)
        case CellTag.integer: Double(payload)
        default: null
        }
    }
}
