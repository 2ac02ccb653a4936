import Glibc
import SystemFiles

/// Standard output or standard error, and whether it is a terminal.
package struct Terminal: Sendable {
    package static let output = Terminal(descriptor: STDOUT_FILENO)
    package static let error = Terminal(descriptor: STDERR_FILENO)

    package let descriptor: Int32
    package let isTerminal: Bool
    /// Whether it can move its cursor: it is a terminal, and TERM is set and is not "dumb".
    package let hasCursor: Bool
    /// Whether to use colours: never when NO_COLOR is set and not empty (<https://no-color.org>).
    package let hasColours: Bool

    package init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        let kind = Self.environment("TERM")
        hasCursor = isTerminal && kind != "dumb" && !kind.isEmpty
        hasColours = hasCursor && Self.environment("NO_COLOR").isEmpty
    }

    /// Writes all of `text`; false, with `errno` set, when that failed.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)[...]) }

    /// Writes all of `bytes`; false, with `errno` set, when that failed.
    @discardableResult
    package func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        var bytes = bytes
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes.removeFirst(count)
            } else if count < 0, errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, 1_000)
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Columns of the window; 80 when the system does not say, as for a file or a pipe.
    package var width: Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    private static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
