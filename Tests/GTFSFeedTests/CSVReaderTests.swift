import Testing

@testable import GTFSFeed

@Suite("CSV reader")
struct CSVReaderTests {
    static func reader(_ text: String, blockBytes: Int = 64, maximum: Int = 1 << 20) throws -> CSVReader {
        try CSVReader(source: PiecemealSource(Array(text.utf8)), blockBytes: blockBytes, maximumRecordBytes: maximum)
    }

    // MARK: Rows left out

    /// Tries every subset of a block's rows, which differ in their number of fields, against a plain list.
    @Test func `rows that are left out leave the others as they are`() throws {
        let text = "h\na,b,c\n\n\"d,\"\"e\"\nf,\ng\n,h,i,j\n"
        let all = ["2 a|b|c", "4 d,\"e", "5 f|", "6 g", "7 |h|i|j"]
        for choice in 0..<1 << all.count {
            let reader = try Self.reader(text, blockBytes: 4096)
            let block = try #require(try reader.nextBlock())
            #expect(block.keepRows { choice & 1 << $0 != 0 } == all.count - choice.nonzeroBitCount)
            let rows = (0..<block.rowCount).map { row in
                let fields = block.fields(of: row).map { String(decoding: block.field($0), as: UTF8.self) }
                return "\(block.rowNumber(row)) \(fields.joined(separator: "|"))"
            }
            #expect(rows == all.indices.filter { choice & 1 << $0 != 0 }.map { all[$0] })
            if block.rowCount > 0, rows[0].hasPrefix("4") {
                #expect(block.flags(of: 0) == .quoted)
                #expect(String(decoding: block.rawRow(0), as: UTF8.self) == "\"d,\"\"e\"")
            }
        }
    }

    // MARK: Header

    @Test func `names are trimmed and their spelling kept`() throws {
        let header = try Self.reader(" stop_id,\"stop_name\t\",stop_lat\r\n").header
        #expect(header.columns.map(\.name) == ["stop_id", "stop_name", "stop_lat"])
        #expect(header.columns.map(\.spelling) == [" stop_id", "stop_name\t", "stop_lat"])
        #expect(header.columns.map(\.index) == [0, 1, 2])
        #expect(header.problems == [.paddedName(index: 0), .paddedName(index: 1)])
        #expect(header.rowNumber == 1)
        #expect(header.flags == .quoted)
    }

