/// A kind of finding about a feed, in the codes that the reference validator uses, so that reports can be compared.
///
///     NoticeCode("duplicate_key").severity     // .error
package struct NoticeCode: Sendable, Hashable, CustomStringConvertible {
    /// How much a finding matters to those who use the feed.
    package enum Severity: String, Sendable, CaseIterable {
        case error = "ERROR"
        case warning = "WARNING"
        case info = "INFO"
    }

    /// The code, such as "missing_required_field".
    package let name: String
    package let severity: Severity
    /// One sentence for people; empty when the code is not in schema/notices.tsv.
    package let meaning: String

    package var description: String { name }

    /// The code as schema/notices.tsv declares it; a name that is not there counts as an error.
    package init(_ name: String) {
        self = Self.byName[name] ?? NoticeCode(name: name, severity: .error, meaning: "")
    }

    /// Every declared code.
    package static let all = notices.rows.map { row in
        guard let severity = Severity(rawValue: row[1]) else {
            preconditionFailure("notices.tsv: \(row[0]) has the unknown severity \(row[1])")
        }
        return NoticeCode(name: row[0], severity: severity, meaning: row[3])
    }

    private static let notices = TabSeparatedTable(PackageResources.notices_tsv, of: "notices.tsv", columns: 4)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private init(name: String, severity: Severity, meaning: String) {
        self.name = name
        self.severity = severity
        self.meaning = meaning
    }
}
