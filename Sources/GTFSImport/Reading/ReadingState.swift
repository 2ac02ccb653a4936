// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSSchema
import ICU
import SearchText
import SystemFiles

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

    /// How many bytes white space has in the encoding of the file at hand.
    private var spaceLengths: [Unicode.Scalar: Int] = [:]

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
        spaceLengths = [:]
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

    /// The text in the file's encoding if its bytes are UTF-8 only by chance; nil if they really are UTF-8.
    func convertedFromChance(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard !isDamagedUTF8, let encodings else { return nil }
        if ChanceUTF8.isNoWord(text), encodings.haveLetters(ofTwoBytes: true, in: file, with: text) {
            let converted = decoded(text)
            return ChanceUTF8.isOfLetters(converted) ? converted : nil
        }
        if ChanceUTF8.hasLoneStranger(text), encodings.haveLetters(ofTwoBytes: false, in: file, with: text) {
            let converted = decoded(text)
            return ChanceUTF8.isOfWords(converted) ? converted : nil
        }
        return nil
    }

    private func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        if decoder == nil { findEncoding(of: text) }
        var converted: [UInt8] = []
        decoder?.decodeWhole(text, appendingTo: &converted)
        return converted
    }

    private func findEncoding(of text: UnsafeRawBufferPointer) {
        switch encodings?.encoding(of: file, with: text) ?? .legacy(Charset.detect(text)) {
        case .damagedUTF8: isDamagedUTF8 = true
        case .legacy(let name):
            charset = name
            decoder = CharsetDecoder(name)
        }
    }

    /// Text for the names of a header. Their encoding is found apart from that of the file's values, which may all be
    /// UTF-8 although a name is not.
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

    /// Text for a message or a kept value, whatever its encoding.
    func text(_ bytes: UnsafeRawBufferPointer) -> String {
        if TextRules.isUTF8(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: convert(bytes), as: UTF8.self)
    }

    /// Text of several values: a row, or a feature of GeoJSON. Each value is converted alone, because one that is not
    /// UTF-8 says nothing about those beside it.
    func text(ofValues bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        var utf8: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let value = UnsafeRawBufferPointer(rebasing: rest.prefix { !Self.isBetweenValues($0) })
            utf8 += TextRules.isUTF8(value) ? convertedFromChance(value) ?? Array(value) : convert(value)
            rest = rest.dropFirst(value.count)
            if let separator = rest.popFirst() { utf8.append(separator) }
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// No letter of a legacy encoding has one of these bytes within it.
    private static func isBetweenValues(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || byte.isLineEnd || ",;\"".utf8.contains(byte)
    }

    /// What is done with text that is not UTF-8.
    var conversion: String {
        isDamagedUTF8
            ? "bytes that are not valid characters were replaced by U+FFFD"
            : "converted from \(charset ?? "windows-1252")"
    }

    // MARK: White space

    /// The range of a text without white space around it, whatever its encoding.
    func trimmed(_ text: UnsafeRawBufferPointer) -> Range<Int> {
        if TextRules.isUTF8(text) {
            guard ChanceUTF8.mayEndInSpace(text), let encodings, encodings.lacksLastCharacter(of: text, in: file) else {
                return TextRules.trimmed(text)
            }
            return trimmed(UnsafeRawBufferPointer(rebasing: text.dropLast()))
        }
        let converted = convert(text)
        let range = converted.withUnsafeBytes(TextRules.trimmed)
        var rest = text[...]
        for space in Self.scalars(converted[..<range.lowerBound]) {
            guard let count = length(of: space, at: { rest.prefix($0) }) else { break }
            rest = rest.dropFirst(count)
        }
        for space in Self.scalars(converted[range.upperBound...]).reversed() {
            guard let count = length(of: space, at: { rest.suffix($0) }) else { break }
            rest = rest.dropLast(count)
        }
        return rest.startIndex..<rest.endIndex
    }

    private static func scalars(_ utf8: ArraySlice<UInt8>) -> String.UnicodeScalarView {
        String(decoding: utf8, as: UTF8.self).unicodeScalars
    }

    /// How many bytes at the edge of a text encode this white space. A feed may have a million such characters, so each
    /// is converted only once per file.
    private func length(of space: Unicode.Scalar, at edge: (Int) -> UnsafeRawBufferPointer.SubSequence) -> Int? {
        if let known = spaceLengths[space] { return known }
        let length = (1...4).first {
            convert(UnsafeRawBufferPointer(rebasing: edge($0))).elementsEqual(String(space).utf8)
        }
        spaceLengths[space] = length
        return length
    }

    /// Whether white space that was trimmed is more than blanks, whatever its encoding.
    func isMoreThanBlank(_ space: UnsafeRawBufferPointer) -> Bool {
        if TextRules.isUTF8(space) { return TextRules.isMoreThanBlank(space) }
        return convert(space).withUnsafeBytes(TextRules.isMoreThanBlank)
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
