// Unsafe for speed: texts are copied into memory that cells point into, and lent from there.

import SystemFiles

/// Text that cells point into. Its address stays the same until more is appended.
final class TextArena {
    private(set) var bytes: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity = 4096
    private var memory: LargeMemory

    init() {
        memory = LargeMemory(zeros: capacity)
        bytes = memory.bytes
    }

    func removeAll() { count = 0 }

    /// Adds the text and returns where it begins.
    func append(_ text: UnsafeRawBufferPointer) -> Int {
        if count + text.count > capacity {
            capacity = max(capacity * 2, count + text.count)
            memory.grow(to: capacity, keeping: count)
            bytes = memory.bytes
        }
        if let base = text.baseAddress { (bytes + count).copyMemory(from: base, byteCount: text.count) }
        defer { count += text.count }
        return count
    }
}
