// Unsafe: lists grow in blocks of memory that are shared out piece by piece. A row costs 5 ns; a sorter takes 30 ns.

import SystemFiles

/// Rows by value, for values that repeat. Each value's rows are in the order in which they were added, packed as
/// differences.
///
///     let lists = RowLists(in: space)
///     if !lists.append(row, to: route) { … }     // a sorter goes on from here
///     lists.forEach(of: route) { row in … }
///
/// Nothing is sorted, so this is for rows that come in order. Memory: 12 bytes a value, and pieces of 32 bytes for
/// values with more than one row. In a long list, a row takes two to six bytes of a piece. One thread at a time.
public final class RowLists {
    /// A value's list: its first piece, where its last piece goes on, and the number after its last row. The only row
    /// of a value needs no piece.
    private struct List {
        var first: UInt32 = 0
        var next: UInt32 = 0
        /// The number after the last row; 0 without any row. So each difference is 1 or more, and a byte of 0 can end a
        /// piece.
        var behind: UInt32 = 0
    }

    /// Pieces begin at multiples of this, and end with a link: the place of the next piece.
    private static let pieceSize: UInt32 = 32
    private static let linkSize: UInt32 = 4
    private static let blockSize = 64 << 10
    private static let usualMemory = 8 << 20
    private static let listsAtOnce = 32
    private static let listSize = MemoryLayout<List>.stride

    private let mostBytes: Int
    // Unchecked: no access lasts beyond a call of the lists' own functions. Checking took 30 ns a row.
    @exclusivity(unchecked) private var memory = LargeMemory(zeros: 64 * listSize)
    @exclusivity(unchecked) private var lists: UnsafeMutablePointer<List>
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var blocks: [UnsafeMutableRawPointer] = []
    /// Where the next piece begins; 0 stands for no piece.
    @exclusivity(unchecked) private var free = pieceSize
    private let batch = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 512)
    /// Values from this one on may have one row only: with more lists, the processor would wait for memory at each row.
    /// A sorter takes over if one has more.
    public static let mostRepeated = 1 << 16
    @exclusivity(unchecked) public private(set) var count = 0
    /// All values with rows are less than this.
    @exclusivity(unchecked) public private(set) var valueCount = 0

    /// Within 8 MiB, or a share of what the space allows.
    public init(in space: SortingSpace) {
        mostBytes = space.memory(usually: Self.usualMemory, among: Self.listsAtOnce)
        lists = memory.bytes.assumingMemoryBound(to: List.self)
    }

    deinit {
        for block in blocks { block.deallocate() }
        batch.deallocate()
    }

    /// Adds a row. Returns false, and adds nothing, if the row is not greater than the value's other rows, or if there
    /// is no room.
    public func append(_ row: UInt32, to value: Int) -> Bool {
        if value >= valueCount, !addLists(upTo: value) { return false }
        guard row >= lists[value].behind, row != .max else { return false }
        if lists[value].behind > 0, !appendToPiece(row, of: value) { return false }
        lists[value].behind = row &+ 1
        count += 1
        return true
    }

    @inline(__always)
    private func appendToPiece(_ row: UInt32, of value: Int) -> Bool {
        var list = lists[value]
        if list.first == 0 {
            guard value < Self.mostRepeated, let piece = addPiece() else { return false }
            (list.first, list.next) = (piece, write(list.behind, at: piece))
        }
        let (growth, link) = (row &+ 1 &- list.behind, Self.link(ofPieceAt: list.next))
        if Int(link &- list.next) < SevenBitNumber.length(growth) {
            guard let piece = addPiece() else { return false }
            // The rest of the piece is zeros, except for the link.
            pointer(link).storeBytes(of: piece, as: UInt32.self)
            list.next = piece
        }
        list.next = write(growth, at: list.next)
        lists[value] = list
        return true
    }

    /// Writes a number and returns where the next one goes.
    @inline(__always)
    private func write(_ number: UInt32, at place: UInt32) -> UInt32 {
        let start = pointer(place)
        return place &+ UInt32(truncatingIfNeeded: SevenBitNumber.write(number, to: start) - start)
    }

    /// Where the link of the piece is that has this place.
    @inline(__always)
    private static func link(ofPieceAt place: UInt32) -> UInt32 {
        (place | (pieceSize &- 1)) &+ 1 &- linkSize
    }

    /// The row of a value that has only one.
    public func onlyRow(of value: Int) -> UInt32? {
        guard value < valueCount, lists[value].behind > 0, lists[value].first == 0 else { return nil }
        return lists[value].behind - 1
    }

    /// Visits a value's rows in order.
    public func forEach<Failure: Error>(of value: Int, _ body: (UInt32) throws(Failure) -> Void) throws(Failure) {
        try forEachBatch(of: value) { rows throws(Failure) in
            for row in rows { try body(row) }
        }
    }

    /// Visits a value's rows in order, up to 512 at a time; they are valid for the call.
    public func forEachBatch<Failure: Error>(
        of value: Int, _ body: (UnsafeBufferPointer<UInt32>) throws(Failure) -> Void
    ) throws(Failure) {
        guard value < valueCount, lists[value].behind > 0 else { return }
        if let row = onlyRow(of: value) {
            batch[0] = row
            return try body(UnsafeBufferPointer(rebasing: batch[..<1]))
        }
        let end = lists[value].next
        var (place, row, count) = (lists[value].first, UInt32.max, 0)
        while place != end {
            let link = Self.link(ofPieceAt: place)
            let (growth, length) = place < link ? SevenBitNumber.read(at: pointer(place)) : (0, 0)
            guard growth > 0 else {
                place = pointer(link).load(as: UInt32.self)
                continue
            }
            place &+= length
            row &+= growth
            batch[count] = row
            count += 1
            if count == batch.count {
                try body(UnsafeBufferPointer(batch))
                count = 0
            }
        }
        if count > 0 { try body(UnsafeBufferPointer(rebasing: batch[..<count])) }
    }

    /// Beyond the values that may repeat, there are at most four lists for each row.
    private func addLists(upTo value: Int) -> Bool {
        if value >= capacity {
            let most = max((mostBytes - blocks.count * Self.blockSize) / Self.listSize, Self.mostRepeated)
            guard value < most, value < max(Self.mostRepeated, 4 * count) else { return false }
            capacity = min(max(value + 1, 2 * capacity), most)
            memory.grow(to: capacity * Self.listSize, keeping: valueCount * Self.listSize)
            lists = memory.bytes.assumingMemoryBound(to: List.self)
        }
        (lists + valueCount).initialize(repeating: List(), count: value + 1 - valueCount)
        valueCount = value + 1
        return true
    }

    /// The lists of values that may repeat are not counted.
    private var bytes: Int {
        blocks.count * Self.blockSize + max(capacity - Self.mostRepeated, 0) * Self.listSize
    }

    private func addPiece() -> UInt32? {
        let piece = free
        if Int(piece) / Self.blockSize >= blocks.count {
            guard bytes + Self.blockSize <= mostBytes else { return nil }
            let block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: 64)
            block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.blockSize)
            blocks.append(block)
        }
        free += Self.pieceSize
        return piece
    }

    @inline(__always)
    private func pointer(_ place: UInt32) -> UnsafeMutableRawPointer {
        blocks[Int(place) / Self.blockSize] + Int(place) % Self.blockSize
    }
}
