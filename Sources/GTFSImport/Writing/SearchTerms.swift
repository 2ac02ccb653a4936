import GTFSSchema
import SQLite
import SearchText

/// Fills `search_term`: one row for each distinct word of each stop's name, in every language that the feed has it in.
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

    func fill() throws(SQLiteError) {
        let source = try WordSource(names: connection.prepare(Self.names))
        // The connection keeps the source, so the source must not keep the connection by its statement.
        defer { source.release() }
        try connection.createBatchTable("incoming_search_term", columns: 2, source: source)
        try connection.execute(
            "BEGIN; INSERT INTO search_term(normalized_word, stop) "
                + "SELECT DISTINCT c0, c1 FROM temp.incoming_search_term ORDER BY c0, c1; COMMIT")
        if let error = source.error { throw error }
    }
}

/// Words of names as batches of cells.
private final class WordSource: CellBatchSource {
    private var names: Statement?
    private let normalizer = NameNormalizer()
    private let splitter = WordSplitter()
    private let cells = CellBuffer()
    private let text = TextArena()
    private var normalized: [UInt8] = []
    private(set) var error: SQLiteError?
    /// A statement that is stepped beyond its end would begin anew.
    private var isAtEnd = false

    private static let rowsPerBatch = 4_000

    init(names: Statement) { self.names = names }

    func release() { names = nil }

    func nextBatch() -> CellBatch? {
        cells.prepare(rows: Self.rowsPerBatch, stride: 2)
        text.removeAll()
        while cells.rowCount < Self.rowsPerBatch, hasNextName() { addWords() }
        return cells.rowCount == 0 ? nil : cells.batch(text: text.bytes, otherText: text.bytes)
    }

    private func hasNextName() -> Bool {
        guard !isAtEnd, let names else { return false }
        do throws(SQLiteError) { isAtEnd = try !names.step() } catch {
            self.error = error
            isAtEnd = true
        }
        return !isAtEnd
    }

    private func addWords() {
        guard let names else { return }
        let stop = names.integer(0)
        names.withText(1) { normalizer.normalize($0, into: &normalized) }
        normalized.withUnsafeBytes { name in
            splitter.forEachDistinctWord(in: name) { word in
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
