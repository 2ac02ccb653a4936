// Unsafe only where the bytes of a block are lent to the rules of text.

import GTFSFeed
import ICU

/// The encodings of a feed's files that are not UTF-8.
///
///     let encodings = FeedEncodings(feed, inventory)
///     encodings.encoding(of: "stops.txt")      // .legacy("windows-1252")
///
/// A file's encoding follows from the files alone: not from the order in which they are read, nor from the rows that a
/// filter keeps. So the same bytes are the same ID in all files. Nothing is read before a value turns up that is not
/// UTF-8.
final class FeedEncodings {
    enum Encoding {
        /// UTF-8 with bytes that are no characters, such as text that was cut within one.
        case damagedUTF8
        case legacy(String)
    }

    private let feed: OpenedFeed
    private let tables: [FeedEntry]
    private var known: [String: Encoding] = [:]

    init(_ feed: OpenedFeed, _ inventory: FeedInventory) {
        self.feed = feed
        tables = inventory.tables.map(\.entry).filter { $0.name.hasSuffix(".txt") } + inventory.unknownTables
    }

    /// The encoding of a table's file, which has a value that is not UTF-8. Any other file is read like the feed.
    func encoding(of file: String) -> Encoding {
        if let encoding = known[file] { return encoding }
        let table = tables.first { $0.name == file }
        let found = encoding(ofText: table.map { sample(of: $0, blocks: .max) } ?? [])
        known[file] = found
        return found
    }

    /// The encoding of a text in a file of this feed.
    func encoding(ofText text: [UInt8]) -> Encoding {
        text.withUnsafeBytes {
            TextRules.isMostlyUTF8($0) ? .damagedUTF8 : .legacy(Charset.guess($0, after: guessForAll).name)
        }
    }

    /// The guess that rests on the most text of one file. Only the first four megabytes of each file are searched: a
    /// feed may have one such word, in stops.txt.
    private lazy var guessForAll: Charset.Guess? = {
        var best: Charset.Guess?
        for table in tables {
            let guess: Charset.Guess? = sample(of: table, blocks: 16).withUnsafeBytes {
                $0.isEmpty || TextRules.isMostlyUTF8($0) ? nil : Charset.guess($0)
            }
            if let guess, guess.evidence > best?.evidence ?? 0 { best = guess }
        }
        return best
    }()

    /// The first block of a file, among so many, that is not UTF-8; empty if there is none. If the file cannot be read,
    /// reading it for the store says so.
    private func sample(of file: FeedEntry, blocks: Int) -> [UInt8] {
        guard let source = try? feed.source(of: file),
            let reader = try? CSVReader(source: source, maximumRecordBytes: feed.limits.maximumRecordBytes),
            !reader.encoding.hasByteOrderMark
        else { return [] }
        var used: RecordBlock?
        for _ in 0..<blocks {
            guard let block = try? reader.nextBlock(reusing: used) else { return [] }
            let text = UnsafeRawBufferPointer(start: block.bytes, count: block.rawCount)
            if block.containsNonASCII, !TextRules.isUTF8(text) { return Array(text) }
            used = block
        }
        return []
    }
}
