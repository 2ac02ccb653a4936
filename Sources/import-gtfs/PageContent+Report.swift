import GTFSImport
import GTFSSchema
import ICU
import ReportPage
import SystemFiles

extension PageContent {
    /// The page about an import that has ended.
    init(_ report: ImportReport, _ error: ImportError?, policy: PublicationPolicy, now: Int) {
        let verdict: Verdict =
            switch report.status {
            case .published: .published
            case .unchanged: .unchanged
            case .rejected: .refused
            case .failed: .failed
            }
        self.init(verdict: verdict, reason: Self.reason(report.message))
        (feed, store, time, warnings) = (report.feed, report.store, now, report.warnings)
        today = Int((policy.date.flatMap(CivilDay.init) ?? .today).days)
        let before = report.details.rowsBefore
        files = report.rows.map { .init(name: $0.file, rows: $0.count, before: before?[$0.file]) }
        let gone = before?.filter { file in !report.rows.contains { $0.file == file.key } } ?? [:]
        if !report.rows.isEmpty {
            files += gone.sorted { $0.key < $1.key }.map { .init(name: $0.key, rows: 0, before: $0.value) }
        }
        portrait = report.details.portrait
        notices = report.notices.map {
            .init(
                code: $0.code, severity: $0.severity, count: $0.count, meaning: NoticeCode($0.code).meaning,
                samples: report.details.samples[$0.code] ?? [])
        }
        phases = report.phases.map { ($0.name, $0.seconds) }
        (seconds, peakMemoryBytes, storeBytes) = (report.seconds, report.peakMemoryBytes, report.storeBytes)
        (contentHash, tool) = (report.contentHash, ToolVersion.line)
    }

    /// The message without the verdict, which the page shows above it.
    private static func reason(_ message: String) -> String {
        message.without(prefix: "Published: ") ?? message.without(prefix: "Unchanged: ") ?? message
    }
}
