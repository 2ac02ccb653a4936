// Raw pointers: every byte of a feed passes through this loop. It reads 64 bytes at once and writes positions without
// checks; each unchecked step names what makes it safe.

/// Finds the records and fields in a block's bytes. Between blocks it keeps only counts and whether it is skipping a
/// line.
///
/// The rules are those of Python's `csv.reader`, with blanks allowed before an opening quote, and two bounds so that
/// one stray quote or one endless line cannot swallow a file; ``CSVReader`` states them.
struct CSVSplitter {
    var delimiter = UInt8(ascii: ",")
    let maximumRecordBytes: Int

    /// The number of the next record: blank lines take one each.
    var nextRowNumber = 1
    var blankRows = BlankRows()
    /// Bytes left out because their line was too long.
    var skippedBytes = 0
    /// Whether the data begins within the rest of a line that was too long.
    var isSkipping = false

    init(maximumRecordBytes: Int) {
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// Splits the block's bytes `[0, count)` into at most `rowLimit` rows.
    ///
    /// Returns how many bytes are consumed. The rest is an unfinished record, which the caller puts before the next
    /// data. With `isLast` the data ends where the file ends, and everything is consumed.
    mutating func split(_ block: RecordBlock, count: Int, isLast: Bool, rowLimit: Int = .max) -> Int {
        var pass = CSVPass(self, block, end: count, isLast: isLast, rowLimit: rowLimit)
        pass.run(&blankRows)
        nextRowNumber = pass.nextRowNumber
        isSkipping = pass.mode == .skipping
        skippedBytes += pass.skippedBytes
        return pass.finish()
    }
}

/// Empty lines, and lines of blanks before the header: they are not records, but they count in row numbers.
public struct BlankRows: Sendable, Equatable {
    /// How many there were.
    public private(set) var count = 0
    /// The row numbers of the first 1,000.
    public private(set) var firstNumbers: [Int] = []

    static let kept = 1_000

    mutating func add(_ number: Int) {
        count += 1
        if firstNumbers.count < Self.kept { firstNumbers.append(number) }
    }
}
