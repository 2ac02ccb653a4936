import GTFSImport
import Console
import Glibc
import ReportPage
import SystemFiles

/// One run of the program: an import, then its page, command, metrics and report.
///
///     exit(ImportRun(request).perform())
///
/// If the page, the command, the metrics or the report fails, a warning says so. The store stays as it is. The exit
/// code changes only if the JSON report is lost.
struct ImportRun {
    private let request: ImportArguments
    private let log: JSONLog?

    init(_ request: ImportArguments) {
        self.request = request
        let store = request.options.store.readablePath
        log = request.logsJSON ? JSONLog(.error, store: store, isQuiet: request.isQuiet) : nil
    }

    func perform() -> Int32 {
        let cancellation = CancellationFlag()
        let target = try? StoreTarget(request.options.store)  // the import itself reports what is wrong with it
        TerminationSignals.watch(cancellation)
        let display = wantsProgress ? ProgressDisplay(.error) : nil
        var options = request.options
        options.earlierReports = [request.pagePath.map(WholeFile.page), request.metricsPath.map(WholeFile.metrics)]
            .compactMap(\.self).filter(\.isOwn).map(\.path)
        let importer = Importer(
            options, cancellation: cancellation, progress: log.map { $0.show } ?? display.map { $0.show })
        var (report, error) = importer.run()
        display?.clear()
        report.complete(request.options, error)
        writePage(&report, error)
        let afterFailed = error == nil && !runAfterCommand(&report, target)
        var exitCode = error?.code.exitCode ?? 0
        writeMetrics(&report, exitCode, target, afterFailed: afterFailed)
        if request.printsJSON, !ImportProgram.deliver(&report, &exitCode) {
            // The report could not be written, so the metrics are written again, with the new exit code.
            writeMetrics(&report, exitCode, target, afterFailed: afterFailed)
        }
        if let log {
            log.end(report, exitCode: exitCode)
        } else {
            tell(report, error, storeExists: target.map { FileStatus(path: $0.path) != nil } ?? false)
        }
        return exitCode
    }

    private var wantsProgress: Bool {
        log == nil && (request.showsProgress || (Terminal.error.isTerminal && !request.isQuiet))
    }

    private func tell(_ report: ImportReport, _ error: ImportError?, storeExists: Bool) {
        let colour = Terminal.error.hasColours
        if !request.isQuiet {
            Terminal.error.write(
                report.harmless.summary(error: error?.harmless, storeExists: storeExists, colour: colour))
        } else {
            if error != nil {
                Terminal.error.write(report.harmless.headline(error: error?.harmless, colour: colour) + "\n")
            }
            for warning in report.harmless.warnings { Terminal.error.write("Warning: \(warning)\n") }
        }
    }

    // MARK: Beside the store

    private func writePage(_ report: inout ImportReport, _ error: ImportError?) {
        guard let path = request.pagePath else { return }
        let content = PageContent(report, error, policy: request.options.policy, now: Int(time(nil)))
        do throws(ImportError) {
            try WholeFile.page(path).replace { ReportPage(content).html }
        } catch {
            report.warnings.append("the report: \(error.message.readablePath)")
        }
    }

    /// Runs the command of `--after`, if any; returns whether nothing went wrong.
    private func runAfterCommand(_ report: inout ImportReport, _ target: StoreTarget?) -> Bool {
        guard let command = request.afterCommand, let target else { return true }
        let problem = AfterCommand(command).run(report, of: request.options.feed, target, page: request.pagePath)
        if let problem { report.warnings.append(problem.readablePath) }
        return problem == nil
    }

    private func writeMetrics(
        _ report: inout ImportReport, _ exitCode: Int32, _ target: StoreTarget?, afterFailed: Bool
    ) {
        guard let path = request.metricsPath else { return }
        do throws(ImportError) {
            try MetricsFile(path: path).write(
                report, exitCode: exitCode, afterFailed: afterFailed, store: target?.path ?? request.options.store)
        } catch {
            report.warnings.append("the metrics: \(error.message.readablePath)")
        }
    }
}

extension ImportReport {
    /// Fills in what the import itself may have left empty.
    mutating func complete(_ options: ImportOptions, _ error: ImportError?) {
        if feed.isEmpty { feed = options.feed }
        if store.isEmpty { store = options.store }
        if let error {
            status = error.code == .feedRefused ? .rejected : .failed
            message = error.message
        } else if message.isEmpty {
            message = headline(error: nil)
        }
        peakMemoryBytes = max(peakMemoryBytes, ProcessMemory.peakBytes)
        (feed, store, message) = (feed.readablePath, store.readablePath, message.readablePath)
        warnings = warnings.map(\.readablePath)
        rows = rows.map { ($0.file.readablePath, $0.count) }
        leftOut = leftOut.map { ($0.file.readablePath, $0.count) }
    }

    /// The report with the feed's and the caller's words made harmless for a terminal. `message` stays as it is: the
    /// headline and the summary print the words of the error instead.
    var harmless: ImportReport {
        var report = self
        report.feed = feed.harmless
        report.store = store.harmless
        report.warnings = warnings.map(\.harmless)
        report.replacedDamage = replacedDamage.harmless
        report.rows = rows.map { ($0.file.harmless, $0.count) }
        report.leftOut = leftOut.map { ($0.file.harmless, $0.count) }
        return report
    }
}

extension ImportError {
    var harmless: ImportError { reworded(\.harmless) }
}
