/// A key of 16 bytes, ordered by its upper half and then by its lower.
///
///     SortKey(high: stop << 32 | departure, low: trip << 32 | sequence)
public struct SortKey: Sendable, Hashable, Comparable {
    public var high: UInt64
    public var low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    @inlinable
    public static func < (a: SortKey, b: SortKey) -> Bool { a.high < b.high || (a.high == b.high && a.low < b.low) }
}
