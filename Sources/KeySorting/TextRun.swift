// Unsafe: texts are copied from the memory of others, behind numbers of a few bytes, and lent from where they are read.

/// Texts that come in the order of a row and a rank, packed: four bytes or five and the text.
///
///     let run = TextRun(in: SortingSpace(folder: "/var/tmp"))
///     guard try run.append(text, row: 7, rank: 1, word: 0) else { … it is out of order, and for a sorter … }
///     while let entry = try run.next() { … entry.text … }
///
/// In memory while the space allows it, else in a temporary file without a name. One thread at a time.
public final class TextRun {
    /// A text as it comes out; its bytes are valid until the next one is asked for.
    public struct Entry {
        public let row: UInt32
        public let rank: UInt32
        /// What `append` was told.
        public let word: UInt32
        public let text: UnsafeRawBufferPointer
    }

    private static let bufferSize = 64 << 10
    /// Four numbers of seven bits a byte.
    private static let longestHead = 20

    private let held: HeldBytes
    private var buffer: UnsafeMutableRawPointer?
    /// Bytes of the buffer that wait to be held or, later, that were read and not used yet.
    private var filled = 0..<0
    private var last: (row: UInt32, rank: UInt32) = (0, 0)
    /// Of the texts that `next` has not answered yet.
    private var left = 0
    /// What is held from here on was not read yet.
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

    /// Adds a text; false, and nothing is added, when its row and rank are not greater than those before, or the rank
    /// is none of 32 bits.
    ///
    /// After the first call of `next` nothing may be added. Throws when the temporary file cannot be made or written.
    public func append(
        _ text: UnsafeRawBufferPointer, row: UInt32, rank: Int64, word: UInt32
    ) throws(KeySortingError) -> Bool {
        guard let rank = UInt32(exactly: rank), let count = UInt32(exactly: text.count),
            row > last.row || (row == last.row && rank > last.rank)
        else { return false }
        let isLong = text.count > Self.bufferSize - Self.longestHead
        if filled.upperBound + Self.longestHead + (isLong ? 0 : text.count) > Self.bufferSize { try hold() }
        let start = memory()
        var end = Self.write(row &- last.row, rank, word, count, to: start + filled.upperBound)
        if !isLong, let bytes = text.baseAddress {
            end.copyMemory(from: bytes, byteCount: text.count)
            end += text.count
        }
        filled = 0..<(end - start)
        last = (row, rank)
        left += 1
        guard isLong else { return true }
        try hold()
        try held.append(text)
        return true
    }

    /// Frees what adding needs; more may be added.
    public func rest() throws(KeySortingError) {
        try hold()
        buffer?.deallocate()
        buffer = nil
    }

    private func hold() throws(KeySortingError) {
        try held.append(UnsafeRawBufferPointer(start: buffer, count: filled.upperBound))
        filled = 0..<0
    }

    private func memory() -> UnsafeMutableRawPointer {
        if let buffer { return buffer }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
        buffer = memory
        return memory
    }

    // MARK: Reading

    /// The next text; nil when there are no more. Throws when the temporary file cannot be read.
    public func next() throws(KeySortingError) -> Entry? {
        if !isReading { try beginReading() }
        guard left > 0 else { return nil }
        left -= 1
        if filled.count < Self.longestHead { try refill() }
        let start = UnsafeRawPointer(memory())
        var place = start + filled.lowerBound
        let (growth, rank, word, count) = Self.readFour(&place)
        filled = (place - start)..<filled.upperBound
        last = (last.row &+ growth, rank)
        return Entry(row: last.row, rank: rank, word: word, text: try text(Int(count)))
    }

    private func beginReading() throws(KeySortingError) {
        try hold()
        isReading = true
        last = (0, 0)
    }

    private func text(_ count: Int) throws(KeySortingError) -> UnsafeRawBufferPointer {
        guard count <= Self.bufferSize - Self.longestHead else { return try longText(count) }
        if filled.count < count { try refill() }
        defer { filled = filled.lowerBound + count..<filled.upperBound }
        return UnsafeRawBufferPointer(start: memory() + filled.lowerBound, count: count)
    }

    /// What of it was read with others, and the rest.
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

    // MARK: Numbers

    /// A row is mostly the next one, and the others are small: then all four are one word.
    @inline(__always)
    private static func write(
        _ growth: UInt32, _ rank: UInt32, _ word: UInt32, _ count: UInt32, to place: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        if (growth | rank | word | count) < 0x80 {
            let four = growth | rank << 8 | word << 16 | count << 24
            place.storeBytes(of: four.littleEndian, as: UInt32.self)
            return place + 4
        }
        return write(count, to: write(word, to: write(rank, to: write(growth, to: place))))
    }

    @inline(__always)
    private static func readFour(
        _ place: inout UnsafeRawPointer
    ) -> (growth: UInt32, rank: UInt32, word: UInt32, count: UInt32) {
        // None has less than four bytes.
        let four = UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
        guard four & 0x8080_8080 != 0 else {
            place += 4
            return (four & 0xFF, four >> 8 & 0xFF, four >> 16 & 0xFF, four >> 24)
        }
        let (growth, rank) = (read(&place), read(&place))
        return (growth, rank, read(&place), read(&place))
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    @inline(__always)
    private static func write(_ number: UInt32, to place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var (rest, place) = (number, place)
        while rest >= 0x80 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            rest >>= 7
            place += 1
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        return place + 1
    }

    @inline(__always)
    private static func read(_ place: inout UnsafeRawPointer) -> UInt32 {
        var (number, shift) = (UInt32(0), UInt32(0))
        while true {
            let byte = place.load(as: UInt8.self)
            place += 1
            number |= UInt32(byte & 0x7F) &<< shift
            shift += 7
            if byte < 0x80 { return number }
        }
    }
}
