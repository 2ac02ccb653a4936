// Unsafe: cells are copied and lent as bytes.

/// One level of a tree that grows from its leaves upwards: the page being filled, and the cell that did not fit into
/// it.
///
/// That cell will separate this page from the next one, in the level above. It is held back until the next cell shows
/// that there is a next page, because no page may be without a cell
/// (<https://sqlite.org/fileformat2.html#b_tree_pages>).
final class IndexLevel {
    /// An interior cell begins with the number of the page to its left.
    static let childLength = 4

    // Unchecked: no access lasts beyond a call of the level's own functions. Checking took 60 instructions a record.
    @exclusivity(unchecked) var page: FilledPage
    private let holding: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var heldLength = 0

    init(pageSize: Int, isLeaf: Bool) {
        page = FilledPage(size: pageSize, isLeaf: isLeaf)
        holding = .allocate(byteCount: pageSize, alignment: 16)
    }

    deinit {
        page.memory.deallocate()
        holding.deallocate()
    }

    var isHolding: Bool { heldLength > 0 }

    /// The held cell; it stays valid until the next one is held.
    var held: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: holding, count: heldLength) }

    /// Where a cell of this length goes: into the page, or aside when the page is full. No cell may be held yet.
    @inline(__always)
    func place(_ length: Int) -> UnsafeMutableRawPointer {
        if let place = page.place(length) { return place }
        heldLength = length
        return holding
    }

    /// Begins the next page.
    func beginPage() {
        page.clear()
        heldLength = 0
    }

    /// Begins the next page with the held cell as its first.
    func beginPageWithHeld() {
        let length = heldLength
        beginPage()
        // An empty page takes any cell: none is longer than a quarter of a page.
        page.place(length)?.copyMemory(from: holding, byteCount: length)
    }

    /// The page to the left of an interior cell.
    static func child(of cell: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(bigEndian: cell.loadUnaligned(as: UInt32.self))
    }
}
