import Glibc
import SystemFiles

/// Writes to standard output, or another descriptor, in blocks.
///
///     let output = BufferedOutput(.output)
///     try output.write("a,b\n")
///     try output.flush()
package final class BufferedOutput {
    /// Writing has failed, for example because the disk is full or the reader has gone.
    package struct Failure: Error, Equatable {
        /// `errno` of write(2).
        package let code: Int32

        package var reason: String { SystemError(number: code).words }
    }

    private static let blockSize = 65_536

    /// Whether the output is a terminal.
    package var isTerminal: Bool { terminal.isTerminal }
    /// Whether to use colours.
    package var hasColours: Bool { terminal.hasColours }
    private let terminal: Terminal
    private var buffer: [UInt8] = []

    package init(_ terminal: Terminal) {
        self.terminal = terminal
        buffer.reserveCapacity(Self.blockSize * 2)
    }

    /// Appends a text. Throws `Failure` when a full block cannot be written.
    package func write(_ text: String) throws(Failure) {
        append(text)
        try flushFullBlock()
    }

    /// Appends a text. Nothing is written until `flushFullBlock` or `flush` is called.
    package func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

    package func append(_ byte: UInt8) { buffer.append(byte) }

    /// Appends a whole number in decimal, padded with leading zeros to `minimumDigits`.
    package func append(_ number: Int64, minimumDigits: Int = 1) {
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        let start = buffer.count
        var rest = number.magnitude
        repeat {
            buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || buffer.count - start < minimumDigits
        buffer[start...].reverse()
    }

    /// Writes the appended text once it fills a block; called after each row.
    package func flushFullBlock() throws(Failure) {
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Writes all buffered text. If that fails, the text is dropped, so that a later flush does not write a part twice.
    package func flush() throws(Failure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard terminal.write(buffer[...]) else { throw Failure(code: errno) }
    }
}
