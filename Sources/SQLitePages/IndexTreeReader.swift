// Unsafe: pages are read into memory of their size, and records are lent from there. Offsets within a page are checked.

/// Reads the records of an index b-tree in order, from pages that `IndexTreeWriter` wrote.
///
///     let reader = IndexTreeReader(pageSize: 4096, root: 5) { page, memory in try read(page, memory) }
///     while let record = try reader.next() { … }
///     try reader.seek { RecordIntegers.value(of: $0, at: 0) ?? 0 < 17 }
///
/// Memory: a page for each level of the tree.
public final class IndexTreeReader {
    /// Fills the memory with the page of that number.
    public typealias PageSource = (UInt32, UnsafeMutableRawBufferPointer) throws -> Void

    /// A page on the way from the root to the current record.
    struct ReadLevel {
        let memory: UnsafeMutableRawBufferPointer
        /// The page that the memory holds; 0 for none.
        let page: UInt32
        var cell = 0
        /// Whether the page to the left of the cell was read.
        var hasDescended = false

        var isLeaf: Bool { memory[0] == 0x0A }
        var cellCount: Int { Int(memory.loadUnaligned(fromByteOffset: 3, as: UInt16.self).bigEndian) }
    }

    let pageSize: Int
    private let root: UInt32
    let payload: PayloadLimits
    private let source: PageSource
    // Unchecked: no access lasts beyond a call of the reader's own functions.
    @exclusivity(unchecked) var levels: [ReadLevel] = []
    /// Levels in use; the memory of the others waits to be used again.
    @exclusivity(unchecked) var depth = 0
    /// A record with overflow pages, while it is lent.
    private var long: UnsafeMutableRawBufferPointer?
    private let overflow: UnsafeMutableRawBufferPointer

    /// Begins at the first record of the tree with this root page. Throws what `source` throws.
    public init(pageSize: Int, root: UInt32, source: @escaping PageSource) throws {
        self.pageSize = pageSize
        self.root = root
        self.source = source
        payload = PayloadLimits(pageSize: pageSize)
        overflow = .allocate(byteCount: pageSize, alignment: 16)
        try descend(to: root)
    }

    deinit {
        overflow.deallocate()
        long?.deallocate()
        for level in levels { level.memory.deallocate() }
    }

    /// The next record, valid until the next call; nil when there are no more. Throws what `source` throws, and
    /// `PageFileError` for a page that cannot belong to such a tree.
    public func next() throws -> UnsafeRawBufferPointer? {
        while depth > 0 {
            let top = depth - 1
            let level = levels[top]
            if level.isLeaf {
                if level.cell < level.cellCount { return try takeCell(of: top) }
                depth -= 1
            } else if !level.hasDescended {
                levels[top].hasDescended = true
                try descend(to: child(of: level))
            } else if level.cell < level.cellCount {
                levels[top].hasDescended = false
                return try takeCell(of: top)
            } else {
                depth -= 1
            }
        }
        return nil
    }

    /// Goes to the first record for which `isBefore` is false. `isBefore` is asked some twenty times, with the first
    /// bytes of records: those in the cell, which hold its first values.
    public func seek(_ isBefore: (UnsafeRawBufferPointer) -> Bool) throws {
        depth = 0
        try descend(to: root)
        while true {
            let top = depth - 1
            var (low, high) = (0, levels[top].cellCount)
            while low < high {
                let middle = (low + high) / 2
                levels[top].cell = middle
                if isBefore(try beginning(of: levels[top])) { low = middle + 1 } else { high = middle }
            }
            levels[top].cell = low
            guard !levels[top].isLeaf else { return }
            levels[top].hasDescended = true
            try descend(to: child(of: levels[top]))
        }
    }

