// Unsafe: moves unfinished records between blocks by plain copies.

import SystemFiles

/// Reads a stream of bytes as CSV, a block of records at a time.
///
///     let reader = try CSVReader(source: feed.read(entry))
///     print(reader.header.columns.map(\.name))
///     var used: RecordBlock?
///     while let block = try reader.nextBlock(reusing: used) {
///         …
///         used = block
///     }
///
/// The rules are those of Python's `csv.reader` (default dialect), so that results can be compared. The third is ours:
/// - A field is quoted if `"` is its first byte; inside, `""` is a quote and CR, LF and delimiters are text.
/// - Text after the closing quote is appended as it stands, further quotes included: `"abc"d"e"` is `abcd"e"`.
/// - In addition, blanks (spaces and tabs) may stand before the opening quote, if the quote is closed and only blanks
///   follow: ` "a,b" ` is ` a,b `. Otherwise this quote is text: `1, "Gare" du Nord`.
/// - Quotes within an unquoted field are text. Nothing is trimmed. NUL is text.
/// - CR, LF and CRLF each end a record. Empty lines are not records, but they count in row numbers. (In Python, a line
///   of blanks can be the header. Here such lines before the header are ``blankRows``.)
/// - A quote still open at the end of the file ends there (``RowFlags/unterminatedQuote``).
///
/// Two bounds are added:
/// - A quote that is not closed within `maximumRecordBytes` of the record's start is stray. It is treated as text, and
///   so is every later quote up to the line end (``RowFlags/unterminatedQuote``).
/// - A record longer than that is cut there (``RowFlags/tooLong``) and the rest of its line is skipped
///   (``skippedBytes``).
///
/// Memory: the blocks, about `blockBytes` each plus their positions, and one record carried from block to block.
/// Blocks, rows and fields do not depend on how many bytes each read of the source returns. Not for use from two
/// threads at once.
public final class CSVReader {
    /// The first record, with its problems.
    public private(set) var header = CSVHeader.empty
    /// The first of comma, tab and semicolon that the header line contains; a comma if it contains none.
    public var delimiter: UInt8 { splitter.delimiter }
    /// How the file is encoded. Blocks hold UTF-8, or the unconverted bytes of a legacy 8-bit encoding.
    public var encoding: TextEncoding { text.encoding }
    /// Blank lines seen so far.
    public var blankRows: BlankRows { splitter.blankRows }
    /// Bytes left out so far because their line was longer than allowed.
    public var skippedBytes: Int { splitter.skippedBytes }

    private let text: TextSource
    private var splitter: CSVSplitter
    private var blockBytes: Int
    private var mostRows = Int.max
    private var isAtEnd = false
    /// Whether the bytes that the last block had did not complete a record.
    private var needsMore = false
    /// The beginning of a record that the last block did not complete.
    private var carry: [UInt8] = []
    /// The header is looked for in blocks of this size: touching fresh memory takes longer than reading a small file.
    private static let headerBytes = 4 << 10

    /// Turns all names of a header into text, one text for each name, in order. At least one name is not UTF-8.
    public typealias NameDecoding = ([UnsafeRawBufferPointer]) -> [String]

    /// Reads the header.
    ///
    /// `decodingNames` is called if a name is not UTF-8. Without it, such bytes become U+FFFD.
    ///
    /// `blockBytes` is clamped to 1 byte … 64 MiB and `maximumRecordBytes` to 1 byte … 256 MiB, so that positions
    /// within a block fit in UInt32. Throws what the source throws.
    public init(
        source: any ByteSource, blockBytes: Int = 256 << 10, maximumRecordBytes: Int = 1 << 20,
        decodingNames decode: NameDecoding = { $0.map { String(decoding: $0, as: UTF8.self) } }
    ) throws {
        self.blockBytes = min(max(blockBytes, 1), 64 << 20)
        splitter = CSVSplitter(maximumRecordBytes: min(max(maximumRecordBytes, 1), 256 << 20))
        text = try TextSource(source)
        try readHeader(decode)
    }

