import Console
import GTFSSchema
import Glibc
import ICU
import SQLite
import SystemFiles
import TransitStore

/// The program `fetch-gtfs`: parses the arguments, writes rows and returns an exit code.
enum FetchProgram {
    /// Runs the process's own arguments; the result is its exit code.
    static func run() -> Int32 {
        SystemFile.occupyStandardStreams()
        prepareSignals()
        let output = BufferedOutput(.output)
        do {
            try perform(FetchArguments.parse(OptionTable.processArguments()), output)
            try output.flush()
            Deadline.end()
            return ExitCode.success
        } catch {
            return tell(error)
        }
    }

    /// Signals end the program as they do by default: it only reads, so there is nothing to clean up.
    private static func prepareSignals() {
        // If the reader goes away, as `head` does, the program ends silently, like other tools in a pipe. This also
        // overrides a parent process that ignores the signal, as Python's subprocess can.
        signal(SIGPIPE, SIG_DFL)
        // Exceeding the limit on file sizes becomes an error of the write.
        signal(SIGXFSZ, SIG_IGN)
        // A parent thread that blocks signals, as Dispatch's threads do, passes the blocked signals on to us.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func perform(_ request: FetchArguments.Request, _ output: BufferedOutput) throws {
        switch request {
        case .help: try output.write(FetchArguments.help)
        case .version: try output.write(ProgramVersion.line + "\n")
        case .run(let arguments):
            var configuration = TransitStore.Configuration()
            if arguments.showsSQL { configuration.sqlDebug.level = max(configuration.sqlDebug.level, 2) }
            configuration.sqlDebug.write = { Terminal.error.write($0.harmless + "\n") }
            configuration.timeLimit = try arguments.timeLimit
            if let seconds = configuration.timeLimit { Deadline.begin(seconds: seconds) }
            try perform(arguments, configuration, output)
        }
    }

    private static func perform(
        _ arguments: FetchArguments, _ configuration: TransitStore.Configuration, _ output: BufferedOutput
    ) throws {
        func store() throws -> TransitStore { try TransitStore(path: arguments.store, configuration: configuration) }
        func rows() throws -> FetchCommand { FetchCommand(store: try store(), arguments: arguments) }
        func departures() throws -> DeparturesCommand { DeparturesCommand(store: try store(), arguments: arguments) }
        switch arguments.command {
        case .check: try CheckCommand(arguments: arguments, configuration: configuration).run(output)
        case .info: try InfoCommand(store: store(), arguments: arguments).run(output)
        case .entities(let name): try EntitiesCommand(store: store(), arguments: arguments).run(name, output)
        case .fetch(let entity): try rows().fetch(entity, output)
        case .near(let place): try rows().near(place, output)
        case .search(let text): try rows().search(text, output)
        case .departures(let stops): try departures().departures(at: stops, output)
        case .departuresNear(let place): try departures().near(place, output)
        case .trips(let stop, let date): try departures().trips(at: stop, on: date, output)
        }
    }

    /// Says on standard error what went wrong.
    private static func tell(_ error: any Error) -> Int32 {
        Deadline.end()
        switch error {
        case let error as UsageError:
            say("\(error.message)\n\(FetchArguments.usage); fetch-gtfs --help tells more")
            return ExitCode.usage
        case let error as BufferedOutput.Failure:
            say("standard output cannot be written: \(error.reason)")
            return ExitCode.inputOutputFailed
        case let error as StoreError:
            say(error.message + hint(error.code))
            return ExitCode.code(of: error)
        default:
            say("\(error)")
            return ExitCode.bug
        }
    }

    /// The option of the command line that helps with the error.
    private static func hint(_ code: StoreError.Code) -> String {
        switch code {
        case .missingVariable: "; give it with --set NAME=VALUE"
        case .unknownEntity: " (info --entities lists all)"
        default: ""
        }
    }

    /// Keeps line ends; escapes all other characters that could control a terminal.
    private static func say(_ message: String) {
        Terminal.error.write("fetch-gtfs: \(message.harmlessLines)\n")
    }
}

/// How the program ends (sysexits.h).
enum ExitCode {
    static let success: Int32 = 0
    static let usage: Int32 = 64
    static let badRequestOrData: Int32 = 65
    static let cannotOpen: Int32 = 66
    static let bug: Int32 = 70
    static let inputOutputFailed: Int32 = 74
    static let timedOut: Int32 = 75

    static func code(of error: StoreError) -> Int32 {
        switch error.code {
        case .missing, .notAStore, .otherVersion, .truncated, .unreadable: cannotOpen
        case .readFailed: inputOutputFailed
        case .timedOut: timedOut
        case .failed, .readOnly: bug
        default: badRequestOrData
        }
    }
}

/// What `--version` prints.
enum ProgramVersion {
    static var line: String {
        "fetch-gtfs \(ToolVersion.number) (SQLite \(Connection.libraryVersion), ICU \(ICULibrary.version), "
            + "time zones \(zoneVersion), store layout \(StoreSchema.version))"
    }

    /// The version of the system's time zones, as `2025b`. Debian's package tzdata writes it into this file's first
    /// line.
    private static var zoneVersion: String {
        let descriptor = SystemFile.open("/usr/share/zoneinfo/tzdata.zi", O_RDONLY)
        guard descriptor >= 0 else { return "of ICU or an unknown version" }
        defer { close(descriptor) }
        let line = ((try? SystemFile.head(100, of: descriptor)) ?? []).prefix { $0 != 10 }
        return line.split(separator: 32).last.map { String(decoding: $0, as: UTF8.self) } ?? "of an unknown version"
    }
}
