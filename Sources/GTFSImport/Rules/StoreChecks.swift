import GTFSSchema
import SQLite

/// Findings that need more than one row or file, made by queries on the finished tables.
struct StoreChecks {
    let connection: Connection
    let files: [FileSummary]
    /// The plans of the feed's tables, by the table.
    let plans: [String: TablePlan]
    /// Rows that repeat an earlier key, by table, where they are known.
    let repeatedKeys: [String: RepeatedKeys]
    let translatedRecords: TranslatedRecords?
    let kept: KeptRecords

    func run(_ notices: inout NoticeLog) throws(SQLiteError) {
        for file in Specification.gtfs.files where has(file) {
            try findDuplicateKeys(file, &notices)
        }
        try findMissingAgencies(&notices)
        try noteMissingFiles(&notices)
        try findDuplicateGeographyIDs(&notices)
        try findUnknownTranslatedRecords(&notices)
    }

    private func has(_ file: FileDefinition) -> Bool { files.contains { $0.table == file.table && $0.rows > 0 } }

    /// Whether the header has the columns that every key must have. Without them, different rows would seem equal: the
    /// rows of the old translations.txt have no part of the key.
    private func hasKey(_ file: FileDefinition) -> Bool {
        guard let present = plans[file.table]?.present else { return false }
        return file.keyFields.allSatisfy { $0.presence != .required || present.contains($0.name) }
    }

    /// Notes rows that repeat a key. They are stored all the same, because the key is not an ID that other rows refer
    /// to.
    private func findDuplicateKeys(_ file: FileDefinition, _ notices: inout NoticeLog) throws(SQLiteError) {
        let key = file.keyFields
        guard file.storage == .rows, !key.isEmpty, key.first?.type != .id, hasKey(file) else { return }
        let names = key.map(\.name).joined(separator: ", ")
        let place = NoticeLog.FilePlace(file.name)
        func note(_ row: Int, _ first: Int) {
            notices.add(
                .duplicateKey, file: file.name, in: place, row: row + 1, field: key.last?.name,
                "\(file.name), row \(row + 1): has the same \(names) as row \(first + 1); stored all the same")
        }
        guard let known = repeatedKeys[file.table] else { return try forEachRepeatedKey(file, key, note) }
        let named = known.first(notices.room(for: .duplicateKey))
        for keys in named { note(Int(keys.row), Int(keys.first)) }
        notices.count(.duplicateKey, in: file.name, times: known.count - named.count)
    }

    /// Visits the ids of the rows that repeat the key of an earlier row, in their order, each with the first row of
    /// that key.
    private func forEachRepeatedKey(
        _ file: FileDefinition, _ key: [FieldDefinition], _ body: (_ row: Int, _ first: Int) -> Void
    ) throws(SQLiteError) {
        let columns = keyColumns(file, key).joined(separator: ", ")
        let rows = try connection.prepare(
            "SELECT id, first FROM (SELECT id, min(id) OVER (PARTITION BY \(columns)) AS first "
                + "FROM \(StoreSchema.quoted(file.table))) WHERE id <> first ORDER BY id")
        while try rows.step() { body(Int(rows.integer(0)), Int(rows.integer(1))) }
    }

    /// The key's columns, each with its kept value in place of NULL.
    private func keyColumns(_ file: FileDefinition, _ key: [FieldDefinition]) -> [String] {
        let kept = kept.keptColumns(of: file.table)
        return key.map { kept?.compared($0.column) ?? StoreSchema.quoted($0.column) }
    }

    /// Notes rows that do not name their agency. The number of agencies decides how bad that is.
    private func findMissingAgencies(_ notices: inout NoticeLog) throws(SQLiteError) {
        let agencies = files.first { $0.table == "agency" }.map { $0.rows + $0.leftOut } ?? 0
        guard agencies > 0 else { return noteNoAgency(&notices) }
        let test = agencies > 1 ? PresenceCondition.Test.severalAgencies : .oneAgency
        for file in Specification.gtfs.files where has(file) {
            for field in file.fields {
                for condition in field.conditions where condition.test == test {
                    try findEmpty(field, of: file, condition, &notices)
                }
            }
        }
    }

    private func findEmpty(
        _ field: FieldDefinition, of file: FileDefinition, _ condition: PresenceCondition, _ notices: inout NoticeLog
    ) throws(SQLiteError) {
        let kept = self.kept.keptColumns(of: file.table)?.value(of: field.column, row: "id", sequence: "0")
        let rows = try connection.prepare(
            "SELECT id FROM \(StoreSchema.quoted(file.table)) WHERE \(StoreSchema.quoted(field.column)) IS NULL"
                + "\(kept.map { " AND NOT EXISTS (\($0))" } ?? "") ORDER BY id")
        let (kind, word): (NoticeKind, String) =
            condition.isRequired
            ? (.missingRequiredAgencyId, "required") : (.missingRecommendedField, "recommended")
        let place = NoticeLog.FilePlace(file.name)
        while try rows.step() {
            let row = Int(rows.integer(0)) + 1
            notices.add(
                kind, file: file.name, in: place, row: row, field: field.name,
                "\(file.name), row \(row): \(field.name) is empty but \(word) \(condition.description)")
        }
    }

