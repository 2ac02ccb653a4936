import SearchText
import TestSupport
import Testing

@testable import ICU

final class WordSplitterTests {
    let splitter = WordSplitter()
    let breaks = WordBreaks()

    @Test(arguments: [
        ("Gedenkstätte Dt. Widerstand (Berlin)", ["gedenkstatte", "dt", "widerstand", "berlin"]),
        ("S+U Hermannplatz/U8", ["s", "u", "hermannplatz", "u8"]),
        ("Straße des 17. Juni", ["straße", "des", "17", "juni"]),
        ("Берлин-Хауптбанхоф №5", ["берлин", "хауптбанхоф", "5"]),
        ("L'Hay-les-Roses, rue d'Arc", ["l'hay", "les", "roses", "rue", "d'arc"]),
        ("Park 3,5 km; 10.30", ["park", "3,5", "km", "10.30"]),
        ("New York New York", ["new", "york"]),
        ("תל אביב - סבידור מרכז", ["תל", "אביב", "סבידור", "מרכז"]),
        ("መስቀል አደባባይ፣ ለገሀር", ["መስቀል", "አደባባይ", "ለገሀር"]),
        ("ΣΤΑΘΜΟΣ ΛΑΡΙΣΗΣ", ["σταθμος", "λαρισης"]),
        ("  \t ", []),
        ("", []),
        ("+-/()", []),
        ("a\u{0}b", ["a", "b"]),
        ("Line_2", ["line_2"]),
    ])
    func `names are split into their words`(name: String, expected: [String]) {
        #expect(SearchText.words(name) == expected)
    }

    @Test func `Thai and Japanese, written without spaces, are parted by dictionaries`() {
        // ICU's dictionaries may change, so this checks only what must hold for any dictionary.
        let thai = SearchText.words("สถานีรถไฟกรุงเทพ")
        #expect(thai.count > 1)
        #expect(thai.joined() == SearchText.normalize("สถานีรถไฟกรุงเทพ"))
        let japanese = SearchText.words("東京駅八重洲口")
        #expect(japanese.count > 1)
        #expect(japanese.joined() == "東京駅八重洲口")
    }

    @Test func `words come in order, each time or once`() {
        #expect(splitter.words(in: "b a b c a") == ["b", "a", "b", "c", "a"])
        #expect(splitter.words(in: "b a b c a", distinct: true) == ["b", "a", "c"])
    }

    @Test func `many words are told apart as a set does it`() {
        var random = SeededGenerator(seed: 1)
        let words = (0..<5000).map { _ in "w\(random.next() % 900)" }
        var known: Set<String> = []
        let expected = words.filter { known.insert($0).inserted }
        #expect(splitter.words(in: words.joined(separator: " "), distinct: true) == expected)
        #expect(splitter.words(in: "w1 w1", distinct: true) == ["w1"], "the words of the last name are forgotten")
    }

    @Test func `every word lies within the bytes, and is what ICU's iterator gives`() {
        var random = SeededGenerator(seed: 5)
        for round in 0..<6000 {
            var text = ""
            for _ in 0..<Int(random.next() % 24) {
                text.unicodeScalars.append(round % 2 == 0 ? random.scalar() : random.ascii())
            }
            expectSame(Array(text.utf8))
        }
    }

    @Test func `all short texts of the letters that rules speak of are split as by ICU`() {
        let letters = Array("a9 '.,:;_@\"-\u{E9}\u{301}\u{200D}א東ア".unicodeScalars).map { Array(String($0).utf8) }
        for a in letters {
            for b in letters {
                for c in letters {
                    for d in letters { expectSame(a + b + c + d) }
                }
            }
        }
    }

