import Testing

@testable import GTFSImport
@testable import import_gtfs

@Suite struct ReportProgressTests {
    private func progress(_ phase: String, rows: Int = 0, read: UInt64 = 0, of total: UInt64 = 1_000) -> ImportProgress
    {
        ImportProgress(phase: phase, rows: rows, bytesRead: read, bytesTotal: total)
    }

    @Test func saysWhereWhatHowFastHowLong() {
        var line = ProgressLine(interval: 0.1)
        #expect(line.text(for: progress("reading stop_times.txt"), at: 2) == "reading stop_times.txt")
        #expect(
            line.text(for: progress("reading stop_times.txt", rows: 1_000_000, read: 250), at: 4)
                == "reading stop_times.txt  1,000,000 rows  500,000 rows/s  25 %  12.0 s left")
        #expect(line.text(for: progress("building indexes", read: 1_000), at: 9) == "building indexes")
    }

    @Test func isThrottledButTellsOfEachPhase() {
        var line = ProgressLine(interval: 2)
        let times = [0, 1, 1.9, 2, 3.9, 4]
        #expect(
            times.map { line.text(for: progress("a", rows: 1), at: $0) != nil } == [
                true, false, false, true, false, true,
            ])
        #expect(line.text(for: progress("b"), at: 4.1) == "b")
        #expect(line.text(for: progress("b"), at: 5) == nil)
    }

    @Test func bearsNumbersThatMakeNoSense() {
        var line = ProgressLine(interval: 0)
        #expect(
            line.text(for: progress("a", rows: .max, read: .max, of: 0), at: 0) == "a  9,223,372,036,854,775,807 rows")
        #expect(line.text(for: progress("a", rows: 1, read: 1, of: .max), at: 5)?.hasSuffix("0 %  ? s left") == true)
        #expect(line.text(for: progress("a", rows: -1), at: 5) == "a")
    }
}
