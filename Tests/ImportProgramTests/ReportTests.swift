import Console
import Foundation
import ReportPage
import SystemFiles
import Testing

@testable import GTFSImport
@testable import import_gtfs

@Suite struct ReportTests {
    private let report: ImportReport = {
        var report = ImportReport()
        report.status = .published
        report.message = "Published"
        report.feed = "berlin.zip"
        report.store = "/srv/berlin.sqlite"
        report.rows = [("agency.txt", 34), ("stop_times.txt", 2_969_013)]
        report.notices = [
            .init(code: "foreign_key_violation", severity: "ERROR", count: 3),
            .init(code: "unknown_column", severity: "INFO", count: 1_200),
        ]
        report.phases = [.init(name: "reading", seconds: 3.14159), .init(name: "indexes", seconds: 2)]
        report.seconds = 5.1416
        report.peakMemoryBytes = 120_000_000
        report.storeBytes = 367_001_600
        report.contentHash = "1a2b"
        return report
    }()

    @Test func jsonHasEveryMember() {
        #expect(
            report.json
                == #"{"status":"published","message":"Published","feed":"berlin.zip","store":"/srv/berlin.sqlite","#
                + #""rows":{"agency.txt":34,"stop_times.txt":2969013},"notices":[{"code":"foreign_key_violation","#
                + #""severity":"ERROR","count":3},{"code":"unknown_column","severity":"INFO","count":1200}],"#
                + #""phases":[{"name":"reading","seconds":3.142},{"name":"indexes","seconds":2.0}],"seconds":5.142,"#
                + #""peak_memory_bytes":120000000,"store_bytes":367001600,"content_hash":"1a2b","warnings":[]}"#)
    }

    /// An independent reader gets back every character up to U+024F and a few beyond.
    @Test func jsonStringsComeBack() throws {
        var report = ImportReport()
        for scalar in 0..<0x250 { report.message.unicodeScalars.append(try #require(Unicode.Scalar(scalar))) }
        report.message += "\u{2028}\u{FFFF}😀"
        report.rows = [("\"\\\n.txt", 1)]
        report.seconds = .infinity
        let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
        #expect((object?["message"] as? String)?.unicodeScalars.elementsEqual(report.message.unicodeScalars) == true)
        #expect((object?["rows"] as? [String: Int]) == ["\"\\\n.txt": 1])
        #expect(object?["seconds"] is NSNull)
        #expect(report.json.utf8.allSatisfy { $0 >= 32 && $0 != 127 })
    }

    /// The page has its verdict in a line of its own, and then what was done or the message of the error.
    @Test func thePageSaysWhatWasDoneWithoutTheVerdict() {
        var report = report
        let published = PageContent(report, nil, policy: PublicationPolicy(), now: 0)
        #expect(report.headline(error: nil) == "Published: " + published.reason)
        report.status = .unchanged
        let unchanged = PageContent(report, nil, policy: PublicationPolicy(), now: 0)
        #expect(report.headline(error: nil) == "Unchanged: " + unchanged.reason)
        let error = ImportError(.feedRefused, "Published: is what this feed is called")
        (report.status, report.message) = (.rejected, error.message)
        let refused = PageContent(report, error, policy: PublicationPolicy(), now: 0)
        #expect(refused.reason == error.message)
    }

    /// Names that Swift takes for equal are the names of two files.
    @Test func rowsBeforeAreThoseOfTheSameBytes() {
        var report = report
        report.rows = [("e\u{301}.txt", 1), ("\u{E9}.txt", 2)]
        report.details.rowsBefore = [("e\u{301}.txt", 3), ("u\u{301}.txt", 4), ("\u{E9}.txt", 5)]
        let content = PageContent(report, nil, policy: PublicationPolicy(), now: 0)
        #expect(
            content.files.map { "\($0.name.utf8.count) \($0.rows) \($0.before ?? -1)" } == ["7 1 3", "6 2 5", "7 0 4"])
        report.rows = [("\u{FA}.txt", 1)]
        let other = PageContent(report, nil, policy: PublicationPolicy(), now: 0)
        #expect(other.files.map { $0.before ?? -1 } == [-1, 3, 4, 5])
    }

    @Test func theSummaryOfAPublicationHasRowsNoticesAndTimes() {
        #expect(
            report.summary(error: nil, storeExists: true) == """
                Published: /srv/berlin.sqlite, 2,969,047 rows in 2 files from berlin.zip, in 5.1 s
                  agency.txt             34
                  stop_times.txt  2,969,013
                1,203 notices:
                  ERROR    foreign_key_violation      3
                  INFO     unknown_column         1,200
                Time: reading 3.1 s, indexes 2.0 s
                Store: 367 MB, peak memory 120 MB, content 1a2b
                Each notice: SELECT * FROM notice

                """)
    }

    /// One name of 60,000 letters would make 20,000 lines of as many.
    @Test func aLongNameOfAFileMovesItsOwnLineOnly() {
        var report = report
        report.rows = [(String(repeating: "x", count: 60_000), 1), ("a.txt", 2)]
        let lines = report.summary(error: nil, storeExists: true).split(separator: "\n")
        #expect(lines[1].count == 60_005 && lines[2] == "  a.txt" + String(repeating: " ", count: 95) + "  2")
    }

