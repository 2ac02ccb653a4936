// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSSchema
import ICU
import SearchText

/// Remembers which texts are valid, for texts that repeat, such as the language of each translation: ICU takes 1 to 6
/// µs for each check.
final class JudgedTexts {
    private let texts = IdentifierMap()
    private static let most = 1 << 12
    private static let longest = 64

    /// Whether the text is valid. Calls `judgement` only if the result is not remembered.
    func isRight(_ text: UnsafeRawBufferPointer, _ judgement: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        if let known = texts.key(of: text) { return known == 1 }
        let isRight = judgement(text)
        if texts.count < Self.most, text.count <= Self.longest { _ = texts.insert(text, key: isRight ? 1 : 0) }
        return isRight
    }
}

/// What the reading stage shares between files: identifiers, findings, and how text is converted.
///
/// Owned by the reading stage while it runs; read by others after it ended.
final class ReadingState {
    let namespaces: Namespaces
    // Unchecked: the closures that make notices read rows, never the log.
    @exclusivity(unchecked) var notices: NoticeLog
    let translatedRecords: TranslatedRecords
    let languages = JudgedTexts()
    let timezones = JudgedTexts()
    let currencies = JudgedTexts()
    private let normalizer = NameNormalizer()
    private var normalized: [UInt8] = []
    /// Services that only calendar_dates.txt names get the keys after those of calendar.txt.
    var nextServiceKey: Int32 = 1
    var nextShapeKey: Int32 = 1
    /// The legacy encoding of the file at hand; nil until a value is found that is not UTF-8.
    private(set) var decoder: CharsetDecoder?
    private(set) var charset: String?
    /// The guess that rests on the most text so far: the same bytes should be the same ID in all files of a feed.
    private var bestGuess: Charset.Guess?

    init(notices: NoticeLog) {
        self.notices = notices
        namespaces = Namespaces(.gtfs)
        translatedRecords = TranslatedRecords(namespaces, mostNamed: notices.cap)
    }

    /// The block that is being read; a value's encoding is guessed from it.
    var surroundings: UnsafeRawBufferPointer?
    /// Whether the file at hand is UTF-8 except for single bytes, which become U+FFFD.
    private(set) var isDamagedUTF8 = false

    /// Begins a file. A byte order mark means that the file is UTF-8.
    func beginFile(hasByteOrderMark: Bool = false) {
        decoder = nil
        charset = nil
        isDamagedUTF8 = hasByteOrderMark
    }

    /// Converts bytes that are not UTF-8. Their encoding is guessed once per file, from the block around them and from
    /// the files before.
    func convert(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        if decoder == nil, !isDamagedUTF8 { guess(from: surroundings ?? text) }
        var bytes: [UInt8] = []
        guard let decoder else { return Array(String(decoding: text, as: UTF8.self).utf8) }
        decoder.decode(text, appendingTo: &bytes)
        return bytes
    }

    /// Guesses the encoding. If most characters in the sample are valid UTF-8, the file is UTF-8 with damage, such as
    /// text cut within a character.
    private func guess(from sample: UnsafeRawBufferPointer) {
        isDamagedUTF8 = TextRules.isMostlyUTF8(sample)
        guard !isDamagedUTF8 else { return }
        let guess = Charset.guess(sample, after: bestGuess)
        if guess.evidence >= bestGuess?.evidence ?? 0 { bestGuess = guess }
        charset = guess.name
        decoder = CharsetDecoder(guess.name)
    }

    /// Text for the names of a header. Their encoding is guessed apart from that of the file's values: there are few of
    /// them.
    func texts(ofNames names: [UnsafeRawBufferPointer]) -> [String] {
        let sample = Array(names.joined(separator: [UInt8(ascii: ",")]))
        let guess = sample.withUnsafeBytes {
            TextRules.isMostlyUTF8($0) ? nil : Charset.guess($0, after: bestGuess)
        }
        return names.map { name in
            guard let guess, !TextRules.isUTF8(name), let decoder = CharsetDecoder(guess.name) else {
                return String(decoding: name, as: UTF8.self)
            }
            var bytes: [UInt8] = []
            decoder.decode(name, appendingTo: &bytes)
            decoder.finish(appendingTo: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Passes the name to `body` in the form in which searches compare it.
    func normalize(_ name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        normalizer.normalize(name, into: &normalized)
        normalized.withUnsafeBytes(body)
    }

    /// Text for a message or a kept row, whatever its encoding.
    func text(_ bytes: UnsafeRawBufferPointer) -> String {
        if TextRules.isUTF8(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: convert(bytes), as: UTF8.self)
    }
}

/// Tells whether the key of a row of a clustered table may have occurred before.
///
///     if seen.insert(parent: trip, sequence: stopSequence) { … keep the row's text … }
///
/// Has 64 bits per parent, one for each sequence modulo 64. "No" is certain; "perhaps" is exact for trips with
/// sequences below 64. Parents beyond the two millionth share the bits of earlier ones, so the bits take at most 16 MB.
struct SeenKeys {
    private static let mostParents = 1 << 21
    private var sequences: [UInt64] = []
    /// What `approach` read; stored so that the compiler does not remove the reads.
    private var met: UInt64 = 0

    /// Enters a key, and returns whether it may have occurred before.
    @inline(__always)
    mutating func insert(parent: Int64, sequence: Int64) -> Bool {
        let place = Int(truncatingIfNeeded: parent) & (Self.mostParents - 1)
        if place >= sequences.count { grow(to: place + 1) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: sequence & 63)
        let seen = sequences[place]
        sequences[place] = seen | bit
        return seen & bit != 0
    }

    /// Prefetches the bits of the parents of a block's rows, so that the processor waits for all of them at once:
    /// without this, each of 3 M rows in no order waited 150 ns.
    mutating func approach(_ parents: UnsafePointer<Int32>, count: Int) {
        var met: UInt64 = 0
        sequences.withUnsafeBufferPointer { sequences in
            for row in 0..<count {
                let place = Int(parents[row]) & (Self.mostParents - 1)
                if place < sequences.count { met ^= sequences[place] }
            }
        }
        self.met = met
    }

    private mutating func grow(to count: Int) {
        let wanted = min(max(count, 2 * sequences.count, 1024), Self.mostParents)
        sequences.append(contentsOf: repeatElement(0, count: wanted - sequences.count))
    }
}
