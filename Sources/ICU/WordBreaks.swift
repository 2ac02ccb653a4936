// The words of a text by ICU's word boundaries.
//
// Unsafe because the iterator looks at the caller's bytes while it gives the words: nothing is copied.

/// Finds words by ICU's word boundaries (UBRK_WORD, root locale): runs of letters, digits, kana or ideographs.
///
/// Thai, Lao, Khmer, Burmese, Chinese and Japanese are parted by ICU's dictionaries. Owns an iterator and must not be
/// used by two threads at once. Opening costs about 25 µs, a name 0.1 to 1 µs. Malformed UTF-8 reads as U+FFFD, which
/// is no word.
public struct WordBreaks: ~Copyable {
    private let words = CWords.open()

    /// Opens ICU's word rules.
    public init() {}

    deinit { CWords.close(words) }

    /// Calls `body` with each word in order; the pointer lies within `utf8`.
    public func forEachWord<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        CWords.setText(words, utf8, alwaysByICU: false)
        while let word = CWords.next(words) { try body(UnsafeRawBufferPointer(rebasing: utf8[word])) }
    }

    /// The slow reference, for tests: as `forEachWord`, with ICU's iterator for every text, where the words lie in it.
    public func slowReference(_ utf8: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        CWords.setText(words, utf8, alwaysByICU: true)
        while let word = CWords.next(words) { ranges.append(word) }
        return ranges
    }
}
