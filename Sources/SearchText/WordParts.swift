// The parts of words that a sign holds together.
//
// Unsafe because parts are shown where they lie in the caller's bytes: the importer asks for those of every word.

/// Parts words where a full stop, an apostrophe or the like stands between two letters.
///
///     WordParts.parts(of: "k.valdemara")     // k, valdemara
///     WordParts.parts(of: "l’hospitalet")    // l, hospitalet
///
/// ICU's rules keep such words whole (Unicode Standard Annex 29, rules WB6, WB7, WB11, WB12 and WB13a). Riders look for
/// the second part as often as for the first, and their keyboards have another apostrophe than the feed.
public enum WordParts {
    /// The parts of a word or a text, in order; one that has no such sign is its only part.
    public static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var copy = text
        copy.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            unsafe forEachPart(in: bytes) { unsafe parts.append(String(decoding: bytes[$0], as: UTF8.self)) }
        }
        return parts
    }

    /// Calls `body` with each part after the first one, which a search finds as the beginning of the word; the pointer
    /// lies within `word`.
    public static func forEachFurtherPart<Failure: Error>(
        of word: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe forEachPart(in: word) { part throws(Failure) in
            if part.lowerBound > 0 { try unsafe body(UnsafeRawBufferPointer(rebasing: word[part])) }
        }
    }

    private static func forEachPart<Failure: Error>(
        in bytes: UnsafeRawBufferPointer, _ body: (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        var (start, place) = (0, 0)
        while place < bytes.count {
            let length = unsafe lengthOfSign(at: place, in: bytes)
            guard length > 0 else {
                place += 1
                continue
            }
            if start < place { try body(start..<place) }
            place += length
            start = place
        }
        if start < bytes.count { try body(start..<bytes.count) }
    }

    /// How many bytes the sign at a place has; 0 where there is none.
    private static func lengthOfSign(at place: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        func byte(_ offset: Int) -> UInt8 { place + offset < bytes.count ? unsafe bytes[place + offset] : 0 }
        switch byte(0) {
        case UInt8(ascii: "."), UInt8(ascii: "'"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "_"):
            return 1
        case 0xC2: return byte(1) == 0xB7 ? 2 : 0  // ·
        case 0xCA: return [0xBB, 0xBC].contains(byte(1)) ? 2 : 0  // ʻ ʼ
        case 0xE2: return byte(1) == 0x80 && [0x98, 0x99, 0xA7].contains(byte(2)) ? 3 : 0  // ‘ ’ ‧
        case 0xEF: return byte(1) == 0xBC && [0x87, 0x8E, 0x9A].contains(byte(2)) ? 3 : 0  // ＇ ． ：
        default: return 0
        }
    }
}
