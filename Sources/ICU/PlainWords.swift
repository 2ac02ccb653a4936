// Unsafe: words are returned as pointers into the caller's bytes.

/// Finds the words of plain names in a tenth of the time that ICU takes.
///
/// Plain names consist of letters of alphabets, digits, and signs that always separate words. Their words are the runs
/// of letters and digits. Every other name goes through ICU; tests compare both.
enum PlainWords {
    /// Which code points up to Armenian are letters of an alphabet, so that a word is always a run of them. ICU is
    /// asked once about each of the 1,424.
    private static let alphabetic: [Bool] = (0..<0x590).map { CWords.isAlphabetic(UInt32($0)) }

    /// Whether the words of the text are exactly its runs of bytes for which `isOfWord` is true.
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        isPlain(text.assumingMemoryBound(to: UInt8.self).span)
    }

    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        var at = 0
        while at < text.count {
            let byte = text[at]
            if byte >= 0x80 {
                // Two bytes encode code points up to U+07FF.
                guard byte >= 0xC2, byte < 0xE0, at + 1 < text.count, text[at + 1] & 0xC0 == 0x80 else { return false }
                let codePoint = Int(byte & 0x1F) << 6 | Int(text[at + 1] & 0x3F)
                guard codePoint < alphabetic.count, alphabetic[codePoint] else { return false }
                at += 2
                continue
            }
            if isSignOfWord(byte) { return false }
            if mayJoin(byte), at > 0, at + 1 < text.count, isOfWord(text[at - 1]), isOfWord(text[at + 1]) {
                return false
            }
            at += 1
        }
        return true
    }

    static func forEach<Failure: Error>(
        in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var at = 0
        while true {
            while at < text.count, !isOfWord(text[at]) { at += 1 }
            let start = at
            while at < text.count, isOfWord(text[at]) { at += 1 }
            guard start < at else { return }
            try body(UnsafeRawBufferPointer(rebasing: text[start..<at]))
        }
    }

    @inline(__always)
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    /// Signs that ICU treats as letters; "@" from version 72 to some later one.
    @inline(__always)
    private static func isSignOfWord(_ byte: UInt8) -> Bool { byte == 0x5F || byte == 0x40 }

    /// Signs that belong to the word when letters or digits stand on both sides, depending on which: "l'hay", "3,5".
    @inline(__always)
    private static func mayJoin(_ byte: UInt8) -> Bool {
        byte == 0x27 || byte == 0x2E || byte == 0x3A || byte == 0x2C || byte == 0x3B
    }
}
