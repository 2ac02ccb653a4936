/// The rules by which ICU spells names in Latin letters.
///
/// The rules for Cyrillic are our own. They have no line with `::`, because for the first such line ICU fills its list
/// of all transliterators, which takes 10 to 20 ms of processor time. They apply only to lower-case letters in NFC. A
/// letter that a language lacks stays Cyrillic, and the word is then dropped.
enum SpellingRules {
    case ukrainian, russian, bulgarian, serbian
    /// As on signs in Greece (UNGEGN), and letter by letter.
    case greekSigns, greekLetters
    /// ICU's own for any script.
    case anyScript

    /// Whether the text must be in lower case and NFC.
    var needLowercase: Bool {
        switch self {
        case .ukrainian, .russian, .bulgarian, .serbian: true
        case .greekSigns, .greekLetters, .anyScript: false
        }
    }

    var text: String {
        switch self {
        case .ukrainian: Self.ukrainianRules
        case .russian: Self.russianRules
        case .bulgarian: Self.bulgarianRules
        case .serbian: Self.serbianRules
        case .greekSigns: Self.byICU("Greek-Latin/UNGEGN")
        case .greekLetters: Self.byICU("Greek-Latin")
        case .anyScript: Self.byICU("Any-Latin")
        }
    }

    /// One of ICU's own transforms, without the marks that it writes for soft and hard signs, glottal stops and
    /// aspiration.
    private static func byICU(_ name: String) -> String {
        ":: \(name); :: NFD; :: [:Mn:] Remove; :: Lower; [\(modifiers) \(quotes)] > ; "
    }

    /// Apostrophe-like signs: those that Unicode counts as letters, and those that it does not.
    private static let modifiers = "ʹʺʻʼʽʾʿ"
    private static let quotes = "‘’\\u0027"

    /// Latin and Cyrillic letters, marks on them, and numbers. ICU takes 0.5 ms to find all letters of Unicode.
    private static let characters =
        "$letter = [a-z ª µ º ß-ö ø-ɏ ḁ-ỿ а-ҁ ҋ-ԯ]; $mark = [\\u0300-\\u036F \\u0483-\\u0489]; $number = [0-9²³¹¼-¾]; "

    /// Letters that Ukrainian, Russian, Bulgarian and Serbian spell alike.
    private static let commonLetters = """
        а > a; б > b; в > v; д > d; е > e; з > z; к > k; л > l; м > m; н > n; о > o; п > p; р > r; с > s; т > t; \
        у > u; ф > f;
        """

    /// Letters that Ukrainian, Russian and Bulgarian spell as English does.
    private static let englishLetters = "ж > zh; х > kh; ц > ts; ч > ch; ш > sh;"

    /// The table that Ukraine decreed for passports and signs (Cabinet of Ministers, resolution 55 of 2010).
    /// ё, ы and э of Russian names follow the Russian system.
    private static let ukrainianRules = """
        \(characters)$edge = [^$letter]; $start = [^$letter $mark $number]; $sign = [\(modifiers) \(quotes)]; \
        $edge { є > ye; $edge { ї > yi; $edge { й > y; $edge { ю > yu; $edge { я > ya; \
        є > ie; ї > i; й > i; ю > iu; я > ia; зг > zgh; г > h; ґ > g; и > y; і > i; щ > shch; \
        \(commonLetters)\(englishLetters)\
        $yo = [ьъ $sign]* ё; ы $yo > yye; ы > y; э $yo > eye; э > e; \
        $start { ё $yo > yeye; $start { ё > ye; ё $yo > eye; ё > e; ь > ; ъ > ; $sign > ;
        """

    /// BGN/PCGN 1947: е and ё begin with y at the start of a word and after a vowel, й, ъ or ь.
    ///
    /// When a rule applies, letters to the left are already Latin, so no rule can look back at a Cyrillic one. So each
    /// pair of a vowel, й, ъ or ь with е or ё has a rule of its own.
    private static let russianRules = """
        \(characters)$start = [^$letter $mark $number]; $quote = [\(quotes)]; $modifier = [\(modifiers)]; $ye = [её]; \
        $start { $ye $ye > yeye; $start { $ye > ye; $ye $ye > eye; $modifier $ye $ye > eye; $modifier $ye > e; \
        $quote $ye $ye > yeye; $quote $ye > ye; ъ $ye > ye; ь $ye > ye; а $ye > aye; и $ye > iye; й $ye > yye; \
        о $ye > oye; у $ye > uye; ы $ye > yye; э $ye > eye; ю $ye > yuye; я $ye > yaye; \
        \(commonLetters)\(englishLetters)\
        ё > e; г > g; и > i; й > y; щ > shch; ы > y; э > e; ю > yu; я > ya; ъ > ; ь > ; $quote > ; $modifier > ;
        """

    /// BGN/PCGN 1952 with й as ICU has it, and ѣ and ѫ of the spelling before 1945. A final ъ is written, too.
    private static let bulgarianRules = """
        \(commonLetters)\(englishLetters)\
        г > g; и > i; й > ĭ; щ > sht; ъ > ŭ; ю > yu; я > ya; ѣ > ye; ѫ > ŭ; ь > ; [\(modifiers) \(quotes)] > ;
        """

    /// The Latin alphabet of Serbian itself.
    private static let serbianRules = """
        \(commonLetters)\
        г > g; ђ > đ; ж > ž; и > i; ј > j; љ > lj; њ > nj; ћ > ć; х > h; ц > c; ч > č; џ > dž; ш > š; \
        [\(modifiers) \(quotes)] > ;
        """
}
