import GTFSSchema
import SQLite

/// Applies the rules of schema/rules.tsv that are SQL, or about a header, to the finished tables: one pass over each
/// table with a rule that its rows may break. `ComparedRules` has the others.
struct StoreRules {
    let connection: Connection
    let needs: RuleNeeds
    let kept: KeptRecords
    let functions: RuleFunctions

    func run(_ notices: inout NoticeLog) throws(SQLiteError) {
        let rules = FeedRules.all.rules.filter { $0.comparison == nil && needs.areMet(by: $0) }
        guard !rules.isEmpty else { return }
        try functions.register(on: connection)
        for rules in FeedRules.byTable(rules) {
            for rule in rules where rule.isAboutHeader { noteHeader(rule, &notices) }
            let ofRows = rules.filter { !$0.isAboutHeader }
            if let first = ofRows.first { try check(ofRows, of: first.table, &notices) }
        }
    }

    private func noteHeader(_ rule: FeedRule, _ notices: inout NoticeLog) {
        guard let kind = NoticeKind(code: rule.code), let plan = needs.plans[rule.table] else { return }
        notices.add(
            kind, file: plan.file, row: plan.headerRow, field: rule.field,
            "\(plan.file), row \(plan.headerRow), \(rule.field): \(rule.message)", .storedAsItIs)
    }

    /// Visits the rows of a table that break any of the rules, in their order.
    private func check(
        _ rules: [FeedRule], of table: String, _ notices: inout NoticeLog
    ) throws(SQLiteError) {
        let conditions = rules.map { complete($0.broken, of: table) }
        var joins: [String] = []
        for rule in rules {
            let join = complete(rule.join, of: table)
            if !join.isEmpty, !joins.contains(join) { joins.append(join) }
        }
        // A single rule's condition is true for every row that comes; it need not be computed again.
        let values = rules.count == 1 && !rules[0].usesCondition ? ["1"] : conditions
        let columns = zip(rules, values).map { ", \($1), \($0.times.isEmpty ? "1" : $0.times)" }
        let rows = try connection.prepare(
            "SELECT t.id\(columns.joined()) FROM \(StoreSchema.quoted(table)) AS t NOT INDEXED "
                + "\(joins.joined(separator: " ")) WHERE \(conditions.joined(separator: " OR ")) ORDER BY t.id")
        let findings = rules.map { RuleFindings($0, connection) }
        while try rows.step() {
            for (place, finding) in findings.enumerated() {
                let broken = rows.integer(1 + 2 * place)
                guard broken != 0 else { continue }
                let times = Int(rows.integer(2 + 2 * place))
                try finding.add(row: rows.integer(0), broken, times: times, &notices)
            }
        }
    }

    /// Fills in which files the feed has. A rule that asks whether a value is missing counts a value that the table
    /// could not store as present. A rule about a value that must not be there ignores it, because it has a notice of
    /// its own.
    private func complete(_ sql: String, of table: String) -> String {
        let kept = kept.keptColumns(of: table)
        var sql = sql
        for (column, _) in kept?.numbered ?? [] {
            guard let value = kept?.value(of: column, row: "t.id", sequence: "0") else { continue }
            sql = sql.replacing("t.\(column) IS NULL", with: "(t.\(column) IS NULL AND NOT EXISTS (\(value)))")
        }
        guard sql.utf8.contains(UInt8(ascii: "{")) else { return sql }
        let (words, names) = FeedRule.parts(of: sql)
        return zip(words, names.map { meaning(ofBraces: $0, kept) } + [""]).map { $0 + $1 }.joined()
    }

    private func meaning(ofBraces name: String, _ kept: StoreSchema.KeptColumns?) -> String {
        if name == "files" { return needs.filesOfFeed.map { StoreSchema.literal($0.stem) }.joined(separator: ", ") }
        return kept?.compared(name) ?? name
    }
}
