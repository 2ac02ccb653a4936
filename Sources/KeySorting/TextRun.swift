// Unsafe: texts are lent from where they are read.

/// Texts that come in the order of a row and a rank, packed: usually four or five bytes and the text.
///
///     let run = TextRun(in: SortingSpace(folder: "/var/tmp"))
///     guard try run.append(text, row: 7, rank: 1, word: 0) else { … it is out of order, and for a sorter … }
///     while let entry = try run.next() { … entry.text … }
///
/// In memory while the space allows it, else in a temporary file without a name. One thread at a time.
public final class TextRun {
    private static let bufferSize = 64 << 10
    private static let heldAtOnce = 48 << 10

    private let held: HeldBytes
    /// Texts that are not in `held` yet.
    private let packed = PackedTexts()
    private var buffer: UnsafeMutableRawPointer?
    /// What the buffer has. Unchecked: no access lasts beyond `next`.
    @exclusivity(unchecked) @usableFromInline var part: PackedTextPart?
    /// Where reading of the held bytes goes on.
    private var place = 0
    private var isReading = false
    /// A text that is longer than the buffer, while it is lent.
    private var longText: UnsafeMutableRawBufferPointer?

    public convenience init(in space: SortingSpace) { self.init(sharing: SharedSpill(in: space)) }

    /// The same with a temporary file that others use as well.
    public init(sharing spill: SharedSpill) { held = HeldBytes(sharing: spill, mayHold: true) }

    deinit {
        buffer?.deallocate()
        longText?.deallocate()
    }

    // MARK: Adding

    /// Adds a text. Returns false, and adds nothing, if its row and rank are not greater than those before, or if the
    /// rank does not fit into 32 bits.
    ///
    /// After the first call of `next` nothing may be added. Throws when the temporary file cannot be made or written.
    public func append(
        _ text: UnsafeRawBufferPointer, row: UInt32, rank: Int64, word: UInt32
    ) throws(KeySortingError) -> Bool {
        guard packed.append(text, row: row, rank: rank, word: word) else { return false }
        if packed.byteCount >= Self.heldAtOnce { try hold() }
        return true
    }

    /// Adds texts that were packed elsewhere, by copying their bytes. Returns false, and adds nothing, if the first one
    /// does not come after those before. Throws as the other `append` does.
    public func append(_ texts: PackedTexts) throws(KeySortingError) -> Bool {
        guard let first = texts.first else { return true }
        // It was packed as the first text of all, so it is packed again.
        guard packed.append(first.text, row: first.row, rank: Int64(first.rank), word: first.word) else { return false }
        try hold()
        try held.append(texts.bytesAfterFirst)
        packed.begin(after: texts.last)
        return true
    }

    /// Frees the memory that adding needs; more may be added.
    public func releaseBuffers() throws(KeySortingError) {
        try hold()
        packed.releaseBuffers()
    }

    private func hold() throws(KeySortingError) {
        try held.append(packed.bytes)
        packed.begin(after: packed.last)
    }

    // MARK: Reading

    /// The next text, whose bytes are valid until the one after it is asked for; nil when there are no more. Throws
    /// when the temporary file cannot be read.
    @inlinable
    public func next() throws(KeySortingError) -> PackedTexts.Entry? {
        if let entry = part?.next() { return entry }
        return try nextBehindPart()
    }

    @inline(never)
    @usableFromInline
    func nextBehindPart() throws(KeySortingError) -> PackedTexts.Entry? {
        if !isReading {
            try releaseBuffers()
            isReading = true
        }
        guard place < held.count || part.map({ $0.place < $0.end }) == true else { return nil }
        try readPart()
        if let entry = part?.next() { return entry }
        return try nextLong()
    }

    /// Moves the rest of the part to the beginning of the buffer, and reads on behind it.
    private func readPart() throws(KeySortingError) {
        let memory = buffer ?? .allocate(byteCount: Self.bufferSize + MemoryLayout<UInt64>.size, alignment: 16)
        buffer = memory
        let kept = part.map { $0.end - $0.place } ?? 0
        if let part { memory.copyMemory(from: part.place, byteCount: kept) }
        let count = min(Self.bufferSize - kept, held.count - place)
        try held.read(UnsafeMutableRawBufferPointer(start: memory + kept, count: count), at: place)
        place += count
        let end = memory + kept + count
        end.storeBytes(of: 0, as: UInt64.self)
        part = PackedTextPart(UnsafeRawPointer(memory)..<UnsafeRawPointer(end), afterRow: part?.row ?? 0)
    }

    /// A text that is longer than the buffer: copies what is in the part, and reads the rest.
    private func nextLong() throws(KeySortingError) -> PackedTexts.Entry? {
        guard let part else { return nil }
        var start = part.place
        let (growth, rank, word, length) = PackedTexts.readFour(&start)
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(length), alignment: 16)
        longText?.deallocate()
        longText = text
        let known = part.end - start
        text.copyMemory(from: UnsafeRawBufferPointer(start: start, count: known))
        try held.read(UnsafeMutableRawBufferPointer(rebasing: text[known...]), at: place)
        place += text.count - known
        let row = part.row &+ growth
        self.part = PackedTextPart(part.end..<part.end, afterRow: row)
        return PackedTexts.Entry(row: row, rank: rank, word: word, text: UnsafeRawBufferPointer(text))
    }
}