    @Test(arguments: [("-", "standard input"), ("-#a.zip", "standard input#a.zip"), ("-a.zip", "-a.zip")])
    func `a feed on standard input is called that`(feed: String, words: String) {
        var report = report
        report.feed = feed
        #expect(report.outcome.contains(" from \(words), in "))
        report.status = .unchanged
        #expect(report.outcome == "/srv/berlin.sqlite already holds \(words)")
    }

    @Test func theSummaryOfAnUnchangedStoreIsShort() {
        var report = ImportReport()
        report.status = .unchanged
        report.feed = "berlin.zip"
        report.store = "b.sqlite"
        report.storeBytes = 532
        report.peakMemoryBytes = 9_949_999
        #expect(
            report.summary(error: nil, storeExists: true) == """
                Unchanged: b.sqlite already holds berlin.zip
                Store: 532 bytes, peak memory 9.9 MB

                """)
        // Known if a page is written.
        report.notices = [.init(code: "unknown_column", severity: "INFO", count: 1)]
        #expect(
            report.summary(error: nil, storeExists: true).hasSuffix(
                "1 notice:\n  INFO     unknown_column  1\nStore: 532 bytes, peak memory 9.9 MB\n"
                    + "Each notice: SELECT * FROM notice\n"))
    }

    @Test(arguments: [
        (ImportError(.feedRefused, "stops.txt is missing"), "Refused: stops.txt is missing"),
        (ImportError(.cannotOpenFeed, "a.zip: No such file"), "Failed: a.zip: No such file"),
        (ImportError(.bug, "two ids for one stop"), "Bug: two ids for one stop"),
        (ImportError(.inputOutput, "disk full"), "Failed: disk full"),
        (ImportError(.interrupted, "stopped by SIGINT"), "Stopped by SIGINT"),
    ]) func theSummaryOfAFailureSaysWhatBecameOfTheStore(error: ImportError, headline: String) {
        // Notices explain why a feed was refused. They explain nothing if the machine failed.
        let notices =
            error.code == .feedRefused
            ? """
            1,203 notices:
              ERROR    foreign_key_violation      3
              INFO     unknown_column         1,200

            """ : ""
        let expected = """
            \(headline)
              /srv/berlin.sqlite is what it was before.

            """
        #expect(report.summary(error: error, storeExists: true) == expected + notices)
        #expect(
            ImportReport().summary(error: error, storeExists: false).hasPrefix("\(headline)\n  There is no store "))
    }

    @Test func onlyTheHeadlineAndErrorsAreColoured() {
        let text = report.summary(error: nil, storeExists: true, colour: true)
        #expect(text.hasPrefix("\u{1B}[32mPublished:\u{1B}[0m /srv/"))
        #expect(text.contains("  \u{1B}[31mERROR  \u{1B}[0m  foreign_key_violation      3\n"))
        #expect(text.contains("  INFO     unknown_column"))
    }

    @Test func numbersAreRoundedForReaders() {
        #expect(
            [0, 999, 1_000, 1_234_567, -1_000].map(NumberText.grouped) == ["0", "999", "1,000", "1,234,567", "-1,000"])
        let sizes = [
            0, 1, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 1_000_000, 12_345_678_901, 5_000_000_000_000_000,
        ]
        #expect(
            sizes.map(NumberText.bytes) == [
                "0 bytes", "1 byte", "999 bytes", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "1.0 MB", "12 GB",
                "5,000 TB",
            ])
        let times = [0, 0.04, 3.44, 99.94, 99.96, 125, 3_599.6, 7_260, .nan, -1, 1e300]
        #expect(
            times.map(NumberText.duration) == [
                "0.0 s", "0.0 s", "3.4 s", "99.9 s", "1 min 40 s", "2 min 5 s", "1 h 0 min", "2 h 1 min", "? s", "? s",
                "? s",
            ])
    }

    @Test func controlCharactersAreSpelledOut() {
        #expect("a\u{1B}[31m\n\u{9B}ü".harmless == "a\\u{1B}[31m\\u{A}\\u{9B}ü")
        // Signs that join letters belong to the names of many languages; other signs without a shape do not.
        #expect("\u{915}\u{94D}\u{200D}\u{200C}\u{202E}".harmless == "\u{915}\u{94D}\u{200D}\u{200C}\\u{202E}")
    }

    @Test func thePeakOfMemoryIncludesWhatWasFreed() async {
        await #expect(processExitsWith: .success) {
            let (before, bytes) = (ProcessMemory.peakBytes, 256 << 20)
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 1)
            memory.deallocate()
            #expect(ProcessMemory.peakBytes >= before + bytes / 2)
        }
    }

    @Test func saysWhatAFilterLeftOut() {
        var report = ImportReport()
        report.status = .published
        report.rows = [("trips.txt", 1)]
        report.leftOut = [("trips.txt", 1)]
        #expect(report.json.contains(#""left_out":{"trips.txt":1},"notices":"#))
        #expect(report.headline(error: nil).contains("; the filter left 1 row out"))
        report.replacedDamage = "the store was damaged"
        #expect(report.headline(error: nil).hasSuffix("; the store was damaged"))
        #expect(report.summary(error: nil, storeExists: true).contains(", 1 left out\n"))
    }
}
