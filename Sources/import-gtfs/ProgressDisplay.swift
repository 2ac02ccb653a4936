import GTFSImport
import Console
import Synchronization
import SystemFiles

/// Shows the progress of an import: on a terminal one line that is overwritten, elsewhere a line for each phase and
/// then every 2 seconds.
final class ProgressDisplay: Sendable {
    private struct State {
        var line: ProgressLine
        var isShowing = false
    }

    private let terminal: Terminal
    private let start = MonotonicClock.seconds
    private let state: Mutex<State>

    init(_ terminal: Terminal) {
        self.terminal = terminal
        state = Mutex(State(line: ProgressLine(interval: terminal.hasCursor ? 0.1 : 2)))
    }

    /// May be called from any thread and at any rate; costs one clock reading when there is nothing to show.
    func show(_ progress: ImportProgress) {
        let now = MonotonicClock.seconds - start
        state.withLock { state in
            guard let text = state.line.text(for: progress, at: now).map(\.harmless) else { return }
            if terminal.hasCursor {
                // Writes the text from the first column on and erases the rest of the line (ECMA-48, EL).
                terminal.write("\r\(text.cut(toColumns: max(1, terminal.width - 1)))\u{1B}[K")
                state.isShowing = true
            } else {
                terminal.write(text + "\n")
            }
        }
    }

    /// Erases the line, so that other output can follow.
    func clear() {
        state.withLock { state in
            if state.isShowing { terminal.write("\r\u{1B}[K") }
            state.isShowing = false
        }
    }
}

/// Turns the steps of an import into lines, no more often than people can read.
///
///     var line = ProgressLine(interval: 0.1)
///     line.text(for: progress, at: 12.5)
///     // "reading stop_times.txt  1,234,567 rows  1,200,000 rows/s  45 %  6.0 s left"
struct ProgressLine {
    /// The least time between two lines of one phase, in seconds; a new phase is always shown.
    let interval: Double

    private var phase = ""
    private var phaseStart = 0.0
    private var lastLine = 0.0

    init(interval: Double) { self.interval = interval }

    /// The line to show `now`, in seconds since the start; nil when it is too early for another one.
    mutating func text(for progress: ImportProgress, at now: Double) -> String? {
        if progress.phase != phase {
            phase = progress.phase
            phaseStart = now
        } else if now - lastLine < interval {
            return nil
        }
        lastLine = now
        return parts(progress, now).joined(separator: "  ")
    }

    private func parts(_ progress: ImportProgress, _ now: Double) -> [String] {
        var parts = [progress.phase]
        if progress.rows > 0 {
            parts.append(NumberText.counted(progress.rows, "row"))
            let rate = Double(progress.rows) / (now - phaseStart)
            if now - phaseStart >= 0.1, rate < 1e15 { parts.append(NumberText.grouped(Int(rate)) + " rows/s") }
        }
        let read = Double(progress.bytesRead)
        let total = Double(progress.bytesTotal)
        guard read > 0, read < total else { return parts }
        parts.append("\(Int(read / total * 100)) %")
        if now >= 1 { parts.append("\(NumberText.duration(now * (total - read) / read)) left") }
        return parts
    }
}
