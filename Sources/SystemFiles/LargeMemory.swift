// Unsafe: memory is taken straight from the system.

import CSystem
import Glibc

/// Memory for large tables that grow and are read at random. From 2 MB on it uses large pages, where the system has
/// them.
///
///     var memory = LargeMemory(zeros: 4096)
///     memory.grow(to: 8192, keeping: 4000)
///     memory.bytes.storeBytes(of: 7, toByteOffset: 4000, as: Int.self)
///
/// Filling a table of 8 MB at random takes 7.5 ms instead of 19, as the system provides few large pages instead of
/// thousands. Growing moves the pages instead of copying the bytes: a copy would need new pages, which must be cleared,
/// and both would be held for a while.
package struct LargeMemory: ~Copyable {
    private static let largePage = 2 << 20

    package private(set) var bytes: UnsafeMutableRawPointer
    private var capacity: Int
    private var isMapped: Bool

    /// Memory that is all zeros.
    package init(zeros count: Int) {
        (bytes, capacity, isMapped) = Self.allocate(count)
    }

    deinit { Self.free(bytes, capacity, isMapped) }

    /// Makes room for `count` bytes and keeps the first `used`. The bytes after those need not be zeros.
    package mutating func grow(to count: Int, keeping used: Int) {
        guard count > capacity, !moves(to: count) else { return }
        let grown = Self.allocate(count)
        grown.bytes.copyMemory(from: bytes, byteCount: used)
        Self.free(bytes, capacity, isMapped)
        (bytes, capacity, isMapped) = grown
    }

    /// Moves the pages to a larger place; false when the system refuses. The new place is then not unmapped, although
    /// nothing uses it: mremap may have unmapped it already, and another thread may have got it since.
    private mutating func moves(to count: Int) -> Bool {
        let whole = Self.wholePages(count)
        guard isMapped, let place = Self.map(whole) else { return false }
        guard let moved = csystem_move_memory(bytes, UInt(capacity), UInt(whole), place), moved != MAP_FAILED else {
            return false
        }
        _ = madvise(moved, whole, MADV_HUGEPAGE)
        (bytes, capacity) = (moved, whole)
        return true
    }

    private static func allocate(_ count: Int) -> (bytes: UnsafeMutableRawPointer, capacity: Int, isMapped: Bool) {
        if count >= largePage {
            let whole = wholePages(count)
            if let memory = map(whole) {
                _ = madvise(memory, whole, MADV_HUGEPAGE)
                return (memory, whole, true)
            }
        }
        if let memory = calloc(1, count) { return (memory, count, false) }
        // Ends the program if there is no memory, as every other allocation does.
        return (.allocate(byteCount: count, alignment: 16), count, false)
    }

    private static func free(_ memory: UnsafeMutableRawPointer, _ capacity: Int, _ isMapped: Bool) {
        if isMapped { munmap(memory, capacity) } else { Glibc.free(memory) }
    }

    private static func wholePages(_ count: Int) -> Int { (count + largePage - 1) & ~(largePage - 1) }

    /// Memory that begins where a large page may begin; nil when the system has no memory.
    private static func map(_ count: Int) -> UnsafeMutableRawPointer? {
        let most = count + largePage
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let mapped = mmap(nil, most, PROT_READ | PROT_WRITE, flags, -1, 0), mapped != MAP_FAILED else {
            return nil
        }
        let skipped = -Int(bitPattern: mapped) & (largePage - 1)
        if skipped > 0 { munmap(mapped, skipped) }
        if skipped < largePage { munmap(mapped + skipped + count, largePage - skipped) }
        return mapped + skipped
    }
}
