/// Japanese syllables in Latin letters, as Hepburn wrote them and as people type them.
///
///     KanaSpelling.letters.spell("とうきょう")      // toukyou
///     KanaSpelling.signs.spell("とうきょう")        // tokyo
///
/// ICU's own rules are not used: they take 15 ms to open, split syllables of foreign words (ティ is te~i), and may keep
/// the bar of ター at the end of a word. Text that is not kana is not changed. The whole text must be in NFC. Long vowels
/// lose their bar (ー), as letters lose their accents.
enum KanaSpelling {
    /// Letter by letter.
    case letters
    /// As on signs: Tokyo for toukyou, Shimbashi for shinbashi, Mikazuki for mikadzuki.
    case signs

    func spell(_ text: String) -> String {
        var spelling = Syllables()
        for scalar in Katakana.scalars(of: text) { spelling.add(scalar) }
        switch self {
        case .letters: return spelling.text
        case .signs: return Self.asOnSigns(spelling.text)
        }
    }

    /// Works in one pass: letters that it has written are not changed again. Looks at bytes, because comparing
    /// characters took 70,000 instructions for a name of 15 letters.
    private static func asOnSigns(_ text: String) -> String {
        var written: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            let next = rest.first ?? 0
            if let short = shorter(first, next) {
                written.append(short)
                rest.removeFirst()
            } else {
                let isBeforeLips = first == UInt8(ascii: "n") && "bmp".utf8.contains(next)
                written.append(isBeforeLips ? UInt8(ascii: "m") : first)
            }
        }
        return String(decoding: written, as: UTF8.self)
    }

    /// One letter for two; nil if both are written.
    private static func shorter(_ first: UInt8, _ second: UInt8) -> UInt8? {
        switch (Unicode.Scalar(first), Unicode.Scalar(second)) {
        case ("o", "u"), ("o", "o"): UInt8(ascii: "o")
        case ("u", "u"): UInt8(ascii: "u")
        case ("d", "j"): UInt8(ascii: "j")
        case ("d", "z"): UInt8(ascii: "z")
        default: nil
        }
    }
}

/// A text of syllables that is being spelled.
private struct Syllables {
    /// Latin letters, and text that is not kana.
    private(set) var text = ""
    /// The syllable at the end of `text`, as ("f", "u") for フ: a small ィ after it makes it fi. nil where a small letter
    /// has nothing to join: after ン, ー, or another small letter.
    private var last: (consonant: Substring, vowel: Character)?
    /// The katakana that was added last, for the signs that repeat it: ヽ, and ヾ, which adds two dots.
    private var lastKana: UInt32?
    /// Whether a small ッ came last: it doubles the next consonant.
    private var isDoubling = false

    mutating func add(_ scalar: Unicode.Scalar) {
        switch Katakana(scalar) {
        case .syllable(let kana, let letters): add(letters, kana)
        case .small(let letters): join(letters)
        case .doubling: (isDoubling, last) = (true, nil)
        case .long: last = nil
        case .again(let isVoiced): repeatLast(isVoiced: isVoiced)
        case nil:
            text.unicodeScalars.append(scalar)
            (last, lastKana, isDoubling) = (nil, nil, false)
        }
    }

    /// Adds a syllable, given as its letters and as its katakana.
    private mutating func add(_ letters: Substring, _ kana: UInt32) {
        if isDoubling { text += Self.doubled(letters) }
        isDoubling = false
        text += letters
        last = letters.last.flatMap { letters == "n" ? nil : (letters.dropLast(), $0) }
        lastKana = kana
    }

    /// The letter that ッ adds before a syllable: k before ka, t before chi, nothing before a vowel or ン.
    private static func doubled(_ letters: Substring) -> Substring {
        if letters.hasPrefix("ch") { return "t" }
        let hasConsonant = letters.first.map("aiueo".contains) == false && letters != "n"
        return hasConsonant ? letters.prefix(1) : ""
    }

    /// Adds a small letter, which replaces the vowel before it: フィ is f(u) and i, fi; キャ is k(i) and ya, kya.
    private mutating func join(_ letters: Substring) {
        guard let (consonant, vowel) = last, let ending = Self.ending(consonant, vowel, letters) else {
            (last, isDoubling) = (nil, false)
            return text += letters
        }
        text.removeLast()
        text += ending
        last = nil
    }

    /// The letters that replace the vowel: i for フィ, ya for キャ, and
    ///
    /// - w and the vowel after ウ, ク and グ: wi for ウィ, kwa for クァ
    /// - the vowel alone after sh, ch and j: sha for シャ
    ///
    /// nil if the small letter is a syllable of its own: アィ is ai.
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
        let again = isVoiced ? Katakana.voiced(kana) ?? kana : kana
        if let letters = Katakana.letters(of: again) { add(letters, again) }
    }
}

/// How a full-width katakana changes the text.
private enum Katakana {
    /// Adds a syllable: its code, and its letters.
    case syllable(UInt32, Substring)
    /// A small vowel or ya, yu, yo, wa.
    case small(Substring)
    /// ッ doubles the consonant that follows.
    case doubling
    /// ー lengthens the vowel before it.
    case long
    /// ヽ repeats the syllable before it; ヾ repeats it with two dots.
    case again(isVoiced: Bool)

    init?(_ scalar: Unicode.Scalar) {
        let code = scalar.value
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

    /// The text with full-width katakana for all kana: がｶﾞ is ガガ. In half width, two dots or a ring are a character of
    /// their own after their letter. They are dropped after a letter that cannot have them.
    static func scalars(of text: String) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3041...0x3096, 0x309D...0x309E: scalars += [scalar.value + 0x60].compactMap(Unicode.Scalar.init)
            case 0xFF66...0xFF9D: scalars.append(wide[Int(scalar.value - 0xFF66)])
            case 0xFF9E: replaceLast(of: &scalars, by: voiced)
            case 0xFF9F: replaceLast(of: &scalars, by: ringed)
            default: scalars.append(scalar)
            }
        }
        return scalars
    }

    private static func replaceLast(of scalars: inout [Unicode.Scalar], by marked: (UInt32) -> UInt32?) {
        guard let last = scalars.last, let scalar = marked(last.value).flatMap(Unicode.Scalar.init) else { return }
        scalars[scalars.count - 1] = scalar
    }

    /// The same katakana with two dots: ガ for カ; nil if there is none.
    static func voiced(_ code: UInt32) -> UInt32? {
        switch code {
        case 0x30A6: 0x30F4  // ウ, ヴ
        case 0x30EF, 0x30F2: code + 8  // ワ and ヲ, ヷ and ヺ
        case 0x30AB...0x30C1 where code % 2 == 1: code + 1  // カ to チ
        case 0x30C4...0x30C8 where code % 2 == 0: code + 1  // ツ to ト
        case 0x30CF...0x30DB where code % 3 == 0: code + 1  // ハ to ホ
        default: nil
        }
    }

    /// The same katakana with a ring: パ for ハ; nil if there is none.
    private static func ringed(_ code: UInt32) -> UInt32? {
        (0x30CF...0x30DB).contains(code) && code % 3 == 0 ? code + 2 : nil
    }

    /// The letters of each katakana from U+30A1 on.
    private static let spellings = """
        a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi dji tsu tsu dzu te de \
        to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re \
        ro wa wa wi we wo n vu ka ke va vi ve vo
        """.split(separator: " ")
    private static let small: Set<UInt32> = [
        0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30EE,
    ]
    /// The full-width form of each half-width katakana from U+FF66 on.
    private static let wide = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)
}
