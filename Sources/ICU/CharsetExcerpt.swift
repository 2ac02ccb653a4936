// The part of a file that reveals its encoding, and a test whether it reads as names.
//
// Unsafe only where it borrows the bytes of a file.

/// The fields of a sample that are not ASCII, one per line.
///
/// ICU's detector looks at the first 8,000 bytes only and compares runs of letters with statistics of languages. A CSV
/// file of a feed begins with an English header, and most of its text is ASCII ids and numbers, so the detector sees
/// only those fields that have a byte above 0x7F. Each answer is then checked by decoding the text and testing whether
/// it looks like names. The bytes that separate fields are below 0x30, so they are never inside a character of any
/// candidate encoding.
struct CharsetExcerpt: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Bytes above 0x7F.
    var evidence: Int { bytes.count { $0 > 0x7F } }

    private static let length = 3_000
    /// Below this ICU is guessing.
    private static let leastConfidence = 10
    /// How many characters beyond ASCII a text must have before one of them may be invalid.
    private static let leastAroundCut = 6
    /// How much likelier than windows-1252 another encoding of the Latin alphabet must be: ICU distinguishes these by
    /// only a few letters.
    private static let latinMargin = 3

    init() {}

    /// Takes the fields without the spaces around them, or with them if no field has anything else beyond ASCII.
    init(_ sample: UnsafeRawBufferPointer) {
        take(sample, withSpaces: false)
        if bytes.isEmpty { take(sample, withSpaces: true) }
    }

    /// Adds the fields of a sample for which there is room.
    mutating func take(_ sample: UnsafeRawBufferPointer, withSpaces: Bool) {
        bytes.reserveCapacity(Self.length)
        var rest = sample[...]
        while !rest.isEmpty, bytes.count < Self.length {
            let whole = rest.prefix { !Self.partsFields($0) }
            rest = rest[whole.endIndex...].dropFirst()
            let field = withSpaces ? whole : Self.trimmed(whole)
            let room = Self.length - bytes.count - 1
            guard field.contains(where: { $0 >= 0x80 }), field.count <= room || bytes.isEmpty else { continue }
            bytes.append(contentsOf: field.prefix(room))
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// The field without the spaces that some programs pad every value with. They say nothing about the language, but
    /// ICU counts A1 A1, the wide space of Chinese, Japanese and Korean encodings, as evidence for all three. A
    /// no-break space (A0) at the end may be half of a letter, so it must have one at the beginning, too.
    private static func trimmed(_ field: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var field = field
        while let space = spaces.first(where: field.starts) { field = field.dropFirst(space.count) }
        while let space = spaces.first(where: { field.suffix($0.count).elementsEqual($0) }) {
            field = field.dropLast(space.count)
        }
        guard field.first == noBreakSpace else { return field }
        while field.first == noBreakSpace { field = field.dropFirst() }
        while field.last == noBreakSpace { field = field.dropLast() }
        return field
    }

    private static let spaces: [[UInt8]] = [[UInt8(ascii: " ")], [0xA1, 0xA1]]
    private static let noBreakSpace: UInt8 = 0xA0

    private static func partsFields(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""), UInt8(ascii: "\t"): true
        default: false
        }
    }

    /// The best of ICU's matches that is possible; nil when none is.
    var bestMatch: String? {
        guard !bytes.isEmpty else { return nil }
        var best: (name: String, confidence: Int)?
        for (name, confidence) in CCharset.matches(bytes) {
            guard confidence >= Self.leastConfidence, let encoding = Self.reportedName(name),
                encoding != "windows-949" || isOfHangul(percent: 80)
            else { continue }
            if let best {
                let isLikelyLatin = encoding == "windows-1252" && Self.latin.contains(best.name)
                guard isLikelyLatin, confidence + Self.latinMargin > best.confidence else { continue }
            }
            if readsAsNames(encoding) { best = (encoding, confidence) }
        }
        guard let best else { return nil }
        // A text of many signs has few letters to go by.
        let isUncertain = Self.latin.contains(best.name) && CharsetReading(scalars(in: best.name)).hasManySigns
        return isUncertain && readsAsNames("windows-1252") ? "windows-1252" : best.name
    }

    /// Whether all bytes above 0x7F stand alone and are letters of western languages: "Süd" in windows-1252 could be
    /// "S黡" in GB18030. In a text with two bytes for a letter, most words have two such bytes side by side.
    private var hasLatinLettersOnly: Bool {
        let hasPair = zip(bytes, bytes.dropFirst()).contains { min($0, $1) > 0x7F }
        return !hasPair && bytes.allSatisfy { $0 <= 0x7F || $0 >= 0xC0 }
    }

    private static let latin: Set = ["windows-1252", "windows-1250", "windows-1254", "ISO-8859-2"]

    /// The encoding to report for ICU's name, or nil for encodings that cannot occur here: Unicode, EBCDIC, 7-bit
    /// codes. If a larger encoding has the same letters in the same places, it is reported instead.
    private static func reportedName(_ name: String) -> String? {
        if ["UTF-", "IBM", "ISO-2022"].contains(where: name.hasPrefix) { return nil }
        switch name {
        case "ISO-8859-1": return "windows-1252"
        case "ISO-8859-9": return "windows-1254"
        case "ISO-8859-8", "ISO-8859-8-I": return "windows-1255"
        case "KOI8-R": return "KOI8-U"
        case "EUC-KR": return "windows-949"
        case "Big5": return "Big5-HKSCS"
        default: return name
        }
    }

    /// The excerpt's text in an encoding; empty if ICU does not have it.
    func scalars(in encoding: String) -> [Unicode.Scalar] {
        guard let decoder = CharsetDecoder(encoding) else { return [] }
        var utf8: [UInt8] = []
        bytes.withUnsafeBytes { decoder.decodeWhole($0, appendingTo: &utf8) }
        return Array(String(decoding: utf8, as: UTF8.self).unicodeScalars)
    }

    /// Whether the excerpt reads as names in this encoding: hardly any byte is invalid, most characters beyond ASCII
    /// are letters, and hardly any is out of place; spaces do not count, nor dashes and quotation marks as text has
    /// them. Polish in windows-1250 is neither Big5 (ideographs within words) nor windows-1252 (signs within words),
    /// whatever the statistics say.
    func readsAsNames(_ encoding: String) -> Bool {
        let isOfTwoBytes = Charset.Guess.ofTwoBytes.contains(encoding)
        if isOfTwoBytes, hasLatinLettersOnly { return false }
        let reading = CharsetReading(scalars(in: encoding))
        // One name that was cut within a character must not decide over a whole file.
        let isOneCut = reading.bad == 1 && reading.aboveASCII >= Self.leastAroundCut && isOfTwoBytes
        return reading.isOfLetters && (isOneCut || reading.bad * 50 <= reading.aboveASCII)
            && reading.outOfPlace * 20 <= reading.aboveASCII
    }
}

