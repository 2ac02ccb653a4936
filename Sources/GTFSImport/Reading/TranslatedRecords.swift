// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import Cells
import GTFSSchema
import SQLite
import SystemFiles

/// Looks up what the rows of translations.txt translate, while they are read. Translated names of stops go to the
/// search terms; unknown records are noted.
///
/// With queries on the finished tables, this took an index lookup per row and four passes over all rows: 0.4 s for half
/// a million rows. Owned by the reading stage; others read it after that stage has ended.
final class TranslatedRecords {
    /// A file whose records may be translated.
    struct File {
        /// As `table_name` names it, such as "stops".
        let name: String
        /// Which IDs its records have.
        let id: ColumnReference
    }

    /// In the order of the notices.
    static let files = Specification.gtfs.files.compactMap { file in
        file.recordID.map { File(name: file.stem, id: $0) }
    }

    /// The cells of a row that are read.
    struct Cells {
        let table, record: Int
        let subrecord, field, original, translation: Int?

        /// Nil for other tables, and for a file without the columns that name a record.
        init?(_ plan: TablePlan) {
            guard plan.table == "translation", let table = plan.cell(of: "table_name"),
                let record = plan.cell(of: "record_id")
            else {
                return nil
            }
            (self.table, self.record, subrecord) = (table, record, plan.cell(of: "record_sub_id"))
            (field, original, translation) = (
                plan.cell(of: "field_name"), plan.cell(of: "field_value"), plan.cell(of: "translation")
            )
        }
    }

    /// Records that are not in their file, for each of `files`: how many there are, and the first ones with their rows.
    private(set) var unknown = [(count: Int, first: [(row: Int, record: String)])](
        repeating: (0, []), count: files.count)
    private(set) var namesAttributions = false
    /// Whether any row names a call of a known trip. StoreChecks looks for the call in the finished table.
    private(set) var namesCalls = false
    /// The distinct values of table_name; nil if they are more than 100. Also nil for a file that lacks table_name or
    /// record_id, whose rows may be about any table.
    private(set) var tableNames: Set<String>? = []
    /// Some feeds name a table for each row by mistake.
    private static let mostTableNames = 100
    /// In bytes. Of a longer name, only the beginning counts.
    private static let longestTableName = 100
    // Unchecked: no access lasts beyond a call of `note`.
    @exclusivity(unchecked) private var lastNamed: ShortText?
    /// Whether any row names no record, but the original words that it translates.
    var hasRowsWithoutRecord = false
    private let ids: [IdentifierMap]
    private let mostNamed: Int
    // Properties of the object: each access to a static constant first asks whether it has been made.
    private let stops = TranslatedRecords.position(of: "stops")
    private let calls = TranslatedRecords.position(of: "stop_times")
    /// The IDs of attributions are looked up in the finished table (StoreChecks).
    private let attributions = TranslatedRecords.position(of: "attributions")
    // Unchecked: no access lasts beyond a call of `number`.
    @exclusivity(unchecked) private var lastTable: (name: ShortText?, number: Int?) = (nil, nil)

    /// Notes the rows of at most `mostNamed` unknown records per file.
    init(_ namespaces: Namespaces, mostNamed: Int) {
        ids = Self.ids(namespaces)
        self.mostNamed = mostNamed
    }

    private static func position(of name: String) -> Int { files.firstIndex { $0.name == name } ?? -1 }

    /// The IDs of each of `files`.
    static func ids(_ namespaces: Namespaces) -> [IdentifierMap] { files.map { namespaces.map(of: $0.id) } }

    /// Looks up a record, and returns the stop if the row translates a stop's name. An unknown record is noted, unless
    /// the row has another fault: it names the original words as well, a call without its sequence, or a sequence for a
    /// record that has none. `hasSubrecord` is nil for a file without record_sub_id.
    func look(
        at record: UnsafeRawBufferPointer, ofTable table: UnsafeRawBufferPointer, field: UnsafeRawBufferPointer?,
        hasOriginal: Bool, hasSubrecord: Bool?, row: Int
    ) -> (stop: Int32, isReading: Bool)? {
        guard let number = number(of: table) else { return nil }
        guard number != attributions else {
            namesAttributions = true
            return nil
        }
        guard let key = ids[number].key(of: record) else {
            let isCall = number == calls
            if !hasOriginal, hasSubrecord ?? isCall == isCall { note(record, number, row) }
            return nil
        }
        if number == calls { namesCalls = true }
        guard number == stops, let field = field.flatMap(ShortText.init) else { return nil }
        if field == Self.name { return (key, false) }
        return field == Self.reading ? (key, true) : nil
    }

