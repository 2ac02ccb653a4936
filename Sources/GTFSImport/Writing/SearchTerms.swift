// Unsafe: makes records from words where they lie.

import GTFSSchema
import KeySorting
import SQLite
import SQLitePages
import SearchText

/// Fills `search_term` and `search_spelling`: the words of each stop's name, in every language that the feed has it in,
/// and how else people may type them: in other letters, or without what stands before a full stop or an apostrophe.
///
///     let terms = SearchTerms(place, memory: limit)
///     try terms.fill(connection)
///
/// Words are numbered and sorted as numbers, and so is the table's index, which is written later: 25,000 words take
/// 10 ms, and 60 by SELECT DISTINCT … ORDER BY and CREATE INDEX.
final class SearchTerms {
    static let indexName = "search_term_stop"

    /// Names as riders see them: the stop's own, and its translations by record or by value.
    private static let names = """
        SELECT id, name FROM stop WHERE name IS NOT NULL
        UNION ALL
        SELECT stop.id, translation.translation FROM translation JOIN stop ON stop.stop_id = translation.record_id
        WHERE translation.table_name = 'stops' AND translation.field_name = 'stop_name'
        AND translation.translation IS NOT NULL
        UNION ALL
        SELECT stop.id, translation.translation FROM translation JOIN stop ON stop.name = translation.field_value
        WHERE translation.table_name = 'stops' AND translation.field_name = 'stop_name'
        AND translation.record_id IS NULL AND translation.translation IS NOT NULL
        """

    /// Names as they are spoken, such as the kana for a name in Chinese characters.
    private static let readings = """
        SELECT id, tts_name FROM stop WHERE tts_name IS NOT NULL
        UNION ALL
        SELECT stop.id, translation.translation FROM translation JOIN stop ON stop.stop_id = translation.record_id
        WHERE translation.table_name = 'stops' AND translation.field_name = 'tts_stop_name'
        AND translation.translation IS NOT NULL
        """

    /// Where a word comes from: the normalized name itself, or another spelling of it. Of one word and stop the term
    /// is sorted first.
    private enum Origin: UInt64 { case term, spelling }

    private let place: StorePlace
    private let memory: MemoryLimit
    private let words = IndexTexts(areDistinct: false, budget: nil)
    /// First a word's number and a stop, later in the order of words; below them the origin.
    private var keys: KeySorter
    /// A stop and a word's rank.
    private let stops: KeySorter
    /// Rows of `search_term`.
    private(set) var count = 0
    private let (normalizer, splitter, otherSpellings) = (NameNormalizer(), WordSplitter(), NameSpellings())
    private var normalized: [UInt8] = []

    init(_ place: StorePlace, memory: MemoryLimit) {
        self.place = place
        self.memory = memory
        keys = KeySorter(in: place.space)
        stops = KeySorter(in: place.space)
    }

    // MARK: Reading names

    /// Writes the empty tables' pages. No transaction may be open.
    func fill(_ connection: Connection) throws {
        try read(Self.names, as: .term, connection)
        try read(Self.readings, as: .spelling, connection)
        keys = try keys.ranked(by: words.ranks(in: place).ranks, in: place)
        try write(connection)
    }

    private func read(_ names: String, as origin: Origin, _ connection: Connection) throws {
        let names = try connection.prepare(names)
        // By their bytes, as a name may have a million of them.
        var bytesUntilCheck = 0
        while try names.step() {
            if bytesUntilCheck <= 0 {
                bytesUntilCheck = 1 << 16
                try place.check()
                try memory.check(writing: place.path)
            }
            let stop = UInt64(UInt32(clamping: names.integer(0)))
            try names.withText(1) { name in
                bytesUntilCheck -= name.count + 16
                try add(name, stop, origin)
            }
        }
        try memory.check(writing: place.path)
    }

