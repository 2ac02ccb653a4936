import Testing

@testable import GTFSFeed

/// Gives out bytes in reads of the given sizes, then repeats the last size.
struct PiecemealSource: ByteSource {
    var bytes: [UInt8]
    var sizes: [Int]
    var position = 0

    init(_ bytes: [UInt8], sizes: [Int] = [.max]) {
        self.bytes = bytes
        self.sizes = sizes
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let size = sizes.count > 1 ? sizes.removeFirst() : sizes[0]
        let count = min(buffer.count, size, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}

/// Everything that a reader finds in a file, with the header as the first row.
struct CSVReading {
    var rows: [CSVTwin.Row] = []
    var blankRows = BlankRows()
    var skippedBytes = 0
    var header = CSVHeader.empty

    init(
        _ source: some ByteSource, blockBytes: Int, maximumRecordBytes: Int = 1 << 20, mostRows: Int = .max
    ) throws {
        let reader = try CSVReader(source: source, blockBytes: blockBytes, maximumRecordBytes: maximumRecordBytes)
        reader.limitBlocks(to: blockBytes, rows: mostRows)
        header = reader.header
        if !header.columns.isEmpty {
            // The header's raw row is not kept; tests that need it compare the other rows only.
            let fields = header.columns.map { Array($0.spelling.utf8) }
            rows.append(CSVTwin.Row(number: header.rowNumber, fields: fields, flags: header.flags, raw: []))
        }
        var used: RecordBlock?
        while let block = try reader.nextBlock(reusing: used) {
            #expect(block.rowCount <= mostRows)
            rows += (0..<block.rowCount).map { Self.row(block, $0) }
            used = block
        }
        blankRows = reader.blankRows
        skippedBytes = reader.skippedBytes
    }

    static func row(_ block: RecordBlock, _ row: Int) -> CSVTwin.Row {
        CSVTwin.Row(
            number: block.rowNumber(row), fields: block.fields(of: row).map { Array(block.field($0)) },
            flags: block.flags(of: row), raw: Array(block.rawRow(row)))
    }

    /// The first difference from the twin, in words; nil if there is none.
    func difference(from twin: CSVTwin) -> String? {
        var expected = twin.rows
        if !expected.isEmpty {
            expected[0].raw = []
            expected[0].fields = expected[0].fields.map { Array(String(decoding: $0, as: UTF8.self).utf8) }
        }
        for (row, twinRow) in zip(rows, expected) where row != twinRow { return "read \(row), expected \(twinRow)" }
        if rows.count != expected.count { return "read \(rows.count) rows, expected \(expected.count)" }
        if blankRows.count != twin.blankRows.count || blankRows.firstNumbers != Array(twin.blankRows.prefix(1_000)) {
            return "blank rows \(blankRows), expected \(twin.blankRows)"
        }
        return skippedBytes == twin.skippedBytes ? nil : "skipped \(skippedBytes), expected \(twin.skippedBytes)"
    }
}
