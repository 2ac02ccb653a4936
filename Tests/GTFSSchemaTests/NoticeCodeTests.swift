import Testing

@testable import GTFSSchema

/// The declaration of notices in schema/notices.tsv.
@Suite struct NoticeCodeTests {
    @Test func everyRowIsUnderstoodAndExplained() {
        let rows = TabSeparatedTable(PackageResources.notices_tsv).rows
        #expect(rows.count == NoticeCode.all.count)
        for row in rows {
            #expect(row.count == 4 && ["row", "key", "semantic"].contains(row[2]), "\(row)")
        }
        for code in NoticeCode.all {
            #expect(code.meaning.hasSuffix(".") && code.meaning.count > 20, "\(code)")
            #expect(code.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }, "\(code)")
        }
    }

    @Test func codesAreUnique() {
        #expect(Set(NoticeCode.all.map(\.name)).count == NoticeCode.all.count)
    }

    @Test func severitiesAreTheValidators() {
        #expect(NoticeCode("duplicate_key").severity == .error)
        #expect(NoticeCode("empty_row").severity == .warning)
        #expect(NoticeCode("unknown_column").severity == .info)
        #expect(NoticeCode.Severity.allCases.map(\.rawValue) == ["ERROR", "WARNING", "INFO"])
    }

    @Test func aCodeThatIsNotDeclaredIsAnErrorWithoutMeaning() {
        let code = NoticeCode("no_such_code")
        #expect(code.name == "no_such_code" && code.severity == .error && code.meaning.isEmpty)
        #expect("\(code)" == "no_such_code")
    }
}