    /// Makes further blocks smaller, for callers that need much memory for each row.
    ///
    /// A block grows beyond `bytes` for a long row. It still has at most `rows`.
    public func limitBlocks(to bytes: Int, rows: Int = .max) {
        blockBytes = min(blockBytes, max(bytes, 1))
        mostRows = max(rows, 1)
    }

    /// The next records, or nil at the end of the file.
    ///
    /// Pass back a finished block to reuse its memory. Throws what the source throws; after that the reader is at its
    /// end. Cost: one look at every byte.
    public func nextBlock(reusing used: RecordBlock? = nil) throws -> RecordBlock? {
        let block = used ?? RecordBlock(bytes: blockBytes)
        while try fill(block, blockBytes, rowLimit: mostRows) {
            if block.rowCount > 0 { return block }
        }
        return nil
    }

    /// Fills the block with the carried bytes and new ones from the source, `bytes` or more if a record needs them, and
    /// splits it; false at the end of the file.
    private func fill(_ block: RecordBlock, _ bytes: Int, rowLimit: Int) throws -> Bool {
        let count = try load(block, goal(bytes))
        guard count > 0 else { return false }
        if header.columns.isEmpty { splitter.delimiter = delimiter(of: block.bytes, count: count) }
        let consumed = splitter.split(block, count: count, isLast: isAtEnd, rowLimit: rowLimit)
        needsMore = consumed == 0
        carry.removeAll(keepingCapacity: true)
        carry.append(contentsOf: UnsafeRawBufferPointer(start: block.bytes + consumed, count: count - consumed))
        return true
    }

    private func load(_ block: RecordBlock, _ goal: Int) throws -> Int {
        block.prepare(forBytes: goal)
        carry.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: block.bytes, count: goal).copyMemory(from: $0) }
        var count = carry.count
        while count < goal, !isAtEnd {
            let room = UnsafeMutableRawBufferPointer(start: block.bytes + count, count: goal - count)
            let read: Int
            do { read = try text.read(into: room) } catch {
                isAtEnd = true
                carry.removeAll()
                throw error
            }
            if read <= 0 { isAtEnd = true }
            count += min(max(read, 0), room.count)
        }
        return count
    }

    /// How many bytes to split at once: `bytes`, or more when one record needs it. Bytes that a full block has left
    /// over are split before more are read. Data longer than the longest record plus a CR and one more byte can always
    /// be split, so this stays bounded.
    private func goal(_ bytes: Int) -> Int {
        if carry.count < bytes { return bytes }
        guard needsMore else { return carry.count }
        let enough = splitter.maximumRecordBytes + RecordBlock.padding
        return carry.count < enough ? min(carry.count * 2, enough) : carry.count + RecordBlock.padding
    }

    // MARK: Header

    private func readHeader(_ decode: NameDecoding) throws {
        let bytes = min(blockBytes, Self.headerBytes)
        let block = RecordBlock(bytes: bytes)
        while try fill(block, bytes, rowLimit: 1) {
            guard block.rowCount > 0 else { continue }
            // Like an empty line, a line of blanks names no column.
            if block.rawRow(0).allSatisfy(\.isBlank) {
                splitter.blankRows.add(block.rowNumber(0))
                continue
            }
            header = CSVHeader(block, hasByteOrderMark: encoding.hasByteOrderMark, decode: decode)
            return
        }
    }

    /// Looks at the first line that is not blank, but at no more than `maximumRecordBytes` of it: how much of a longer
    /// line is in memory depends on the block size. The rest of a line that was cut decides nothing.
    private func delimiter(of bytes: UnsafeRawPointer, count: Int) -> UInt8 {
        let data = UnsafeRawBufferPointer(start: bytes, count: count)
        let line = data.drop { splitter.isSkipping && !$0.isLineEnd }
            .drop(while: \.isLineEnd)
            .prefix(splitter.maximumRecordBytes)
            .prefix { !$0.isLineEnd }
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";")] where line.contains(delimiter) {
            return delimiter
        }
        return UInt8(ascii: ",")
    }
}
