// Currencies of ISO 4217.
//
// Unsafe only where the bytes of a cell are lent to ICU.

/// What is known of currency codes. Any thread may call these; a call costs about 0.1 µs.
public enum Currencies {
    /// How many digits an amount has behind the decimal point by ISO 4217: `EUR` 2, `JPY` 0, `KWD` 3; nil for a code
    /// that is unknown or not three capital letters. Codes without a minor unit (gold, testing) have 0. Withdrawn codes
    /// (`DEM`) are known.
    public static func fractionDigits(_ code: UnsafeRawBufferPointer) -> Int? {
        guard CCodes.isCurrency(code) else { return nil }
        let key = code.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return unusualDigits[key] ?? 2
    }

    /// As above, for a string.
    public static func fractionDigits(_ code: String) -> Int? {
        code.withUTF8Bytes { fractionDigits($0) }
    }

    /// ISO 4217's minor units other than 2. ICU's own count is CLDR's, which follows use (no decimals for the Iraqi
    /// dinar) and not ISO, which the GTFS reference asks for (field type Currency amount).
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
