/// Tells a loop over many rows when to check whether the import must stop: rarely enough to cost nothing beside the
/// rows, often enough to stop within some milliseconds.
///
///     var interval = CheckInterval()
///     while let record = try reader.next() {
///         if interval.isOver() { try place.check() }
///         …
///     }
///
/// A file of its own because loops of all stages count in the same way.
struct CheckInterval {
    private static let rows = 1 << 14
    private var rowsLeft = 0

    /// Counts rows. True at the first one, and then about once in 16,384.
    @inline(__always)
    mutating func isOver(after rows: Int = 1) -> Bool {
        rowsLeft -= rows
        guard rowsLeft < 0 else { return false }
        rowsLeft = Self.rows
        return true
    }
}
