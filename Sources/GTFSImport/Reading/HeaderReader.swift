import GTFSFeed
import GTFSSchema

/// Sorts a header's columns into known and extra ones, and notes the header's faults.
struct HeaderReader {
    let file: String
    let definition: FileDefinition?
    let header: CSVHeader

    func plan(_ notices: inout NoticeLog) -> HeaderPlan {
        noteProblems(&notices)
        var plan = HeaderPlan()
        (plan.count, plan.rowNumber) = (header.columns.count, header.rowNumber)
        var taken = TakenNames(
            (definition?.fields.map(\.column) ?? []) + ["id", "normalized_name", "in_calendar"]
                + (definition.map { StoreSchema.derivedColumnNames(of: $0.table) } ?? []))
        var shown = TakenNames(definition?.fields.map(\.name) ?? [])
        let (duplicates, names) = (duplicates, Set(header.columns.lazy.map { Array($0.name.utf8) }))
        var unknown: [CSVHeader.Column] = []
        for column in header.columns {
            if let field = field(column.name, beside: names),
                !plan.known.contains(where: { $0.field.name == field.name })
            {
                if field.name != column.name { noteSpelling(column, field, &notices) }
                plan.known.append((field, column.index, field.name))
            } else if plan.extra.count < TablePlan.maximumExtraColumns {
                if !duplicates.contains(column.index), !column.name.isEmpty { unknown.append(column) }
                plan.extra.append((extraColumn(column, &taken, &shown), column.index, column.name))
            } else {
                plan.beyond.append(column)
            }
        }
        noteBeyond(plan, &notices)
        for column in unknown { noteUnknown(column, &notices) }
        noteMissingColumns(plan, &notices)
        return plan
    }

    /// The field of this name. Upper case counts as lower case, unless another column has exactly the field's name.
    private func field(_ name: String, beside names: Set<[UInt8]>) -> FieldDefinition? {
        if let exact = definition?.field(named: name) { return exact }
        guard let meant = definition?.field(named: name.lowercased()) else { return nil }
        return names.contains(Array(meant.name.utf8)) ? nil : meant
    }

    private var duplicates: Set<Int> {
        Set(
            header.problems.compactMap { problem -> Int? in
                if case .duplicateName(let index, _) = problem { index } else { nil }
            })
    }

    /// A name for the column that is unique in the table and in the view; SQLite ignores case.
    private func extraColumn(
        _ column: CSVHeader.Column, _ taken: inout TakenNames, _ shown: inout TakenNames
    ) -> StoreSchema.ExtraColumn {
        let name = column.name.isEmpty ? "column_\(column.index + 1)" : column.name
        return StoreSchema.ExtraColumn(column: taken.distinct(name), viewColumn: shown.distinct(name))
    }

    // MARK: Notices

    private func noteProblems(_ notices: inout NoticeLog) {
        if header.columns.isEmpty {
            let outcome = definition == nil ? "no table is made for it" : "its table has no rows"
            return notices.add(.emptyFile, file: file, "\(file): the file is empty; \(outcome)")
        }
        for problem in header.problems { note(problem, &notices) }
    }

    private func note(_ problem: CSVHeader.Problem, _ notices: inout NoticeLog) {
        switch problem {
        case .emptyName(let index):
            note(.emptyColumnName, at: index, "the column has no name; kept as column_\(index + 1)", &notices)
        case .duplicateName(let index, let first):
            note(
                .duplicatedColumn, name(index),
                "column \(index + 1) has the name of column \(first + 1); the first is read, the other kept as text",
                &notices)
        case .paddedName(let index):
            note(
                .leadingOrTrailingWhitespaces, name(index),
                "the column's name has white space around it, which was removed", &notices)
        case .legacyName(let index):
            let outcome = name(index).contains("\u{FFFD}") ? "wrong bytes were replaced by U+FFFD" : "converted"
            note(.invalidCharacter, name(index), "the column's name is not UTF-8 in the feed; \(outcome)", &notices)
        case .lineBreak(let index):
            note(
                .newLineInValue, at: index,
                "the column's name has a line break; the lines within it are not read as rows", &notices)
        case .unclosedQuote(let index): note(.csvParsingFailed, at: index, Notice.unclosedQuote, &notices)
        case .cut(let index): note(.csvParsingFailed, at: index, Notice.recordCut, &notices)
        case .textAfterQuote:
            notices.add(.csvParsingFailed, file: file, row: header.rowNumber, "\(place): \(Notice.textAfterQuote)")
        case .byteOrderMark: break
        }
    }

    private func name(_ index: Int) -> String { header.columns[index].name }

    private var place: String { "\(file), row \(header.rowNumber)" }

    /// A finding about a column by its number: its name is empty, repeated, or has a line break.
    private func note(_ kind: NoticeKind, at index: Int, _ fault: String, _ notices: inout NoticeLog) {
        let name = name(index).isEmpty ? nil : Notice.shortened(name(index))
        notices.add(
            kind, file: file, row: header.rowNumber, field: name, "\(place), column \(index + 1): \(fault)")
    }

    private func note(_ kind: NoticeKind, _ name: String, _ fault: String, _ notices: inout NoticeLog) {
        let name = Notice.shortened(name)
        notices.add(kind, file: file, row: header.rowNumber, field: name, "\(place), \(name): \(fault)")
    }

    private func noteSpelling(_ column: CSVHeader.Column, _ field: FieldDefinition, _ notices: inout NoticeLog) {
        note(.unknownColumn, column.name, "read as \(field.name), which is how GTFS spells it", &notices)
    }

    private func noteUnknown(_ column: CSVHeader.Column, _ notices: inout NoticeLog) {
        guard definition != nil else { return }
        note(.unknownColumn, column.name, "not a column of GTFS; kept as text", &notices)
    }

    private func noteBeyond(_ plan: HeaderPlan, _ notices: inout NoticeLog) {
        guard let first = plan.beyond.first else { return }
        note(
            .unknownColumn, first.name,
            "the file has \(plan.beyond.count) more columns than a table can have, from this one on; kept in extra_cell",
            &notices)
    }

    private func noteMissingColumns(_ plan: HeaderPlan, _ notices: inout NoticeLog) {
        guard plan.count > 0 else { return }
        for field in definition?.fields ?? [] where field.presence.isOfHeader {
            guard !plan.known.contains(where: { $0.field.name == field.name }) else { continue }
            notices.add(
                .missingRequiredColumn, file: file, row: header.rowNumber, field: field.name,
                "\(place), \(field.name): the column is missing and required",
                so: Consequence(of: field.name, in: definition)?.ofColumn)
        }
    }
}
