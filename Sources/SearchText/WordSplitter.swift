// Names as the words that a search finds.
//
// Unsafe only where words are shown as parts of the caller's bytes: nothing is copied or allocated a word.
import ICU

/// Splits normalized names into words by ICU's word boundaries: runs of letters, digits, kana or ideographs; the rest
/// is dropped.
///
///     WordSplitter().words(in: "gedenkstatte dt. widerstand (berlin)")  // gedenkstatte, dt, widerstand, berlin
///
/// Opens an iterator (25 µs): make one for each thread. It is not for two threads at once, nor may `body` use it. A
/// name of alphabets costs 0.1 to 0.2 µs, one that needs ICU's rules (apostrophes within words, Hebrew, Thai, Japanese)
/// up to 1 µs. ICU 72 counts "@" as a letter.
public final class WordSplitter {
    private let breaks = WordBreaks()
    /// Kept empty between names, for its memory.
    private var met = DistinctWords()

    /// Opens ICU's word rules.
    public init() {}

    /// Calls `body` with each word in order; the pointer lies within `utf8`.
    public func forEachWord<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe breaks.forEachWord(in: utf8, body)
    }

    /// Calls `body` with each different word once, in the order of first appearance.
    public func forEachDistinctWord<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // Taken out for the time of the loop: each access to a property of a class is checked for exclusivity.
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
    public func words(in text: String, distinct: Bool = false) -> [String] {
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
