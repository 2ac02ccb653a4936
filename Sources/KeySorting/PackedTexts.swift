// Unsafe: texts are copied from the caller's memory, each behind four packed numbers.

/// Texts in the order of a row and a rank, one behind the other: usually four or five bytes, at most twenty,
/// and the text.
///
///     let texts = PackedTexts()
///     guard texts.append(text, row: 7, rank: 1, word: 0) else { … it is out of order … }
///     guard try run.append(texts) else { … they are … }
///     texts.begin()
///
/// One thread at a time.
public final class PackedTexts {
    /// A text as it comes out.
    public struct Entry {
        public let row: UInt32
        public let rank: UInt32
        /// The word that `append` was given.
        public let word: UInt32
        public let text: UnsafeRawBufferPointer

        @inlinable
        init(row: UInt32, rank: UInt32, word: UInt32, text: UnsafeRawBufferPointer) {
            (self.row, self.rank, self.word, self.text) = (row, rank, word, text)
        }
    }

    /// Four numbers.
    private static let longestHead = 4 * SevenBitNumber.longest

    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    /// Unchecked: no access lasts beyond a call.
    @exclusivity(unchecked) public private(set) var byteCount = 0
    @exclusivity(unchecked) public private(set) var count = 0
    /// The place of the last text.
    @exclusivity(unchecked) private(set) var last: (row: UInt32, rank: UInt32) = (0, 0)

    public init() {}

    deinit { memory?.deallocate() }

    public var isEmpty: Bool { count == 0 }

    /// Valid until something is appended.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: byteCount) }

    /// Forgets the texts. The next text is packed as if the one before it were at `place`.
    public func begin(after place: (row: UInt32, rank: UInt32) = (0, 0)) {
        (byteCount, count, last) = (0, 0, place)
    }

    /// Forgets the texts and frees their memory.
    func releaseBuffers() {
        begin(after: last)
        memory?.deallocate()
        (memory, capacity) = (nil, 0)
    }

    /// Adds a text. Returns false, and adds nothing, if its row and rank are not greater than those before, or if the
    /// rank does not fit into 32 bits.
    public func append(_ text: UnsafeRawBufferPointer, row: UInt32, rank: Int64, word: UInt32) -> Bool {
        guard let rank = UInt32(exactly: rank), let length = UInt32(exactly: text.count),
            row > last.row || (row == last.row && rank > last.rank)
        else { return false }
        let start = memory(for: Self.longestHead + text.count)
        var end = Self.write(row &- last.row, rank, word, length, to: start)
        if let bytes = text.baseAddress {
            end.copyMemory(from: bytes, byteCount: text.count)
            end += text.count
        }
        byteCount += end - start
        count += 1
        last = (row, rank)
        return true
    }

    /// Where `more` bytes can be written.
    @inline(__always)
    private func memory(for more: Int) -> UnsafeMutableRawPointer {
        if let memory, byteCount + more <= capacity { return memory + byteCount }
        return grow(by: more)
    }

    @inline(never)
    private func grow(by more: Int) -> UnsafeMutableRawPointer {
        capacity = max(64 << 10, 2 * capacity, byteCount + more)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        if let memory { grown.copyMemory(from: memory, byteCount: byteCount) }
        memory?.deallocate()
        memory = grown
        return grown + byteCount
    }

    // MARK: Reading

    /// The first text. Call this only if the texts were packed after `begin()` without a place.
    var first: Entry? {
        guard let memory, count > 0 else { return nil }
        var place = UnsafeRawPointer(memory)
        let (row, rank, word, length) = Self.readFour(&place)
        return Entry(
            row: row, rank: rank, word: word, text: UnsafeRawBufferPointer(start: place, count: Int(length)))
    }

    /// The bytes after the first text.
    var bytesAfterFirst: UnsafeRawBufferPointer {
        guard let text = first?.text, let memory, let start = text.baseAddress else { return bytes }
        return UnsafeRawBufferPointer(rebasing: bytes[(start + text.count - UnsafeRawPointer(memory))...])
    }

    // MARK: Numbers

    /// Mostly the row is the next one and the other numbers are small. Then all four are written as one word.
    @inline(__always)
    private static func write(
        _ growth: UInt32, _ rank: UInt32, _ word: UInt32, _ count: UInt32, to place: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        if (growth | rank | word | count) < 0x80 {
            let four = growth | rank << 8 | word << 16 | count << 24
            place.storeBytes(of: four.littleEndian, as: UInt32.self)
            return place + 4
        }
        let behindRank = SevenBitNumber.write(rank, to: SevenBitNumber.write(growth, to: place))
        return SevenBitNumber.write(count, to: SevenBitNumber.write(word, to: behindRank))
    }

    @inlinable
    @inline(__always)
    static func readFour(
        _ place: inout UnsafeRawPointer
    ) -> (growth: UInt32, rank: UInt32, word: UInt32, count: UInt32) {
        // Every text has at least four bytes of numbers.
        let four = UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
        guard four & 0x8080_8080 != 0 else {
            place += 4
            return (four & 0xFF, four >> 8 & 0xFF, four >> 16 & 0xFF, four >> 24)
        }
        let (growth, rank) = (SevenBitNumber.read(&place), SevenBitNumber.read(&place))
        return (growth, rank, SevenBitNumber.read(&place), SevenBitNumber.read(&place))
    }
}

/// Packed texts that lie in memory, the last of them perhaps only in part. Eight zeros must follow, so that reading a
/// number that was cut ends there.
@usableFromInline
struct PackedTextPart {
    @usableFromInline private(set) var place: UnsafeRawPointer
    @usableFromInline let end: UnsafeRawPointer
    /// The row of the last text.
    @usableFromInline private(set) var row: UInt32

    init(_ bytes: Range<UnsafeRawPointer>, afterRow row: UInt32) {
        (place, end, self.row) = (bytes.lowerBound, bytes.upperBound, row)
    }

    /// The next text; nil if its end is not in this part.
    @inlinable
    @inline(__always)
    mutating func next() -> PackedTexts.Entry? {
        guard place < end else { return nil }
        var start = place
        let (growth, rank, word, count) = PackedTexts.readFour(&start)
        guard Int(count) <= end - start else { return nil }
        place = start + Int(count)
        row &+= growth
        return PackedTexts.Entry(
            row: row, rank: rank, word: word, text: UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
