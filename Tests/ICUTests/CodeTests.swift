import ICU
import Testing

struct CodeTests {
    @Test(arguments: [
        ("EUR", 2), ("USD", 2), ("JPY", 0), ("KRW", 0), ("ISK", 0), ("VND", 0), ("CLP", 0), ("KWD", 3), ("BHD", 3),
        ("IQD", 3), ("TND", 3), ("CLF", 4), ("UYW", 4), ("IRR", 2), ("LBP", 2), ("AFN", 2), ("HUF", 2), ("IDR", 2),
        ("XXX", 0), ("XAU", 0), ("DEM", 2), ("ITL", 0), ("SLE", 2), ("VED", 2), ("XCG", 2), ("ZWG", 2),
    ])
    func `currencies have the digits of ISO 4217`(code: String, digits: Int) {
        #expect(Currencies.fractionDigits(code) == digits)
        #expect(Array(code.utf8).withUnsafeBytes { Currencies.fractionDigits($0) } == digits)
    }

    @Test(arguments: ["", "E", "EU", "EURO", "eur", "Eur", "QQQ", "AAA", "€", "E\u{0}R", "123", "CNH", "ÄÖÜ"])
    func `other texts are no currencies`(code: String) {
        #expect(Currencies.fractionDigits(code) == nil)
    }

    @Test(arguments: [
        "de", "en-US", "zh-Hant-TW", "mul", "und", "zxx", "EN-us", "sr-Latn", "de-1996", "es-419", "yue", "nan", "swg",
        "de-DE-u-co-phonebk", "i-klingon", "de-x-own", "iw", "x-own", "x-a-b", "zh-cmn", "zh-cmn-Hans", "zh-guoyu",
        "ar-aao", "sgn-ase", "cel-gaulish", "i-enochian", "qaa", "und-Latn",
    ])
    func `well-formed tags of known languages are accepted`(tag: String) {
        #expect(Languages.isWellFormed(tag))
        #expect(Array(tag.utf8).withUnsafeBytes { Languages.isWellFormed($0) })
    }

    @Test(arguments: [
        "", "zh_TW", "xx", "d", "deutsch", "German", "x", "x-", "x-toolongsubtag", "deutsch-x-own", "en-", "-en",
        "en--US", "en US", " en", "en-US-",
        "de\u{0}",
        "en-toolongsubtag", "ру", "1", "12", "123", "en_US.UTF-8", "C", "de,en", "de/en",
    ])
    func `other tags are refused`(tag: String) {
        #expect(!Languages.isWellFormed(tag))
    }

    @Test func `a tag of any length is judged as ICU opens it`() {
        for count in [2, 10, 13, 14, 30, 60, 1000] {
            let tag = Array(repeating: "abcdefgh", count: count).joined(separator: "-")
            #expect(!Languages.isWellFormed(tag))
            #expect(Languages.isWellFormed("de-x-" + tag) == (NameCollator(locale: "de-x-" + tag) != nil))
        }
    }
}
