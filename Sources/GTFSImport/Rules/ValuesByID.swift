/// Arrays that hold a value for each row of a table, by the row's id. Ids ascend, but may leave numbers out: the values
/// between them are filled in.
///
///     trips.extend(to: id, with: Trip())
///     trips.append(Trip(block: block))        // trips[id]
extension Array {
    /// Adds `value` until the array holds `count` values; does nothing if it holds as many already.
    @inline(__always)
    mutating func extend(to count: Int, with value: Element) {
        if self.count < count { append(contentsOf: repeatElement(value, count: count - self.count)) }
    }
}
