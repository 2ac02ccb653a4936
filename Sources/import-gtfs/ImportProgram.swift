import GTFSImport
import Console
import GTFSSchema
import Glibc
import SystemFiles

/// The program `import-gtfs`: parses the arguments, runs the import, reports on it and returns an exit code.
enum ImportProgram {
    private static let usageExitCode: Int32 = 64

    /// Runs the process's own arguments; the result is its exit code. Called once, before there are other threads.
    static func run() -> Int32 {
        SystemFile.occupyStandardStreams()
        var arguments: [String] = []
        do throws(UsageError) {
            arguments = try OptionTable.processArguments()
            switch try ImportArguments.parse(arguments) {
            case .help: return printed(ImportArguments.help)
            case .version: return printed(ToolVersion.line + "\n")
            case .run(let request): return ImportRun(request).perform()
            case .rollBack(let request): return rollBack(request)
            case .index(let folder): return writeIndex(folder)
            case .list(let path): return printList(path)
            }
        } catch {
            return refuse(error, arguments)
        }
    }

    private static func rollBack(_ request: ImportArguments) -> Int32 {
        var report = ImportReport()
        report.store = request.options.store
        var failure: ImportError?
        let cancellation = CancellationFlag()
        TerminationSignals.watch(cancellation)
        do throws(ImportError) {
            let target = try StoreTarget(request.options.store)
            let (message, warning) = try Rollback(of: target, cancellation: cancellation).run()
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
        var exitCode = failure?.code.exitCode ?? 0
        if request.printsJSON { deliver(&report, &exitCode) }
        tellOfRollback(report.harmless, failure, quietly: request.isQuiet)
        return exitCode
    }

    private static func tellOfRollback(_ report: ImportReport, _ error: ImportError?, quietly: Bool) {
        if let error {
            let colour = Terminal.error.hasColours
            Terminal.error.write(report.headline(error: error.harmless, colour: colour) + "\n")
        } else if !quietly {
            Terminal.error.write("Rolled back: \(report.message.harmless)\n")
        }
        for warning in report.warnings { Terminal.error.write("Warning: \(warning)\n") }
    }

    private static func writeIndex(_ folder: String) -> Int32 {
        do throws(ImportError) {
            let count = try ReportIndex(folder: folder).write()
            let pages = NumberText.counted(count, "page")
            Terminal.error.write("Written: \(folder.harmless)/index.html over \(pages)\n")
            return 0
        } catch {
            Terminal.error.write("Failed: \(error.harmless.message)\n")
            return error.code.exitCode
        }
    }

    private static func printList(_ path: String) -> Int32 {
        do throws(ImportError) {
            let list = try FeedList(path: path)
            for reason in list.skipped { Terminal.error.write("Left out: \(reason.harmless)\n") }
            return printed(list.text)
        } catch {
            Terminal.error.write("Failed: \(error.harmless.message)\n")
            return error.code.exitCode
        }
    }

    /// Prints the report of `--json`. If that fails, adds a warning, and turns the exit code of a success into 74: a
    /// caller that waits for the report must not take missing output for success.
    @discardableResult
    static func deliver(_ report: inout ImportReport, _ exitCode: inout Int32) -> Bool {
        guard let fault = printFault(report.json + "\n") else { return true }
        report.warnings.append(
            "\(fault); the JSON report is lost" + (exitCode == 0 ? ", but the store is current" : ""))
        if exitCode == 0 { exitCode = ImportError.Code.inputOutput.exitCode }
        return false
    }

    /// Writes to standard output; returns what went wrong.
    private static func printFault(_ text: String) -> String? {
        if Terminal.output.write(text) { return nil }
        return "standard output cannot be written: \(SystemError.last.words)"
    }

    private static func printed(_ text: String) -> Int32 {
        guard let fault = printFault(text) else { return 0 }
        Terminal.error.write("import-gtfs: \(fault)\n")
        return ImportError.Code.inputOutput.exitCode
    }

    private static func refuse(_ error: UsageError, _ arguments: [String]) -> Int32 {
        let message = error.message.harmless
        Terminal.error.write("import-gtfs: \(message)\n\(ImportArguments.usage); import-gtfs --help tells more\n")
        if ImportArguments.wantsJSON(arguments) {
            var report = ImportReport()
            report.message = error.message
            var exitCode = usageExitCode
            deliver(&report, &exitCode)
            for warning in report.warnings { Terminal.error.write("import-gtfs: \(warning)\n") }
        }
        return usageExitCode
    }
}
