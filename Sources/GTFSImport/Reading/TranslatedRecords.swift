// Unsafe only where cells pass by, as bytes that lie in the reader's block: nothing is copied or allocated for a cell.

import Cells
import GTFSSchema
import SQLite

/// What the rows of translations.txt translate, looked up while they are read: the names of stops go to the search
/// terms, and records that no file has are noted.
///
/// Asked of the finished tables, each row took a look into an index for its record and four passes over all rows: 0.4 s
/// for half a million. Owned by the reading stage; read by others after it ended.
final class TranslatedRecords {
    /// The files whose rows may be named, each with its table and the column of its ID, in the order of the notices.
    static let files = [
        ("agency", "agency", "agency_id"), ("stops", "stop", "stop_id"), ("routes", "route", "route_id"),
        ("trips", "trip", "trip_id"), ("stop_times", "trip", "trip_id"), ("pathways", "pathway", "pathway_id"),
        ("levels", "level", "level_id"), attributions,
    ]
    /// Read after translations.txt, so its records are looked up in its table.
    static let attributions = ("attributions", "attribution", "attribution_id")
    private static let stops = 1

    /// The cells of a row that are looked at.
    struct Cells {
        let table, field, translation, record: Int

        /// Nil for another table, and for one without one of these columns.
        init?(_ plan: TablePlan) {
            func cell(_ name: String) -> Int? { plan.cellColumns.firstIndex(of: name) }
            guard plan.table == "translation", let table = cell("table_name"), let field = cell("field_name"),
                let translation = cell("translation"), let record = cell("record_id")
            else { return nil }
            (self.table, self.field, self.translation, self.record) = (table, field, translation, record)
        }
    }

    /// Records that no row of their file has: of each of `files` how many, and the first of them by row.
    private(set) var unknown = [(count: Int, first: [(row: Int, record: String)])](
        repeating: (0, []), count: files.count)
    private(set) var namesAttributions = false
    /// Whether a row names no record, but the words that it translates.
    var hasRowsWithoutRecord = false
    private let ids: [IdentifierMap]
    private let mostNamed: Int
    // Unchecked: no access lasts beyond a call of `number`.
    @exclusivity(unchecked) private var lastTable: (name: ShortText?, number: Int?) = (nil, nil)

    /// Of unknown records of one file no more than `mostNamed` are named.
    init(_ namespaces: Namespaces, mostNamed: Int) {
        ids = Self.files.map { namespaces.map(of: ColumnReference(table: $0.1, column: $0.2)) }
        self.mostNamed = mostNamed
    }

    /// Looks a record up, and answers the stop whose name the row translates, if it does.
    func look(
        at record: UnsafeRawBufferPointer, ofTable table: UnsafeRawBufferPointer, field: UnsafeRawBufferPointer?,
        row: Int
    ) -> (stop: Int32, isReading: Bool)? {
        guard let number = number(of: table) else { return nil }
        guard number + 1 < Self.files.count else {
            namesAttributions = true
            return nil
        }
        guard let key = ids[number].key(of: record) else {
            note(record, number, row)
            return nil
        }
        guard number == Self.stops, let field = field.flatMap(ShortText.init) else { return nil }
        if field == Self.name { return (key, false) }
        return field == Self.reading ? (key, true) : nil
    }

    /// Rows of one table mostly stand together.
    private func number(of table: UnsafeRawBufferPointer) -> Int? {
        if let short = ShortText(table), short == lastTable.name { return lastTable.number }
        lastTable = (ShortText(table), Self.files.firstIndex { table.elementsEqual($0.0.utf8) })
        return lastTable.number
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
    /// Of translations by the original words, which name no record, the finished tables are asked.
    func lookUpRecord(_ cells: TranslatedRecords.Cells) {
        guard let record = text(cells.record) else { return shared.translatedRecords.hasRowsWithoutRecord = true }
        guard let table = text(cells.table),
            let name = unretainedRecords._withUnsafeGuaranteedRef({
                $0.look(at: record.bytes, ofTable: table.bytes, field: text(cells.field)?.bytes, row: rowNumber)
            }),
            let translation = text(cells.translation)
        else { return }
        let named = TranslatedName(
            stop: UInt32(clamping: name.stop), isReading: name.isReading, text: translation.place)
        unretainedBlock._withUnsafeGuaranteedRef { $0.translatedNames.append(named) }
    }

    /// The text in a cell of the row at hand, and where it is for others; nil when there is none.
    private func text(_ cell: Int) -> (bytes: Text, place: BlockText)? {
        let tag = rowTags[cell]
        guard tag == CellTag.text || tag == CellTag.otherText else { return nil }
        let isConverted = tag == CellTag.otherText
        let (start, count) = (Int(rowPayloads[cell] >> 32), Int(UInt32(truncatingIfNeeded: rowPayloads[cell])))
        return (
            Text(start: (isConverted ? block.otherText.bytes : bytes) + start, count: count),
            BlockText(isConverted: isConverted, start: UInt32(clamping: start), count: UInt32(clamping: count))
        )
    }
}