/// What the characters beyond ASCII are in a text that was decoded in some encoding.
struct CharsetReading {
    /// How many there are, without signs in their place and spaces.
    private(set) var aboveASCII = 0
    private(set) var letters = 0
    /// Dashes, quotation marks and the like where text has them.
    private(set) var signs = 0
    private(set) var bad = 0
    private(set) var outOfPlace = 0
    private let isEmpty: Bool

    init(_ scalars: [Unicode.Scalar]) {
        isEmpty = scalars.isEmpty
        for (place, scalar) in scalars.enumerated() where !scalar.isASCII && !scalar.isWideSpace {
            let before = place > 0 ? scalars[place - 1] : "\n"
            let after = place + 1 < scalars.count ? scalars[place + 1] : "\n"
            if scalar.isSignInPlace(between: before, after) { signs += 1 } else { take(scalar, before, after) }
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ before: Unicode.Scalar, _ after: Unicode.Scalar) {
        aboveASCII += 1
        if scalar.isLetterOrMark { letters += 1 }
        if scalar == "\u{FFFD}" || scalar.value < 0xA0 { bad += 1 }
        let isWithin = before.isASCIILetter && after.isASCIILetter
        let isBeside = before.isSmallASCIILetter || after.isSmallASCIILetter
        let isLoneKana = scalar.isHalfWidthKana && before.isASCII && after.isASCII
        if isWithin && scalar.isOutOfPlaceInNames || isBeside && scalar.isLetterOfAnotherScript || isLoneKana {
            outOfPlace += 1
        }
    }

    /// Whether most are letters; signs alone are no names.
    var isOfLetters: Bool { !isEmpty && letters * 10 >= aboveASCII * 7 && (letters > 0 || signs == 0) }

    /// Whether signs are so frequent that most characters beyond ASCII are no letters.
    var hasManySigns: Bool { letters * 10 < (aboveASCII + signs) * 7 }
}

extension Unicode.Scalar {
    var isASCIILetter: Bool { isASCII && properties.isAlphabetic }
    fileprivate var isSmallASCIILetter: Bool { ("a"..."z").contains(self) }

    /// No-break spaces and the wide spaces of Japanese keyboards: some feeds have them around every name.
    fileprivate var isWideSpace: Bool { value >= 0xA0 && properties.isWhitespace }

    /// Whether it is a dash, quotation mark, ellipsis or bullet where text has one: "Łódź – Kraków", "„Dworzec”". Names
    /// of lines often have a dash each, so such signs may be as frequent as letters beyond ASCII.
    fileprivate func isSignInPlace(between before: Unicode.Scalar, _ after: Unicode.Scalar) -> Bool {
        let (followsWord, precedesWord) = (before.isOfWords, after.isOfWords)
        return switch self {
        case "–", "—", "•": followsWord == precedesWord
        case "„", "“", "”", "‚", "‘", "«", "»", "‹", "›": followsWord != precedesWord
        case "’", "…": followsWord
        default: false
        }
    }

    private var isOfWords: Bool { isLetterOrMark || ("0"..."9").contains(self) }

    /// Half-width kana, one byte each in Shift_JIS. The signs in "N°12" and "2½" (windows-1252) decode to such letters,
    /// but stand alone.
    fileprivate var isHalfWidthKana: Bool { (0xFF61...0xFF9F).contains(value) }

    /// Whether it cannot stand beside a small Latin letter in a name: "Hauptstraße" in windows-1252 is "Hauptstra遝" in
    /// GB18030.
    fileprivate var isLetterOfAnotherScript: Bool { isLetter && (!CCharset.isLatin(self) || isWideLatin) }

    /// The letters of Japanese keyboards: the bytes of "ér" in IBM850 are such a letter in Shift_JIS.
    private var isWideLatin: Bool { (0xFF21...0xFF5A).contains(value) }

    /// Whether the character cannot stand between two ASCII letters in a name: a sign, or a letter of another script.
    fileprivate var isOutOfPlaceInNames: Bool {
        if "¡¿ªº".unicodeScalars.contains(self) { return true }
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return false
        default: return self != "\u{AD}" && !properties.isWhitespace && !CCharset.isLatin(self)
        }
    }
}
