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
