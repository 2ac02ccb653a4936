import Console
import Synchronization

/// Shows where an import stands: one line that is written over on a terminal, a line now and then elsewhere.
final class ProgressDisplay: Sendable {
    private struct State {
        var line: ProgressLine
        var isShowing = false
    }

    private let terminal: Terminal
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    init(_ terminal: Terminal) {
        self.terminal = terminal
        state = Mutex(State(line: ProgressLine(interval: terminal.hasCursor ? 0.1 : 2)))
    }

    /// May be called from any thread and as often as one likes; costs one clock reading when there is nothing to show.
    func show(_ progress: ImportProgress) {
        let now = (ContinuousClock.now - start) / .seconds(1)
        state.withLock { state in
            guard let text = state.line.text(for: progress, at: now).map(Terminal.harmless) else { return }
            if terminal.hasCursor {
                // Back to the first column, the text, and nothing right of it (ECMA-48, EL).
                terminal.write("\r\(text.prefix(max(1, terminal.width - 1)))\u{1B}[K")
                state.isShowing = true
            } else {
                terminal.write(text + "\n")
            }
        }
    }

    /// Takes the line away, so that other words can follow.
    func clear() {
        state.withLock { state in
            if state.isShowing { terminal.write("\r\u{1B}[K") }
            state.isShowing = false
        }
    }
}
