import TestSupport
import Testing

@testable import GTFSImport

/// Which texts have no word of capitals and small letters.
@Suite struct CasedWordsTests {
    private static func lackMixedCase(_ text: String) -> Bool { withBytes(text) { CasedWords.lackMixedCase($0) } }

    @Test(arguments: [
        "MAIN STREET", "main street", "STATION-NORD", "route", "LINE. (NORTH)", "U BAHN WEST", "MAIN ST 5", "34broadst",
        "SOUTH to FORT TOTTEN", "PA BUS TERMINAL VIA 34 ST VIA 8 AV", "HAUPTSTRASSE MÜNCHEN", "улица мира",
        "УЛИЦА МИРА",
        "straße", "mu\u{308}nchen", "4th",
    ])
    func wordsOfOneCaseLackMixedCase(text: String) { #expect(Self.lackMixedCase(text)) }

    @Test(arguments: [
        "", "Main Street", "ABC", "UPPERCASE", "U2", "ÄRZTEHAUS", "東京", "東京 大阪", "新宿駅 ABC", "iPhone", "A B C D E",
        "12345", "... - ...", "a", "A STREET B", "Улица мира", "MU\u{308}NCHEN", "MAIN Street", "main sTreet",
        "محطة القطار", "10ST", "lodi m3", "S 4th", "E-verket", "nº 3",
    ])
    func wordsOfBothCasesOrTooFewOfOneDoNot(text: String) { #expect(!Self.lackMixedCase(text)) }

    /// The validator's rule, by regular expressions, without its two oddities.
    private static func isNotedByRegularExpressions(_ text: String) -> Bool {
        let words = text.matches(of: #/\p{L}+/#.matchingSemantics(.unicodeScalar)).map { String($0.0) }
        if words.count == 1 { return words[0].wholeMatch(of: #/\p{Ll}{2,}/#.matchingSemantics(.unicodeScalar)) != nil }
        let cased = words.filter { $0.unicodeScalars.count > 1 && $0.contains(#/\p{Lu}|\p{Ll}/#) }
        return cased.count > 1 && !cased.contains { $0.contains(#/\p{Lu}/#) && $0.contains(#/\p{Ll}/#) }
    }

    @Test func randomTextsAgreeWithRegularExpressions() {
        var random = SeededGenerator(seed: 11)
        let scalars = Array("AAABaabÄäßЖж京ªʰ17  .-'".unicodeScalars)
        var noted = 0
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...9, using: &random) {
                text.unicodeScalars.append(scalars.randomElement(using: &random) ?? " ")
            }
            let expected = Self.isNotedByRegularExpressions(text)
            noted += expected ? 1 : 0
            if Self.lackMixedCase(text) != expected { Issue.record("\(text): expected \(expected)") }
        }
        #expect(noted > 1_000 && noted < 19_000)
    }
}
