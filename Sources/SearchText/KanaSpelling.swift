/// Japanese syllables in Latin letters, as Hepburn wrote them and as people type them.
///
///     KanaSpelling.letters.spell("とうきょう")      // toukyou
///     KanaSpelling.signs.spell("とうきょう")        // tokyo
///
/// ICU's own rules take 15 ms to open, and spell syllables that came with foreign words in pieces: ティ is te~i, and ター
/// at the end of a word may keep its bar. What is no syllable stays as it is; the text must be in NFC. Long vowels lose
/// their bar (ー), as accents do.
enum KanaSpelling {
    /// Letter by letter.
    case letters
    /// As on signs: Tokyo for toukyou, Shimbashi for shinbashi, Mikazuki for mikadzuki.
    case signs

    func spell(_ text: String) -> String {
        var spelling = Syllables()
        for scalar in text.unicodeScalars { spelling.add(scalar) }
        switch self {
        case .letters: return spelling.text
        case .signs: return Self.asOnSigns(spelling.text)
        }
    }

    /// One pass over the letters: what it has written is not looked at again.
    private static func asOnSigns(_ text: String) -> String {
        var (written, rest) = ("", Substring(text))
        while let first = rest.first {
            if let (pair, short) = shorter.first(where: { rest.hasPrefix($0.pair) }) {
                written += short
                rest = rest.dropFirst(pair.count)
                continue
            }
            rest.removeFirst()
            let isBeforeLips = first == "n" && rest.first.map("bmp".contains) == true
            written.append(isBeforeLips ? "m" : first)
        }
        return written
    }

    private static let shorter = [
        (pair: "ou", short: "o"), (pair: "oo", short: "o"), (pair: "uu", short: "u"), (pair: "dj", short: "j"),
        (pair: "dz", short: "z"),
    ]
}

/// A text of syllables that is being spelled.
private struct Syllables {
    /// What is spelled.
    private(set) var text = ""
    /// The syllable before: what it has before its vowel, and the vowel. A small one that follows joins it.
    private var last: (consonant: Substring, vowel: Character)?
    /// The katakana of that, for the signs that repeat it or voice it.
    private var lastKana: UInt32?
    /// A small ッ waits for the consonant that it doubles.
    private var isDoubling = false

    mutating func add(_ scalar: Unicode.Scalar) {
        switch Katakana(scalar) {
        case .syllable(let kana, let letters): add(letters, kana)
        case .small(let letters): join(letters)
        case .doubling: (isDoubling, last) = (true, nil)
        case .long: last = nil
        case .again(let isVoiced): repeatLast(isVoiced: isVoiced)
        case .voicing(let distance): voiceLast(by: distance)
        case nil:
            text.unicodeScalars.append(scalar)
            (last, lastKana, isDoubling) = (nil, nil, false)
        }
    }

    private mutating func add(_ letters: Substring, _ kana: UInt32) {
        if isDoubling, let first = letters.first, !"aiueon".contains(first) || letters.count > 1 {
            text.append(letters.hasPrefix("ch") ? "t" : first)
        }
        isDoubling = false
        text += letters
        last = letters.last.flatMap { letters == "n" ? nil : (letters.dropLast(), $0) }
        lastKana = kana
    }

    /// A small vowel takes the place of the vowel before it: フィ is fi. Small ya, yu, yo and wa lose their consonant
    /// behind sh, ch and j.
    private mutating func join(_ letters: Substring) {
        guard let (consonant, vowel) = last, let ending = Self.ending(consonant, vowel, letters) else {
            (last, isDoubling) = (nil, false)
            return text += letters
        }
        text.removeLast()
        text += ending
        last = nil
    }

    /// What takes the place of the vowel; nil where the small letter stands for itself.
    private static func ending(_ consonant: Substring, _ vowel: Character, _ letters: Substring) -> String? {
        let isGlide = letters.count > 1
        switch (consonant, vowel) {
        case ("", "u") where !isGlide && letters != "u": return "w\(letters)"
        case ("", "i") where letters == "e": return "ye"
        case ("", _): return nil
        case ("sh", "i"), ("ch", "i"), ("j", "i"), ("dj", "i"): return String(letters.suffix(1))
        case ("k", "u") where !isGlide, ("g", "u") where !isGlide: return "w\(letters)"
        default: return String(letters)
        }
    }

    private mutating func repeatLast(isVoiced: Bool) {
        guard let kana = lastKana else { return }
        let again = isVoiced && Katakana.canBeVoiced(kana) ? kana + 1 : kana
        if let letters = Katakana.letters(of: again) { add(letters, again) }
    }

    /// Half-width kana have their two dots or their ring behind them.
    private mutating func voiceLast(by distance: UInt32) {
        guard let kana = lastKana, let (consonant, _) = last, Katakana.canBeVoiced(kana),
            let letters = Katakana.letters(of: kana + distance)
        else { return }
        text.removeLast(consonant.count + 1)
        add(letters, kana + distance)
    }
}

/// What a letter of either syllabary does to the text, by the katakana that it is.
private enum Katakana {
    case syllable(UInt32, Substring)
    /// A small vowel or ya, yu, yo, wa.
    case small(Substring)
    /// Doubles the consonant that follows.
    case doubling
    /// Makes the vowel before it longer.
    case long
    case again(isVoiced: Bool)
    /// The katakana that it makes of the one before lies so far behind it.
    case voicing(UInt32)

    init?(_ scalar: Unicode.Scalar) {
        var code = scalar.value
        switch code {
        case 0x3041...0x3096, 0x309D...0x309E: code += 0x60
        case 0xFF66...0xFF9D: code = Self.wide[Int(code - 0xFF66)].value
        case 0xFF9E:
            self = .voicing(1)
            return
        case 0xFF9F:
            self = .voicing(2)
            return
        default: break
        }
        switch code {
        case 0x30C3: self = .doubling
        case 0x30FC: self = .long
        case 0x30FD: self = .again(isVoiced: false)
        case 0x30FE: self = .again(isVoiced: true)
        default:
            guard let letters = Self.letters(of: code) else { return nil }
            self = Self.small.contains(code) ? .small(letters) : .syllable(code, letters)
        }
    }

    static func letters(of code: UInt32) -> Substring? {
        guard code >= 0x30A1, code < 0x30A1 + UInt32(spellings.count) else { return nil }
        return spellings[Int(code - 0x30A1)]
    }

    /// Whether the next katakana is the same one with two dots.
    static func canBeVoiced(_ code: UInt32) -> Bool {
        switch code {
        case 0x30AB...0x30C1: code % 2 == 1
        case 0x30C4...0x30C9: code % 2 == 0
        case 0x30CF...0x30DD: code % 3 == 0
        default: false
        }
    }

    /// From U+30A1 on.
    private static let spellings = """
        a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi dji tsu tsu dzu te de \
        to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re \
        ro wa wa wi we wo n vu ka ke va vi ve vo
        """.split(separator: " ")
    private static let small: Set<UInt32> = [
        0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30EE,
    ]
    /// Those of half width, from U+FF66 on.
    private static let wide = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)
}
