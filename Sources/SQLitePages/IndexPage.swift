// Unsafe: a page is memory with numbers at fixed places. Cells go in without a check of each byte, since `place` has
// made sure of the room for the whole cell.

/// One page of an index b-tree while it is being filled (<https://sqlite.org/fileformat2.html#b_tree_pages>).
///
/// Cells lie from the end of the page downwards, as SQLite itself lays them, and the places of the cells from the
/// header upwards, in key order. The owner deallocates.
struct IndexPage {
    /// Every cell is given this much at least, so that SQLite can make a free block of it.
    private static let smallestCell = 4

    let memory: UnsafeMutableRawPointer
    let size: Int
    let isLeaf: Bool
    private(set) var cellCount = 0
    private(set) var contentStart: Int
    /// Bytes of the cell that was placed last, without what it was filled up with.
    private(set) var lastCellLength = 0

    init(size: Int, isLeaf: Bool) {
        memory = .allocate(byteCount: size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        self.size = size
        self.isLeaf = isLeaf
        contentStart = size
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: size) }

    private var headerLength: Int { isLeaf ? 8 : 12 }

    /// Makes room for one more cell and answers where it goes; nil when the page is full.
    @inline(__always)
    mutating func place(_ length: Int) -> UnsafeMutableRawPointer? {
        let start = contentStart - max(length, Self.smallestCell)
        let pointer = headerLength + 2 * cellCount
        guard start >= pointer + 2 else { return nil }
        memory.storeBytes(of: UInt16(truncatingIfNeeded: start).bigEndian, toByteOffset: pointer, as: UInt16.self)
        if length < Self.smallestCell { memory.storeBytes(of: 0, toByteOffset: start, as: UInt32.self) }
        cellCount += 1
        contentStart = start
        lastCellLength = length
        return memory + start
    }

    /// Takes the cell that was placed last out of the page; its bytes stay readable until `seal`.
    mutating func removeLast() -> UnsafeRawBufferPointer {
        let cell = UnsafeRawBufferPointer(start: memory + contentStart, count: lastCellLength)
        contentStart += max(lastCellLength, Self.smallestCell)
        cellCount -= 1
        return cell
    }

    /// Completes the page: header, and zeros between the places and the cells.
    func seal(rightChild: UInt32) {
        memory.storeBytes(of: isLeaf ? 0x0A : 0x02, as: UInt8.self)
        memory.storeBytes(of: 0, toByteOffset: 1, as: UInt16.self)  // no free block
        memory.storeBytes(of: UInt16(truncatingIfNeeded: cellCount).bigEndian, toByteOffset: 3, as: UInt16.self)
        // 65,536 is written as 0.
        memory.storeBytes(of: UInt16(truncatingIfNeeded: contentStart).bigEndian, toByteOffset: 5, as: UInt16.self)
        memory.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)  // no fragments
        if !isLeaf { memory.storeBytes(of: rightChild.bigEndian, toByteOffset: 8, as: UInt32.self) }
        let gap = headerLength + 2 * cellCount
        (memory + gap).initializeMemory(as: UInt8.self, repeating: 0, count: contentStart - gap)
    }

    /// Makes it an empty page again.
    mutating func clear() {
        cellCount = 0
        contentStart = size
    }
}
