// Unsafe: makes records from words where they lie.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages
import SystemFiles

/// Fills `search_term` with the words of each stop's name, in every language of the feed. Fills `search_spelling` with
/// other ways to type them: in other letters, or without the part before a full stop or an apostrophe.
///
///     let terms = SearchTerms(place)
///     for block in blocks { try terms.add(block) }
///     try terms.endNames(hasTranslationsByValue: false)
///     try terms.fill(connection)
///
/// Words are numbered and sorted as numbers, and so is the table's index, which is written later. 25,000 words take 10
/// ms, instead of 60 ms by SELECT DISTINCT … ORDER BY and CREATE INDEX.
final class SearchTerms {
    static let indexName = "search_term_stop"

    /// Names that come with no block: translations by value.
    private static let translationsByValue = """
        SELECT stop.id, t.translation FROM (
            SELECT DISTINCT field_value, translation FROM translation WHERE record_id IS NULL
            AND table_name = 'stops' COLLATE NOCASE AND field_name = 'stop_name' AND translation IS NOT NULL
        ) AS t JOIN stop ON stop.name = t.field_value
        """

    /// The same in the older form of translations.txt, with the columns trans_id, lang and translation, which names no
    /// field. Feeds of Japan, Belgium and India still have it.
    private static let oldTranslations = """
        SELECT stop.id, t.translation FROM (
            SELECT DISTINCT trans_id, translation FROM translation
            WHERE table_name IS NULL AND translation IS NOT NULL
        ) AS t JOIN stop ON stop.name = t.trans_id
        """
    private static let hasOldTranslations =
        "SELECT count(*) FROM pragma_table_info('translation') WHERE name = 'trans_id' COLLATE NOCASE"

    private typealias Origin = SearchWords.Origin

    private let place: StorePlace
    private let words: SearchWords
    /// A stop and a word's rank.
    private let stops: KeySorter
    /// Rows of `search_term`.
    private(set) var count = 0
    /// The cells of a stop's name and of its spoken form.
    private var cells: [(cell: Int, origin: Origin)] = []
    // Unchecked: no access lasts beyond an addition.
    @exclusivity(unchecked) private var names = StopNames()
    private let splitting: NameThread
    private var thread: WorkerThread?
    private var hasTranslationsByValue = false

    init(_ place: StorePlace) {
        self.place = place
        words = SearchWords(in: place.space)
        stops = KeySorter(in: place.space)
        splitting = NameThread(words, at: place)
    }

    deinit {
        splitting.abandon()
        if let thread = thread.take() { thread.join() }
    }

    // MARK: Reading names

    /// Begins a file. Names are taken from the cells of stops.txt only.
    func begin(_ plan: TablePlan) {
        let columns: [(String, Origin)] = plan.table == "stop" ? [("name", .term), ("tts_name", .spelling)] : []
        cells = columns.compactMap { column, origin in
            plan.cell(of: column).map { ($0, origin) }
        }
    }

    /// Adds the names that a block of stops or translations brings.
    func add(_ block: ParsedBlock) throws {
        guard !cells.isEmpty || !block.translatedNames.isEmpty else { return }
        let batch = block.batch(of: block.cells)
        for (cell, origin) in cells {
            for row in batch.rows {
                if let name = row.text(cell) { try add(name, UInt32(clamping: row.id), origin) }
            }
        }
        for name in block.translatedNames {
            try add(name.text.bytes(in: batch), name.stop, name.isReading ? .spelling : .term)
        }
    }

    /// Ends a file that has been read to its end.
    func end() throws {
        if !names.isEmpty { try handOver() }
    }

    private func add(_ name: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: Origin) throws {
        names.append(name, stop, origin)
        if names.isFull { try handOver() }
    }

    /// Has the names split by the other thread, or by this one if the system refuses another.
    private func handOver() throws {
        let names = names
        self.names = StopNames()
        guard beginSplitting() else { return try splitting.add(all: names) }
        splitting.add(names)
    }

    private func beginSplitting() -> Bool {
        if thread != nil { return true }
        let splitting = splitting
        guard let started = WorkerThread({ splitting.run() }) else { return false }
        thread = consume started
        return true
    }

    /// No more names will come with blocks. Words are ranked while the rest of the feed is read, unless names are still
    /// to come from the table of translations.
    func endNames(hasTranslationsByValue: Bool) throws {
        try end()
        self.hasTranslationsByValue = hasTranslationsByValue
        splitting.close(ranking: !hasTranslationsByValue)
    }

    /// Writes the empty tables' pages. No transaction may be open.
    func fill(_ connection: Connection) throws {
        splitting.close()
        if let thread = thread.take() { thread.join() }
        try splitting.check()
        if hasTranslationsByValue {
            try add(connection.prepare(Self.translationsByValue))
            if try connection.integer(Self.hasOldTranslations) == 1 {
                try add(connection.prepare(Self.oldTranslations))
            }
        }
        let keys = try splitting.keys ?? words.keysByRank(checking: place.check)
        try DatabaseFile.append(to: place) { try write(keys, to: $0, connection) }
    }

    /// Adds names of stops, from rows of a stop and a name.
    private func add(_ rows: Statement) throws {
        var isOver = false
        while !isOver {
            let names = StopNames()
            while !names.isFull {
                guard try rows.step() else {
                    isOver = true
                    break
                }
                let stop = UInt32(clamping: rows.integer(0))
                rows.withText(1) { names.append($0, stop, .term) }
            }
            try place.check()
            try splitting.add(all: names)
        }
    }

    // MARK: Writing

    private func write(_ keys: KeySorter, to file: DatabaseFile, _ connection: Connection) throws {
        let spellings = KeySorter(in: place.space)
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
        if spellingCount > 0 { try write(spellings, to: "search_spelling", of: file, connection) { _ in true } }
    }

    private func write(
        _ keys: KeySorter, to table: String, of file: DatabaseFile, _ connection: Connection,
        _ takes: (SortKey) throws -> Bool
    ) throws {
        let tree = try file.tree(root: connection.rootPage(ofTable: table, in: place))
        try append(keys, to: tree, wordFirst: true, takes)
        try file.adopt(tree.finish())
    }

    /// Writes the pages of the index by stop behind those of the file and returns the root page.
    func writeIndex(to file: DatabaseFile) throws -> UInt32 {
        try file.appendIndex { try append(stops, to: $0, wordFirst: false) { _ in true } }
    }

    /// Appends a record of word and stop, or of stop and word, for each key that `takes` accepts.
    private func append(
        _ keys: KeySorter, to tree: IndexTreeWriter, wordFirst: Bool, _ takes: (SortKey) throws -> Bool
    ) throws {
        let (word, stop) = wordFirst ? (0, 1) : (1, 0)
        var tags = [CellTag.integer, CellTag.integer]
        tags[word] = CellTag.text
        var payloads: [Int64] = [0, 0]
        var encoder = RecordEncoder(columns: 2)
        while let batch = try keys.nextBatch() {
            Failpoint.reach("words")
            try place.check()
            for key in batch where try takes(key) {
                let (high, low) = (Int(key.high >> 32), Int(key.high & 0xFFFF_FFFF))
                payloads[word] = words.texts.payload(ofRank: (wordFirst ? high : low) - 1)
                payloads[stop] = Int64(wordFirst ? low : high)
                let record = encoder.encode(
                    tags: tags, payloads: payloads, text: words.texts.bytes, otherText: words.texts.bytes)
                try tree.append(record)
            }
        }
    }
}