    @Test func `every code point of the alphabets is split as by ICU, between letters, digits, signs and spaces`() {
        for value in UInt32(0)..<0x600 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let c = Character(scalar)
            for text in [
                "\(c)", "a\(c)b", "1\(c)2", "a\(c)1", "x \(c) y", "\(c)'\(c)", "я.\(c)", "\(c)_", "\(c)\(c), \(c)",
            ] {
                expectSame(Array(text.utf8))
            }
        }
    }

    @Test func `malformed bytes part words`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<3000 {
            expectSame((0..<Int(random.next() % 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
        var words: [[UInt8]] = []
        ([0x61, 0xFF, 0x62, 0xC3] as [UInt8]).withUnsafeBytes { text in
            splitter.forEachWord(in: text) { words.append(Array($0)) }
        }
        #expect(words == [[0x61], [0x62]])
    }

    @Test func `a text longer than a piece loses no word`() {
        let text = (0..<400_000).map { "wort\($0 % 1000)" }.joined(separator: " ")
        var count = 0
        var copy = text
        copy.withUTF8 { utf8 in
            splitter.forEachWord(in: UnsafeRawBufferPointer(utf8)) { word in
                count += 1
                if !word.starts(with: "wort".utf8) { Issue.record("cut: \(String(decoding: word, as: UTF8.self))") }
            }
        }
        #expect(count == 400_000)
        #expect(splitter.words(in: String(repeating: "ä", count: 700_000)).joined().count == 700_000)
    }

    @Test func `body may throw and the splitter goes on with the next name`() {
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try Array("a b c".utf8).withUnsafeBytes { text in
                try splitter.forEachDistinctWord(in: text) { _ throws(Enough) in throw Enough() }
            }
        }
        #expect(splitter.words(in: "a b", distinct: true) == ["a", "b"])
    }

    private func expectSame(_ bytes: [UInt8]) {
        var words: [[UInt8]] = []
        let expected: [[UInt8]] = bytes.withUnsafeBytes { text in
            splitter.forEachWord(in: text) { words.append(Array($0)) }
            var byICU: [[UInt8]] = []
            breaks.forEachWordByICU(in: text) { byICU.append(Array($0)) }
            return byICU
        }
        if words != expected { Issue.record("\(bytes): \(words) for \(expected)") }
    }
}

extension SeededGenerator {
    fileprivate mutating func ascii() -> Unicode.Scalar {
        let few = Array("abz09 .,:;'_\"-/()&+@#".unicodeScalars)
        return next() % 3 == 0 ? Unicode.Scalar(UInt8(next() % 128)) : few[Int(next() % UInt64(few.count))]
    }
}

struct WordPartsTests {
    @Test(arguments: [
        ("k.valdemara", ["k", "valdemara"]), ("l'hospitalet", ["l", "hospitalet"]),
        ("l’hospitalet", ["l", "hospitalet"]), ("a.b.c", ["a", "b", "c"]), ("line_2", ["line", "2"]),
        ("10.30", ["10", "30"]), ("col·legi", ["col", "legi"]), ("a．b", ["a", "b"]),
        ("лукʼянівська", ["лук", "янівська"]), ("oʻahu", ["o", "ahu"]), ("markt", ["markt"]),
        (".markt.", ["markt"]), ("'", []), ("", []), ("київ", ["київ"]), ("東京", ["東京"]),
        // These characters share UTF-8 bytes with the separators.
        ("·÷â€", ["÷â€"]), ("@usf", ["usf"]), ("hillsborough@suncoast", ["hillsborough", "suncoast"]),
    ])
    func `words are split into their parts`(word: String, expected: [String]) {
        #expect(WordParts.parts(of: word) == expected)
    }

    @Test func `the first part is the beginning of the word, and not told again`() {
        var parts: [String] = []
        var word = "d'.alsace.sud"
        word.withUTF8 { utf8 in
            WordParts.forEachFurtherPart(of: UnsafeRawBufferPointer(utf8)) {
                parts.append(String(decoding: $0, as: UTF8.self))
            }
        }
        #expect(parts == ["alsace", "sud"])
    }

    /// Whatever signs separate the letters, each run of letters is the beginning of a word or of a part.
    @Test func `every run of letters is found`() {
        var random = SeededGenerator(seed: 8)
        let signs = Array(".':,;_·‘’‧＇．： -/()&+")
        for _ in 0..<3_000 {
            var (text, runs) = ("", [String]())
            for _ in 0..<Int(random.next() % 6 + 1) {
                let run = String(
                    (0..<Int(random.next() % 4 + 1)).map { _ in "abcxyzñд".map(\.self)[Int(random.next() % 8)] })
                runs.append(SearchText.normalize(run))
                text += run + String(signs[Int(random.next() % UInt64(signs.count))])
            }
            let words = SearchText.words(text)
            let found = words + words.flatMap(WordParts.parts)
            #expect(runs.allSatisfy { run in found.contains { $0.hasPrefix(run) } }, "\(text): \(found)")
        }
    }
}
