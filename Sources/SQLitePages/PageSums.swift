// Unsafe: pages are lent as pointers by whoever has just written them. No other file of this module calls zlib.
import CZlib
import Cells

/// The sum of every page of a database file, as it was handed to the system.
///
///     let sums = PageSums(pageSize: 4096)
///     // … each write to the file: sums.record(bytes, at: offset) …
///     try PageTrailer.seal(descriptor, sums)
///
/// Each write is read back and compared before it is recorded, so that the sums are of bytes that the file has. Sums
/// are CRC-32 (that of zip and of Python's `zlib.crc32`): 0.2 ms for 1 MB. Used by one thread at a time.
public final class PageSums {
    public let pageSize: Int
    private var sums: [UInt32] = []
    /// Page 1 as it should be: its header is also written in parts.
    private var firstPage: [UInt8]
    private let emptySum: UInt32
    /// Whether there was a write that was neither of whole pages nor within the first page. Then the sums are not known
    /// any more.
    private(set) var isIncomplete = false

    /// `pageSize` is the database's: a power of two from 512 to 65,536.
    public init(pageSize: Int) {
        self.pageSize = pageSize
        firstPage = [UInt8](repeating: 0, count: pageSize)
        emptySum = firstPage.withUnsafeBytes(PageSum.of)
    }

    /// Takes note of a write that the system has accepted.
    public func record(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, offset + bytes.count > pageSize else { return recordFirst(bytes, at: offset) }
        guard offset % pageSize == 0, bytes.count % pageSize == 0 else { return isIncomplete = true }
        var last: (page: UnsafeRawBufferPointer, sum: UInt32)?
        for start in stride(from: 0, to: bytes.count, by: pageSize) {
            let page = UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize])
            if offset + start == 0 {
                recordFirst(page, at: 0)
                continue
            }
            // Empty pages are equal. Comparing any two others ends at their first bytes.
            let sum = last.flatMap { $0.page.hasSameBytes(as: page) ? $0.sum : nil } ?? PageSum.of(page)
            set(sum, (offset + start) / pageSize)
            last = (page, sum)
        }
    }

    private func recordFirst(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, offset + bytes.count <= pageSize else { return isIncomplete = true }
        firstPage.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyMemory(from: bytes)
        }
        set(firstPage.withUnsafeBytes(PageSum.of), 0)
    }

    /// Takes note that the file was cut to `pageCount` pages. Pages after those are zeros if the file grows again.
    public func forget(after pageCount: UInt32) {
        if sums.count > Int(pageCount) { sums.removeSubrange(Int(pageCount)...) }
    }

    private func set(_ sum: UInt32, _ index: Int) {
        // Pages that were never written are zeros: free pages, and the page that SQLite keeps for locks.
        if index >= sums.count {
            sums += [UInt32](repeating: emptySum, count: max(index + 1, 2 * sums.count) - sums.count)
        }
        sums[index] = sum
    }

    /// How many pages the database has, according to its header.
    var pageCount: Int { Int(FileBytes.number(firstPage, 28)) }

    /// The sum that a page should have; `index` counts from 0.
    subscript(index: Int) -> UInt32 { index < sums.count ? sums[index] : emptySum }
}

/// CRC-32 (ISO 3309) of bytes.
enum PageSum {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_z(0, bytes.bindMemory(to: Bytef.self).baseAddress, bytes.count))
    }
}
