import GTFSSchema
import SQLite

/// Applies the rules of schema/rules.tsv to the finished tables: one pass over each table with a rule that its rows may
/// break.
struct StoreRules {
    let connection: Connection
    let files: [FileSummary]
    let plans: [String: TablePlan]
    let kept: KeptRecords
    let facts: RowFacts
    let stops: StopPlaces
    let translatedRecords: TranslatedRecords?
    /// Whether no filter has left rows out.
    let hasEverything: Bool
    /// Nil if no two rows of frequencies.txt about one trip may overlap.
    let overlaps: FrequencyOverlaps?
    let sequences: SequenceRules
    let services: ServiceRules
    let trips: TripRules
    let speeds: SpeedRules
    let pathways: PathwayRules
    let transfers: TransferRules
    /// Whether any transfer may lead to a stop far away.
    let hasFarTransfers: Bool

    /// The word in schema/rules.tsv for rows of frequencies.txt that begin before another row of the trip ends.
    private static let overlaps = "overlaps"

    /// The word for transfers between stops that may be more than 2 km apart.
    private static let farTransfers = "far_transfers"

    func run(_ notices: inout NoticeLog) throws {
        var rest = FeedRules.all.rules.filter(applies)[...]
        guard !rest.isEmpty else { return }
        try RuleFunctions.register(on: connection)
        try sequences.register(on: connection)
        try stops.register(on: connection)
        while let first = rest.first {
            let rules = rest.prefix { $0.table == first.table }
            rest = rest.dropFirst(rules.count)
            for rule in rules where rule.isAboutHeader { noteHeader(rule, &notices) }
            for rule in rules where rule.comparison == Self.overlaps { try noteOverlaps(rule, &notices) }
            let compared = rules.filter { $0.comparison != nil }
            try sequences.note(compared, &notices)
            try services.note(compared, &notices)
            try trips.note(compared, &notices)
            try speeds.note(compared, stops, &notices)
            try pathways.note(compared, &notices)
            try transfers.note(compared, &notices)
            let ofRows = rules.filter { !$0.isAboutHeader && $0.comparison == nil }
            if !ofRows.isEmpty { try check(ofRows, of: first.table, &notices) }
        }
    }

    /// Whether a row of the feed may break the rule.
    private func applies(_ rule: FeedRule) -> Bool {
        if rule.comparison == Self.overlaps { return overlaps != nil }
        if let word = rule.comparison, !mayFind(word) { return false }
        guard rule.when.map(facts.holds) ?? true, let own = Specification.gtfs.file(named: rule.file)?.table,
            rule.isAboutHeader || files.contains(where: { $0.table == own && $0.rows > $0.keptRows })
        else { return false }
        return rule.needs.allSatisfy { meets($0, rule) }
    }

    private func mayFind(_ word: String) -> Bool {
        sequences.mayFind(word) || services.mayFind(word) || trips.mayFind(word) || speeds.mayFind(word)
            || pathways.mayFind(word) || transfers.mayFind(word)
    }

    private func meets(_ need: FeedRule.Need, _ rule: FeedRule) -> Bool {
        switch need {
        case .field(let names): names.contains { plans[rule.table]?.present.contains($0) == true }
        case .file(let name): Specification.gtfs.file(named: name).map { plans[$0.table] != nil } ?? false
        case .row(let any): any.contains(where: facts.holds)
        case .everything: hasEverything
        case .found(Self.farTransfers): hasFarTransfers
        case .found(let what): sequences.hasFound(what) || trips.hasFound(what)
        case .names(let names): translationsMayName(names)
        }
    }

    private func translationsMayName(_ names: [String]) -> Bool {
        guard let named = translatedRecords?.tableNames else { return true }
        return named.contains { name in
            let name = name.lowercased()
            return names.contains(name) || names == ["others"] && !filesOfFeed.contains { $0.stem == name }
        }
    }

    /// The files that the feed has, without locations.geojson, which translations do not name.
    private var filesOfFeed: [FileDefinition] {
        Specification.gtfs.files.filter { plans[$0.table] != nil && $0.name.hasSuffix(".txt") }
    }

    private func noteHeader(_ rule: FeedRule, _ notices: inout NoticeLog) {
        guard let kind = NoticeKind(code: rule.code) else { return }
        notices.add(
            kind, file: rule.file, row: 1, field: rule.field,
            "\(rule.file), row 1, \(rule.field): \(rule.message)", .storedAsItIs)
    }

    /// Notes overlaps in the order of the rows. Holds at most a million of them, the others are only counted.
    private func noteOverlaps(_ rule: FeedRule, _ notices: inout NoticeLog) throws {
        let findings = RuleFindings(rule, connection)
        let room = findings.room(in: notices)
        var (found, count): ([(row: UInt32, before: UInt32)], Int) = ([], 0)
        try overlaps?.forEach { row, before in
            count += 1
            found.append((row, before))
            guard found.count >= max(1 << 20, 2 * room) else { return }
            found.sort { $0.row < $1.row }
            found.removeSubrange(room...)
        }
        found.sort { $0.row < $1.row }
        for (row, before) in found.prefix(room) {
            try findings.add(row: Int64(row), Int64(before), times: 1, &notices)
        }
        findings.count(count - min(room, count), &notices)
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

    /// Fills in which files the feed has and which values a table could not store: those are not empty.
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
        if name == "files" { return filesOfFeed.map { StoreSchema.literal($0.stem) }.joined(separator: ", ") }
        return kept?.compared(name) ?? name
    }
}
