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

    /// Pieces begin at multiples of this, and end with the place of the next piece.
    private static let pieceSize = 32
    private static let linkSize = 4
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
    @exclusivity(unchecked) private var free: UInt32 = UInt32(pieceSize)
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
            (list.first, list.next) = (piece, piece + Self.write(list.behind, to: pointer(piece)))
        }
        let rest = Self.pieceSize - Int(list.next) % Self.pieceSize - Self.linkSize
        let growth = row &+ 1 &- list.behind
        if rest < Self.length(growth) {
            guard let piece = addPiece() else { return false }
            // The rest of the piece is zeros, except for the link.
            let end = (list.next / UInt32(Self.pieceSize) + 1) * UInt32(Self.pieceSize) - UInt32(Self.linkSize)
            pointer(end).storeBytes(of: piece, as: UInt32.self)
            list.next = piece
        }
        list.next += Self.write(growth, to: pointer(list.next))
        lists[value] = list
        return true
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
            let rest = Self.pieceSize - Int(place) % Self.pieceSize - Self.linkSize
            let (growth, length) = rest > 0 ? Self.read(pointer(place)) : (0, 0)
            guard growth > 0 else {
                let link = (place / UInt32(Self.pieceSize) + 1) * UInt32(Self.pieceSize) - UInt32(Self.linkSize)
                place = pointer(link).load(as: UInt32.self)
                continue
            }
            place += length
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

    @inline(__always)
    private static func length(_ number: UInt32) -> Int { number < 0x80 ? 1 : (38 - number.leadingZeroBitCount) / 7 }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    @inline(__always)
    private static func write(_ number: UInt32, to place: UnsafeMutableRawPointer) -> UInt32 {
        var (rest, length) = (number, 0)
        while rest >= 0x80 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: length, as: UInt8.self)
            rest >>= 7
            length += 1
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: length, as: UInt8.self)
        return UInt32(truncatingIfNeeded: length + 1)
    }

    @inline(__always)
    private static func read(_ place: UnsafeRawPointer) -> (number: UInt32, length: UInt32) {
        var (number, length) = (UInt32(0), 0)
        while true {
            let byte = place.load(fromByteOffset: length, as: UInt8.self)
            number |= UInt32(byte & 0x7F) << UInt32(7 * length)
            length += 1
            if byte < 0x80 { return (number, UInt32(truncatingIfNeeded: length)) }
        }
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
        free += UInt32(Self.pieceSize)
        return piece
    }

    @inline(__always)
    private func pointer(_ place: UInt32) -> UnsafeMutableRawPointer {
        blocks[Int(place) / Self.blockSize] + Int(place) % Self.blockSize
    }
}
