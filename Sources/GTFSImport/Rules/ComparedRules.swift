import GTFSSchema
import SQLite

/// Applies the rules of schema/rules.tsv that have a word in place of SQL: the import compares their rows itself. Looks
/// up rows only by the keys of their tables, so it needs no indexes.
struct ComparedRules {
    /// The word for rows of frequencies.txt that begin before another row of the trip ends.
    private static let overlaps = "overlaps"

    let connection: Connection
    let functions: RuleFunctions
    /// Nil if no two rows of frequencies.txt about one trip may overlap.
    let overlaps: FrequencyOverlaps?
    let sequences: SequenceRules
    let services: ServiceRules
    let trips: TripRules
    let speeds: SpeedRules
    let pathways: PathwayRules
    let transfers: TransferRules
    let shapes: ShapeRules
    let zones: ZoneRules

    /// Whether any row may have the fault that the rule's word names.
    func mayFind(_ rule: FeedRule) -> Bool {
        guard let word = rule.comparison else { return false }
        if word == Self.overlaps { return overlaps != nil }
        return sequences.mayFind(word) || services.mayFind(word) || trips.mayFind(word) || speeds.mayFind(word)
            || pathways.mayFind(word) || transfers.mayFind(word) || shapes.mayFind(word) || zones.mayFind(word)
    }

    /// Notes what breaks any of the rules, table by table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        guard !rules.isEmpty else { return }
        try functions.register(on: connection)
        for rules in FeedRules.byTable(rules) {
            for rule in rules where rule.comparison == Self.overlaps { try noteOverlaps(rule, &notices) }
            try sequences.note(rules, &notices)
            try services.note(rules, &notices)
            try trips.note(rules, &notices)
            try speeds.note(rules, functions.stops, &notices)
            try pathways.note(rules, &notices)
            try transfers.note(rules, &notices)
            try shapes.note(rules, &notices)
            try zones.note(rules, &notices)
        }
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
}
