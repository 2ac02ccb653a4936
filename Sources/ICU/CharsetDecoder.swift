// Legacy encodings and UTF-16 to UTF-8.
//
// Unsafe because ICU reads the bytes in place and writes through a buffer on the stack: no allocation per block.

/// Converts texts of one encoding to UTF-8. Bytes that the encoding does not have become U+FFFD.
///
///     CharsetDecoder("windows-1252")?.decodeWhole(text, appendingTo: &utf8)
///
/// One object converts any number of texts, on one thread at a time.
package final class CharsetDecoder {
    private let decoder: Handle

    /// Opens a decoder for a name that ICU knows: IANA's names and their aliases, `UTF-16` (with byte order mark),
    /// `UTF-16LE`. Nil for an unknown name.
    package init?(_ name: String) {
        guard !name.utf8.contains(0), let decoder = CCharset.open(name) else { return nil }
        self.decoder = decoder
    }

    deinit { CCharset.close(decoder) }

    /// Appends a whole text as UTF-8; a character that is cut by its end becomes U+FFFD.
    package func decodeWhole(_ text: UnsafeRawBufferPointer, appendingTo utf8: inout [UInt8]) {
        var rest = text
        var done = false
        utf8.reserveCapacity(utf8.count + text.count + text.count / 8)
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { block in
            while !done {
                let step = CCharset.decode(decoder, &rest, block)
                utf8.append(contentsOf: block[..<step.written])
                done = step.done
            }
        }
    }
}
