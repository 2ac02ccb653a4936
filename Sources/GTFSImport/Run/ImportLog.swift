import GTFSSchema
import SystemFiles

/// What one import records: findings, phases, counts.
final class ImportLog {
    var report = ImportReport()
    var notices: NoticeLog
    var rows: [FileSummary] = []
    /// The rows and notices of the live store, if the feed has not changed and a page was requested; else empty.
    var liveRows: [(file: String, count: Int)] = []
    var liveNotices: [ImportReport.NoticeCount] = []
    /// Whether the live store was made from this feed with these options, and is made again because it is damaged.
    var isRebuild = false
    private let gathersDetails: Bool
    private let start = MonotonicClock.seconds
    private var phase: (name: String, start: Double)?

    init(_ options: ImportOptions) {
        notices = NoticeLog(keptPerCode: options.noticesKeptPerCode)
        gathersDetails = options.gathersDetails
        report.feed = options.feed
        report.store = options.store
    }

    /// Ends the current phase and begins the next.
    func begin(_ name: String, _ progress: (@Sendable (ImportProgress) -> Void)?) {
        endPhase()
        phase = (name, MonotonicClock.seconds)
        progress?(ImportProgress(phase: name, rows: 0, bytesRead: 0, bytesTotal: 0))
    }

    private func endPhase() {
        guard let phase else { return }
        report.phases.append(.init(name: phase.name, seconds: MonotonicClock.seconds - phase.start))
        self.phase = nil
    }

    /// The report with everything known so far.
    func finishedReport() -> ImportReport {
        endPhase()
        report.seconds = MonotonicClock.seconds - start
        report.rows = rows.map { ($0.file, $0.rows) } + liveRows
        report.leftOut = rows.filter { $0.leftOut > 0 }.map { ($0.file, $0.leftOut) }
        if gathersDetails { report.details.readSamples(notices) }
        report.notices =
            liveNotices
            + notices.totals.map {
                .init(code: $0.kind.code.name, severity: $0.kind.code.severity.rawValue, count: $0.count)
            }
        report.peakMemoryBytes = ProcessMemory.peakBytes
        return report
    }
}
