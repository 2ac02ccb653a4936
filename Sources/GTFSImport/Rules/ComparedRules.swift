import GTFSSchema
import SQLite

/// Rules of schema/rules.tsv that have a word in place of SQL: the import compares their rows itself. Looks up rows
/// only by the keys of their tables, so it needs no indexes.
protocol ComparedRule {
    /// The words in schema/rules.tsv. No other part has any of them.
    var words: Set<String> { get }

    /// Whether any row may have the fault that this word of a rule names. False for words of other parts.
    func mayFind(_ word: String) -> Bool

    /// Notes what breaks rules of one table; passes over the rules of other parts.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws
}

/// Applies all rules that have a word in place of SQL.
struct ComparedRules {
    let connection: Connection
    let functions: RuleFunctions
    /// In the order in which they look at a table.
    let parts: [any ComparedRule]

    /// Whether any row may have the fault that the rule's word names.
    func mayFind(_ rule: FeedRule) -> Bool {
        guard let word = rule.comparison else { return false }
        return parts.contains { $0.mayFind(word) }
    }

    /// Notes what breaks any of the rules, table by table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        guard !rules.isEmpty else { return }
        try functions.register(on: connection)
        for rules in FeedRules.byTable(rules) {
            for part in parts { try part.note(rules, &notices) }
        }
    }
}
