import GTFSSchema
import Testing

@testable import GTFSImport

/// The log counts all notices and keeps the first ones.
@Suite struct NoticeLogTests {
    @Test(arguments: [0, 1, 3, 1000])
    func keepsUpToTheCapOfEachKindAndCountsAll(cap: Int) {
        var log = NoticeLog(keptPerCode: cap)
        for row in 2...6 {
            log.add(.emptyRow, file: "stops.txt", row: row, "row \(row)")
            if row % 2 == 0 {
                log.add(.duplicateKey, file: "stops.txt", row: row, field: "stop_id", value: "x", "dup \(row)")
            }
        }
        #expect(log.count(.emptyRow) == 5 && log.count(.duplicateKey) == 3 && log.count(.invalidUrl) == 0)
        #expect(log.keptCount(.emptyRow) == min(5, cap) && log.keptCount(.duplicateKey) == min(3, cap))
        #expect(log.kept.count == min(5, cap) + min(3, cap))
        #expect(log.kept.filter { $0.kind == .emptyRow }.map(\.rowNumber) == Array((2...6).prefix(cap)))
    }

    @Test func findingsCanBeCountedWithoutKeepingThem() {
        var log = NoticeLog(keptPerCode: 10)
        log.count(.emptyRow, in: "stops.txt", times: 3)
        log.add(.emptyRow, file: nil, "")
        log.count(.emptyRow, in: nil, times: 0)
        #expect(log.count(.emptyRow) == 4 && log.keptCount(.emptyRow) == 1 && log.kept.count == 1)
    }

    /// The validator writes numbers in two ways.
    @Test(arguments: [
        ("transferDistanceAbove2Km", "transfer_distance_above_2_km"), ("invalidUrl", "invalid_url"),
        ("feedExpirationDate30Days", "feed_expiration_date30_days"),
        ("feedExpirationDate7Days", "feed_expiration_date7_days"),
        ("tripCoverageNotActiveForNext7Days", "trip_coverage_not_active_for_next7_days"),
    ])
    func casesAreNamedLikeTheirCodes(_ name: String, _ code: String) {
        #expect(NoticeKind.code(ofCase: name).name == code)
        #expect(!NoticeKind.code(ofCase: name).meaning.isEmpty)
    }

    @Test func everyCodeIsThatOfItsCase() {
        for kind in NoticeKind.allCases { #expect(!kind.code.meaning.isEmpty, "\(kind)") }
        #expect(Set(NoticeKind.allCases.map(\.code)).count == NoticeKind.allCases.count)
    }

    /// A notice beyond the cap is only counted. Its message is never built.
    @Test func wordsAreMadeOnlyForWhatIsKept() {
        var made = 0
        var log = NoticeLog(keptPerCode: 2)
        func words() -> String {
            made += 1
            return "words"
        }
        for _ in 0..<100 { log.add(.invalidTime, file: nil, words()) }
        #expect(made == 2)
        #expect(log.count(.invalidTime) == 100)
    }

    /// Compares the counts with a dictionary, with files in any order.
    @Test func countsByFile() {
        var log = NoticeLog(keptPerCode: 3)
        let files = ["stops.txt", "trips.txt", nil, "made-up.txt", "locations.geojson"]
        let kinds: [NoticeKind] = [.invalidUrl, .duplicateKey, .emptyRow, .unknownColumn]
        var expected: [String: Int] = [:]
        var state = 1
        for _ in 0..<500 {
            state = state &* 75 % 65_537
            let (file, kind) = (files[state % 5], kinds[state / 5 % 4])
            log.add(kind, file: file, "")
            if kind.code.severity == .error, let file { expected[file, default: 0] += 1 }
        }
        expected["made-up.txt"] = 0  // not a file of the specification
        for file in files.compactMap(\.self) { #expect(log.count(ofSeverity: .error, in: file) == expected[file]) }
        #expect(log.count(ofSeverity: .error, in: "routes.txt") == 0)
        #expect(log.count(ofCode: "empty_row") == log.count(.emptyRow) && log.count(ofCode: "made_up") == 0)
    }

    @Test func totalsAreSortedWorstFirstThenByCode() {
        var log = NoticeLog(keptPerCode: 1)
        for kind in [NoticeKind.unknownFile, .emptyRow, .invalidUrl, .unknownColumn, .duplicateKey, .emptyRow] {
            log.add(kind, file: nil, "")
        }
        #expect(
            log.totals.map(\.kind.code.name)
                == ["duplicate_key", "invalid_url", "empty_row", "unknown_column", "unknown_file"])
        #expect(log.totals.map(\.count) == [1, 1, 2, 1, 1])
        #expect(log.count(ofSeverity: .error) == 2)
        #expect(log.count(ofSeverity: .warning) == 2)
        #expect(log.count(ofSeverity: .info) == 2)
    }

    @Test func noticesKeepEveryDetail() {
        var log = NoticeLog(keptPerCode: 9)
        log.add(.invalidTime, file: "f", row: 3, field: "c", value: "v", "m")
        #expect(log.kept == [Notice(kind: .invalidTime, file: "f", rowNumber: 3, field: "c", value: "v", fault: "m")])
    }

    @Test(arguments: NoticeKind.allCases)
    func everyKindIsDeclaredAndExplained(kind: NoticeKind) {
        #expect(NoticeCode.all.contains(kind.code), "\(kind)")
        #expect(kind.code.meaning.hasSuffix("."), "\(kind)")
    }

    @Test func codesHaveTheValidatorsSpelling() {
        #expect(NoticeKind.duplicateGeoJsonKey.code.name == "duplicate_geo_json_key")
        #expect(NoticeKind.nonAsciiOrNonPrintableChar.code.name == "non_ascii_or_non_printable_char")
        #expect(NoticeKind.missingCalendarAndCalendarDateFiles.code.name == "missing_calendar_and_calendar_date_files")
        #expect(Set(NoticeKind.allCases.map(\.code)).count == NoticeKind.allCases.count)
    }
}
