import Console
import GTFSSchema
import Glibc
import SystemFiles

/// The program `import-gtfs`: arguments in, an import run, words and an exit code out.
package enum ImportProgram {
    private static let usageExitCode: Int32 = 64

    /// Runs the process's own arguments; the result is its exit code. Called once, before there are other threads.
    package static func run() -> Int32 {
        let arguments = OptionTable.processArguments
        do throws(UsageError) {
            switch try ImportArguments.parse(arguments) {
            case .help: return printed(ImportArguments.help)
            case .version: return printed(ToolVersion.line + "\n")
            case .run(let request): return perform(request)
            case .rollBack(let request): return rollBack(request)
            }
        } catch {
            return refuse(error, arguments)
        }
    }

    private static func perform(_ request: ImportArguments) -> Int32 {
        let cancellation = CancellationFlag()
        let target = try? StoreTarget(request.options.store)  // the import itself reports what is wrong with it
        TerminationSignals.watch(cancellation)
        let wantsProgress = request.showsProgress || (Terminal.error.isTerminal && !request.isQuiet)
        let display = wantsProgress ? ProgressDisplay(.error) : nil
        let importer = Importer(request.options, cancellation: cancellation, progress: display.map { $0.show })
        var (report, error) = importer.run()
        display?.clear()
        report.complete(request.options, error)
        tell(report, error, quietly: request.isQuiet, storeExists: target?.exists ?? false)
        if request.printsJSON { printReport(report) }
        return error?.kind.exitCode ?? 0
    }

    private static func rollBack(_ request: ImportArguments) -> Int32 {
        var report = ImportReport()
        report.store = request.options.store
        var failure: ImportError?
        do throws(ImportError) {
            let target = try StoreTarget(request.options.store)
            let (message, warning) = try Rollback(of: target).run()
            (report.status, report.message, report.warnings) = (.published, message, warning.map { [$0] } ?? [])
            let live = LiveStore(path: target.path)
            report.contentHash = live?.contentHash ?? ""
            report.rows = live?.rows ?? []
            report.notices = live?.notices ?? []
            report.storeBytes = FileStatus(path: target.path).map { Int($0.size) } ?? 0
        } catch {
            failure = error
        }
        report.complete(request.options, failure)
        tellOfRollback(report.harmless, failure, quietly: request.isQuiet)
        if request.printsJSON { printReport(report) }
        return failure?.kind.exitCode ?? 0
    }

    private static func tellOfRollback(_ report: ImportReport, _ error: ImportError?, quietly: Bool) {
        let colour = Terminal.error.hasColours
        if let error {
            Terminal.error.write(report.headline(error: error.harmless, colour: colour) + "\n")
            return
        }
        guard !quietly else { return }
        Terminal.error.write("Rolled back: \(Terminal.harmless(report.message))\n")
        for warning in report.warnings { Terminal.error.write("Warning: \(warning)\n") }
    }

    private static func tell(_ report: ImportReport, _ error: ImportError?, quietly: Bool, storeExists: Bool) {
        let colour = Terminal.error.hasColours
        if !quietly {
            Terminal.error.write(
                report.harmless.summary(error: error?.harmless, storeExists: storeExists, colour: colour))
        } else if error != nil {
            Terminal.error.write(report.harmless.headline(error: error?.harmless, colour: colour) + "\n")
        }
    }

    /// A report that cannot be delivered changes neither the store nor, therefore, the exit code.
    private static func printReport(_ report: ImportReport) {
        if !Terminal.output.write(report.json + "\n") {
            let reason = String(cString: strerror(errno))
            Terminal.error.write("import-gtfs: the JSON report cannot be written: \(reason)\n")
        }
    }

    private static func printed(_ text: String) -> Int32 {
        Terminal.output.write(text) ? 0 : ImportError.Kind.inputOutput.exitCode
    }

    private static func refuse(_ error: UsageError, _ arguments: [String]) -> Int32 {
        let message = Terminal.harmless(error.message)
        Terminal.error.write("import-gtfs: \(message)\n\(ImportArguments.usage); import-gtfs --help tells more\n")
        if ImportArguments.wantsJSON(arguments) {
            var report = ImportReport()
            report.message = error.message
            printReport(report)
        }
        return usageExitCode
    }
}

extension ImportReport {
    /// Fills in what the import itself may have left open.
    fileprivate mutating func complete(_ options: ImportOptions, _ error: ImportError?) {
        if feed.isEmpty { feed = options.feed }
        if store.isEmpty { store = options.store }
        if let error {
            status = error.kind == .feedRefused ? .rejected : .failed
            message = error.message
        } else if message.isEmpty {
            message = headline(error: nil)
        }
        peakMemoryBytes = max(peakMemoryBytes, ProcessMemory.peakBytes)
        (feed, store, message) = (feed.readablePath, store.readablePath, message.readablePath)
        warnings = warnings.map(\.readablePath)
        rows = rows.map { ($0.file.readablePath, $0.count) }
    }

    /// The report with the feed's and the caller's words made harmless for a terminal.
    fileprivate var harmless: ImportReport {
        var report = self
        report.feed = Terminal.harmless(feed)
        report.store = Terminal.harmless(store)
        report.warnings = warnings.map(Terminal.harmless)
        report.healed = Terminal.harmless(healed)
        report.rows = rows.map { (Terminal.harmless($0.file), $0.count) }
        return report
    }
}

extension ImportError {
    fileprivate var harmless: ImportError { ImportError(kind, Terminal.harmless(message)) }
}