    private func add(_ name: UnsafeRawBufferPointer, _ stop: UInt64, _ origin: Origin) throws {
        normalizer.normalize(name, into: &normalized)
        try normalized.withUnsafeBytes { name in
            try splitter.forEachDistinctWord(in: name) { try add(word: $0, stop, origin) }
        }
        // Most names are ASCII and have no other spelling: nothing is allocated for them.
        guard name.contains(where: { $0 >= 0x80 }) else { return }
        for var word in otherSpellings.words(of: String(decoding: name, as: UTF8.self)) {
            try word.withUTF8 { try add(word: UnsafeRawBufferPointer($0), stop, .spelling) }
        }
    }

    private func add(word: UnsafeRawBufferPointer, _ stop: UInt64, _ origin: Origin) throws(KeySortingError) {
        try append(word, stop, origin)
        try WordParts.forEachFurtherPart(of: word) { part throws(KeySortingError) in
            try append(part, stop, .spelling)
        }
    }

    private func append(_ word: UnsafeRawBufferPointer, _ stop: UInt64, _ origin: Origin) throws(KeySortingError) {
        guard let number = words.number(of: word) else { return }
        try keys.append(SortKey(high: UInt64(number + 1) << 32 | stop, low: origin.rawValue))
    }

    // MARK: Writing

    private func write(_ connection: Connection) throws {
        let spellings = KeySorter(in: place.space)
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        var (last, spellingCount) = (UInt64?.none, 0)
        // A name and its translation may have the same word.
        try write(keys, to: "search_term", of: file, connection) { key in
            guard key.high != last else { return false }
            last = key.high
            guard key.low == Origin.term.rawValue else {
                spellingCount += 1
                try spellings.append(SortKey(high: key.high, low: 0))
                return false
            }
            try stops.append(SortKey(high: key.high << 32 | key.high >> 32, low: 0))
            count += 1
            return true
        }
        guard spellingCount > 0 else { return }
        try write(spellings, to: "search_spelling", of: file, connection) { _ in true }
    }

    private func write(
        _ keys: KeySorter, to table: String, of file: DatabaseFile, _ connection: Connection,
        _ takes: (SortKey) throws -> Bool
    ) throws {
        guard let root = try connection.rootPage(of: table) else {
            throw ImportError(.bug, "\(place.path): table \(table) was not made")
        }
        let tree = try file.tree(root: root)
        try append(keys, to: tree, wordFirst: true, takes)
        try file.adopt(tree.finish())
    }

    /// Writes the pages of the index by stop behind those of the file and answers the root.
    func writeIndex(to file: DatabaseFile) throws -> UInt32 {
        let tree = try file.tree(root: nil)
        try append(stops, to: tree, wordFirst: false) { _ in true }
        let written = try tree.finish()
        try file.adopt(written)
        return written.rootPage
    }

    /// Appends a record of word and stop, or of stop and word, for each key that is taken.
    private func append(
        _ keys: KeySorter, to tree: IndexTreeWriter, wordFirst: Bool, _ takes: (SortKey) throws -> Bool
    ) throws {
        let (word, stop) = wordFirst ? (0, 1) : (1, 0)
        var tags = [CellBatch.Tag.integer, CellBatch.Tag.integer]
        tags[word] = CellBatch.Tag.text
        var payloads: [Int64] = [0, 0]
        var encoder = RecordEncoder(columns: 2)
        while let batch = try keys.nextBatch() {
            Failpoint.reach("words")
            try place.check()
            for key in batch where try takes(key) {
                let (high, low) = (Int(key.high >> 32), Int(key.high & 0xFFFF_FFFF))
                payloads[word] = words.payload(ofRank: (wordFirst ? high : low) - 1)
                payloads[stop] = Int64(wordFirst ? low : high)
                let record = encoder.encode(
                    tags: tags, payloads: payloads, text: words.bytes, otherText: words.bytes)
                try tree.append(record)
            }
        }
    }
}
