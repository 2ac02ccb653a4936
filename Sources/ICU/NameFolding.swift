// Names as they are compared in a search: without accents, in lower case.
//
// Unsafe because results stay in C's buffer until they are copied: that saves one allocation a name.

/// Normalizes names exactly as the ICU transliterator `NFD; [:Nonspacing Mark:] Remove; Lower(); NFC` does, root
/// locale.
///
/// Owns buffers and must not be used by two threads at once. Costs about 45 ns for a name of 20 letters (ASCII: 25 ns),
/// 0.2 to 0.5 µs for words with capital sigma, Hangul or Indic vowel signs. Malformed UTF-8 reads as U+FFFD, one for
/// each maximal bad part. A name is exact up to 1 MB between two spaces; a longer word is treated in parts of 1 MB.
public struct NameFolding: ~Copyable {
    private let names = CNames.open()

    /// Opens ICU's normalization data (some microseconds).
    public init() {}

    deinit { CNames.close(names) }

    /// The normalized bytes, valid until the next call on this value.
    public func fold(_ utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        CNames.normalize(names, utf8)
    }
}
