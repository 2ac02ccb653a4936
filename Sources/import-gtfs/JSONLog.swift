import CivilTime
import Console
import GTFSImport
import Glibc
import Synchronization
import SystemFiles

/// Writes an import's messages as JSON lines on standard error, for log collectors.
///
///     {"time":"2026-11-22T02:15:01Z","level":"info","event":"phase","store":"berlin.sqlite","phase":"indexes"}
///     {"time":"2026-11-22T02:15:03Z","level":"info","event":"end","store":"berlin.sqlite","status":"published",…}
///
/// May be used from any thread.
final class JSONLog: Sendable {
    private let terminal: Terminal
    private let store: String
    private let isQuiet: Bool
    private let phase = Mutex("")

    init(_ terminal: Terminal, store: String, isQuiet: Bool) {
        self.terminal = terminal
        self.store = store
        self.isQuiet = isQuiet
    }

    /// Writes a line for each new phase, except for reading, which has a phase for each file.
    func show(_ progress: ImportProgress) {
        guard progress.file == nil else { return }
        let isNew = phase.withLock { phase in
            defer { phase = progress.phase }
            return phase != progress.phase
        }
        guard isNew, !isQuiet else { return }
        write("info", "phase") { json in json.member("phase") { $0.string(progress.phase) } }
    }

    func end(_ report: ImportReport, exitCode: Int32) {
        for warning in report.warnings {
            write("warning", "warning") { json in json.member("message") { $0.string(warning) } }
        }
        guard exitCode != 0 || !isQuiet else { return }
        write(exitCode == 0 ? "info" : "error", "end") { json in
            json.member("feed") { $0.string(report.feed) }
            json.member("status") { $0.string(report.status.rawValue) }
            json.member("exit_code") { $0.integer(Int(exitCode)) }
            json.member("message") { $0.string(report.message) }
            json.member("rows") { $0.integer(report.rows.reduce(0) { $0 + $1.count }) }
            json.member("notices") { $0.integer(report.notices.reduce(0) { $0 + $1.count }) }
            json.member("seconds") { $0.seconds(report.seconds) }
        }
    }

    private func write(_ level: String, _ event: String, _ members: (inout JSONText) -> Void) {
        var json = JSONText()
        json.object { json in
            json.member("time") { $0.string(Self.text(of: Int64(time(nil)))) }
            json.member("level") { $0.string(level) }
            json.member("event") { $0.string(event) }
            json.member("store") { $0.string(store) }
            members(&json)
        }
        terminal.write(json.text + "\n")
    }

    /// "2026-11-22T02:15:01Z" (RFC 3339)
    static func text(of seconds: Int64) -> String {
        let time = ClockText.withSeconds(CivilDay.seconds(atUnixSeconds: seconds))
        return "\(CivilDay(unixSeconds: seconds))T\(time)Z"
    }
}
