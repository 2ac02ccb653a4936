// Legacy encodings and UTF-16 to UTF-8, block by block.
//
// Unsafe because ICU reads the bytes in place and writes through a buffer on the stack: no allocation per block.

/// Converts a text of one encoding to UTF-8, block by block. Bytes that the encoding does not have become U+FFFD.
///
///     let decoder = CharsetDecoder("windows-1252")
///     decoder?.decode(block, appendingTo: &utf8)
///     decoder?.finish(appendingTo: &utf8)
///
/// Remembers a character cut by the end of a block, so use one object for one text at a time, on one thread at a time.
package final class CharsetDecoder {
    private let decoder: Handle

    /// Opens a decoder for a name that ICU knows: IANA's names and their aliases, `UTF-16` (with byte order mark),
    /// `UTF-16LE`. Nil for an unknown name.
    package init?(_ name: String) {
        guard !name.utf8.contains(0), let decoder = CCharset.open(name) else { return nil }
        self.decoder = decoder
    }

    deinit { CCharset.close(decoder) }

    /// How many times U+FFFD was written for bytes that the encoding does not have.
    package var replacements: Int { Int(clamping: CCharset.replacements(decoder)) }

    /// Appends the block as UTF-8; a character cut by its end waits for the next block.
    package func decode(_ bytes: UnsafeRawBufferPointer, appendingTo utf8: inout [UInt8]) {
        convert(bytes, appendingTo: &utf8, flush: false)
    }

    /// Ends the text: a character still incomplete becomes U+FFFD. The next block starts a new text.
    package func finish(appendingTo utf8: inout [UInt8]) {
        convert(UnsafeRawBufferPointer(start: nil, count: 0), appendingTo: &utf8, flush: true)
    }

    /// Appends a whole text as UTF-8. The same as `decode` and `finish`, in one call.
    package func decodeWhole(_ text: UnsafeRawBufferPointer, appendingTo utf8: inout [UInt8]) {
        convert(text, appendingTo: &utf8, flush: true)
    }

    private func convert(_ bytes: UnsafeRawBufferPointer, appendingTo utf8: inout [UInt8], flush: Bool) {
        var rest = bytes
        var done = false
        utf8.reserveCapacity(utf8.count + bytes.count + bytes.count / 8)
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { block in
            while !done {
                let step = CCharset.decode(decoder, &rest, block, flush: flush)
                utf8.append(contentsOf: block[..<step.written])
                done = step.done
            }
        }
    }
}
