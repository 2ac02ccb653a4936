// Unsafe only where the bytes of a block are lent to the rules of text.

import GTFSFeed
import GTFSSchema
import ICU

/// The encodings of a feed's files that are not UTF-8.
///
///     let encodings = FeedEncodings(feed, inventory) { cancellation.isSet }
///     encodings.encoding(of: "stops.txt", with: name)      // .legacy("windows-1252")
///
/// A file's encoding follows from the files alone: not from the order in which they are read, nor from the rows that a
/// filter keeps. So the same bytes are the same ID in all files. Nothing is read before a value turns up that is not
/// UTF-8.
final class FeedEncodings {
    enum Encoding {
        /// UTF-8 with some invalid bytes, as where text was cut within a character.
        case damagedUTF8
        case legacy(String)
    }

    private let feed: OpenedFeed
    private let isCancelled: () -> Bool
    /// In the order in which they are searched: names of stops are the most text that a feed has.
    private let tables: [FeedEntry]
    /// By the bytes of the files' names. For Swift, é in one code point equals é in two; as names, they are two files.
    private var known: [[UInt8]: Encoding] = [:]
    private var upperHalves: [String: [Unicode.Scalar]] = [:]
    /// How many bytes above ASCII decide the encoding of the whole feed: those of some eighty words.
    private static let bytesThatDecide = 100
    /// In a text of a two-byte encoding, some pairs of bytes are UTF-8 by chance. So in a feed of such an encoding, a
    /// text counts as damaged UTF-8 only if it has more valid characters than this for each invalid place.
    private static let leastCharactersPerFault = 4

    /// When cancelled, a search ends early; whoever reads the feed then stops as well.
    init(_ feed: OpenedFeed, _ inventory: FeedInventory, isCancelled: @escaping () -> Bool) {
        self.feed = feed
        self.isCancelled = isCancelled
        // By the names of the specification: the feed may have STOPS.TXT.
        let stops = inventory.tables.filter { $0.definition.name == "stops.txt" }
        let others = inventory.tables.filter {
            $0.definition.name != "stops.txt" && $0.definition.name.hasSuffix(".txt")
        }
        tables = (stops + others).map(\.entry) + inventory.unknownTables
    }

    /// The encoding of a file that has this text, which is not UTF-8. For files that are not tables, it follows from
    /// the text and the feed's encoding.
    func encoding(of file: String, with text: UnsafeRawBufferPointer) -> Encoding {
        let name = Array(file.utf8)
        if let encoding = known[name] { return encoding }
        if let ofFeed, ofFeed.files.contains(name) { return .legacy(ofFeed.guess.name) }
        let table = tables.first { $0.name.utf8.elementsEqual(name) }
        let ofTable = table.map { sample(of: $0, blocks: .max) } ?? []
        // The sample is empty if the whole value is UTF-8 and only the trimmed text is not.
        let found = encoding(ofText: ofTable.isEmpty ? Array(text) : ofTable)
        known[name] = found
        return found
    }

    /// Whether both the feed and this file use a legacy encoding of this kind: with two bytes for a letter, or with
    /// one. In both kinds some words are UTF-8 by chance. False for files that are entirely UTF-8.
    func haveLetters(ofTwoBytes isOfTwo: Bool, in file: String, with text: UnsafeRawBufferPointer) -> Bool {
        guard ofFeed?.guess.hasTwoByteLetters == isOfTwo, case .legacy(let name) = encoding(of: file, with: text) else {
            return false
        }
        return Charset.hasTwoByteLetters(name) == isOfTwo
    }

    /// Whether the file's encoding has one byte for a letter, has A0 as the no-break space, and lacks the last
    /// character of a text that is read as UTF-8. While the file's encoding is unknown, that of the feed counts.
    func lacksLastCharacter(of text: UnsafeRawBufferPointer, in file: String) -> Bool {
        var name = ofFeed?.guess.name
        if case .legacy(let known)? = known[Array(file.utf8)] { name = known }
        guard let name, !Charset.hasTwoByteLetters(name),
            let last = String(decoding: text, as: UTF8.self).unicodeScalars.last
        else { return false }
        let upperHalf = upperHalf(of: name)
        return upperHalf.count == 0x80 && upperHalf[0xA0 - 0x80] == "\u{A0}" && !upperHalf.contains(last)
    }

    /// The characters that 80 to FF are in an encoding of one byte.
    private func upperHalf(of name: String) -> [Unicode.Scalar] {
        if let known = upperHalves[name] { return known }
        var utf8: [UInt8] = []
        let bytes = Array(UInt8(0x80)...0xFF)
        bytes.withUnsafeBytes { CharsetDecoder(name)?.decodeWhole($0, appendingTo: &utf8) }
        let characters = Array(String(decoding: utf8, as: UTF8.self).unicodeScalars)
        upperHalves[name] = characters
        return characters
    }

    /// The encoding of a text in a file of this feed.
    func encoding(ofText text: [UInt8]) -> Encoding {
        text.withUnsafeBytes { text in
            let times = ofFeed?.guess.hasTwoByteLetters == true ? Self.leastCharactersPerFault : 1
            return TextRules.isMostlyUTF8(text, times: times)
                ? .damagedUTF8 : .legacy(Charset.guess(text, preferring: ofFeed?.guess).name)
        }
    }

    /// The guess for the text of the first files that have enough of it together. Only the first four megabytes of each
    /// file are searched.
    private lazy var ofFeed: (files: Set<[UInt8]>, guess: Charset.Guess)? = {
        var (text, files): (CharsetText, Set<[UInt8]>) = (CharsetText(), [])
        for table in tables where text.evidence < Self.bytesThatDecide {
            let sample = sample(of: table, blocks: 16)
            guard !sample.isEmpty, !sample.withUnsafeBytes({ TextRules.isMostlyUTF8($0) }) else { continue }
            sample.withUnsafeBytes { text.add($0) }
            files.insert(Array(table.name.utf8))
        }
        return files.isEmpty ? nil : (files, text.guess)
    }()

    /// Looks for a block that is not UTF-8 among the first `blocks` ones. Returns its lines with bytes above ASCII, or
    /// nothing if there is no such block. If the file cannot be read, reading it for the store says so.
    private func sample(of file: FeedEntry, blocks: Int) -> [UInt8] {
        guard let source = try? feed.source(of: file),
            let reader = try? CSVReader(source: source, maximumRecordBytes: feed.limits.maximumRecordBytes),
            !reader.encoding.hasByteOrderMark
        else { return [] }
        var used: RecordBlock?
        for _ in 0..<blocks {
            guard !isCancelled(), let block = try? reader.nextBlock(reusing: used) else { return [] }
            let text = UnsafeRawBufferPointer(start: block.bytes, count: block.rawCount)
            if block.containsNonASCII, !TextRules.isUTF8(text) {
                return Array(text.split(separator: 0x0A).filter { $0.contains { $0 > 0x7F } }.joined(separator: [0x0A]))
            }
            used = block
        }
        return []
    }
}
