/// Korean syllables in Latin letters, letter by letter as ICU spells them.
///
///     HangulSpelling.spell("서울역")      // seoul-yeog
///
/// Unicode numbers syllables by their first consonant, vowel and last consonant (The Unicode Standard, 3.12,
/// "Conjoining Jamo Behavior"). ICU's own rules are not used: they take 15 ms to open. Text that is not a Korean
/// syllable is not changed. The text must be in NFC.
enum HangulSpelling {
    static func spell(_ text: String) -> String {
        var spelled = ""
        var before: Syllable?
        for scalar in text.unicodeScalars {
            let syllable = Syllable(scalar)
            if let syllable {
                if let before, syllable.needsHyphen(after: before) { spelled += "-" }
                spelled += syllable.first + syllable.vowel + syllable.last
            } else {
                spelled.unicodeScalars.append(scalar)
            }
            before = syllable
        }
        return spelled
    }
}

/// A syllable by its letters; the first and the last consonant may be empty.
private struct Syllable {
    let first, vowel, last: Substring

    /// nil for a scalar that is not a Korean syllable.
    init?(_ scalar: Unicode.Scalar) {
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return nil }
        let number = Int(scalar.value - 0xAC00)
        let (first, rest) = number.quotientAndRemainder(dividingBy: Self.vowels.count * Self.lasts.count)
        let (vowel, last) = rest.quotientAndRemainder(dividingBy: Self.lasts.count)
        (self.first, self.vowel, self.last) = (Self.firsts[first], Self.vowels[vowel], Self.lasts[last])
    }

    private static let firsts = letters("g kk n d tt l m b pp s ss _ j jj ch k t p h")
    private static let vowels = letters("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
    private static let lasts = letters("_ g kk gs n nj nh d l lg lm lb ls lt lp lh m b bs s ss ng j ch k t p h")

    /// Letters by number; `_` means none.
    private static func letters(_ list: String) -> [Substring] {
        list.split(separator: " ").map { $0 == "_" ? "" : $0 }
    }

    /// Whether the letters alone would leave open where the previous syllable ends: 아에 is a-e, because ae is 애.
    func needsHyphen(after before: Syllable) -> Bool {
        if !before.last.isEmpty { return first.isEmpty || Self.canTake(before.last, first) }
        return first.isEmpty && Self.canTake(before.vowel, vowel: vowel)
    }

    /// Whether the last consonant could also belong to the next syllable: 앗사 is as-sa, because assa is 아싸.
    private static func canTake(_ last: Substring, _ first: Substring) -> Bool {
        switch last {
        case "gs", "ls", "bs", "s": first == "s" || first == "ss"
        case "nj": first == "j" || first == "jj"
        case "k": first == "k" || first == "kk"
        case "lg", "ng": first == "g"
        case "lb": first == "b"
        case "j", "lt", "t", "lp", "p": first == last.suffix(1)
        default: false
        }
    }

    /// Whether a vowel and the first letters of the next one could be read as one vowel: 우이 is u-i, because ui is 의.
    private static func canTake(_ vowel: Substring, vowel next: Substring) -> Bool {
        switch vowel {
        case "a", "ya", "o", "wa", "wo": ["eo", "e", "eu"].contains(next)
        case "e": ["o", "oe", "u", "ui"].contains(next)
        case "ye": ["o", "oe"].contains(next)
        case "u", "eu": next == "i"
        default: false
        }
    }
}
