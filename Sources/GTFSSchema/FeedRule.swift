/// A rule about the rows of one file, as schema/rules.tsv declares it: what the reference validator checks on finished
/// tables.
///
/// `schema/README.md` explains the columns of the declaration.
package final class FeedRule: Sendable {
    /// The code of its notices.
    package let code: String
    package let file: String
    /// The table whose rows are judged; `t` in SQL.
    package let table: String
    /// Without these, the rule does not apply.
    package let needs: [Need]
    /// Rows for which both this and `condition` hold break the rule. Nil if `condition` alone decides.
    package let when: RowFact?
    /// Joins for `condition`; `{column}` stands for a column with its kept value in place of NULL.
    package let join: String
    /// SQL that is neither NULL nor 0 for a row that breaks the rule; empty if `when` alone decides. A single word, as
    /// `overlaps`, stands for a comparison that the import does itself, because a query would take too long.
    package let condition: String
    /// SQL for how many notices a row that breaks the rule gives; empty for one.
    package let times: String
    package let field: String
    /// SQL for the offending value; empty if there is none.
    package let value: String
    /// What is wrong, with SQL in braces.
    package let message: String

    fileprivate init(_ row: [String], needs: [Need], when: RowFact?) {
        (code, file, table) = (row[0], row[1], row[2])
        (self.needs, self.when) = (needs, when)
        (join, condition, times) = (row[5], row[6], row[7])
        (field, value, message) = (row[8], row[9], row[10])
    }

    /// What a rule needs besides rows of its file.
    package enum Need: Sendable, Equatable {
        /// The header has one of these fields.
        case field([String])
        /// The feed has the file, with a header.
        case file(String)
        /// A row of another table with any of these facts.
        case row([RowFact])
        /// No filter has left rows out.
        case everything
        /// The import has seen such rows pass, such as `short_shapes`.
        case found(String)
        /// A translation names one of these files, or, for `others`, a file that the feed lacks.
        case names([String])
    }

    /// Whether it is about the header instead of rows.
    package var isAboutHeader: Bool { when == nil && condition.isEmpty }

    /// The word in place of SQL, such as `overlaps`, if the import compares the rows itself.
    package var comparison: String? {
        let isWord = condition.utf8.allSatisfy { $0 == UInt8(ascii: "_") || ($0 >= 0x61 && $0 <= 0x7A) }
        return isWord && !condition.isEmpty ? condition : nil
    }

    /// Whether the message names the value of the condition, as `?2`.
    package var usesCondition: Bool {
        message.utf8.indices.contains { message.utf8[$0...].starts(with: "?2".utf8) }
    }

    /// SQL that is neither NULL nor 0 for a row that breaks the rule.
    package var broken: String {
        guard let when else { return "(\(condition))" }
        return condition.isEmpty ? "(\(when.sql))" : "CASE WHEN \(when.sql) THEN \(condition) END"
    }

    /// Splits a message at its braces: `stop {a} at {b}.` has the words "stop ", " at " and ".", and a and b in braces.
    /// There is always one text more outside of braces than inside.
    package static func parts(of text: String) -> (words: [String], braces: [String]) {
        var (words, values): ([String], [String]) = ([], [])
        for part in text.utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false) {
            let pieces = part.split(separator: UInt8(ascii: "}"), omittingEmptySubsequences: false)
            if pieces.count == 2 { values.append(String(Substring(pieces[0]))) }
            words.append(String(Substring(pieces[pieces.count - 1])))
        }
        return (words, values)
    }
}

/// All rules, in the order of their tables.
package struct FeedRules: Sendable {
    package static let all = FeedRules(PackageResources.rules_tsv)

    package private(set) var rules: [FeedRule] = []
    /// The facts that rules need about rows, by table; numbered from 0 over all tables.
    package private(set) var facts: [String: [RowFact]] = [:]
    package private(set) var factCount = 0

    init(_ declaration: [UInt8]) {
        for row in TabSeparatedTable(declaration, of: "rules.tsv", columns: 11).rows {
            let needs = row[3].isEmpty ? [] : Self.split(row[3], at: ";").map { need($0) }
            let when = row[4].isEmpty ? nil : fact(row[4], of: row[2])
            rules.append(FeedRule(row, needs: needs, when: when))
        }
    }

    /// Reads `stop_name|location_type`, `networks.txt`, `stop: location_type=1|name`, `everything`,
    /// `found short_shapes` or `names feed_info`.
    private mutating func need(_ text: String) -> FeedRule.Need {
        let words = Self.split(text, at: " ")
        let first = words.first ?? ""
        switch first {
        case "everything": return .everything
        case "found": return .found(words.last ?? "")
        case "names": return .names(Self.split(words.last ?? "", at: "|"))
        case _ where first.utf8.last == UInt8(ascii: ":"):
            let table = String(Substring(first.utf8.dropLast()))
            let facts = Self.split(words.dropFirst().joined(separator: " "), at: "|")
            return .row(facts.map { fact($0, of: table) })
        case _ where first.utf8.contains(UInt8(ascii: ".")): return .file(first)
        default: return .field(Self.split(first, at: "|"))
        }
    }

    /// The fact with these terms. Equal ones have the same number.
    private mutating func fact(_ terms: String, of table: String) -> RowFact {
        if let known = facts[table]?.first(where: { $0.text == terms }) { return known }
        let fact = RowFact(terms, number: factCount)
        factCount += 1
        facts[table, default: []].append(fact)
        return fact
    }

    private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
        text.utf8.split(separator: UInt8(ascii: separator)).map { String(Substring($0)) }
    }
}
