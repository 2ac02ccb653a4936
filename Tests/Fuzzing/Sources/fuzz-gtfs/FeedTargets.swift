import GTFSFeed

/// Opens the bytes as a feed and reads its entries, within limits that keep one run short.
func readArchive(_ bytes: [UInt8]) {
    let file = MemoryFile(bytes)
    let limits = FeedLimits(maximumFiles: 2_000, maximumFeedBytes: 8 << 20, maximumSpooledBytes: 1 << 20)
    guard let feed = try? OpenedFeed.open(file.path, limits: limits, spoolFolder: "/dev/shm") else { return }
    _ = try? feed.contentHash()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_021, alignment: 1)
    defer { buffer.deallocate() }
    for entry in feed.entries {
        var size: UInt64 = 0
        guard let stream = try? feed.read(entry) else { continue }
        while let count = try? stream.read(into: buffer), count > 0 { size += UInt64(count) }
        precondition(size <= entry.size, "an entry has more bytes than it says")
    }
}

/// Reads the bytes as CSV twice, whole and in small pieces. Rows and fields must be the same.
func readCSV(_ bytes: [UInt8]) {
    guard let sizes = bytes.first else { return }
    let text = Array(bytes.dropFirst())
    let longest = sizes & 0x80 == 0 ? 1 << 20 : 40
    let small = 1 + Int(sizes & 0x0f)
    let whole = records(text, block: 1 << 16, pieces: .max, longest: longest)
    let parts = records(text, block: small, pieces: 1 + Int(sizes >> 4 & 7), longest: longest)
    precondition(whole == parts, "the sizes of blocks and reads change the rows")
}

private func records(_ bytes: [UInt8], block: Int, pieces: Int, longest: Int) -> [[[UInt8]]] {
    let source = ByteArraySource(bytes: bytes, most: pieces)
    guard let reader = try? CSVReader(source: source, blockBytes: block, maximumRecordBytes: longest) else { return [] }
    var records: [[[UInt8]]] = [reader.header.columns.map { Array($0.spelling.utf8) }]
    var used: RecordBlock?
    while let block = try? reader.nextBlock(reusing: used) {
        for row in 0..<block.rowCount {
            records.append(
                block.fields(of: row).map { Array(block.field($0)) }
                    + [
                        Array(block.rawRow(row)),
                        Array("\(block.rowNumber(row)) \(block.flags(of: row).rawValue)".utf8),
                    ])
        }
        used = block
    }
    return records
}

/// Gives out bytes in reads of at most `most` bytes.
struct ByteArraySource: ByteSource {
    let bytes: [UInt8]
    let most: Int
    private var position = 0

    init(bytes: [UInt8], most: Int) { (self.bytes, self.most) = (bytes, most) }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, most, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