    @Test func `empty, repeated and marked names are told`() throws {
        let header = try Self.reader("\u{FEFF}a,,a, ,A\n").header
        #expect(
            header.problems == [
                .byteOrderMark, .emptyName(index: 1), .duplicateName(index: 2, first: 0), .paddedName(index: 3),
                .emptyName(index: 3),
            ])
    }

    @Test func `a space without width is padding`() throws {
        let header = try Self.reader("\u{200B}a\u{200B},b\n").header
        #expect(header.columns.map(\.name) == ["a", "b"])
        #expect(header.problems == [.paddedName(index: 0)])
    }

    @Test func `a second byte-order mark is padding`() throws {
        let header = try Self.reader("\u{FEFF}\u{FEFF}a,b\n").header
        #expect(header.columns.map(\.name) == ["a", "b"])
        #expect(header.problems == [.byteOrderMark, .paddedName(index: 0)])
    }

    @Test(arguments: ["", "\n", "\r\n\r\n", "\u{FEFF}", "\u{FEFF}\n"])
    func `a file without records has no columns`(text: String) throws {
        let reader = try Self.reader(text)
        #expect(reader.header.columns.isEmpty)
        #expect(reader.header.problems.isEmpty)
        #expect(try reader.nextBlock() == nil)
    }

    @Test func `a header behind blank lines has their row number`() throws {
        let reader = try Self.reader("\n\r\na,b\n1,2\n")
        #expect(reader.header.rowNumber == 3)
        let block = try #require(try reader.nextBlock())
        #expect(block.rowNumber(0) == 4)
    }

    @Test(arguments: [("a,b\tc", ","), ("a\tb;c", "\t"), ("a;b", ";"), ("a", ","), ("a\nb\tc", ",")])
    func `the header line decides the delimiter`(text: String, delimiter: String) throws {
        #expect(try Self.reader(text, blockBytes: 2).delimiter == delimiter.utf8.first)
    }

    /// When a header line exceeds the maximum length of a record, the reader looks only at the part within that length.
    @Test(arguments: [1, 3, 8, 16, 1 << 16])
    func `a cut header has one delimiter, whatever size blocks have`(blockBytes: Int) throws {
        let source = PiecemealSource(Array("aaaa;bb;ccc\t,ddd\n1;2\n".utf8))
        let reader = try CSVReader(source: source, blockBytes: blockBytes, maximumRecordBytes: 10)
        #expect(reader.delimiter == UInt8(ascii: ";"))
        #expect(reader.header.columns.map(\.name) == ["aaaa", "bb", "cc"])
        #expect(try reader.nextBlock()?.fields(of: 0).count == 2)
    }

    /// A line of blanks that is cut names no column, and its rest is no line.
    @Test(arguments: [1, 3, 8, 16, 1 << 16])
    func `the rest of a cut line of blanks does not decide the delimiter`(blockBytes: Int) throws {
        let text = String(repeating: "\t", count: 50) + "x,y\r\na;b\n1;2\n"
        let reader = try Self.reader(text, blockBytes: blockBytes, maximum: 40)
        #expect(reader.delimiter == UInt8(ascii: ";"))
        #expect(reader.header.columns.map(\.name) == ["a", "b"])
    }

    @Test func `ten thousand columns are read`() throws {
        let names = (0..<10_000).map { "c\($0)" }
        let reader = try Self.reader(names.joined(separator: ",") + "\n" + names.joined(separator: ",") + "\n")
        #expect(reader.header.columns.map(\.name) == names)
        let block = try #require(try reader.nextBlock())
        #expect(block.fields(of: 0).count == 10_000)
    }

    // MARK: Blocks

    @Test func `a raw row is verbatim and without its line end`() throws {
        let reader = try Self.reader("a,b\r\n \"x\",\"y\"\"z\"w\r\n\"1\n2\",3")
        let block = try #require(try reader.nextBlock())
        #expect(Array(block.rawRow(0)) == Array(" \"x\",\"y\"\"z\"w".utf8))
        #expect(Array(block.rawRow(1)) == Array("\"1\n2\",3".utf8))
        #expect(block.rowNumber(1) == 3)
        #expect(block.allRowFlags == [.quoted, .textAfterClosingQuote, .newlineInside])
    }

    @Test(arguments: [
        ("1,2\n", false, false), ("1,\t\r\n", false, false), ("1,é\n", true, false), ("1,\u{7F}\n", false, true),
        ("1,\0\n", false, true), ("1,\u{1F}\n", false, true), ("1,~\u{20}\n", false, false), ("é,\u{1}\n", true, true),
        ("\"\u{1}\"\n", false, true), ("\"\t\"\n", false, false),
    ])
    func `a block tells whether it holds more than plain text`(row: String, nonASCII: Bool, control: Bool) throws {
        let reader = try Self.reader("a,b\n" + row)
        let block = try #require(try reader.nextBlock())
        #expect(block.containsNonASCII == nonASCII)
        #expect(block.containsControl == control)
        #expect(block.containsTab == row.utf8.contains(0x09))
    }

    @Test func `a block tells of TABs in quotes where TABs delimit`() throws {
        let block = try #require(try Self.reader("a\tb\n\"1\t2\"\t3\n").nextBlock())
        #expect(block.containsTab)
        let plain = try #require(try Self.reader("a\tb\n1\t3\n").nextBlock())
        #expect(!plain.containsTab)
    }

    @Test func `what a block held before does not show`() throws {
        let reader = try Self.reader("a,b\né,\"\u{1}\"\n" + String(repeating: "1,2\n", count: 40), blockBytes: 16)
        let first = try #require(try reader.nextBlock())
        #expect(first.containsNonASCII && first.containsControl && first.allRowFlags == .quoted)
        var block = try #require(try reader.nextBlock(reusing: first))
        while let next = try reader.nextBlock(reusing: block) { block = next }
        #expect(!block.containsNonASCII && !block.containsControl && block.allRowFlags.isEmpty)
    }

    @Test func `a block used again does not grow`() throws {
        let row = "\"a \"\"quoted\"\" name\",1,2,3,4,5,6,7\r\n"
        let reader = try Self.reader("h,i\n" + String(repeating: row, count: 20_000), blockBytes: 4_096)
        let block = try #require(try reader.nextBlock())
        _ = try reader.nextBlock(reusing: block)
        let capacities = [block.byteCapacity, block.fieldCapacity, block.rowCapacity]
        let memory = block.bytes
        var rows = 0
        while let next = try reader.nextBlock(reusing: block) {
            #expect(next === block)
            rows += next.rowCount
        }
        #expect(rows > 19_000)
        #expect([block.byteCapacity, block.fieldCapacity, block.rowCapacity] == capacities)
        #expect(block.bytes == memory)
    }

    @Test func `one endless line takes no more memory than the longest record`() throws {
        let reader = try CSVReader(
            source: RepeatingSource(start: "a\n1\n", piece: "0123456789,", count: 50_000), blockBytes: 4_096,
            maximumRecordBytes: 65_536)
        var rows: [Int] = []
        let block = RecordBlock(bytes: 4_096)
        while let next = try reader.nextBlock(reusing: block) {
            rows += (0..<next.rowCount).map { next.rawRow($0).count }
        }
        #expect(rows == [1, 65_536])
        #expect(reader.skippedBytes == 550_000 - 65_536)
        #expect(block.byteCapacity < 200_000)
    }

    @Test func `a quote that is never closed costs one line, not the file`() throws {
        let reader = try CSVReader(
            source: RepeatingSource(start: "a,b\n\"stray,1\n", piece: "x,2\n", count: 300_000))
        var rows = 0
        var stray = 0
        var used: RecordBlock?
        while let block = try reader.nextBlock(reusing: used) {
            rows += block.rowCount
            stray += (0..<block.rowCount).count { block.flags(of: $0).contains(.unterminatedQuote) }
            used = block
        }
        #expect(rows == 300_001)
        #expect(stray == 1)
    }

    @Test func `blank rows are counted in full and numbered for the first thousand`() throws {
        let reader = try Self.reader("a\n" + String(repeating: "\n", count: 5_000) + "1\n")
        let block = try #require(try reader.nextBlock())
        #expect(block.rowNumber(0) == 5_002)
        #expect(reader.blankRows.count == 5_000)
        #expect(reader.blankRows.firstNumbers == Array(2...1_001))
    }

    @Test func `an error of the source comes through, and then the reader is at its end`() throws {
        let text = "a,b\n" + String(repeating: "1,2\n", count: 1_000) + "3,4"
        let reader = try CSVReader(source: FailingSource(bytes: Array(text.utf8)), blockBytes: 400)
        var rows = 0
        #expect(throws: FailingSource.Failure()) {
            while let block = try reader.nextBlock() { rows += block.rowCount }
        }
        // The unfinished record is lost with the error.
        #expect(rows == 1_000)
        #expect(try reader.nextBlock() == nil)
    }

    @Test func `an error in the first bytes comes at once`() {
        #expect(throws: FailingSource.Failure()) {
            try CSVReader(source: FailingSource(bytes: Array("a,b\n1,2\n".utf8)))
        }
    }

    @Test func `sizes out of range are clamped`() throws {
        let reader = try Self.reader("a,b\n1,2\n", blockBytes: -5, maximum: .min)
        #expect(reader.header.columns.map(\.name) == ["a"])
        #expect(reader.header.flags == .tooLong)
        let other = try Self.reader("a,b\n1,2\n", blockBytes: 1, maximum: .max)
        #expect(try other.nextBlock()?.rowCount == 1)
    }
}

/// A text in which one piece is repeated, generated as it is read.
struct RepeatingSource: ByteSource {
    var pending: [UInt8]
    let piece: [UInt8]
    var count: Int

    init(start: String, piece: String, count: Int) {
        pending = Array(start.utf8)
        self.piece = Array(piece.utf8)
        self.count = count
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while pending.count < buffer.count, count > 0 {
            let now = min(count, 1_000)
            pending += Array(repeating: piece, count: now).joined()
            count -= now
        }
        let size = min(pending.count, buffer.count)
        buffer.copyBytes(from: pending[..<size])
        pending.removeFirst(size)
        return size
    }
}

/// Gives out its bytes, then fails.
struct FailingSource: ByteSource {
    struct Failure: Error, Equatable {}
    var bytes: [UInt8]

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !bytes.isEmpty else { throw Failure() }
        let size = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes[..<size])
        bytes.removeFirst(size)
        return size
    }
}
