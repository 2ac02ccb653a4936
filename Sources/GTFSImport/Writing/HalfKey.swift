import KeySorting
import SQLitePages

/// A value in half of the upper number of a sort key: NULL is 0, as SQLite sorts it before all numbers, and n is n + 1.
///
///     SortKey(HalfKey(stop), HalfKey(departure), low: row)
struct HalfKey {
    let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    @inline(__always)
    static var null: HalfKey { HalfKey(bits: 0) }

    /// Nil for a value that does not fit: one below 0 or above 4,294,967,294.
    @inline(__always)
    init?(_ value: Int64) {
        guard value >= 0, let bits = UInt32(exactly: value &+ 1) else { return nil }
        self.bits = bits
    }

    /// The number of a text or a row; there are less than 4,294,967,295.
    @inline(__always)
    init(number: UInt32) { bits = number + 1 }

    /// -1 for NULL.
    @inline(__always)
    var number: Int { Int(bits) - 1 }

    @inline(__always)
    var isNull: Bool { bits == 0 }

    @inline(__always)
    func add(to record: inout RecordBuilder) {
        if isNull { record.addNull() } else { record.add(Int64(number)) }
    }
}

extension SortKey {
    @inline(__always)
    init(_ first: HalfKey, _ second: HalfKey = .null, low: UInt64) {
        self.init(high: UInt64(first.bits) << 32 | UInt64(second.bits), low: low)
    }

    /// The upper half of `high`.
    @inline(__always)
    var first: HalfKey { HalfKey(bits: UInt32(truncatingIfNeeded: high >> 32)) }

    /// The lower half of `high`.
    @inline(__always)
    var second: HalfKey { HalfKey(bits: UInt32(truncatingIfNeeded: high)) }
}