    func descend(to page: UInt32) throws {
        // SQLite's own limit. It also stops at pages that refer to each other in a circle.
        guard depth < 20 else { throw PageFileError.damagedTree(page) }
        if depth == levels.count {
            levels.append(ReadLevel(memory: .allocate(byteCount: pageSize, alignment: 16), page: 0))
        }
        let memory = levels[depth].memory
        if levels[depth].page != page {
            levels[depth] = ReadLevel(memory: memory, page: 0)
            try source(page, memory)
            guard memory[0] == 0x0A || memory[0] == 0x02 else { throw PageFileError.damagedTree(page) }
        }
        levels[depth] = ReadLevel(memory: memory, page: page)
        depth += 1
    }

    /// The child page to the left of the current cell, or after the last cell the rightmost child.
    func child(of level: ReadLevel) throws(PageFileError) -> UInt32 {
        let place = level.cell < level.cellCount ? try self.place(of: level) : 8
        guard place + 4 <= pageSize else { throw .damagedTree(level.page) }
        return number(level.memory, place)
    }

    @inline(__always)
    private func place(of level: ReadLevel) throws(PageFileError) -> Int {
        let pointer = (level.isLeaf ? 8 : 12) + 2 * level.cell
        guard pointer + 2 <= pageSize else { throw .damagedTree(level.page) }
        return Int(level.memory.loadUnaligned(fromByteOffset: pointer, as: UInt16.self).bigEndian)
    }

    @inline(__always)
    private func takeCell(of top: Int) throws -> UnsafeRawBufferPointer {
        let cell = try cell(of: levels[top])
        levels[top].cell += 1
        guard cell.bytes.count < cell.length else { return cell.bytes }
        return try longRecord(cell.bytes, cell.length, cell.overflow)
    }

    /// The bytes of the current cell that lie in its page, the length of the record, and the page where the record goes
    /// on.
    @inline(__always)
    func cell(
        of level: ReadLevel
    ) throws(PageFileError) -> (bytes: UnsafeRawBufferPointer, length: Int, overflow: UInt32) {
        var place = try place(of: level) + (level.isLeaf ? 0 : IndexLevel.childLength)
        guard place < pageSize, let start = level.memory.baseAddress else { throw .damagedTree(level.page) }
        let length = Varint.read(start + place, upTo: pageSize - place)
        place += length.length
        let local = payload.localLength(length.value)
        guard place + local + (local < length.value ? 4 : 0) <= pageSize else { throw .damagedTree(level.page) }
        let bytes = UnsafeRawBufferPointer(rebasing: level.memory[place..<place + local])
        return (bytes, length.value, local < length.value ? number(level.memory, place + local) : 0)
    }

    /// The bytes of the current cell that lie in its page. A record of some hundred columns has a header that may fill
    /// them; then all its bytes, so that its first values are among them.
    func beginning(of level: ReadLevel) throws -> UnsafeRawBufferPointer {
        let cell = try cell(of: level)
        guard cell.bytes.count < cell.length, let start = cell.bytes.baseAddress else { return cell.bytes }
        let header = Varint.read(start, upTo: cell.bytes.count).value
        let firstValues = 5 * 8
        guard header + firstValues > cell.bytes.count else { return cell.bytes }
        return try longRecord(cell.bytes, cell.length, cell.overflow)
    }

    /// Gathers a record from its cell and its chain of pages.
    private func longRecord(
        _ local: UnsafeRawBufferPointer, _ length: Int, _ first: UInt32
    ) throws -> UnsafeRawBufferPointer {
        long?.deallocate()
        let record = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        long = record
        record.copyMemory(from: local)
        var (count, page) = (local.count, first)
        while count < length {
            guard page != 0 else { throw PageFileError.damagedTree(first) }
            try source(page, overflow)
            page = number(overflow, 0)
            let piece = UnsafeRawBufferPointer(rebasing: overflow[4..<4 + min(payload.overflowLength, length - count)])
            UnsafeMutableRawBufferPointer(rebasing: record[count...]).copyMemory(from: piece)
            count += piece.count
        }
        return UnsafeRawBufferPointer(record)
    }

    private func number(_ memory: UnsafeMutableRawBufferPointer, _ place: Int) -> UInt32 {
        memory.loadUnaligned(fromByteOffset: place, as: UInt32.self).bigEndian
    }
}
