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
    @inlinable
    @inline(__always)
    public func text(ofCell cell: Int) -> UnsafeRawBufferPointer? { text(tag: tags[cell], payload: payloads[cell]) }

    /// The text in a cell with this tag and payload; nil when there is none.
    @inlinable
    @inline(__always)
    public func text(tag: UInt8, payload: Int64) -> UnsafeRawBufferPointer? {
        guard tag == CellTag.text || tag == CellTag.otherText else { return nil }
        return CellText.bytes(of: payload, from: tag == CellTag.text ? text : otherText)
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
