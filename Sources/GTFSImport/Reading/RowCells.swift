// Unsafe for speed: the row loop writes and reads cells through pointers.

import Cells

/// The cells of a row in a block, while the row is read.
struct RowCells {
    let tags: UnsafeMutablePointer<UInt8>
    let payloads: UnsafeMutablePointer<Int64>

    /// The row after those that the buffer has.
    @inline(__always)
    init(after buffer: CellBuffer) {
        let first = buffer.rowCount * buffer.stride
        (tags, payloads) = (buffer.tags + first, buffer.payloads + first)
    }

    @inline(__always)
    func setNull(_ cell: Int) { tags[cell] = CellTag.null }

    @inline(__always)
    func setInteger(_ cell: Int, _ value: Int64) { (tags[cell], payloads[cell]) = (CellTag.integer, value) }

    @inline(__always)
    func setDouble(_ cell: Int, _ value: Double) {
        (tags[cell], payloads[cell]) = (CellTag.double, CellNumber.payload(of: value))
    }

    @inline(__always)
    func setText(_ cell: Int, _ tag: UInt8, offset: Int, count: Int) {
        (tags[cell], payloads[cell]) = (tag, CellText.payload(offset: offset, count: count))
    }

    @inline(__always)
    func isNull(_ cell: Int) -> Bool { tags[cell] == CellTag.null }

    /// The integer in a cell; nil when there is none.
    @inline(__always)
    func integer(_ cell: Int) -> Int64? { tags[cell] == CellTag.integer ? payloads[cell] : nil }

    /// The number in a cell; nil when there is none.
    func number(_ cell: Int) -> Double? {
        let number = CellNumber.value(tags[cell], payloads[cell])
        return number.isNaN ? nil : number
    }
}
