import GTFSImport
import Console
import GTFSSchema
import Glibc
import SystemFiles

/// The program `import-gtfs`: arguments in, an import run, words and an exit code out.
enum ImportProgram {
    private static let usageExitCode: Int32 = 64

    /// Runs the process's own arguments; the result is its exit code. Called once, before there are other threads.
    static func run() -> Int32 {
        SystemFile.occupyStandardStreams()
        let arguments = OptionTable.processArguments
        do throws(UsageError) {
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
        return failure?.code.exitCode ?? 0
    }

    private static func tellOfRollback(_ report: ImportReport, _ error: ImportError?, quietly: Bool) {
        if let error {
            let colour = Terminal.error.hasColours
            Terminal.error.write(report.headline(error: error.harmless, colour: colour) + "\n")
        } else if !quietly {
            Terminal.error.write("Rolled back: \(Terminal.harmless(report.message))\n")
            for warning in report.warnings { Terminal.error.write("Warning: \(warning)\n") }
        }
    }

    private static func writeIndex(_ folder: String) -> Int32 {
        do throws(ImportError) {
            let count = try ReportIndex(folder: folder).write()
            let pages = NumberText.counted(count, "page")
            Terminal.error.write("Written: \(Terminal.harmless(folder))/index.html over \(pages)\n")
            return 0
        } catch {
            Terminal.error.write("Failed: \(error.harmless.message)\n")
            return error.code.exitCode
        }
    }

    private static func printList(_ path: String) -> Int32 {
        do throws(ImportError) {
            let list = try FeedList(path: path)
            for reason in list.skipped { Terminal.error.write("Left out: \(Terminal.harmless(reason))\n") }
            return printed(list.text)
        } catch {
            Terminal.error.write("Failed: \(error.harmless.message)\n")
            return error.code.exitCode
        }
    }

    /// A report that cannot be delivered changes neither the store nor, therefore, the exit code.
    static func printReport(_ report: ImportReport) {
        if !Terminal.output.write(report.json + "\n") {
            let reason = String(cString: strerror(errno))
            Terminal.error.write("import-gtfs: the JSON report cannot be written: \(reason)\n")
        }
    }

    private static func printed(_ text: String) -> Int32 {
        Terminal.output.write(text) ? 0 : ImportError.Code.inputOutput.exitCode
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
