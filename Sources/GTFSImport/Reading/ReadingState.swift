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
    private let encodings: FeedEncodings?
    private var file = ""
    /// The legacy encoding of the file at hand; nil until a value is found that is not UTF-8.
    private(set) var decoder: CharsetDecoder?
    private(set) var charset: String?
    /// Whether the file at hand is UTF-8 except for single bytes, which become U+FFFD.
    private(set) var isDamagedUTF8 = false

    /// Without the feed's encodings, that of a file is guessed from its first value that is not UTF-8.
    init(notices: NoticeLog, encodings: FeedEncodings? = nil) {
        self.notices = notices
        self.encodings = encodings
        namespaces = Namespaces(.gtfs)
        translatedRecords = TranslatedRecords(namespaces, mostNamed: notices.cap)
    }

    /// Begins a file. A byte order mark means that the file is UTF-8.
    func beginFile(_ name: String, hasByteOrderMark: Bool = false) {
        file = name
        decoder = nil
        charset = nil
        isDamagedUTF8 = hasByteOrderMark
    }

    /// Converts bytes that are not UTF-8. The encoding is found once per file.
    func convert(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        if decoder == nil, !isDamagedUTF8 { findEncoding(of: text) }
        var bytes: [UInt8] = []
        guard let decoder else { return Array(String(decoding: text, as: UTF8.self).utf8) }
        decoder.decode(text, appendingTo: &bytes)
        // A value that ends within a character must not reach into the next one.
        decoder.finish(appendingTo: &bytes)
        return bytes
    }

    private func findEncoding(of text: UnsafeRawBufferPointer) {
        switch encodings?.encoding(of: file, with: text) ?? .legacy(Charset.detect(text)) {
        case .damagedUTF8: isDamagedUTF8 = true
        case .legacy(let name):
            charset = name
            decoder = CharsetDecoder(name)
        }
    }

    /// Text for the names of a header. Their encoding is found apart from that of the file's values: there may be none
    /// in such an encoding.
    func texts(ofNames names: [UnsafeRawBufferPointer]) -> [String] {
        let sample = Array(names.joined(separator: [UInt8(ascii: ",")]))
        guard case .legacy(let encoding)? = encodings?.encoding(ofText: sample),
            let decoder = CharsetDecoder(encoding)
        else { return names.map { String(decoding: $0, as: UTF8.self) } }
        return names.map { name in
            guard !TextRules.isUTF8(name) else { return String(decoding: name, as: UTF8.self) }
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
