import GTFSSchema
import SQLite

/// The rule about places that cannot be reached by pathways.
struct PathwayRules {
    /// The word in schema/rules.tsv.
    private static let unreachable = "unreachable"

    let connection: Connection
    let watch: PathwayWatch
    let parents: StopParents

    /// Whether any place may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { word == Self.unreachable && watch.hasPathways }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        for rule in rules where rule.comparison == Self.unreachable {
            let findings = RuleFindings(rule, connection)
            try watch.forEachUnreachable(parents) { stop, lack in
                try findings.add(row: stop, lack.rawValue, times: 1, &notices)
            }
        }
    }
}
