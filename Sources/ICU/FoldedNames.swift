// Unsafe: letters are read and written in place, 1 ns each; nothing is allocated per name.

/// Normalizes names by the rule of `NameFolding`.
///
/// There are three ways, all with the same result. Tests compare all code points and random texts with ICU's
/// transliterator:
///
/// - ASCII: lower case by arithmetic.
/// - A code point that does not depend on its neighbours ("simple") becomes one code point or nothing. ICU is asked
///   once, and the answer is stored in a page of 256.
/// - A word with anything else (capital sigma, Hangul letters, Indic vowel signs, beyond U+FFFF, malformed bytes) goes
///   through ICU as a whole.
///
/// A word may be normalized alone: U+0020 has no decomposition, no combining class, composes with nothing, and is
/// neither cased nor case-ignorable, so neither NFD, NFC nor the rule of the final sigma looks across it.
final class FoldedNames {
    /// ICU counts in 32 bits: a word longer than this is cut between two code points, and the result may differ there.
    private static let longestPiece = 1 << 20
    private static let unknown: UInt16 = 0

    private let icu = CNames.open()
    /// Indexed by the upper byte of a code point of the basic plane; at most 128 KB.
    private let pages = UnsafeMutablePointer<UnsafeMutablePointer<UInt16>?>.allocate(capacity: 256)
    // Exclusivity is unchecked: no access outlasts the functions of this class, and none of them passes these on.
    @exclusivity(unchecked) private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    @exclusivity(unchecked) private var capacity = 256
    @exclusivity(unchecked) private var count = 0

    init() { pages.initialize(repeating: nil, count: 256) }

    deinit {
        for page in 0..<256 { pages[page]?.deallocate() }
        pages.deallocate()
        bytes.deallocate()
        CNames.close(icu)
    }

    func fold(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        count = 0
        guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return UnsafeRawBufferPointer(start: bytes, count: 0)
        }
        var at = 0
        while at < text.count {
            at = foldSimple(start, from: at, to: text.count)
            if at < text.count { at = foldWord(start, from: at, to: text.count) }
        }
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// The text by the same rule without the lower case, all of it through ICU.
    func withoutMarks(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        count = 0
        if let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            appendByICU(start, from: 0, to: text.count, keepsCase: true)
        }
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    func composedLowercase(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        text.count <= Self.longestPiece ? CNames.composedLowercase(icu, text) : nil
    }

    /// The text in NFKC; nil if it is too long.
    func compatible(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        text.count <= Self.longestPiece ? CNames.compatible(icu, text) : nil
    }

    /// Normalizes while every code point is simple. Returns `end`, or the start of the first word that is not simple;
    /// what was written of that word is removed.
    private func foldSimple(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        // Two bytes become at most three; other lengths do not grow.
        reserve((end - start) * 2)
        let bytes = bytes
        var (at, made) = (start, count)
        var (word, wordMade) = (at, made)
        while at < end {
            let byte = text[at]
            if byte < 0x80 {
                bytes[made] = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
                (at, made) = (at + 1, made + 1)
                if byte == 0x20 { (word, wordMade) = (at, made) }
                continue
            }
            let (codePoint, length) = Self.codePoint(text + at, before: text + end)
            let result = length > 0 ? simple(codePoint) : CNames.notSimple
            guard result != CNames.notSimple else {
                count = wordMade
                return word
            }
            if result != CNames.dropped { made += Self.write(result, to: bytes + made) }
            at += length
        }
        count = made
        return at
    }

    /// A code point of two or three bytes and its length; the length is 0 for anything else.
    @inline(__always)
    private static func codePoint(
        _ text: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
    ) -> (codePoint: UInt32, length: Int) {
        let first = UInt32(text[0])
        guard end - text > 1, text[1] & 0xC0 == 0x80 else { return (0, 0) }
        let second = UInt32(text[1] & 0x3F)
        if first >= 0xC2, first < 0xE0 { return ((first & 0x1F) << 6 | second, 2) }
        guard first & 0xF0 == 0xE0, end - text > 2, text[2] & 0xC0 == 0x80 else { return (0, 0) }
        let codePoint = (first & 0x0F) << 12 | second << 6 | UInt32(text[2] & 0x3F)
        let isSurrogate = codePoint & 0xF800 == 0xD800
        return codePoint < 0x800 || isSurrogate ? (0, 0) : (codePoint, 3)
    }

    @inline(__always)
    private func simple(_ codePoint: UInt32) -> UInt16 {
        if let page = pages[Int(codePoint >> 8)] {
            let known = page[Int(codePoint & 0xFF)]
            if known != Self.unknown { return known }
        }
        return ask(codePoint)
    }

    private func ask(_ codePoint: UInt32) -> UInt16 {
        let number = Int(codePoint >> 8)
        if pages[number] == nil {
            let page = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
            page.initialize(repeating: Self.unknown, count: 256)
            pages[number] = page
        }
        let result = CNames.simple(icu, codePoint)
        pages[number]?[Int(codePoint & 0xFF)] = result
        return result
    }

    /// Writes a code point of the basic plane as UTF-8; returns its length.
    @inline(__always)
    private static func write(_ codePoint: UInt16, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if codePoint < 0x80 {
            target[0] = UInt8(truncatingIfNeeded: codePoint)
            return 1
        }
        let last = UInt8(truncatingIfNeeded: codePoint & 0x3F) | 0x80
        if codePoint < 0x800 {
            (target[0], target[1]) = (UInt8(truncatingIfNeeded: codePoint >> 6) | 0xC0, last)
            return 2
        }
        target[0] = UInt8(truncatingIfNeeded: codePoint >> 12) | 0xE0
        (target[1], target[2]) = (UInt8(truncatingIfNeeded: codePoint >> 6 & 0x3F) | 0x80, last)
        return 3
    }

    /// Normalizes the word that begins at `start` with ICU. Returns the position of the next space or the end of the
    /// text.
    private func foldWord(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var wordEnd = start
        while wordEnd < end, text[wordEnd] != 0x20 { wordEnd += 1 }
        appendByICU(text, from: start, to: wordEnd, keepsCase: false)
        return wordEnd
    }

    private func appendByICU(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int, keepsCase: Bool) {
        var at = start
        while at < end {
            var pieceEnd = min(end, at + Self.longestPiece)
            for _ in 0..<3 where pieceEnd < end && text[pieceEnd] & 0xC0 == 0x80 { pieceEnd -= 1 }
            let part = UnsafeRawBufferPointer(start: text + at, count: pieceEnd - at)
            let piece = CNames.byICU(icu, part, keepsCase: keepsCase)
            reserve(piece.count)
            UnsafeMutableRawPointer(bytes + count).copyMemory(
                from: piece.baseAddress ?? UnsafeRawPointer(bytes), byteCount: piece.count)
            count += piece.count
            at = pieceEnd
        }
    }

    /// Makes room for `more` bytes after those already written.
    private func reserve(_ more: Int) {
        guard capacity - count < more else { return }
        let needed = count + more
        capacity = needed + needed / 2
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: bytes, count: count)
        bytes.deallocate()
        bytes = larger
    }
}
