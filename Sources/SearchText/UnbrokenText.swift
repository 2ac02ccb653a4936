/// A normalized text, parted into the runs of letters of scripts that write no blanks between words, and the rest.
///
///     let text = UnbrokenText("jr東京駅 (西口)")
///     text.runs       // 東京駅, 西口
///     text.rest       // "jr  ( )"
///
/// Thai, Chinese, Japanese and their neighbours write so. ICU cuts such a run into words by a dictionary, and may cut
/// half a run at other places than the whole one. So a search also compares runs as they are. Costs some tens of
/// nanoseconds for each letter of these scripts.
package struct UnbrokenText {
    /// In the order of the text.
    package private(set) var runs: [String] = []
    /// The text with a blank in place of each run.
    package private(set) var rest = ""

    package init(_ normalized: String) {
        var run = String.UnicodeScalarView()
        for scalar in normalized.unicodeScalars {
            if scalar.isOfScriptWithoutBlanks {
                run.append(scalar)
            } else {
                end(&run)
                rest.unicodeScalars.append(scalar)
            }
        }
        end(&run)
    }

    private mutating func end(_ run: inout String.UnicodeScalarView) {
        guard !run.isEmpty else { return }
        runs.append(String(run))
        rest += " "
        run.removeAll()
    }

    /// The runs of a normalized name in UTF-8. A name in Latin, Greek or Cyrillic letters costs one look at its bytes.
    package static func runs(in utf8: [UInt8]) -> [String] {
        guard utf8.contains(where: { $0 >= 0xE0 }) else { return [] }
        return UnbrokenText(String(decoding: utf8, as: UTF8.self)).runs
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of Thai, Lao, Burmese, Khmer and their neighbours, of kana, or an ideograph. Signs are
    /// none.
    fileprivate var isOfScriptWithoutBlanks: Bool {
        guard value >= 0xE00, properties.isAlphabetic else { return false }
        return properties.isIdeographic || Self.scriptsWithoutBlanks.contains { $0.contains(value) }
    }

    /// The blocks of Unicode 15. Between 1950 and 1AAF are the scripts of Tai languages.
    private static let scriptsWithoutBlanks: [ClosedRange<UInt32>] = [
        0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF, 0x3005...0x3006,
        0x3041...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0xA9E0...0xA9FF, 0xAA60...0xAADF, 0xFF66...0xFF9F,
        0x1_B000...0x1_B16F,
    ]
}