    /// Without an agency, there is no time zone. A file that is missing or that a filter has emptied is another matter.
    private func noteNoAgency(_ notices: inout NoticeLog) {
        guard files.contains(where: { $0.table == "agency" && $0.leftOut == 0 }) else { return }
        notices.add(
            .missingRequiredField, file: "agency.txt", field: "agency_timezone",
            "agency.txt: has no agency and so no agency_timezone; times are read in UTC")
    }

    /// Notes files that a feed should have but that are missing or have no rows.
    private func noteMissingFiles(_ notices: inout NoticeLog) throws(SQLiteError) {
        for file in Specification.gtfs.files where file.presence == .recommended {
            let found = files.first { $0.table == file.table }
            guard (found.map { $0.rows + $0.leftOut } ?? 0) == 0, try !isNotNeeded(file) else { continue }
            notices.add(
                .missingRecommendedFile, file: file.name,
                "\(file.name): the file \(found == nil ? "is missing and" : "has no rows and is") recommended")
        }
    }

    /// Whether the feed needs no rows of a recommended file: trips on demand have no shapes.
    private func isNotNeeded(_ file: FileDefinition) throws(SQLiteError) -> Bool {
        guard file.table == "shape_point" else { return false }
        func hasKept(_ column: String) -> String? {
            let kept = kept.keptColumns(of: "stop_time")
            return kept?.value(of: column, row: "t.trip", sequence: "t.stop_sequence").map { "EXISTS (\($0))" }
        }
        let places = ["location IS NOT NULL", "location_group IS NOT NULL", hasKept("location")].compactMap { $0 }
        // With the plus, SQLite goes through the few calls with a place, not through all without a stop, which may be
        // all calls of a feed: 1.0 of 1.6 s for 600,000 at unknown stops.
        let withoutStop = "+stop IS NULL" + (hasKept("stop").map { " AND NOT \($0)" } ?? "")
        for hasPlace in places {
            let call = "SELECT 1 FROM stop_time AS t WHERE \(hasPlace) AND \(withoutStop) LIMIT 1"
            if try connection.integer(call) != nil { return true }
        }
        return false
    }

    /// Stops, location groups and locations share one space of IDs. Each duplicate is reported once, at its row in the
    /// last of these files that has it.
    private func findDuplicateGeographyIDs(_ notices: inout NoticeLog) throws(SQLiteError) {
        let stops = GeographyFile(name: "stops.txt", field: "stop_id", hasHeader: true)
        let groups = GeographyFile(name: "location_groups.txt", field: "location_group_id", hasHeader: true)
        let locations = GeographyFile(name: "locations.geojson", field: "id", hasHeader: false)
        try note(
            """
            SELECT l.id, l.location_group_id, s.id FROM location_group AS l
            JOIN stop AS s ON s.stop_id = l.location_group_id
            WHERE NOT EXISTS (SELECT 1 FROM location WHERE location_id = l.location_group_id) ORDER BY l.id
            """, in: groups, [stops], &notices)
        try note(
            """
            SELECT l.id, l.location_id, s.id, g.id FROM location AS l LEFT JOIN stop AS s ON s.stop_id = l.location_id
            LEFT JOIN location_group AS g ON g.location_group_id = l.location_id
            WHERE s.id IS NOT NULL OR g.id IS NOT NULL ORDER BY l.id
            """, in: locations, [stops, groups], &notices)
    }

    /// Notes IDs of one file that others have as well. The query's columns are a row of the file, the ID, and the row
    /// of each other file that has it.
    private func note(
        _ query: String, in file: GeographyFile, _ others: [GeographyFile], _ notices: inout NoticeLog
    ) throws(SQLiteError) {
        let rows = try connection.prepare(query)
        let place = NoticeLog.FilePlace(file.name)
        while try rows.step() {
            notices.add(.duplicateGeographyId, in: place) {
                let (row, id) = (file.rowNumber(Int(rows.integer(0))), Notice.shortened(rows.text(1) ?? ""))
                let places = others.enumerated().filter { !rows.isNull(2 + $0.offset) }.map { place, other in
                    "\(other.place(other.rowNumber(Int(rows.integer(2 + place))))) of \(other.name)"
                }
                return Notice(
                    kind: .duplicateGeographyId, file: file.name, rowNumber: row, field: file.field, value: id,
                    fault: "\(file.name), \(file.place(row)), \(file.field): \"\(id)\" is also the ID of "
                        + "\(places.joined(separator: " and of ")); stored all the same")
            }
        }
    }
}

/// A file whose IDs name places where riders board or alight.
private struct GeographyFile {
    let name: String
    let field: String
    let hasHeader: Bool

    /// The first row behind a header is row 2; features of locations.geojson are counted from 1.
    func rowNumber(_ key: Int) -> Int { hasHeader ? key + 1 : key }

    func place(_ row: Int) -> String { (hasHeader ? "row " : "feature ") + String(row) }
}
