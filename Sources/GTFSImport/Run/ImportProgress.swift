import Synchronization

/// How far an import is; sent repeatedly while it runs.
public struct ImportProgress: Sendable {
    /// The phase: "open", "load", "reading stop_times.txt", "search terms", "indexes", "checks", "publish", …
    public var phase: String
    /// The file that is being read into a table, such as stops.txt; nil in other phases, also while a file is kept
    /// whole.
    public var file: String?
    /// Rows read from this file; 0 in the other phases.
    public var rows: Int
    /// Uncompressed bytes of the feed's files: read so far, and in total.
    public var bytesRead: UInt64
    public var bytesTotal: UInt64
}

/// Counts the rows and bytes that the reading stage has read, and reports the progress.
final class ProgressMeter: Sendable {
    private struct State {
        var phase = ""
        var file: String?
        var rows = 0
        var bytes: UInt64 = 0
    }
    private let state = Mutex(State())
    private let total: UInt64
    private let report: (@Sendable (ImportProgress) -> Void)?

    init(total: UInt64, report: (@Sendable (ImportProgress) -> Void)?) {
        self.total = total
        self.report = report
    }

    func beginReading(_ file: String) { begin("reading \(file)", file: file) }

    func begin(_ phase: String, file: String? = nil) {
        update { state in
            (state.phase, state.file) = (phase, file)
            state.rows = 0
        }
    }

    func add(rows: Int) { update { $0.rows += rows } }
    func add(bytes: Int) { update { $0.bytes += UInt64(max(bytes, 0)) } }

    private func update(_ change: (inout sending State) -> Void) {
        guard let report else { return }
        let now = state.withLock { state in
            change(&state)
            return ImportProgress(
                phase: state.phase, file: state.file, rows: state.rows, bytesRead: state.bytes, bytesTotal: total)
        }
        report(now)
    }
}
