// Unsafe for speed: an array checks on every append whether its memory is shared. That took 2 of 30 ms in a reading
// stage with a finding in each of half a million rows.

/// Plain values that a block carries besides its cells; the memory is reused for block after block.
///
///     block.keptValues.append(value)
///     for value in block.keptValues.values { … }
struct BlockList<Element: BitwiseCopyable>: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<Element>
    private(set) var count = 0

    init() { memory = .allocate(capacity: 0) }

    deinit { memory.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// Valid until something is appended.
    var values: UnsafeBufferPointer<Element> { UnsafeBufferPointer(rebasing: memory[..<count]) }

    var last: Element? { count > 0 ? memory[count - 1] : nil }

    /// The last `number` values, which the caller may change in place.
    mutating func last(_ number: Int) -> UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(rebasing: memory[(count - number)..<count])
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == memory.count { grow() }
        memory.initializeElement(at: count, to: element)
        count += 1
    }

    mutating func removeLast(_ number: Int) { count -= number }

    mutating func removeAll() { count = 0 }

    private mutating func grow() {
        let grown = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(64, 2 * memory.count))
        _ = grown.initialize(from: values)
        memory.deallocate()
        memory = grown
    }
}
