import GTFSSchema
import SQLite

/// Translations of records that the feed lacks. `TranslatedRecords` has found most of them while the rows passed.
extension StoreChecks {
    private static let translations = NoticeLog.FilePlace("translations.txt")

    /// A translation's record_id must be an ID of the file that it names. Another notice says if the feed lacks it.
    func findUnknownTranslatedRecords(_ notices: inout NoticeLog) throws(SQLiteError) {
        guard let translatedRecords else { return }
        for (file, unknown) in zip(TranslatedRecords.files, translatedRecords.unknown) where hasFile("\(file.name).txt")
        {
            for (row, id) in unknown.first { note(row, id, file, &notices) }
            let unnamed = unknown.count - unknown.first.count
            notices.count(.translationForeignKeyViolation, in: Self.translations, times: unnamed)
        }
        if translatedRecords.namesCalls { try findUnknownTranslatedCalls(&notices) }
        if translatedRecords.namesAttributions { try findUnknownTranslatedAttributions(&notices) }
    }

    private func findUnknownTranslatedAttributions(_ notices: inout NoticeLog) throws(SQLiteError) {
        guard let file = TranslatedRecords.files.first(where: { $0.name == "attributions" }),
            hasFile("attributions.txt")
        else { return }
        let rows = try connection.prepare(
            """
            SELECT id, record_id FROM translation WHERE table_name = 'attributions' COLLATE NOCASE AND record_id IS NOT NULL
            AND record_sub_id IS NULL AND field_value IS NULL
            AND NOT EXISTS (SELECT 1 FROM attribution WHERE attribution_id = translation.record_id) ORDER BY id
            """
        )
        while try rows.step() {
            note(Int(rows.integer(0)) + 1, rows.text(1) ?? "", file, &notices)
        }
    }

    /// The record_sub_id of a call must be a stop_sequence of its trip.
    private func findUnknownTranslatedCalls(_ notices: inout NoticeLog) throws(SQLiteError) {
        let rows = try connection.prepare(
            """
            SELECT t.id, t.record_id, t.record_sub_id FROM translation AS t JOIN trip ON trip.trip_id = t.record_id
            WHERE t.table_name = 'stop_times' COLLATE NOCASE AND t.record_sub_id IS NOT NULL AND t.field_value IS NULL
            AND NOT EXISTS (
                SELECT 1 FROM stop_time WHERE trip = trip.id AND stop_sequence = CAST(t.record_sub_id AS INTEGER)
                AND t.record_sub_id NOT GLOB '*[^0-9]*')
            ORDER BY t.id
            """)
        while try rows.step() {
            func text(_ column: Int) -> String { Notice.shortened(rows.text(column) ?? "") }
            let row = Int(rows.integer(0)) + 1
            notices.add(
                .translationForeignKeyViolation, file: "translations.txt", in: Self.translations, row: row,
                field: "record_sub_id", value: text(2),
                "translations.txt, row \(row), record_sub_id: \"\(text(2))\" is not a stop_sequence of trip \"\(text(1))\"",
                .storedAsItIs)
        }
    }

    private func hasFile(_ name: String) -> Bool {
        let table = Specification.gtfs.file(named: name)?.table
        return files.contains { $0.table == table }
    }

    private func note(
        _ row: Int, _ id: @autoclosure () -> String, _ file: TranslatedRecords.File, _ notices: inout NoticeLog
    ) {
        notices.add(.translationForeignKeyViolation, in: Self.translations) {
            let id = Notice.shortened(id())
            let wanted = FieldDefinition.words(ofID: file.id.column, in: ["\(file.name).txt"])
            return Notice(
                kind: .translationForeignKeyViolation, file: "translations.txt", rowNumber: row, field: "record_id",
                value: id, fault: "translations.txt, row \(row), record_id: \"\(id)\" is not \(wanted)",
                outcome: .storedAsItIs)
        }
    }
}
