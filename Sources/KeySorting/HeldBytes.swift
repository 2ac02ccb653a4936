// Unsafe: bytes are kept in blocks of memory that are allocated once.

/// Bytes that are appended, and read back from any place: in memory while the space allows it, else in a temporary
/// file.
///
/// The system copies a file's bytes three times: for writing, for checking that they are there, and for reading.
final class HeldBytes {
    private static let blockSize = 256 << 10

    private let space: SortingSpace
    private let mayHold: Bool
    private var blocks: [UnsafeMutableRawBufferPointer] = []
    private var file: SpillFile?
    private(set) var count = 0

    /// `mayHold` tells whether memory may be used at all.
    init(in space: SortingSpace, mayHold: Bool) {
        self.space = space
        self.mayHold = mayHold
    }

    deinit { releaseBlocks() }

    /// Throws when the temporary file cannot be made or written.
    func append(_ bytes: UnsafeRawBufferPointer) throws(KeySortingError) {
        var rest = bytes
        while file == nil, !rest.isEmpty {
            let used = count % Self.blockSize
            if used == 0, !addBlock() { try moveToFile() }
            guard file == nil, let block = blocks.last else { break }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize - used))
            UnsafeMutableRawBufferPointer(rebasing: block[used...]).copyMemory(from: part)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            count += part.count
        }
        guard !rest.isEmpty else { return }
        try file?.append(rest)
        count += rest.count
    }

    /// Fills `memory` from the place `offset` on. Throws when the temporary file cannot be read.
    func read(_ memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(KeySortingError) {
        if let file { return try file.read(memory, at: offset) }
        var filled = 0
        while filled < memory.count {
            let (block, start) = (offset + filled).quotientAndRemainder(dividingBy: Self.blockSize)
            let part = blocks[block][start...].prefix(memory.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: memory[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: part))
            filled += part.count
        }
    }

    private func addBlock() -> Bool {
        guard mayHold, space.hold(Self.blockSize) else { return false }
        blocks.append(.allocate(byteCount: Self.blockSize, alignment: 64))
        return true
    }

    private func moveToFile() throws(KeySortingError) {
        let file = try SpillFile(in: space)
        for block in blocks { try file.append(UnsafeRawBufferPointer(block)) }
        self.file = file
        releaseBlocks()
    }

    private func releaseBlocks() {
        space.release(blocks.count * Self.blockSize)
        for block in blocks { block.deallocate() }
        blocks = []
    }
}
