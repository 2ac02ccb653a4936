import GTFSSchema
import SQLite
import SearchText

/// Fills `search_term` and `search_spelling`: the words of each stop's name, in every language that the feed has it in,
/// and how else people may type them.
///
///     try SearchTerms(connection).fill()
struct SearchTerms {
    let connection: Connection

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

    func fill() throws(SQLiteError) {
        let hasOtherLetters = try fill("search_term", with: StopWords(), of: Self.names)
        let isNew = "WHERE NOT EXISTS (SELECT 1 FROM search_term WHERE normalized_word = c0 AND stop = c1)"
        if hasOtherLetters { try fill("search_spelling", with: OtherSpellings(), of: Self.names, isNew) }
        if try connection.integer("SELECT EXISTS (\(Self.readings))") == 1 {
            try fill("search_spelling", with: SpokenWords(), of: Self.readings, isNew)
        }
    }

    /// Fills a table with the words that are made of names; answers whether a name had letters beyond ASCII.
    @discardableResult
    private func fill(
        _ table: String, with words: some WordMaking, of names: String, _ condition: String = ""
    ) throws(SQLiteError) -> Bool {
        let source = WordSource(names: try connection.prepare(names), words)
        // The connection keeps the source, so the source must not keep the connection by its statement.
        defer { source.release() }
        let incoming = type(of: words).incoming
        try connection.createBatchTable(incoming, columns: 2, source: source)
        try connection.execute(
            "BEGIN; INSERT OR IGNORE INTO \(table)(normalized_word, stop) "
                + "SELECT DISTINCT c0, c1 FROM temp.\(incoming) \(condition) ORDER BY c0, c1; COMMIT")
        if let error = source.error { throw error }
        return source.hasOtherLetters
    }
}

/// Makes words of a name.
private protocol WordMaking: AnyObject {
    /// The name of the temporary table that gives the words.
    static var incoming: String { get }
    /// Calls `body` with each word; the pointer is valid in there only.
    func forEachWord(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void)
}

/// The different words of the normalized name.
private final class StopWords: WordMaking {
    static let incoming = "incoming_term"
    private let normalizer = NameNormalizer()
    private let splitter = WordSplitter()
    private var normalized: [UInt8] = []

    func forEachWord(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        normalizer.normalize(name, into: &normalized)
        normalized.withUnsafeBytes { splitter.forEachDistinctWord(in: $0, body) }
    }
}

/// The words in other spellings.
private final class OtherSpellings: WordMaking {
    static let incoming = "incoming_spelling"
    private let spellings = NameSpellings()

    func forEachWord(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        // Most names are ASCII and have none: nothing is allocated for them.
        guard name.contains(where: { $0 >= 0x80 }) else { return }
        for var word in spellings.words(of: String(decoding: name, as: UTF8.self)) {
            word.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }
}

/// The words as they are, and in other spellings.
private final class SpokenWords: WordMaking {
    static let incoming = "incoming_reading"
    private let words = StopWords()
    private let spellings = OtherSpellings()

    func forEachWord(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        words.forEachWord(of: name, body)
        spellings.forEachWord(of: name, body)
    }
}

/// Words of names as batches of cells.
private final class WordSource<Words: WordMaking>: CellBatchSource {
    /// nil at the end: a statement that is stepped beyond it would begin anew.
    private var names: Statement?
    private let words: Words
    private let cells = CellBuffer()
    private let text = TextArena()
    private(set) var error: SQLiteError?
    private(set) var hasOtherLetters = false

    private static var rowsPerBatch: Int { 4_000 }

    init(names: Statement, _ words: Words) {
        self.names = names
        self.words = words
    }

    func release() { names = nil }

    func nextBatch() -> CellBatch? {
        cells.prepare(rows: Self.rowsPerBatch, stride: 2)
        text.removeAll()
        while cells.rowCount < Self.rowsPerBatch, let names {
            do throws(SQLiteError) {
                if try names.step() { addWords(names) } else { release() }
            } catch {
                self.error = error
                release()
            }
        }
        return cells.rowCount == 0 ? nil : cells.batch(text: text.bytes, otherText: text.bytes)
    }

    private func addWords(_ names: Statement) {
        let stop = names.integer(0)
        names.withText(1) { name in
            hasOtherLetters = hasOtherLetters || name.contains { $0 >= 0x80 }
            words.forEachWord(of: name) { word in
                cells.makeRoomForRow()
                let cell = cells.rowCount * 2
                cells.tags[cell] = CellBatch.Tag.text
                cells.payloads[cell] = CellBuffer.textPayload(offset: text.append(word), count: word.count)
                cells.tags[cell + 1] = CellBatch.Tag.integer
                cells.payloads[cell + 1] = stop
                cells.rowCount += 1
            }
        }
    }
}
