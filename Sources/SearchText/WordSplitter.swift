// Splits names into the words that a search finds.
//
// Unsafe because words and their parts are pointers into the caller's bytes: nothing is copied or allocated per word.

import ICU

/// Splits normalized names into words by ICU's word boundaries: runs of letters, digits, kana or ideographs; the rest
/// is dropped.
///
///     WordSplitter().words(in: "gedenkstatte dt. widerstand (berlin)")  // gedenkstatte, dt, widerstand, berlin
///
/// Opens an iterator with the first name that needs ICU's rules: make one for each thread. It must not be used by two
/// threads at once, nor by `body`. A name in an alphabet costs 0.1 to 0.2 µs, one that needs ICU's rules (apostrophes
/// within words, Hebrew, Thai, Japanese) up to 1 µs. ICU 72 counts "@" as a letter.
package final class WordSplitter {
    private let breaks = WordBreaks()
    /// Kept between names, empty, to reuse its memory.
    private var met = DistinctWords()

    /// Opens nothing yet.
    package init() {}

    /// Calls `body` with each word in order; the pointer lies within `utf8`.
    package func forEachWord<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe breaks.forEachWord(in: utf8, body)
    }

    /// Calls `body` with each different word once, in the order of first appearance.
    package func forEachDistinctWord<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // Swapped out during the loop, because each access to a property of a class is checked for exclusivity.
        var words = DistinctWords()
        swap(&words, &met)
        defer {
            words.removeAll()
            swap(&words, &met)
        }
        try unsafe breaks.forEachWord(in: utf8) { word throws(Failure) in
            if unsafe words.insert(word) { try unsafe body(word) }
        }
    }

    /// The words in order; each different word once if `distinct`.
    package func words(in text: String, distinct: Bool = false) -> [String] {
        var words: [String] = []
        var copy = text
        copy.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            let append = { (word: UnsafeRawBufferPointer) in unsafe words.append(String(decoding: word, as: UTF8.self))
            }
            if distinct {
                unsafe forEachDistinctWord(in: bytes, append)
            } else {
                unsafe forEachWord(in: bytes, append)
            }
        }
        return words
    }
}

/// The words met so far in one name. Safe as long as `removeAll` is called before the name's bytes are freed.
@safe
struct DistinctWords {
    /// The first words, compared one by one: names rarely have more.
    private var few: [UnsafeRawBufferPointer] = unsafe []
    /// All further words, in a set, so that a text of a million words does not take a million times a million steps.
    private var many: Set<[UInt8]> = []
    private static let mostCompared = 16

    /// Forgets the words.
    mutating func removeAll() {
        unsafe few.removeAll(keepingCapacity: true)
        if !many.isEmpty { many.removeAll() }
    }

    /// Remembers the word and returns whether it is new.
    mutating func insert(_ word: UnsafeRawBufferPointer) -> Bool {
        if unsafe few.contains(where: { unsafe $0.count == word.count && $0.elementsEqual(word) }) { return false }
        guard unsafe few.count == Self.mostCompared else {
            unsafe few.append(word)
            return true
        }
        return unsafe many.insert([UInt8](word)).inserted
    }
}

/// Splits words at full stops, apostrophes and similar signs between letters, and at "@".
///
///     WordParts.parts(of: "k.valdemara")     // k, valdemara
///     WordParts.parts(of: "l’hospitalet")    // l, hospitalet
///
/// ICU's rules keep such words whole (Unicode Standard Annex 29, rules WB6, WB7, WB11, WB12 and WB13a). Riders search
/// for the second part as often as for the first, and their keyboards type a different apostrophe than the feed uses.
package enum WordParts {
    /// The parts of a word or a text, in order, none of them empty. A text without such a sign is one part.
    package static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var copy = text
        copy.withUTF8 { utf8 in
            unsafe forEachPart(in: utf8.span) { unsafe parts.append(String(decoding: utf8[$0], as: UTF8.self)) }
        }
        return parts
    }

    /// Calls `body` with each part that does not begin the word. (A search already finds the one that does, as the
    /// beginning of the word.) The pointer lies within `word`.
    package static func forEachFurtherPart<Failure: Error>(
        of word: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let bytes = unsafe word.assumingMemoryBound(to: UInt8.self).span
        try forEachPart(in: bytes) { part throws(Failure) in
            if part.lowerBound > 0 { try unsafe body(UnsafeRawBufferPointer(rebasing: word[part])) }
        }
    }

    private static func forEachPart<Failure: Error>(
        in bytes: Span<UInt8>, _ body: (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        var (start, place) = (0, 0)
        while place < bytes.count {
            guard mayBeginSign(bytes[place]), case let length = lengthOfSign(at: place, in: bytes), length > 0 else {
                place += 1
                continue
            }
            if start < place { try body(start..<place) }
            place += length
            start = place
        }
        if start < bytes.count { try body(start..<bytes.count) }
    }

    /// Whether a sign may begin with this byte. No ASCII letter or digit does, so most words need no further check.
    @inline(__always)
    private static func mayBeginSign(_ byte: UInt8) -> Bool {
        let (colon, semicolon, at, underscore) = (
            UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "@"), UInt8(ascii: "_")
        )
        return byte < 0x30 || byte == colon || byte == semicolon || byte == at || byte == underscore || byte >= 0xC2
    }

    /// How many bytes the sign at `place` has; 0 if there is none.
    private static func lengthOfSign(at place: Int, in bytes: Span<UInt8>) -> Int {
        /// A byte after the first one; 0 past the end.
        func byte(_ offset: Int) -> UInt8 { place + offset < bytes.count ? bytes[place + offset] : 0 }
        switch bytes[place] {
        case UInt8(ascii: "."), UInt8(ascii: "'"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "_"), UInt8(ascii: "@"):
            return 1
        case 0xC2: return byte(1) == 0xB7 ? 2 : 0  // ·
        case 0xCA: return [0xBB, 0xBC].contains(byte(1)) ? 2 : 0  // ʻ ʼ
        case 0xE2: return byte(1) == 0x80 && [0x98, 0x99, 0xA7].contains(byte(2)) ? 3 : 0  // ‘ ’ ‧
        case 0xEF: return byte(1) == 0xBC && [0x87, 0x8E, 0x9A].contains(byte(2)) ? 3 : 0  // ＇ ． ：
        default: return 0
        }
    }
}
