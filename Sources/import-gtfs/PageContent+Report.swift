import CivilTime
import GTFSImport
import GTFSSchema
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
        self.init(verdict: verdict, reason: error == nil ? report.outcome : report.message)
        (feed, store, time, warnings) = (report.feed, report.store, now, report.warnings)
        today = Int((policy.date.flatMap(CivilDay.init(number:)) ?? .today).daysSince1970)
        files = Self.files(report)
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

    /// The feed's files, then those that only the earlier store had. Names are compared byte by byte: é as one code
    /// point and as two are two files, although Swift takes the texts for equal.
    private static func files(_ report: ImportReport) -> [File] {
        guard !report.rows.isEmpty else { return [] }
        let earlier = (report.details.rowsBefore ?? []).map { (file: $0.file.readablePath, count: $0.count) }
        let before = Dictionary(earlier.map { (Array($0.file.utf8), $0.count) }) { $1 }
        let names = Set(report.rows.map { Array($0.file.utf8) })
        let gone = earlier.filter { !names.contains(Array($0.file.utf8)) }
        return report.rows.map { File(name: $0.file, rows: $0.count, before: before[Array($0.file.utf8)]) }
            + gone.map { File(name: $0.file, rows: 0, before: $0.count) }
    }
}
