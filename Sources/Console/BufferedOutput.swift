import Glibc

/// Standard output, or another descriptor, by the block.
///
///     let output = BufferedOutput(.output)
///     try output.write("a,b\n")
///     try output.flush()
package final class BufferedOutput {
    /// Writing has failed, such as for a full disk or a reader that has gone.
    package struct Failure: Error, Equatable {
        /// `errno` of write(2).
        package let code: Int32

        /// Whether the reader has closed its end of the pipe, as `head` does.
        package var isClosedPipe: Bool { code == EPIPE }
        package var reason: String { String(cString: strerror(code)) }
    }

    private static let blockSize = 65_536

    private let terminal: Terminal
    private var buffer: [UInt8] = []

    package init(_ terminal: Terminal) {
        self.terminal = terminal
        buffer.reserveCapacity(Self.blockSize * 2)
    }

    /// Appends a text. Throws `Failure` when a full block cannot be written.
    package func write(_ text: String) throws(Failure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Writes what has been kept back.
    package func flush() throws(Failure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard terminal.write(buffer[...]) else { throw Failure(code: errno) }
    }
}