    /// Notes what a row names as its table.
    func note(table: UnsafeRawBufferPointer) {
        let short = ShortText(table)
        if let short, short == lastNamed { return }
        lastNamed = short
        // Swift compares texts in time that is quadratic in the marks on a letter. No table has so long a name.
        tableNames?.insert(String(decoding: table.prefix(Self.longestTableName), as: UTF8.self))
        if tableNames?.count ?? 0 > Self.mostTableNames { tableNames = nil }
    }

    /// For a file whose translations are not looked up: its rows may name any table.
    func skipTableNames() { tableNames = nil }

    /// The table's position in `files`. Remembers the last table, as rows of the same table are mostly adjacent.
    private func number(of table: UnsafeRawBufferPointer) -> Int? {
        if let short = ShortText(table), short == lastTable.name { return lastTable.number }
        lastTable = (ShortText(table), Self.position(ofTable: table))
        return lastTable.number
    }

    /// Compares in any case: the validator takes `Stops` for stops.txt.
    @inline(never)
    static func position(ofTable table: UnsafeRawBufferPointer) -> Int? {
        let name = table.lazy.map(\.asciiLowercased)
        return files.firstIndex { name.elementsEqual($0.name.utf8) }
    }

    private static let name = Array("stop_name".utf8).withUnsafeBytes { ShortText($0) }
    private static let reading = Array("tts_stop_name".utf8).withUnsafeBytes { ShortText($0) }

    private func note(_ record: UnsafeRawBufferPointer, _ number: Int, _ row: Int) {
        if unknown[number].count < mostNamed {
            unknown[number].first.append((row, String(decoding: record, as: UTF8.self)))
        }
        unknown[number].count += 1
    }
}

/// What a row of translations.txt says about a row of another file.
extension TableReader {
    /// Looks up the record of the row at hand. Translations by the original words name no record; queries on the
    /// finished tables resolve them later.
    func lookUpRecord(_ cells: TranslatedRecords.Cells) {
        if let table = text(cells.table) {
            unretainedRecords._withUnsafeGuaranteedRef { $0.note(table: table.bytes) }
        }
        guard let record = text(cells.record) else { return shared.translatedRecords.hasRowsWithoutRecord = true }
        guard let table = text(cells.table),
            let name = unretainedRecords._withUnsafeGuaranteedRef({
                $0.look(
                    at: record.bytes, ofTable: table.bytes, field: cells.field.flatMap(text)?.bytes,
                    hasOriginal: cells.original.flatMap(text) != nil,
                    hasSubrecord: cells.subrecord.map { text($0) != nil }, row: rowNumber)
            }),
            let translation = cells.translation.flatMap(text)
        else { return }
        let named = TranslatedName(
            stop: UInt32(clamping: name.stop), isReading: name.isReading, text: translation.place)
        unretainedBlock._withUnsafeGuaranteedRef { $0.translatedNames.append(named) }
    }

    /// The text in a cell of the row at hand, and its place in the block; nil if there is none.
    private func text(_ cell: Int) -> (bytes: Text, place: BlockText)? {
        let tag = cells.tags[cell]
        guard tag == CellTag.text || tag == CellTag.otherText else { return nil }
        let (isConverted, payload) = (tag == CellTag.otherText, cells.payloads[cell])
        let text = CellText.bytes(of: payload, from: isConverted ? block.otherText.bytes : bytes)
        let start = UInt32(clamping: CellText.offset(of: payload))
        return (text, BlockText(isConverted: isConverted, start: start, count: UInt32(clamping: text.count)))
    }
}
