// Codes that cells hold: currencies of ISO 4217, language tags of BCP 47; and the version of ICU that supplies them.
//
// Unsafe only where ICU borrows the bytes of a cell.

/// Looks up currency codes. Any thread may call these; a call costs about 0.1 µs.
package enum Currencies {
    /// How many digits an amount has after the decimal point by ISO 4217: `EUR` 2, `JPY` 0, `KWD` 3; nil for a code
    /// that is unknown or not three capital letters. Codes without a minor unit (gold, testing) have 0. Withdrawn codes
    /// (`DEM`) are known.
    package static func fractionDigits(_ code: UnsafeRawBufferPointer) -> Int? {
        guard CCodes.isCurrency(code) else { return nil }
        let key = code.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return unusualDigits[key] ?? 2
    }

    /// As above, for a string.
    package static func fractionDigits(_ code: String) -> Int? {
        code.withUTF8Bytes { fractionDigits($0) }
    }

    /// ISO 4217's minor units other than 2. ICU's own numbers come from CLDR, which follows common use (no decimals for
    /// the Iraqi dinar). The GTFS reference asks for ISO's (field type Currency amount).
    private static let unusualDigits: [UInt32: Int] = {
        let groups = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (0, "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX"),
            (0, "ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL"),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
            (4, "CLF UYW"),
        ]
        var digits: [UInt32: Int] = [:]
        for (count, codes) in groups {
            for code in codes.utf8.split(separator: UInt8(ascii: " ")) {
                digits[code.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }] = count
            }
        }
        return digits
    }()
}

/// Looks up language tags. Any thread may call these; a call costs about 1 µs.
package enum Languages {
    /// Whether the whole text is a well-formed BCP 47 tag with a language of ISO 639: `de`, `en-US`, `zh-Hant-TW`,
    /// `zh-cmn`, `mul` are, and so is a tag for private use (`x-own`); `zh_TW`, `xx`, `deutsch` and the empty text are
    /// not. Letters may have either case.
    ///
    /// Two-letter languages are checked with ICU's list. ICU knows only 596 of the 7,910 languages of ISO 639-3, so any
    /// three letters are accepted.
    package static func isWellFormed(_ utf8: UnsafeRawBufferPointer) -> Bool {
        CCodes.isLanguage(utf8)
    }

    /// As above, for a string.
    package static func isWellFormed(_ tag: String) -> Bool {
        tag.withUTF8Bytes(CCodes.isLanguage)
    }
}

/// The ICU in use.
package enum ICULibrary {
    /// Its version, such as "72.1".
    package static var version: String { CVersion.text() }

    /// Whether its version of Unicode has the code point.
    package static func isAssigned(_ codePoint: UInt32) -> Bool { CVersion.isAssigned(codePoint) }
}
