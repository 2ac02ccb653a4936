// Unsafe: bytes are kept in blocks of memory that are allocated once.

import Glibc

/// Bytes that are appended, and read back from any place: in memory while the space allows it, else in a temporary
/// file.
///
/// The system copies a file's bytes three times: for writing, for checking that they are there, and for reading.
final class HeldBytes {
    private static let blockSize = 256 << 10
    /// The first block of a short list: a feed may have three thousand lists of a single short text.
    private static let leastBlockSize = 4 << 10

    /// Bytes that lie together in the file.
    private struct Stretch {
        /// Their place among all bytes.
        let place: Int
        let offset: Int
        var count: Int
    }

    private let space: SortingSpace
    private let mayHold: Bool
    private let spill: SharedSpill
    /// All but the first have the full size; only the last has room.
    private var blocks: [UnsafeMutableRawBufferPointer] = []
    private var file: SpillFile?
    /// In the order of their places. Only a file that others use as well has more than one.
    private var stretches: [Stretch] = []
    private(set) var count = 0

    /// `mayHold` tells whether memory may be used at all.
    convenience init(in space: SortingSpace, mayHold: Bool) {
        self.init(sharing: SharedSpill(in: space), mayHold: mayHold)
    }

    /// The same with a temporary file that others use as well.
    init(sharing spill: SharedSpill, mayHold: Bool) {
        space = spill.space
        self.spill = spill
        self.mayHold = mayHold
    }

    deinit { releaseBlocks() }

    // MARK: Adding

    /// Throws when the temporary file cannot be made or written.
    func append(_ bytes: UnsafeRawBufferPointer) throws(KeySortingError) {
        var rest = bytes
        while file == nil, !rest.isEmpty {
            let used = count % Self.blockSize
            guard makeRoom(for: rest.count, behind: used), let block = blocks.last else {
                try moveToFile()
                break
            }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(block.count - used))
            UnsafeMutableRawBufferPointer(rebasing: block[used...]).copyMemory(from: part)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            count += part.count
        }
        guard let file, !rest.isEmpty else { return }
        try write(rest, to: file)
        count += rest.count
    }

    /// Makes sure that the last block has room for `more` bytes behind its `used` ones; false when the space allows no
    /// more memory.
    private func makeRoom(for more: Int, behind used: Int) -> Bool {
        guard mayHold else { return false }
        guard used > 0 else {
            return addBlock(of: blocks.isEmpty ? Self.size(fitting: more) : Self.blockSize)
        }
        guard blocks.count == 1, blocks[0].count < min(used + more, Self.blockSize) else { return true }
        return growFirstBlock(to: Self.size(fitting: used + more), keeping: used)
    }

    private static func size(fitting bytes: Int) -> Int {
        var size = leastBlockSize
        while size < min(bytes, blockSize) { size *= 2 }
        return size
    }

    private func addBlock(of size: Int) -> Bool {
        guard space.hold(size) else { return false }
        blocks.append(.allocate(byteCount: size, alignment: 64))
        return true
    }

    private func growFirstBlock(to size: Int, keeping used: Int) -> Bool {
        let small = blocks[0]
        guard space.hold(size - small.count) else { return false }
        blocks[0] = .allocate(byteCount: size, alignment: 64)
        blocks[0].copyMemory(from: UnsafeRawBufferPointer(rebasing: small[..<used]))
        small.deallocate()
        return true
    }

    private func moveToFile() throws(KeySortingError) {
        let file = try spill.open()
        var left = count
        for block in blocks {
            try write(UnsafeRawBufferPointer(rebasing: block.prefix(left)), to: file)
            left -= min(left, block.count)
        }
        self.file = file
        releaseBlocks()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to file: SpillFile) throws(KeySortingError) {
        let offset = file.size
        try file.append(bytes)
        if let last = stretches.last, last.offset + last.count == offset {
            stretches[stretches.count - 1].count += bytes.count
        } else {
            let place = stretches.last.map { $0.place + $0.count } ?? 0
            stretches.append(Stretch(place: place, offset: offset, count: bytes.count))
        }
    }

    private func releaseBlocks() {
        space.release(blocks.reduce(0) { $0 + $1.count })
        for block in blocks { block.deallocate() }
        blocks = []
    }

    // MARK: Reading

    /// Fills `memory` from the place `offset` on. Throws when the temporary file cannot be read.
    func read(_ memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(KeySortingError) {
        var filled = 0
        while filled < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            if let file {
                filled += try read(rest, of: file, at: offset + filled)
            } else {
                filled += readHeld(rest, at: offset + filled)
            }
        }
    }

    private func readHeld(_ memory: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
        let (block, start) = place.quotientAndRemainder(dividingBy: Self.blockSize)
        let part = blocks[block][start...].prefix(memory.count)
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        return part.count
    }

    /// Reads up to the end of a stretch. Returns how many bytes.
    private func read(
        _ memory: UnsafeMutableRawBufferPointer, of file: SpillFile, at place: Int
    ) throws(KeySortingError) -> Int {
        let number = lastStretch(from: place)
        guard stretches.indices.contains(number), place - stretches[number].place < stretches[number].count else {
            throw .system("a temporary file in \(space.folder) cannot be read back", EIO)
        }
        let (stretch, within) = (stretches[number], place - stretches[number].place)
        let part = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(stretch.count - within))
        try file.read(part, at: stretch.offset + within)
        return part.count
    }

    /// The number of the last stretch that begins at a place or before it.
    private func lastStretch(from place: Int) -> Int {
        var (low, high) = (0, stretches.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if stretches[middle].place <= place { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
