// Detects the encoding of a text that is not Unicode.
//
// Unsafe only where it borrows the bytes of a file.

/// Guesses legacy encodings.
package enum Charset {
    /// The name of the most probable 8-bit or multibyte encoding of a text that is not valid UTF-8: `windows-1252`,
    /// `Shift_JIS`, …
    ///
    /// Only the fields (between commas, quotes, tabs and line ends) with a byte above 0x7F count, up to 3,000 bytes of
    /// them. Pass the whole file or a part around the first such byte. The result is never a Unicode encoding. If one
    /// encoding has all letters of another, the larger one is reported (windows-1252 for ISO-8859-1). If nothing fits,
    /// the result is windows-1252. Costs 1 to 2 ms. Any thread may call it.
    ///
    /// Measured with 53 lists of up to 100 stops, from feeds and from cities of other languages, written by Python in
    /// each of 28 encodings that has their letters: right for 315 of 357 files. 24 of the others are names of other
    /// alphabets in encodings of East Asia. Measured later with lists of 1 to 20 Cyrillic names in five encodings,
    /// among them that of old Macs: right for 450 of 476.
    package static func detect(_ sample: UnsafeRawBufferPointer) -> String { guess(sample).name }

    /// Whether a text of UTF-8 has characters where no name has them, as one that was decoded in a wrong encoding.
    package static func hasOddCharacters(_ text: UnsafeRawBufferPointer) -> Bool {
        OddCharacters.count(in: String(decoding: text, as: UTF8.self).unicodeScalars) > 0
    }

    /// An encoding, and from how much text it was guessed.
    package struct Guess: Sendable, Equatable {
        /// As `detect` returns it.
        package let name: String
        /// Bytes above 0x7F that the guess rests on.
        package let evidence: Int
        /// Whether letters have two bytes: the first above 0x7F, the second perhaps an ASCII letter.
        package var hasTwoByteLetters: Bool { Charset.hasTwoByteLetters(name) }

        static let ofTwoBytes: Set = ["Shift_JIS", "EUC-JP", "windows-949", "Big5-HKSCS", "GB18030"]
    }

    /// Whether an encoding that `detect` returns has letters of two bytes.
    package static func hasTwoByteLetters(_ name: String) -> Bool { Guess.ofTwoBytes.contains(name) }

    /// The encoding that `detect` finds, and from how much text, for one of several files that one program probably
    /// wrote.
    ///
    ///     let ofStops = Charset.guess(stops)
    ///     let ofTrips = Charset.guess(trips, preferring: ofStops)     // that of the stops, unless trips contradict it
    ///
    /// The other guess stays if this text reads as names in that encoding, too, however much text there is.
    /// Most texts fit several encodings, and an ID must be the same text in all files.
    package static func guess(_ sample: UnsafeRawBufferPointer, preferring other: Guess? = nil) -> Guess {
        guess(CharsetExcerpt(sample), preferring: other)
    }

    static func guess(_ excerpt: CharsetExcerpt, preferring other: Guess? = nil) -> Guess {
        if let other, excerpt.readsAsNames(other.name) { return other }
        let match = excerpt.bestMatch
        let name =
            excerpt.ofAnotherAlphabet(unless: match)
            ?? excerpt.lessOdd(than: excerpt.settled(match ?? "windows-1252"))
        return Guess(name: name, evidence: excerpt.evidence)
    }
}

/// Collects the bytes of several samples that reveal their encoding: at most a few thousand, however many samples there
/// are and however long.
///
///     var text = CharsetText()
///     for sample in samples where text.evidence < 100 { text.add(sample) }
///     text.guess
package struct CharsetText: Sendable {
    private var fields = CharsetExcerpt()
    /// The fields of nothing but spaces, which count if there are no others.
    private var spaces = CharsetExcerpt()

    package init() {}

    private var excerpt: CharsetExcerpt { fields.bytes.isEmpty ? spaces : fields }

    /// Bytes above 0x7F that a guess would rest on.
    package var evidence: Int { excerpt.evidence }

    /// Adds a sample, as if it stood on lines below those before.
    package mutating func add(_ sample: UnsafeRawBufferPointer) {
        fields.take(sample, withSpaces: false)
        if fields.bytes.isEmpty { spaces.take(sample, withSpaces: true) }
    }

    /// The encoding that `Charset.guess` finds for all samples together.
    package var guess: Charset.Guess { Charset.guess(excerpt) }
}
