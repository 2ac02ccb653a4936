// Names as a search compares them: without accents and in lower case, their words, and their spelling in another
// script.
//
// Unsafe because words are returned as pointers into the caller's bytes, and results as pointers to ICU's output: no
// allocation per name.

/// Normalizes names exactly as the ICU transliterator `NFD; [:Nonspacing Mark:] Remove; Lower(); NFC` does, root
/// locale.
///
/// Owns buffers and must not be used by two threads at once. Costs about 45 ns for a name of 20 letters (ASCII: 25 ns),
/// 0.2 to 0.5 µs for words with capital sigma, Hangul or Indic vowel signs. Malformed UTF-8 reads as U+FFFD, one for
/// each maximal malformed part. Words of up to 1 MB are exact; a longer word is processed in parts of 1 MB.
package struct NameFolding: ~Copyable {
    private let names = FoldedNames()

    /// Opens ICU's normalization data (some microseconds).
    package init() {}

    /// The normalized bytes, valid until the next call on this value.
    package func fold(_ utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { names.fold(utf8) }

    /// The bytes by the same rule without `Lower()`, valid until the next call on this value. A text, here, is not
    /// divided into words: one of more than 1 MB is processed in parts of 1 MB.
    package func withoutMarks(_ utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { names.withoutMarks(utf8) }

    /// The bytes in lower case and NFC, accents kept, valid until the next call on this value; nil beyond 1 MB. Costs
    /// about 0.3 µs a word.
    package func composedLowercase(_ utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        names.composedLowercase(utf8)
    }

    /// The name in NFKC: plain characters in place of wide, narrow, joined and circled ones, so that "ＪＲ①" is "JR1"
    /// (UAX 15). Nil beyond 1 MB. Valid until the next call.
    package func compatible(_ utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { names.compatible(utf8) }
}

/// Finds words by ICU's word boundaries (UBRK_WORD, root locale): runs of letters, digits, kana or ideographs.
///
/// Thai, Lao, Khmer, Burmese, Chinese and Japanese are split by ICU's dictionaries. Owns an iterator and must not be
/// used by two threads at once. The first text that needs ICU's rules opens them: 0.2 ms in a new process. A name costs
/// 0.1 to 1 µs. Malformed UTF-8 reads as U+FFFD, which is not part of a word.
package struct WordBreaks: ~Copyable {
    private let words = CWords.open()

    /// Opens nothing yet.
    package init() {}

    deinit { CWords.close(words) }

    /// Calls `body` with each word in order; the pointer lies within `utf8`.
    package func forEachWord<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        if PlainWords.isPlain(utf8) { return try PlainWords.forEach(in: utf8, body) }
        try forEachWordByICU(in: utf8, body)
    }

    /// As `forEachWord`, but uses ICU's iterator for every text. Tests compare the two.
    func forEachWordByICU<Failure: Error>(
        in utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        CWords.setText(words, utf8)
        while let word = CWords.next(words) { try body(UnsafeRawBufferPointer(rebasing: utf8[word])) }
    }
}

/// Transforms text by ICU's transliteration rules.
///
///     Transform(rules: ":: Lower; ö > oe;")?.apply("Görlitz")        // "goerlitz"
///
/// The syntax of rules is in ICU's guide (<https://unicode-org.github.io/icu/userguide/transforms/general/rules.html>).
/// They may use ICU's own transforms, such as `:: Any-Latin;`. Opening costs 10 to 100 µs for rules without `::`. For
/// the first line with `::` ICU fills its list of transliterators: 10 to 20 ms, 30 with `Latin-ASCII`. A word costs 1
/// to 5 µs. Not for two threads at once.
package final class Transform {
    private let transform: Handle

    /// Compiles the rules; nil when ICU cannot read them.
    package init?(rules: String) {
        guard let transform = rules.withUTF8Bytes(CTransform.open) else { return nil }
        self.transform = transform
    }

    deinit { CTransform.close(transform) }

    /// The transformed text; nil when it is more than about four times as long.
    package func apply(_ text: String) -> String? {
        text.withUTF8Bytes { apply($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// As above, for UTF-8; malformed parts read as U+FFFD.
    package func apply(_ utf8: UnsafeRawBufferPointer) -> [UInt8]? {
        let capacity = utf8.count * 4 + 16
        var length = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            length = CTransform.apply(transform, utf8, UnsafeMutableRawBufferPointer(buffer))
            count = max(0, min(length, capacity))
        }
        return length >= 0 && length <= capacity ? bytes : nil
    }
}
