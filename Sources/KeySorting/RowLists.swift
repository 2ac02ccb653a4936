// Unsafe: lists grow in blocks of memory that are shared out piece by piece. A row costs 5 ns; a sorter takes 30 ns.

/// Rows by value, for values that repeat. Each value's rows are in the order in which they were added, packed as
/// differences.
///
///     let lists = RowLists(in: space)
///     if !lists.append(row, to: route) { … }     // a sorter goes on from here
///     lists.forEach(of: route) { row in … }
///
/// Nothing is sorted, so this is for rows that come in order. Memory: 12 bytes a value, and two to six a row. One
/// thread at a time.
public final class RowLists {
    /// A value's list: its first piece, where its last piece goes on, and the last row.
    private struct List {
        var first: UInt32 = 0
        var next: UInt32 = 0
        /// The initial value makes each difference 1 or more, because a byte of 0 ends a piece.
        var last = UInt32.max
    }

    /// Pieces begin at multiples of this, and end with the place of the next piece.
    private static let pieceSize = 32
    private static let linkSize = 4
    private static let blockSize = 64 << 10
    private static let usualMemory = 8 << 20
    private static let listsAtOnce = 32

    private let mostBlocks: Int
    // Unchecked: no access lasts beyond a call of the lists' own functions. Checking took 30 ns a row.
    @exclusivity(unchecked) private var lists = UnsafeMutableBufferPointer<List>.allocate(capacity: 0)
    @exclusivity(unchecked) private var blocks: [UnsafeMutableRawPointer] = []
    /// Where the next piece begins; 0 stands for no piece.
    @exclusivity(unchecked) private var free: UInt32 = UInt32(pieceSize)
    private let batch = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 512)
    /// All values must be less than this; a sorter takes the others.
    public static let mostValues = 1 << 16
    @exclusivity(unchecked) public private(set) var count = 0

    /// Within 8 MiB, or a share of what the space allows.
    public init(in space: SortingSpace) {
        mostBlocks = space.memory(usually: Self.usualMemory, among: Self.listsAtOnce) / Self.blockSize
    }

    deinit {
        for block in blocks { block.deallocate() }
        lists.deallocate()
        batch.deallocate()
    }

    /// All values with rows are less than this.
    public var values: Int { lists.count }

    /// Adds a row. Returns false, and adds nothing, if the row is not greater than the value's other rows, or if there
    /// is no room.
    public func append(_ row: UInt32, to value: Int) -> Bool {
        if value >= lists.count, !addLists(upTo: value) { return false }
        var list = lists[value]
        if list.first == 0 {
            guard let piece = addPiece() else { return false }
            (list.first, list.next) = (piece, piece)
        }
        let rest = Self.pieceSize - Int(list.next) % Self.pieceSize - Self.linkSize
        let growth = row &- list.last
        guard list.last == .max || row > list.last, growth > 0 else { return false }
        if rest < Self.length(growth) {
            guard let piece = addPiece() else { return false }
            // The rest of the piece is zeros, except for the link.
            let end = (list.next / UInt32(Self.pieceSize) + 1) * UInt32(Self.pieceSize) - UInt32(Self.linkSize)
            pointer(end).storeBytes(of: piece, as: UInt32.self)
            list.next = piece
        }
        list.next += Self.write(growth, to: pointer(list.next))
        list.last = row
        lists[value] = list
        count += 1
        return true
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
        guard value < lists.count, lists[value].first != 0 else { return }
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

    private func addLists(upTo value: Int) -> Bool {
        guard value < Self.mostValues else { return false }
        let grown = UnsafeMutableBufferPointer<List>.allocate(
            capacity: max(value + 1, min(2 * lists.count, Self.mostValues)))
        let known = grown.initialize(fromContentsOf: lists)
        grown[known...].initialize(repeating: List())
        lists.deallocate()
        lists = grown
        return true
    }

    private func addPiece() -> UInt32? {
        let piece = free
        if Int(piece) / Self.blockSize >= blocks.count {
            guard blocks.count < mostBlocks else { return nil }
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
