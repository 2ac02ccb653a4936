// Unsafe: a page is memory with numbers at fixed places. Cells go in without a check of each byte, since `place` has
// made sure of the room for the whole cell.

/// One page of a b-tree, of an index or of a table with rowids, while it is being filled
/// (<https://sqlite.org/fileformat2.html#b_tree_pages>).
///
/// Cells are stored from the end of the page downwards, as SQLite does it. The places of the cells are stored from the
/// header upwards, in key order. The owner frees the memory.
struct FilledPage {
    /// Every cell is given this much at least, so that SQLite can make a free block of it.
    private static let smallestCell = 4

    let memory: UnsafeMutableRawPointer
    let size: Int
    let isLeaf: Bool
    private let isTable: Bool
    private(set) var cellCount = 0
    private(set) var contentStart: Int
    /// Bytes of the cell that was placed last, without padding.
    private(set) var lastCellLength = 0

    init(size: Int, isLeaf: Bool, isTable: Bool = false) {
        memory = .allocate(byteCount: size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        self.size = size
        self.isLeaf = isLeaf
        self.isTable = isTable
        contentStart = size
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: size) }

    private var kind: UInt8 { isTable ? (isLeaf ? 0x0D : 0x05) : (isLeaf ? 0x0A : 0x02) }

    private var headerLength: Int { isLeaf ? 8 : 12 }

    /// Whether one more cell of this length fits.
    @inline(__always)
    func hasRoom(_ length: Int) -> Bool {
        contentStart - max(length, Self.smallestCell) >= headerLength + 2 * cellCount + 2
    }

    /// Makes room for one more cell and returns where it goes; nil when the page is full.
    @inline(__always)
    mutating func place(_ length: Int) -> UnsafeMutableRawPointer? {
        guard hasRoom(length) else { return nil }
        let start = contentStart - max(length, Self.smallestCell)
        let pointer = headerLength + 2 * cellCount
        memory.storeBytes(of: UInt16(truncatingIfNeeded: start).bigEndian, toByteOffset: pointer, as: UInt16.self)
        if length < Self.smallestCell { memory.storeBytes(of: 0, toByteOffset: start, as: UInt32.self) }
        cellCount += 1
        contentStart = start
        lastCellLength = length
        return memory + start
    }

    /// Removes the cell that was placed last; its bytes stay readable until `seal`.
    mutating func removeLast() -> UnsafeRawBufferPointer {
        let cell = UnsafeRawBufferPointer(start: memory + contentStart, count: lastCellLength)
        contentStart += max(lastCellLength, Self.smallestCell)
        cellCount -= 1
        return cell
    }

    /// Completes the page: header, and zeros between the places and the cells.
    func seal(rightChild: UInt32) {
        memory.storeBytes(of: kind, as: UInt8.self)
        memory.storeBytes(of: 0, toByteOffset: 1, as: UInt16.self)  // no free block
        memory.storeBytes(of: UInt16(truncatingIfNeeded: cellCount).bigEndian, toByteOffset: 3, as: UInt16.self)
        // 65,536 is written as 0.
        memory.storeBytes(of: UInt16(truncatingIfNeeded: contentStart).bigEndian, toByteOffset: 5, as: UInt16.self)
        memory.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)  // no fragments
        if !isLeaf { memory.storeBytes(of: rightChild.bigEndian, toByteOffset: 8, as: UInt32.self) }
        let gap = headerLength + 2 * cellCount
        (memory + gap).initializeMemory(as: UInt8.self, repeating: 0, count: contentStart - gap)
    }

    /// Whether the bytes are those of a page of the same kind.
    func isOfKind(_ page: UnsafeRawBufferPointer) -> Bool { page.first == kind }

    /// Copies all cells of a page of the same kind; `length` gets the bytes from a cell's first to the page's end.
    /// Returns false if the bytes are not those of a page.
    mutating func copyCells(of page: UnsafeRawBufferPointer, length: (UnsafeRawBufferPointer) -> Int) -> Bool {
        let count = Int(page.loadUnaligned(fromByteOffset: 3, as: UInt16.self).bigEndian)
        guard headerLength + 2 * count <= page.count else { return false }
        for number in 0..<count {
            let start = page.loadUnaligned(fromByteOffset: headerLength + 2 * number, as: UInt16.self).bigEndian
            guard start < page.count else { return false }
            let cell = page[Int(start)...]
            let length = length(UnsafeRawBufferPointer(rebasing: cell))
            guard length <= cell.count, let place = place(length) else { return false }
            UnsafeMutableRawBufferPointer(start: place, count: length).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: cell.prefix(length)))
        }
        return true
    }

    /// Makes it an empty page again.
    mutating func clear() {
        cellCount = 0
        contentStart = size
    }
}
