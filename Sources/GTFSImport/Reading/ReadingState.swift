// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSSchema
import ICU
import SearchText

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
        // A value that ends within a character must not reach into the next one.
        decoder.decodeWhole(text, appendingTo: &bytes)
        return bytes
    }

    /// The text in the file's encoding if its bytes are UTF-8 only by chance; nil if they mean what they say.
    func convertedFromChance(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard !isDamagedUTF8, ChanceUTF8.isNoWord(text), encodings?.hasTwoByteLetters(file, with: text) == true else {
            return nil
        }
        if decoder == nil { findEncoding(of: text) }
        var converted: [UInt8] = []
        decoder?.decodeWhole(text, appendingTo: &converted)
        return ChanceUTF8.isOfLetters(converted) ? converted : nil
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
            decoder.decodeWhole(name, appendingTo: &bytes)
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

/// The identifier maps of all columns that other columns refer to.
final class Namespaces {
    private var maps: [ColumnReference: IdentifierMap] = [:]
    private let targets: Set<ColumnReference>

    init(_ specification: Specification) {
        targets = Set(specification.files.flatMap { $0.fields.flatMap(\.targets) })
    }

    /// The map for the target of a reference.
    func map(of target: ColumnReference) -> IdentifierMap {
        if let map = maps[target] { return map }
        let map = IdentifierMap()
        maps[target] = map
        return map
    }

    /// The map for the values of a column that other columns refer to; nil if no column does.
    func definedMap(of column: ColumnReference) -> IdentifierMap? {
        targets.contains(column) ? map(of: column) : nil
    }
}
