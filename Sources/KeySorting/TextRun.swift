// Unsafe: texts are lent from where they are read.

/// Texts that come in the order of a row and a rank, packed: four or five bytes and the text.
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
    /// Bytes of the buffer that were read and not used yet.
    private var filled = 0..<0
    private var lastRow: UInt32 = 0
    /// How many texts `next` has not returned yet.
    private var left = 0
    /// Where reading of the held bytes goes on.
    private var place = 0
    private var isReading = false
    /// A text that is longer than the buffer, while it is lent.
    private var longText: UnsafeMutableRawBufferPointer?

    public init(in space: SortingSpace) { held = HeldBytes(in: space, mayHold: true) }

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
        left += 1
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
        left += texts.count
        packed.begin(after: texts.last)
        return true
    }

    /// Frees the memory that adding needs; more may be added.
    public func rest() throws(KeySortingError) {
        try hold()
        packed.rest()
    }

    private func hold() throws(KeySortingError) {
        try held.append(packed.bytes)
        packed.begin(after: packed.last)
    }

    // MARK: Reading

    /// The next text, whose bytes are valid until the one after it is asked for; nil when there are no more. Throws
    /// when the temporary file cannot be read.
    public func next() throws(KeySortingError) -> PackedTexts.Entry? {
        if !isReading { try beginReading() }
        guard left > 0 else { return nil }
        left -= 1
        if filled.count < PackedTexts.longestHead { try refill() }
        let start = UnsafeRawPointer(memory())
        var place = start + filled.lowerBound
        let (growth, rank, word, count) = PackedTexts.readFour(&place)
        filled = (place - start)..<filled.upperBound
        lastRow &+= growth
        return PackedTexts.Entry(row: lastRow, rank: rank, word: word, text: try text(Int(count)))
    }

    private func memory() -> UnsafeMutableRawPointer {
        if let buffer { return buffer }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
        buffer = memory
        return memory
    }

    private func beginReading() throws(KeySortingError) {
        try rest()
        isReading = true
    }

    private func text(_ count: Int) throws(KeySortingError) -> UnsafeRawBufferPointer {
        guard count <= Self.bufferSize - PackedTexts.longestHead else { return try longText(count) }
        if filled.count < count { try refill() }
        defer { filled = filled.lowerBound + count..<filled.upperBound }
        return UnsafeRawBufferPointer(start: memory() + filled.lowerBound, count: count)
    }

    /// Copies the part of the text that is in the buffer, and reads the rest.
    private func longText(_ count: Int) throws(KeySortingError) -> UnsafeRawBufferPointer {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        longText?.deallocate()
        longText = text
        let known = UnsafeRawBufferPointer(start: memory() + filled.lowerBound, count: min(filled.count, count))
        text.copyMemory(from: known)
        filled = filled.lowerBound + known.count..<filled.upperBound
        try held.read(UnsafeMutableRawBufferPointer(rebasing: text[known.count...]), at: place)
        place += count - known.count
        return UnsafeRawBufferPointer(text)
    }

    private func refill() throws(KeySortingError) {
        let (memory, kept) = (memory(), filled.count)
        memory.copyMemory(from: memory + filled.lowerBound, byteCount: kept)
        let count = min(Self.bufferSize - kept, held.count - place)
        try held.read(UnsafeMutableRawBufferPointer(start: memory + kept, count: count), at: place)
        place += count
        filled = 0..<kept + count
    }
}
